"""Bridges to other people's protocols and libraries, one module each."""
