"""A question for a provider on another machine comes in; its answer, or the reason there is none, goes out."""
