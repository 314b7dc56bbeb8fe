"""From a study to numbers: seating, batches, sums, intervals, summaries."""
