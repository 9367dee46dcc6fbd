"""Language models on trial: games and positions, with every answer graded by the exact solver."""
