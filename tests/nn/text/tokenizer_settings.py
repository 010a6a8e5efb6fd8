#!/usr/bin/env python3
"""Writes tokenizers with combinations of settings, for tokenizer_settings_test.cpp.

Run as: tokenizer_settings.py ROOT TO
Each has files, and either texts with the ids that a plain implementation gives them, or the
settings of which a refusal must name one. Beforehand, the names that the loader's sources have are
compared with those in nn/TOKENIZER_SETTINGS.md, and these with those of the combinations."""
import itertools
import json
import re
import sys
import unicodedata

from plain_tokenizers import bert, byte_level, letter, merged, byte_fallback, word_pieces

root, to = sys.argv[1], sys.argv[2]
ABSENT = object()
BOOL = (ABSENT, None, False, True)
LETTERS, DIGITS, OTHERS = r"[^\W\d_]", r"\d", r"(?:[^\s\w]|_)"
ENDINGS = "'s|'t|'re|'ve|'m|'ll|'d"
SPACES = r"\s+(?!\S)|\s+"
GPT2 = rf"{ENDINGS}| ?{LETTERS}+| ?{DIGITS}+| ?{OTHERS}+|{SPACES}"
LLAMA3 = (rf"(?i:{ENDINGS})|(?:[^\r\n\w]|_)?{LETTERS}+|{DIGITS}{{1,3}}| ?{OTHERS}+[\r\n]*"
          rf"|\s*[\r\n]+|{SPACES}")
LLAMA3_IN_FILE = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
                  r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
TEXTS = ["", " ", "the", " the  xyz's 1234 an\n\n", "xyz the<x>an  <y> 12<x> ", "e\u0301\u00e9 \u4e16",
         "The x<y ><x><y>y>\u2581the", "a<z>b <z>"]
combinations, used = [], set()


def given(**settings):
    """Without those that are absent. Notes all names."""
    used.update(settings)
    return {name: value for name, value in settings.items() if value is not ABSENT}


def value_of(setting, otherwise):
    return otherwise if setting is ABSENT or setting is None else setting


def cut(text, tokens, special):
    """Pieces of the text, and ids of the added tokens in it, for one pass."""
    parts, begin, at = [], 0, 0
    while at < len(text):
        here = [t for t in tokens if text.startswith(t["content"], at)]
        if not here:
            at += 1
            continue
        token = max(here, key=lambda t: len(t["content"]))
        end = at + len(token["content"])
        if not token.get("special") or special:
            left = text[begin:at].rstrip() if token.get("lstrip") else text[begin:at]
            parts += ([(left, begin == 0)] if left else []) + [token["id"]]
            while token.get("rstrip") and end < len(text) and text[end].isspace():
                end += 1
            begin = end
        at = end
    return parts + ([(text[begin:], begin == 0)] if text[begin:] else [])


def encoded(text, added, special, model):
    second = [t for t in added if value_of(t.get("normalized"), not t.get("special"))]
    ids = []
    for part in cut(text, [t for t in added if t not in second], special):
        for piece in [part] if isinstance(part, int) else cut(part[0], second, special):
            first = not isinstance(part, int) and part[1]
            ids += ([piece] if isinstance(piece, int) else model(piece[0], first and piece[1]))
    return ids


def add(files, refused, added=(), model=None, special_tokens=None):
    one = {"files": {name: content if isinstance(content, str) else json.dumps(content)
                     for name, content in files.items()}, "refused": refused}
    if not refused:
        one["texts"] = [{"text": text.encode().hex(), "special": special,
                         "ids": encoded(text, added, special, model)}
                        for text in TEXTS for special in (False, True)]
        if special_tokens:
            one["pair"] = special_tokens(encoded("the", added, False, model),
                                         encoded("an", added, False, model))
    combinations.append(one)


def json_file(model, added=(), normalizer=None, pre=None, post=None, decoder=None):
    return {"added_tokens": list(added), "normalizer": normalizer, "pre_tokenizer": pre,
            "post_processor": post, "decoder": decoder, "model": model}


def sequence(name, steps):
    return steps[0] if len(steps) == 1 else {"type": "Sequence", name: steps} if steps else None


# Byte-level BPE.
MERGES = [("t", "h"), ("th", "e"), ("\u0120", "the"), ("a", "n"), ("1", "2"), ("\u00c3", "\u00a9")]
BYTES = list(letter.values()) + [a + b for a, b in MERGES] + ["xyz"]  # which no merge makes
BYTE_IDS = {token: i for i, token in enumerate(BYTES)}
RANKS = {pair: i for i, pair in enumerate(MERGES)}
BPE = {"type": "BPE", "vocab": BYTE_IDS, "merges": [" ".join(pair) for pair in MERGES]}


def byte_level_model(nfc=False, digits=(), pattern=GPT2, prefix=False, whole=False):
    def model(text, _):
        text = unicodedata.normalize("NFC", text) if nfc else text
        parts = [" " + text if prefix and text[0] != " " else text]
        for each in digits:
            parts = [p for part in parts for p in re.findall(r"\d|\D+" if each else r"\d+|\D+", part)]
        words = [w for part in parts for w in re.findall(pattern, part)]
        ids = []
        for word in words:
            known = BYTE_IDS.get("".join(letter[b] for b in word.encode()))
            ids += [known] if whole and known is not None else byte_level([word], BYTE_IDS, RANKS)
        return ids
    return model


def byte_level_steps(digits, split, levels):
    steps = [{"type": "Digits", **given(individual_digits=d)} for d in digits]
    if split:
        steps.append({"type": "Split", **given(pattern={"Regex": LLAMA3_IN_FILE}, behavior=split[0],
                                               invert=split[1])})
    return sequence("pretokenizers", steps + levels)


def level(prefix=False, regex=ABSENT):
    return {"type": "ByteLevel", **given(add_prefix_space=prefix, use_regex=regex, trim_offsets=True)}


TOKENS = [{"id": len(BYTES) + i, **given(content=content, special=special)}
          for i, (content, special) in enumerate([("<x>", False), ("<y>", True)])]
for nfc, digits, split, prefix, regex, whole in itertools.product(
        (False, True), ((), (ABSENT,), (True,), (True, False)),
        (None, ("Isolated", ABSENT), ("Isolated", True), ("Removed", True), ("Removed", False),
         ("Contiguous", True), ("MergedWithNext", False)), BOOL, BOOL, BOOL):
    refused = []
    if split and split not in [("Isolated", ABSENT), ("Isolated", True), ("Removed", True)]:
        refused.append("behavior")
    if bool(split) == value_of(regex, True):
        refused.append("use_regex")
    if prefix in (ABSENT, None) or (prefix and (digits or split)):
        refused.append("add_prefix_space")
    tokens = [{**token, "normalized": False} for token in TOKENS]
    file = json_file({**BPE, **given(ignore_merges=whole)}, tokens, {"type": "NFC"} if nfc else None,
                     byte_level_steps(digits, split, [level(prefix, regex)]))
    each = [value_of(d, False) for d in digits]
    add({"tokenizer.json": file}, refused, tokens,
        byte_level_model(nfc, each, LLAMA3 if split else GPT2, prefix, value_of(whole, False)))
add({"tokenizer.json": json_file(BPE, pre=sequence("pretokenizers", [level(), level(False, False)]))},
    ["another before it"])

# Settings of BPE that change nothing, or are refused.
for dropout, prefix, suffix, unknown, fuse, fallback in itertools.product(
        (ABSENT, None, 0, 0.1), (None, "", "##"), (ABSENT, "", "</w>"), (ABSENT, "the"), (False, True),
        BOOL):
    refused = (["dropout"] if dropout == 0.1 else []) + (["byte_fallback"] if fallback is True else [])
    refused += (["continuing_subword_prefix"] if prefix else [])
    refused += (["end_of_word_suffix"] if suffix == "</w>" else [])
    model = {**BPE, **given(dropout=dropout, continuing_subword_prefix=prefix, end_of_word_suffix=suffix,
                            unk_token=unknown, fuse_unk=fuse, byte_fallback=fallback)}
    add({"tokenizer.json": json_file(model, pre=level())}, refused, (), byte_level_model())

# Added tokens: two, of which one's content is in the other's, with all flags.
for word, left, right, special, first, second, nfc, inner in itertools.product(
        (False, True), BOOL, BOOL, BOOL, BOOL, (False, True), (False, True), (False, True)):
    if word and (left, right) != (True, True):
        continue
    flags = given(lstrip=left, rstrip=right, single_word=word, special=special, normalized=first)
    tokens = [{"id": len(BYTES), "content": "<x>", **flags},
              {"id": len(BYTES) + 1, "content": "x>", "special": inner, "normalized": second}]
    refused = ["single_word"] if word else []
    if nfc and (second or value_of(first, not value_of(special, False))):
        refused.append("normalized")
    tokens[0] = {name: value for name, value in tokens[0].items() if value is not None}
    file = json_file(BPE, [{**tokens[0], **flags}, tokens[1]], {"type": "NFC"} if nfc else None, level())
    add({"tokenizer.json": file}, refused, tokens, byte_level_model(nfc))

# BPE with byte fallback.
FALLBACK_MERGES = [("t", "h"), ("th", "e"), ("\u2581", "the"), ("a", "n")]
FALLBACK = (["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)] + list("\u2581thean12x")
            + [a + b for a, b in FALLBACK_MERGES])
FALLBACK_IDS = {token: i for i, token in enumerate(FALLBACK)}
FALLBACK_RANKS = {pair: i for i, pair in enumerate(FALLBACK_MERGES)}
PREPEND = {"type": "Prepend", **given(prepend="\u2581")}
REPLACE = {"type": "Replace", **given(pattern={"String": " "}, content="\u2581")}


def decoders(content=" ", start=1, stop=0, replaced="\u2581"):
    return sequence("decoders", [
        {"type": "Replace", "pattern": {"String": replaced}, "content": " "}, {"type": "ByteFallback"},
        {"type": "Fuse"}, {"type": "Strip", **given(content=content, start=start, stop=stop)}])


def fallback_model(blanks):
    def model(text, is_first):
        text = text.replace(" ", "\u2581")
        scheme, unless_there = blanks
        if (scheme == "always" or (scheme == "first" and is_first)) and not (
                unless_there and text.startswith("\u2581")):
            text = "\u2581" + text
        return byte_fallback_of(text)
    return model


def byte_fallback_of(text):
    symbols = [s for c in text for s in ([c] if c in FALLBACK_IDS else
                                         [f"<0x{b:02X}>" for b in c.encode()])]
    return [FALLBACK_IDS[t] for t in merged(symbols, FALLBACK_RANKS)]


def fallback_file(normalizers, pre, decoder=None, **model):
    return json_file({"type": "BPE", "byte_fallback": True, "vocab": FALLBACK_IDS,
                      "merges": [" ".join(pair) for pair in FALLBACK_MERGES], **model},
                     FALLBACK_TOKENS, sequence("normalizers", normalizers), pre, None, decoder or decoders())


FALLBACK_TOKENS = [{"id": i, "content": c, "special": True} for i, c in enumerate(["<unk>", "<s>"])]
FALLBACK_TOKENS += [{"id": len(FALLBACK), "content": "<x>", "special": False, "normalized": False}]
metaspaces = [None, given(replacement="_", split=False)] + [
    given(replacement="\u2581", prepend_scheme=scheme, add_prefix_space=space, split=split)
    for scheme, space, split in itertools.product(
        (ABSENT, None, "always", "first", "never", "x"), BOOL, BOOL)]
for normalizers, metaspace, whole in itertools.product(
        ([], [REPLACE], [PREPEND, REPLACE], [REPLACE, PREPEND], [PREPEND], [PREPEND, PREPEND, REPLACE],
         [REPLACE, REPLACE]), metaspaces, (ABSENT, False, True)):
    refused = ["ignore_merges"] if whole is True else []
    prepends, replaces = normalizers.count(PREPEND), REPLACE in normalizers
    scheme = "always" if prepends else "never"
    if prepends > 1:
        refused.append("Prepend")
    if metaspace is None:
        refused += [] if replaces else ["without \u2581"]
    else:
        scheme = value_of(metaspace.get("prepend_scheme"), "always")
        if normalizers or metaspace["replacement"] != "\u2581":
            refused.append("Metaspace")
        if value_of(metaspace.get("split"), True):
            refused.append("split")
        if scheme == "x" or (scheme != "never" and metaspace.get("add_prefix_space") is False):
            refused.append("prepend_scheme")
    pre = metaspace and {"type": "Metaspace", **metaspace}
    add({"tokenizer.json": fallback_file(normalizers, pre, **given(ignore_merges=whole))}, refused,
        FALLBACK_TOKENS, fallback_model((scheme, metaspace is not None)))
for decoder in (decoders("x"), decoders(start=0), decoders(stop=1), decoders(replaced="_")):
    add({"tokenizer.json": fallback_file([REPLACE], None, decoder)}, ["decoder"])

# WordPiece.
PIECES = ["[UNK]", "[CLS]", "[SEP]", "the", "The", "##xyz", "##e", "a", "an", "##n", "x", "xyz", "12", "##34",
          "<", ">", "y", "'", "s", "e\u0301", "\u00e9", "\u4e16", "e", "@@e", "@@n"]
PIECE_IDS = {token: i for i, token in enumerate(PIECES)}


def bert_model(lower, strip, clean, chinese, marks="##", longest=100):
    def model(text, _):
        if clean:
            text = "".join(" " if c.isspace() else c for c in text if c in "\t\n\r" or
                           unicodedata.category(c)[0] != "C")
        if chinese:
            text = "".join(f" {c} " if "\u4e00" <= c <= "\u9fff" else c for c in text)
        if strip:
            text = "".join(c for c in unicodedata.normalize("NFD", text)
                           if unicodedata.category(c) != "Mn")
        text = "".join(c.lower() for c in text) if lower else text
        words = re.sub(r"([!-/:-@\[-`{-~])", r" \1 ", text).split()
        known = {("##" + t[len(marks):] if t.startswith(marks) else "no " + t if t.startswith("##") else t): i
                 for t, i in PIECE_IDS.items()}
        return [i for w in words for i in (word_pieces(w, known) if len(w) <= longest else [0])]
    return model


for lower, strip, clean, chinese in itertools.product(BOOL, BOOL, BOOL, BOOL):
    normalizer = {"type": "BertNormalizer", **given(lowercase=lower, strip_accents=strip, clean_text=clean,
                                                    handle_chinese_chars=chinese)}
    is_lower = value_of(lower, True)
    add({"tokenizer.json": json_file({"type": "WordPiece", "vocab": PIECE_IDS}, (), normalizer,
                                     {"type": "BertPreTokenizer"})}, [], (),
        bert_model(is_lower, value_of(strip, is_lower), value_of(clean, True), value_of(chinese, True)))
    # The older file, and tokenizer_config.json beside either; there, null is false.
    config = given(do_lower_case=lower, strip_accents=strip, tokenize_chinese_chars=chinese)
    lower_here = True if lower is ABSENT else bool(lower)
    add({"vocab.txt": "\n".join(PIECES) + "\n", "tokenizer_config.json": config}, [], (),
        bert_model(lower_here, value_of(strip, lower_here), True,
                   True if chinese is ABSENT else bool(chinese)))
    refused = [name for name, its, value in [("do_lower_case", lower, False), ("strip_accents", strip, False),
                                             ("tokenize_chinese_chars", chinese, True)]
               if its not in (ABSENT, None, value)]
    off = {"type": "BertNormalizer", "lowercase": False, "strip_accents": None, "clean_text": True,
           "handle_chinese_chars": True}
    add({"tokenizer.json": json_file({"type": "WordPiece", "vocab": PIECE_IDS}, (), off,
                                     {"type": "BertPreTokenizer"}), "tokenizer_config.json": config},
        refused, (), bert_model(False, False, True, True))
for kind, prefix, longest, unknown, cleanup in itertools.product(
        (ABSENT, "WordPiece", "WordLevel"), (ABSENT, "##", "@@"), (ABSENT, 100, 2), (ABSENT, "[UNK]", "the"),
        (ABSENT, "##", "@@")):
    model = given(type=kind, continuing_subword_prefix=prefix, max_input_chars_per_word=longest,
                  unk_token=unknown)
    refused = ["WordLevel"] if kind == "WordLevel" else []
    if kind is ABSENT:
        refused += [name for name in ("unk_token", "continuing_subword_prefix", "max_input_chars_per_word")
                    if name not in model]
    if value_of(prefix, "##") != value_of(cleanup, "##"):
        refused.append("decoder")
    plain = bert_model(False, False, False, False, value_of(prefix, "##"), value_of(longest, 100))
    def with_unknown(text, first, plain=plain, its=3 if unknown == "the" else 0):
        return [its if i == 0 else i for i in plain(text, first)]
    add({"tokenizer.json": json_file({**model, "vocab": PIECE_IDS}, (), None, {"type": "BertPreTokenizer"},
                                     decoder={"type": "WordPiece", **given(prefix=cleanup, cleanup=True)})},
        refused, (), with_unknown)
add({"tokenizer.json": json_file({"type": "WordPiece", "vocab": PIECE_IDS}, (), sequence(
    "normalizers", [{"type": "BertNormalizer"}, {"type": "BertNormalizer", "lowercase": False}]),
    {"type": "BertPreTokenizer"})}, ["another before it"])
for name, value, is_refused in [("do_basic_tokenize", True, False), ("do_basic_tokenize", False, True),
                                ("do_basic_tokenize", None, True), ("never_split", [], False),
                                ("never_split", ["the"], True), ("never_split", None, False),
                                ("tokenizer_class", "BertTokenizerFast", False),
                                ("tokenizer_class", "GPT2Tokenizer", True)]:
    add({"vocab.txt": "\n".join(PIECES) + "\n", "tokenizer_config.json": given(**{name: value})},
        [name] if is_refused else [], (), bert_model(True, True, True, True))

# What is put around texts, and what tokenizer_config.json says of it.
END = {"id": len(BYTES), "content": "<e>", "special": True}
A, B = {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}
S = {"SpecialToken": {"id": "<e>", "type_id": 0}}
PLACES = given(special_tokens={"<e>": {"id": "<e>", "ids": [END["id"]], "tokens": ["<e>"]}})
POSTS = {"none": None, "level": level(),
         "first": {"type": "TemplateProcessing", **PLACES, **given(single=[S, A], pair=[S, A, B])},
         "both": {"type": "TemplateProcessing", **PLACES, "single": [S, A, S], "pair": [S, A, S, B, S]},
         "bert": {"type": "BertProcessing", **given(cls=["<e>", END["id"]], sep=["the", 257])},
         "roberta": {"type": "RobertaProcessing", "cls": ["<e>", END["id"]], "sep": ["the", 257]}}
e, t = END["id"], 257
PAIRS = {"none": lambda a, b: a + b, "level": lambda a, b: a + b, "first": lambda a, b: [e] + a + b,
         "both": lambda a, b: [e] + a + [e] + b + [e], "bert": lambda a, b: [e] + a + [t] + b + [t],
         "roberta": lambda a, b: [e] + a + [t, t] + b + [t]}
for name, begins, ends, prefix in itertools.product(POSTS, BOOL, BOOL, BOOL):
    refused = [] if begins in (ABSENT, None, name not in ("none", "level")) else ["add_bos_token"]
    refused += [] if ends in (ABSENT, None, name in ("both", "bert", "roberta")) else ["add_eos_token"]
    refused += [] if prefix in (ABSENT, None, False) else ["add_prefix_space"]
    add({"tokenizer.json": json_file(BPE, [END], None, level(), POSTS[name]),
         "tokenizer_config.json": given(add_bos_token=begins, add_eos_token=ends, add_prefix_space=prefix)},
        refused, [END], byte_level_model(), PAIRS[name])
for one, other in itertools.product(list(POSTS)[1:], repeat=2):
    add({"tokenizer.json": json_file(BPE, [END], None, level(),
                                     sequence("processors", [POSTS[one], POSTS[other]]))},
        [] if "level" in (one, other) else ["another before it"], [END], byte_level_model(),
        PAIRS[other if one == "level" else one])
old = {"vocab.json": {**BYTE_IDS, "<|endoftext|>": e}, "merges.txt": "\n".join(BPE["merges"]) + "\n"}
OLD_END = {"id": e, "content": "<|endoftext|>", "special": True}
for begins, ends, prefix in itertools.product(BOOL, BOOL, BOOL):
    add({**old, "tokenizer_config.json": given(add_bos_token=begins, add_eos_token=ends,
                                               add_prefix_space=prefix)},
        [], [OLD_END], byte_level_model(prefix=prefix is True),
        (lambda a, b: [e] + a + [e] + b) if begins is True else PAIRS["none"])

# Added tokens of the older files, and those that must agree.
for as_object, strips, where in itertools.product((False, True), BOOL, ("list", "map", "decoder", "json")):
    token = {"id": e + 1, "content": "<x>", **given(lstrip=strips), "special": where != "json"}
    described = {**token, "normalized": False} if as_object or where == "decoder" else "<x>"
    config = given(**{"list": {"additional_special_tokens": [described], "added_tokens_decoder": ABSENT},
                      "map": {"mask_token": described}, "json": {},
                      "decoder": {"added_tokens_decoder": {str(e + 1): described}}}[where])
    vocab = {**old["vocab.json"], **({"<x>": e + 1} if where in ("list", "map") else {})}
    is_stripped = strips is True and where in ("decoder",) or (where == "map" and as_object and strips is True)
    files = {**old, "vocab.json": vocab, "tokenizer_config.json": config}
    if where == "json":
        files["added_tokens.json"] = {"<x>": e + 1}
    add(files, [], [OLD_END, {**token, "lstrip": is_stripped, "normalized": where == "json"}],
        byte_level_model())
in_json = {"id": len(BYTES), "content": "<x>", "special": True, "lstrip": False, "rstrip": False,
           "single_word": False, "normalized": False}
for name, value in [("special", False), ("lstrip", True), ("rstrip", True), ("normalized", True),
                    ("content", "<y>"), ("id", len(BYTES) + 1), ("single_word", True), ("special", True)]:
    here = {**in_json, name: value}
    add({"tokenizer.json": json_file(BPE, [in_json], None, level()),
         "tokenizer_config.json": given(added_tokens_decoder={str(here["id"]): here})},
        [] if here == in_json else ["the added token"], [in_json], byte_level_model())
for token, refused in [("<x>", []), ("the", ["additional special token"]), ("no", ["additional special token"])]:
    add({"tokenizer.json": json_file(BPE, [in_json], None, level()),
         "tokenizer_config.json": given(additional_special_tokens=[token])}, refused, [in_json],
        byte_level_model())
for name in ("bos_token", "eos_token", "unk_token", "pad_token", "cls_token", "sep_token", "mask_token"):
    add({"tokenizer.json": json_file(BPE, [in_json], None, level()),
         "tokenizer_config.json": given(**{name: "no"})}, [name])
for name in ("truncation", "padding"):  # not used
    add({"tokenizer.json": {**json_file(BPE, pre=level()), **given(**{name: {"max_length": 1}})}}, [], (),
        byte_level_model())

# Are the sources, the page and the combinations about the same settings?
STRUCTURE = set("""added_tokens id ids type_id model vocab merges normalizer normalizers pre_tokenizer
    pretokenizers post_processor processors decoder decoders load_tokenizer always first never both none
    supported true false String Regex""".split())
page = open(f"{root}/nn/TOKENIZER_SETTINGS.md", encoding="utf-8").read()
settings = {name for row in re.findall(r"^\|.*\|$", page, re.M)
            for name in re.findall(r"`([a-z_]+)`", row) if name != "encode_batch"}
settings -= {"special_in_text"}
sources = set()
for name in ("load_tokenizer", "tokenizer_json", "tokenizer_files"):
    with open(f"{root}/nn/text/{name}.cpp", encoding="utf-8") as source:
        sources |= set(re.findall(r'"([a-z]+(?:_[a-z]+)*)"', source.read()))
problems = [f"{what}: {sorted(names)}" for what, names in [
    ("the page lacks settings that the sources read", sources - STRUCTURE - settings),
    ("no combination has settings of the page", settings - used),
    ("the page lacks settings of the combinations", used - settings)] if names]
if problems:
    sys.exit("\n".join(problems))
with open(to, "w", encoding="utf-8") as out:
    json.dump(combinations, out)
refusals = sum(bool(one["refused"]) for one in combinations)
print(f"{len(settings)} settings, {len(combinations)} combinations, {refusals} of them refused")
