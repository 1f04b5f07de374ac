"""Was it any good? Judgments, runs, measures, comparison, the published record, reproduction and new collections."""
