"""How the companion feels, and how what happens moves it."""
