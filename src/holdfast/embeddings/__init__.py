"""Text comes in; vectors that name the model that made them go out."""
