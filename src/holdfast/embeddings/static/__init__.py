"""Text comes in; vectors of the model that lives in this folder go out, with numpy and nothing else."""
