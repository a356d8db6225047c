"""The pages and the API that show and change what the companion holds. Nothing below imports it."""
