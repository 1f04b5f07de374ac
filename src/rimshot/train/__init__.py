"""Where do the models come from? The only folder that knows torch."""
