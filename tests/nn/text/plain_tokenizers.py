"""Tokenizers as the papers have them, plain and slow, which know nothing of heed's: every pair of
every word is looked at again for each merge, and every end of every piece is tried. Regular
expressions are node's, since Python has no \\p{L}."""
import json
import os
import subprocess
import unicodedata
from collections import Counter

visible = [b for b in range(256) if 33 <= b <= 126 or 161 <= b <= 172 or 174 <= b]
hidden = [b for b in range(256) if b not in visible]
letter = {b: chr(b) for b in visible} | {b: chr(256 + i) for i, b in enumerate(hidden)}

any_case = "'(?:[sS\u017F]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])"
rest = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
gpt2_pattern = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def node(program, data, modules="."):
    """What the program makes of the data, both as JSON."""
    done = subprocess.run(
        ["node", "-e", "const data = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n" + program],
        input=json.dumps(data), capture_output=True, text=True, check=True,
        env=dict(os.environ, NODE_PATH=os.path.abspath(modules)))
    return json.loads(done.stdout)


def split(pattern, texts):
    """The words of each text."""
    return node("console.log(JSON.stringify(data.texts.map("
                "t => t.match(new RegExp(data.pattern, 'gu')) || [])))",
                {"pattern": pattern, "texts": texts})


def merged(symbols, ranks):
    """Byte pair encoding: the first of the pairs of least rank becomes one, until none is left."""
    while len(symbols) > 1:
        pairs = [(ranks.get((a, b), len(ranks)), i)
                 for i, (a, b) in enumerate(zip(symbols, symbols[1:]))]
        rank, i = min(pairs)
        if rank == len(ranks):
            break
        symbols = symbols[:i] + [symbols[i] + symbols[i + 1]] + symbols[i + 2:]
    return symbols


def trained(words, most):
    """The merges of letters that byte pair encoding learns: the most frequent pair, if it is there
    twice; of several the one of the smaller left id, then right id."""
    counted = Counter(words)
    spellings = {word: [letter[b] for b in word.encode()] for word in counted}
    ids = {c: i for i, c in enumerate(sorted(letter.values()))}
    merges = []
    while len(merges) < most:
        pairs = Counter()
        for word, symbols in spellings.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] += counted[word]
        if not pairs:
            break
        pair = min(pairs, key=lambda its: (-pairs[its], ids[its[0]], ids[its[1]]))
        if pairs[pair] < 2:
            break
        merges.append(pair)
        ids[pair[0] + pair[1]] = len(ids)
        for word, symbols in spellings.items():
            joined, i = [], 0
            while i < len(symbols):
                here = tuple(symbols[i:i + 2]) == pair
                joined.append(symbols[i] + symbols[i + 1] if here else symbols[i])
                i += 2 if here else 1
            spellings[word] = joined
    return merges, ids


def byte_level(words, ids, ranks):
    """Byte-level BPE of a text that was cut into words."""
    return [ids[t] for word in words for t in merged([letter[b] for b in word.encode()], ranks)]


def fallback_ids(text, ids, ranks):
    """Llama's BPE of a text with \u2581 for blanks, the whole text at once."""
    symbols = []
    for c in text:
        symbols += [c] if c in ids else [f"<0x{b:02X}>" for b in c.encode("utf-8", "surrogateescape")]
    return [ids[t] for t in merged(symbols, ranks)]


def byte_fallback(data, ids, ranks):
    """The same of bytes, with a blank before them."""
    text = "\u2581" + data.decode("utf-8", "surrogateescape").replace(" ", "\u2581") if data else ""
    return fallback_ids(text, ids, ranks)


def is_cjk(c):
    return any(a <= ord(c) <= b for a, b in [
        (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
        (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)])


def is_mark_of_punctuation(c):
    return (33 <= ord(c) <= 47 or 58 <= ord(c) <= 64 or 91 <= ord(c) <= 96 or
            123 <= ord(c) <= 126 or unicodedata.category(c)[0] == "P")


def bert(text, ids, lower, strip=None, clean=True, chinese=True, **pieces):
    """BERT's tokens, uncased or cased. Accents are stripped if `strip`; if None, with the case."""
    if clean:
        text = "".join(" " if c in "\t\n\r" or unicodedata.category(c)[0] == "Z" else c for c in text
                       if c in "\t\n\r" or (c != "\uFFFD" and unicodedata.category(c)[0] != "C"))
    if chinese:
        text = "".join(f" {c} " if is_cjk(c) else c for c in text)
    if lower if strip is None else strip:
        text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    if lower:
        text = "".join(c.lower() for c in text)
    words = "".join(" " + c + " " if is_mark_of_punctuation(c) else c for c in text).split()
    return [i for word in words for i in word_pieces(word, ids, **pieces)]


def word_pieces(word, ids, marks="##", longest=100, unknown="[UNK]"):
    found, begin = [], 0
    if len(word) > longest:
        return [ids[unknown]]
    while begin < len(word):
        for end in range(len(word), begin, -1):
            piece = (marks if begin else "") + word[begin:end]
            if piece in ids:
                found.append(ids[piece])
                begin = end
                break
        else:
            return [ids[unknown]]
    return found
