"""Checks of the stored data against everything that can be derived again. Changes nothing."""
