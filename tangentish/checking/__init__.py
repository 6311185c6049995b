"""Derivatives held against numeric ones, and against those of others."""
