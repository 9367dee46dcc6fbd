"""The full-screen app: it shows positions and passes on what a person does, and decides no rule."""
