"""The rules alone: no printing, no input, no clocks, no search."""
