"""What a worker and its commands are confined to: `setup` puts it together, the other pages are its parts."""
