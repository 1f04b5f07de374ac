"""Texts of kinds that no detector was trained for."""
