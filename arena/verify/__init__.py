"""Checks what is stored against everything that can be derived again. Changes nothing."""
