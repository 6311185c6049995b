"""Expressions of derivatives: the templates of rules, filled in and kept as a person would write them."""
