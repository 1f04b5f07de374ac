"""The classical field: the learners of the JOKER papers behind the detector protocol, each by name."""
