"""The web app: play anyone, anywhere, with exact analysis."""
