"""How the database came to be, one step after the other; ``gridlock db upgrade`` takes them."""
