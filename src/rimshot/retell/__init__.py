"""Is it the same joke? Document models, pair similarity, families of retellings."""
