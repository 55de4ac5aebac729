"""Labelled questions and a memory come in; how well search answers them, by set, stage and category, comes out."""
