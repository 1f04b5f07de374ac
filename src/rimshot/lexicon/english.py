"""English pronunciation: the CMU dictionary, then word parts it knows, then letters by rule."""

from __future__ import annotations

from functools import lru_cache

from rimshot.lexicon.store import table

__all__ = ["by_letters", "pronounce"]

_ENDING_SOUNDS = """
ingly=INli fully=f@li edly=Idli ness=nIs less=l@s ment=m@nt able=@b@l ings=INz ing=IN ers=3z ies=iz est=Ist ful=f@l
ish=IS er=3 or=3 ly=li y=i 's=z s'=z ed=d es=Iz s=z d=d
"""
_ENDINGS = [(ending, sound) for ending, _, sound in (pair.partition("=") for pair in _ENDING_SOUNDS.split())]
_START_SOUNDS = """
un=Vn re=ri over=6v3 under=Vnd3 dis=dIs out=4t super=sup3 mis=mIs pre=pri non=nQn anti=Anti inter=Int3
"""
_STARTS = [(start, sound) for start, _, sound in (pair.partition("=") for pair in _START_SOUNDS.split())]

# Letter groups, longest first; "^" begins and "$" ends a word, "+" must be followed by e, i or y.
_GROUPS = """
tion=S@n sion=Z@n ture=C3 ough=6 augh=c eigh=1 igh=2 ation=1S@n ious=i@s eous=i@s cious=S@s tious=S@s ousl=@sl ous$=@s
ience=i@ns ance$=@ns ence$=@ns able$=@b@l ible$=@b@l ism$=Iz@m ist$=Ist age$=IJ ive$=Iv ness$=nIs tch=C sch=sk sh=S
ch=C ph=f th=T wh=w ck=k ng=N qu=kw gh= kn=n ^wr=r ^ps=s ^gn=n ^x=z mb$=m dge=J dg=J gg=g cc=k ee=i ea=i oo=u ou=4
ow=6 oi=5 oy=5 ai=1 ay=1 au=c aw=c ei=1 ey=i ie=i oa=6 ue=u ui=u eu=ju ew=u eau=6 air=Er are$=Er ear=Ir eer=Ir
ier=Ir oor=cr our=cr ore=cr ar=Qr er=3 ir=3 or=cr ur=3 c+=s g+=J bb=b dd=d ff=f ll=l mm=m nn=n pp=p rr=r ss=s tt=t
zz=z le$=@l y$=i e$= es$=z ed$=d a=A b=b c=k d=d e=E f=f g=g h=h i=I j=J k=k l=l m=m n=n o=Q p=p q=k r=r s=s t=t
u=V v=v w=w x=ks y=I z=z
"""
_LETTERS = dict(pair.split("=") for pair in _GROUPS.split())
_LONG = {"a": "1", "e": "i", "i": "2", "o": "6", "u": "u", "y": "2"}


def by_letters(word: str) -> str:
    """Pronounce a word by its letters alone; a guess, for words no dictionary has.

    >>> by_letters("blork")
    'blcrk'
    """
    text = "^" + "".join(c for c in word.lower() if c.isascii() and c.isalpha()) + "$"
    phones, place = "", 1
    while place < len(text) - 1:
        # A vowel before one consonant and a final e is long: "spake".
        if text[place] in _LONG and text[place + 2 : place + 4] == "e$" and text[place + 1] not in "aeiouyrwx":
            phones += _LONG[text[place]]
            place += 1
            continue
        for size in range(min(6, len(text) - place), 0, -1):
            group = text[place : place + size]
            found = _LETTERS.get(group)
            if found is None and place == 1:
                found = _LETTERS.get("^" + group)
            if found is None and size == 1 and text[place + 1] in "eiy":
                found = _LETTERS.get(group + "+")
            elif size == 1 and text[place + 1] in "eiy" and group in "cg":
                found = _LETTERS[group + "+"]
            if found is not None:
                phones += found
                place += size - group.count("$")
                break
        else:
            place += 1
    return phones


def _listed(word: str) -> str | None:
    found = table("sounds-en").get(word)
    return None if found is None else found.decode().split(" ")[0]


def _by_parts(word: str) -> str | None:
    for ending, sound in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            stem = word[: -len(ending)]
            for base in (stem, stem + "e", stem + "y", stem[:-1] if stem[-1] == stem[-2] else stem, stem[:-1] + "y"):
                if known := _listed(base):
                    if ending == "ed" and known[-1] in "td":
                        return known + "Id"
                    if ending == "ed" and known[-1] in "pkfsSCT":
                        return known + "t"
                    if ending == "s" and known[-1] in "ptkfT":
                        return known + "s"
                    return known + sound
    for start, sound in _STARTS:
        if word.startswith(start) and len(word) - len(start) > 2 and (known := _listed(word[len(start) :])):
            return sound + known
    for cut in range(len(word) - 3, 2, -1):
        if (first := _listed(word[:cut])) and (last := _listed(word[cut:])):
            return first + last
    return None


@lru_cache(maxsize=1 << 15)
def pronounce(word: str) -> tuple[str, ...]:
    """Give the pronunciations of a word, most usual first; of several words, the first of each joined.

    >>> pronounce("sail") == pronounce("sale") == ("s1l",)
    True
    """
    low = word.lower().replace("’", "'").strip("'\"")
    parts = low.replace("-", " ").split()
    if len(parts) > 1:
        return ("".join(pronounce(part)[0] for part in parts if pronounce(part)),)
    low = "".join(parts)
    if not any(c.isalpha() for c in low):
        return ()
    found = table("sounds-en").get(low)
    if found is not None:
        return tuple(found.decode().split(" "))
    plain = low.replace("'", "")
    return (_listed(plain) or _by_parts(low) or _by_parts(plain) or by_letters(plain),)
