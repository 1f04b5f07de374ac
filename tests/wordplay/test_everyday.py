"""Everyday sentences: two parts without a common sentence, and none that a collection to be measured on holds."""

from rimshot.wordplay.everyday import everyday


def test_wordnets_sentences_come_in_two_parts_without_any_in_common():
    one, other = everyday(0, 50), everyday(1, 50)
    assert len(set(one)) == len(set(other)) == 50 and not set(one) & set(other)
    assert all(len(text.split()) >= 4 for text in one)


def test_the_order_is_the_same_each_time_and_a_part_has_an_end():
    every = everyday(0, 10**6)
    assert everyday(0, 10) == every[:10] and 10_000 < len(every) < 20_000


def test_sentences_of_a_collection_are_left_out_whole_or_quoted_whatever_their_marks():
    every = everyday(0, 10**6)
    whole, quoted = every[:2]
    told = {whole.upper() + "!", f'For example, "{quoted}."'}
    assert set(every) - set(everyday(0, 10**6, told)) == {whole, quoted}
