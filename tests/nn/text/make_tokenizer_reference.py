#!/usr/bin/env python3
"""Writes tokenizer_reference.json beside it: small vocabularies, trained on the text below, and the
ids of sentences, by plain_tokenizers.py. It needs node; nothing that is built or tested needs the
script."""
import json
import os
import unicodedata
from collections import Counter

from plain_tokenizers import (bert, byte_fallback, byte_level, gpt2_pattern, letter, split, trained)

TEXT = """The keys to the cabinet are on the table. The chicken crossed the road because it wanted to
get to the other side. The animal didn't cross the street because it was too tired; it wasn't wide.
Time flies like an arrow, fruit flies like a banana. Necesito un sobre para enviar mis documentos.
We're here, they're there, I'll go and you'll stay: 12 tables, 120 chairs, 2024 keys.  Two blanks.
Café, naïve, Straße, crème brûlée, el niño; für Elise, über die Straße, œuvre. Über allem: Ruhe.
"""
SENTENCES = [
    "", "t", "the", "The table", "the tables", " the table", "the  table", "the   table ",
    "time flies\nlike an arrow\n\n", "fruit\t\tflies", "a banana, a bananaaaaa!", "didn't DIDN'T didn\u2019t",
    "we'll they've I'd it's", "12 chairs, 2024 1200", "x=12;y+=34", "caf\u00e9 cafe\u0301 CAF\u00c9",
    "\u00dcber die Stra\u00dfe", "na\u00efve Na\u00efve", "\u4e16\u754c and \u65e5\u672c", "\U0001F642 ok \U0001F469\u200d\U0001F680",
    "\u041f\u0440\u0438\u0432\u0435\u0442", "\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2", "\ud55c\uad6d", "\u0130stanbul", "nul\0 tab\t bell\x07",
    "a\u00a0b\u3000c\u2028d", "\u2581the\u2581 table", "[CLS] the [SEP]", "<s> the </s>", "<0x41>",
    "\u2160\u00bd\u0663", "$5+6=11 ~ `code` ^_^", "unwanted untabled", "e\u0301\u0323", "\ufb01ne \u212bngstr\u00f6m",
    "crossedthestreetbecause", "'s 't 'S 'll'", "...", "\u2026\u201cquoted\u201d\u2014dash",
]


def readable(value):
    """JSON; characters that cannot be seen, or join the previous one, are escaped."""
    return "".join(c if c.isprintable() and not unicodedata.combining(c) else f"\\u{ord(c):04x}"
                   for c in json.dumps(value, ensure_ascii=False))


def array(items, indent):
    """The items as JSON, in lines of about 90 characters."""
    lines = [""]
    for item in map(readable, items):
        if len(indent + lines[-1] + item) > 84:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + item + ","
    return "[" + ("\n" + indent).join(lines).removesuffix(",") + "]"


def entry(text, by_tokenizer):
    """A text and its ids by each tokenizer; if the text is not UTF-8, its bytes."""
    is_text = isinstance(text, str)
    members = [f'"text": {readable(text)}' if is_text else f'"bytes": {array(text, "   ")}']
    members += [f'"{name}": {array(ids, "   ")}' for name, ids in by_tokenizer.items()]
    return "  {" + ",\n   ".join(members) + "}"


words = split(gpt2_pattern, [TEXT] + SENTENCES)
merges, ids = trained(words[0], 90)
ranks = {pair: i for i, pair in enumerate(merges)}

# Llama's: the same merges where they are of characters, with ▁ for Ġ.
fallback_ids = {"<unk>": 0, "<s>": 1, "</s>": 2} | {f"<0x{b:02X}>": 3 + b for b in range(256)}
characters = sorted(set(TEXT.replace(" ", "\u2581").replace("\n", "")) - {"\u00f1"})
for c in characters:
    fallback_ids[c] = len(fallback_ids)
fallback_merges = []
for pair in merges:
    left, right = (part.replace(letter[32], "\u2581") for part in pair)
    if left in fallback_ids and right in fallback_ids and (left + right).isprintable():
        fallback_ids.setdefault(left + right, len(fallback_ids))
        fallback_merges.append((left, right))
fallback_ranks = {pair: i for i, pair in enumerate(fallback_merges)}

# BERT's: letters, words that are there twice, and what remains of others.
counted = Counter(w.lower() for w in TEXT.replace(".", " ").replace(",", " ").split())
pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
pieces += sorted(set(TEXT.lower()) - set(" \n\u00f1\u00ef")) + ["T", "The", "\u00dc", "\u00e9", "\u4e16", "$", "+", "[", "]"]
pieces += [w for w, n in sorted(counted.items()) if n > 1 and len(w) > 1]
pieces += ["##" + c for c in "abcdehlnorstuwy"] + ["##ed", "##ing", "##s", "##es", "##ble", "##bled", "##nana"]
pieces = list(dict.fromkeys(pieces))
piece_ids = {p: i for i, p in enumerate(pieces)}

vocabularies = {"byte_level_merges": [" ".join(pair) for pair in merges],
                "fallback_tokens": fallback_ids,
                "fallback_merges": [" ".join(pair) for pair in fallback_merges],
                "word_pieces": pieces}
entries = [entry(s, {"byte_level": byte_level(w, ids, ranks),
                     "fallback": byte_fallback(s.encode(), fallback_ids, fallback_ranks),
                     "uncased": bert(s, piece_ids, True),
                     "cased": bert(s, piece_ids, False)})
           for s, w in zip(SENTENCES, words[1:])]
entries += [entry(b, {"fallback": byte_fallback(b, fallback_ids, fallback_ranks)})
            for b in [b"bad \xff\xfe \xc3", b"\xe2\x96the", b"\x80\0a"]]
with open(os.path.join(os.path.dirname(__file__), "tokenizer_reference.json"), "w",
          encoding="utf-8") as out:
    out.write(f'{{"training_text": {readable(TEXT)},\n')
    for name, tokens in vocabularies.items():
        out.write(f'"{name}":\n {array(tokens, "  ")},\n')
    out.write('"texts": [\n' + ",\n".join(entries) + "\n]}\n")
