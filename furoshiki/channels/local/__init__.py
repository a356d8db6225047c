"""What the channels of this machine share: words through the two boxes, and an answer that can be seen growing."""
