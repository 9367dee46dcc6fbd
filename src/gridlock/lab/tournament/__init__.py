"""Tournaments between programs: who is stronger, by how much, and who throws wins away."""
