#!/usr/bin/env python3
"""Writes tokenizers with combinations of settings, for tokenizers_agree_test.cpp.

Run as: tokenizer_settings.py ROOT TO
Each combination has files, and either texts with the ids that plain_tokenizers.py computes, or the
settings of which a refusal must name at least one. The script fails if the names of settings in the
loader's sources, in nn/TOKENIZER_SETTINGS.md and in the combinations differ."""
import json
import re
import sys
import unicodedata
from itertools import product

from plain_tokenizers import bert, byte_level, fallback_ids, gpt2_pattern, letter, rest

root, to = sys.argv[1], sys.argv[2]
ABSENT = object()
BOOL = (ABSENT, None, False, True)
TEXTS = ["", " ", "the", " the  xyz's 1234 an\n\n", "xyz the<x>an  <y> 12<x> ", "e\u0301\u00e9 \u4e16",
         "The x<y ><x><y>y>\u2581the", "a<z>b <z>"]
combinations, tried = [], set()


def members(**settings):
    """Those settings that are not absent. Records all names."""
    tried.update(settings)
    return {name: value for name, value in settings.items() if value is not ABSENT}


def or_default(setting, default):
    return default if setting is ABSENT or setting is None else setting


def reasons(conditions):
    """The names of the conditions that hold."""
    return [name for name, holds in conditions.items() if holds]


def in_python(pattern):
    """The same regular expression without \\p, which Python's lack."""
    for theirs, ours in [(r"[^\s\p{L}\p{N}]", r"(?:[^\s\w]|_)"), (r"[^\r\n\p{L}\p{N}]", r"(?:[^\r\n\w]|_)"),
                         (r"\p{L}", r"[^\W\d_]"), (r"\p{N}", r"\d")]:
        pattern = pattern.replace(theirs, ours)
    return pattern


def cut(text, tokens, special, model):
    """The ids of a text: those of the added tokens in it, and those of the parts between them."""
    ids, begin, at = [], 0, 0
    while at < len(text):
        token = max((t for t in tokens if text.startswith(t["content"], at)),
                    key=lambda t: len(t["content"]), default=None)
        if token is None:
            at += 1
            continue
        end = at + len(token["content"])
        if not token.get("special") or special:
            left = text[begin:at].rstrip() if token.get("lstrip") else text[begin:at]
            ids += (model(left, begin == 0) if left else []) + [token["id"]]
            while token.get("rstrip") and end < len(text) and text[end].isspace():
                end += 1
            begin = end
        at = end
    return ids + (model(text[begin:], begin == 0) if begin < len(text) else [])


def encoded(text, added, special, model):
    """Normalized tokens are found only between those that are not."""
    normalized = [t for t in added if or_default(t.get("normalized"), not t.get("special"))]
    return cut(text, [t for t in added if t not in normalized], special, lambda part, begins: cut(
        part, normalized, special, lambda rest, is_first: model(rest, begins and is_first)))


def add(files, refused, added=(), model=None, pair=None):
    """`model` returns the ids of a part of a text, given whether the part begins the text; `pair`
    returns the ids of a pair, given those of each text."""
    one = {"files": {name: content if isinstance(content, str) else json.dumps(content)
                     for name, content in files.items()}, "refused": refused}
    if not refused:
        one["texts"] = [{"text": text, "special": special, "ids": encoded(text, added, special, model)}
                        for text in TEXTS for special in (False, True)]
        if pair:
            one["pair"] = pair(*(encoded(text, added, False, model) for text in ("the", "an")))
    combinations.append(one)


def json_file(model, added=(), normalizer=None, pre=None, post=None, decoder=None, **config):
    files = {"tokenizer.json": {
        "added_tokens": list(added), "normalizer": normalizer, "pre_tokenizer": pre,
        "post_processor": post, "decoder": decoder, "model": model}}
    return files | ({"tokenizer_config.json": members(**config)} if config else {})


def sequence(name, steps):
    return steps[0] if len(steps) == 1 else {"type": "Sequence", name: steps} if steps else None


# Byte-level BPE.
MERGES = [("t", "h"), ("th", "e"), ("\u0120", "the"), ("a", "n"), ("1", "2"), ("\u00c3", "\u00a9")]
BYTES = list(letter.values()) + [a + b for a, b in MERGES] + ["xyz"]  # which no merge makes
BYTE_IDS = {token: i for i, token in enumerate(BYTES)}
RANKS = {pair: i for i, pair in enumerate(MERGES)}
LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}" + rest
BPE = {"type": "BPE", "vocab": BYTE_IDS, "merges": [" ".join(pair) for pair in MERGES]}


def byte_level_model(nfc=False, digits=(), pattern=gpt2_pattern, prefix=False, whole=False):
    def model(text, _):
        text = unicodedata.normalize("NFC", text) if nfc else text
        parts = [" " + text if prefix and text[0] != " " else text]
        for each in digits:
            parts = [p for part in parts for p in re.findall(r"\d|\D+" if each else r"\d+|\D+", part)]
        ids = []
        for word in (w for part in parts for w in re.findall(in_python(pattern), part)):
            known = BYTE_IDS.get("".join(letter[b] for b in word.encode()))
            ids += [known] if whole and known is not None else byte_level([word], BYTE_IDS, RANKS)
        return ids
    return model


def level(prefix=False, regex=ABSENT):
    return {"type": "ByteLevel", **members(add_prefix_space=prefix, use_regex=regex, trim_offsets=True)}


TOKENS = [{"id": len(BYTES) + i, **members(content=content, special=special, normalized=False)}
          for i, (content, special) in enumerate([("<x>", False), ("<y>", True)])]
for nfc, digits, split, prefix, regex, whole in product(
        (False, True), ((), (ABSENT,), (True,), (True, False)),
        (None, ("Isolated", ABSENT), ("Isolated", True), ("Removed", True), ("Removed", False),
         ("Contiguous", True), ("MergedWithNext", False)), BOOL, BOOL, BOOL):
    refused = reasons({
        "behavior": split and split not in [("Isolated", ABSENT), ("Isolated", True), ("Removed", True)],
        "use_regex": bool(split) == or_default(regex, True),
        "add_prefix_space": prefix in (ABSENT, None) or (prefix and (digits or split))})
    steps = [{"type": "Digits", **members(individual_digits=d)} for d in digits]
    if split:
        steps.append({"type": "Split", **members(pattern={"Regex": LLAMA3}, behavior=split[0],
                                                 invert=split[1])})
    add(json_file({**BPE, **members(ignore_merges=whole)}, TOKENS, {"type": "NFC"} if nfc else None,
                  sequence("pretokenizers", steps + [level(prefix, regex)])), refused, TOKENS,
        byte_level_model(nfc, [or_default(d, False) for d in digits], LLAMA3 if split else gpt2_pattern,
                         prefix, or_default(whole, False)))
add(json_file(BPE, pre=sequence("pretokenizers", [level(), level(False, False)])), ["another before it"])

# Settings of BPE that change nothing, or are refused.
for dropout, prefix, suffix, unknown, fuse, fallback in product(
        (ABSENT, None, 0, 0.1), (None, "", "##"), (ABSENT, "", "</w>"), (ABSENT, "the"), (False, True),
        BOOL):
    refused = reasons({"dropout": dropout == 0.1, "byte_fallback": fallback is True,
                       "continuing_subword_prefix": prefix, "end_of_word_suffix": suffix == "</w>"})
    add(json_file({**BPE, **members(dropout=dropout, continuing_subword_prefix=prefix,
                                    end_of_word_suffix=suffix, unk_token=unknown, fuse_unk=fuse,
                                    byte_fallback=fallback)}, pre=level()), refused, (), byte_level_model())

# Two added tokens, one of which contains the other, with all flags.
for word, left, right, special, first, second, nfc, inner in product(
        (False, True), BOOL, BOOL, BOOL, BOOL, (False, True), (False, True), (False, True)):
    if word and (left, right) != (True, True):
        continue
    tokens = [{"id": len(BYTES), "content": "<x>", **members(
                  lstrip=left, rstrip=right, single_word=word, special=special, normalized=first)},
              {"id": len(BYTES) + 1, "content": "x>", "special": inner, "normalized": second}]
    refused = reasons({"single_word": word, "normalized": nfc and (
        second or or_default(first, not or_default(special, False)))})
    add(json_file(BPE, tokens, {"type": "NFC"} if nfc else None, level()), refused, tokens,
        byte_level_model(nfc))

# BPE with byte fallback.
FALLBACK_MERGES = [("t", "h"), ("th", "e"), ("\u2581", "the"), ("a", "n")]
FALLBACK = (["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)] + list("\u2581thean12x")
            + [a + b for a, b in FALLBACK_MERGES])
FALLBACK_IDS = {token: i for i, token in enumerate(FALLBACK)}
FALLBACK_RANKS = {pair: i for i, pair in enumerate(FALLBACK_MERGES)}
FALLBACK_TOKENS = [{"id": i, "content": c, "special": True} for i, c in enumerate(["<unk>", "<s>"])]
FALLBACK_TOKENS += [{"id": len(FALLBACK), "content": "<x>", "special": False, "normalized": False}]
PREPEND = {"type": "Prepend", **members(prepend="\u2581")}
REPLACE = {"type": "Replace", **members(pattern={"String": " "}, content="\u2581")}


def decoders(content=" ", start=1, stop=0, replaced="\u2581"):
    return sequence("decoders", [
        {"type": "Replace", "pattern": {"String": replaced}, "content": " "}, {"type": "ByteFallback"},
        {"type": "Fuse"}, {"type": "Strip", **members(content=content, start=start, stop=stop)}])


def fallback_model(scheme, unless_there):
    def model(text, is_first):
        text = text.replace(" ", "\u2581")
        if (scheme == "always" or (scheme == "first" and is_first)) and not (
                unless_there and text.startswith("\u2581")):
            text = "\u2581" + text
        return fallback_ids(text, FALLBACK_IDS, FALLBACK_RANKS)
    return model


def fallback_file(normalizers, pre, decoder=decoders(), **model):
    return json_file({"type": "BPE", "byte_fallback": True, "vocab": FALLBACK_IDS,
                      "merges": [" ".join(pair) for pair in FALLBACK_MERGES], **model},
                     FALLBACK_TOKENS, sequence("normalizers", normalizers), pre, None, decoder)


metaspaces = [None, members(replacement="_", split=False)] + [
    members(replacement="\u2581", prepend_scheme=scheme, add_prefix_space=space, split=split)
    for scheme, space, split in product((ABSENT, None, "always", "first", "never", "x"), BOOL, BOOL)]
for normalizers, metaspace, whole in product(
        ([], [REPLACE], [PREPEND, REPLACE], [REPLACE, PREPEND], [PREPEND], [PREPEND, PREPEND, REPLACE],
         [REPLACE, REPLACE]), metaspaces, (ABSENT, False, True)):
    prepends = normalizers.count(PREPEND)
    scheme = (or_default(metaspace.get("prepend_scheme"), "always") if metaspace else
              "always" if prepends else "never")
    refused = reasons({"ignore_merges": whole is True, "Prepend": prepends > 1,
                       "without \u2581": not metaspace and REPLACE not in normalizers})
    if metaspace:
        refused += reasons({
            "Metaspace": normalizers or metaspace["replacement"] != "\u2581",
            "split": or_default(metaspace.get("split"), True),
            "prepend_scheme": scheme == "x" or (
                scheme != "never" and metaspace.get("add_prefix_space") is False)})
    add(fallback_file(normalizers, metaspace and {"type": "Metaspace", **metaspace},
                      **members(ignore_merges=whole)), refused, FALLBACK_TOKENS,
        fallback_model(scheme, metaspace is not None))
for decoder in (decoders("x"), decoders(start=0), decoders(stop=1), decoders(replaced="_")):
    add(fallback_file([REPLACE], None, decoder), ["decoder"])

# WordPiece.
PIECES = ["[UNK]", "[CLS]", "[SEP]", "the", "The", "##xyz", "##e", "a", "an", "##n", "x", "xyz", "12", "##34",
          "<", ">", "y", "'", "s", "e\u0301", "\u00e9", "\u4e16", "e", "@@e", "@@n"]
PIECE_IDS = {token: i for i, token in enumerate(PIECES)}
VOCAB_TXT = "\n".join(PIECES) + "\n"


def pieces_file(normalizer, model={"type": "WordPiece"}, decoder=None, **config):
    return json_file({**model, "vocab": PIECE_IDS}, (), normalizer, {"type": "BertPreTokenizer"}, None, decoder,
                     **config)


def bert_model(*options, **more):
    return lambda text, _: bert(text, PIECE_IDS, *options, **more)


for lower, strip, clean, chinese in product(BOOL, BOOL, BOOL, BOOL):
    is_lower = or_default(lower, True)
    add(pieces_file({"type": "BertNormalizer", **members(lowercase=lower, strip_accents=strip, clean_text=clean,
                                                         handle_chinese_chars=chinese)}), [], (),
        bert_model(is_lower, or_default(strip, is_lower), or_default(clean, True), or_default(chinese, True)))
    # The older file, and tokenizer_config.json beside either; there, null is false.
    config = {"do_lower_case": lower, "strip_accents": strip, "tokenize_chinese_chars": chinese}
    is_lower = lower is ABSENT or bool(lower)
    add({"vocab.txt": VOCAB_TXT, "tokenizer_config.json": members(**config)}, [], (),
        bert_model(is_lower, or_default(strip, is_lower), True, chinese is ABSENT or bool(chinese)))
    cased = {"lowercase": False, "strip_accents": None, "clean_text": True, "handle_chinese_chars": True}
    add(pieces_file({"type": "BertNormalizer", **cased}, **config),
        [name for name, value in config.items()
         if value not in (ABSENT, None, name == "tokenize_chinese_chars")], (), bert_model(False))
for kind, prefix, longest, unknown, cleanup in product(
        (ABSENT, "WordPiece", "WordLevel"), (ABSENT, "##", "@@"), (ABSENT, 100, 2), (ABSENT, "[UNK]", "the"),
        (ABSENT, "##", "@@")):
    model = members(type=kind, continuing_subword_prefix=prefix, max_input_chars_per_word=longest,
                    unk_token=unknown)
    refused = reasons({"WordLevel": kind == "WordLevel",
                       "decoder": or_default(prefix, "##") != or_default(cleanup, "##")})
    if kind is ABSENT:
        refused += sorted({"unk_token", "continuing_subword_prefix", "max_input_chars_per_word"} - set(model))
    add(pieces_file(None, model, {"type": "WordPiece", **members(prefix=cleanup, cleanup=True)}), refused, (),
        bert_model(False, False, False, False, marks=or_default(prefix, "##"),
                   longest=or_default(longest, 100), unknown=or_default(unknown, "[UNK]")))
add(pieces_file(sequence("normalizers", [{"type": "BertNormalizer"},
                                         {"type": "BertNormalizer", "lowercase": False}])),
    ["another before it"])
for name, value, is_refused in [("do_basic_tokenize", True, False), ("do_basic_tokenize", False, True),
                                ("do_basic_tokenize", None, True), ("never_split", [], False),
                                ("never_split", ["the"], True), ("never_split", None, False),
                                ("tokenizer_class", "BertTokenizerFast", False),
                                ("tokenizer_class", "GPT2Tokenizer", True)]:
    add({"vocab.txt": VOCAB_TXT, "tokenizer_config.json": members(**{name: value})},
        [name] if is_refused else [], (), bert_model(True))

# The tokens around texts, which tokenizer_config.json may name as well.
e, t = len(BYTES), BYTE_IDS["the"]
END = {"id": e, "content": "<e>", "special": True}
A, B = {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}
S = {"SpecialToken": {"id": "<e>", "type_id": 0}}
PLACES = members(special_tokens={"<e>": {"id": "<e>", "ids": [e], "tokens": ["<e>"]}})
AROUND = members(cls=["<e>", e], sep=["the", t])
POSTS = {"none": (None, lambda a, b: a + b),
         "level": (level(), lambda a, b: a + b),
         "first": ({"type": "TemplateProcessing", **PLACES, **members(single=[S, A], pair=[S, A, B])},
                   lambda a, b: [e] + a + b),
         "both": ({"type": "TemplateProcessing", **PLACES, "single": [S, A, S], "pair": [S, A, S, B, S]},
                  lambda a, b: [e] + a + [e] + b + [e]),
         "bert": ({"type": "BertProcessing", **AROUND}, lambda a, b: [e] + a + [t] + b + [t]),
         "roberta": ({"type": "RobertaProcessing", **AROUND}, lambda a, b: [e] + a + [t, t] + b + [t])}
for name, begins, ends, prefix in product(POSTS, BOOL, BOOL, BOOL):
    expected = {"add_bos_token": (begins, name not in ("none", "level")),
                "add_eos_token": (ends, name in ("both", "bert", "roberta")),
                "add_prefix_space": (prefix, False)}
    post, pair = POSTS[name]
    add(json_file(BPE, [END], None, level(), post, **{k: value for k, (value, _) in expected.items()}),
        [k for k, (value, its) in expected.items() if value not in (ABSENT, None, its)],
        [END], byte_level_model(), pair)
for one, other in product(list(POSTS)[1:], repeat=2):
    add(json_file(BPE, [END], None, level(), sequence("processors", [POSTS[one][0], POSTS[other][0]])),
        [] if "level" in (one, other) else ["another before it"], [END], byte_level_model(),
        POSTS[other if one == "level" else one][1])
old = {"vocab.json": {**BYTE_IDS, "<|endoftext|>": e}, "merges.txt": "\n".join(BPE["merges"]) + "\n"}
OLD_END = {"id": e, "content": "<|endoftext|>", "special": True}
for begins, ends, prefix in product(BOOL, BOOL, BOOL):
    config = members(add_bos_token=begins, add_eos_token=ends, add_prefix_space=prefix)
    add({**old, "tokenizer_config.json": config}, [], [OLD_END], byte_level_model(prefix=prefix is True),
        (lambda a, b: [e] + a + [e] + b) if begins is True else POSTS["none"][1])

# Added tokens of the older files, and those that must agree.
for as_object, strips, where in product((False, True), BOOL, ("list", "map", "decoder", "json")):
    token = {"id": e + 1, "content": "<x>", **members(lstrip=strips), "special": where != "json"}
    described = {**token, "normalized": False} if as_object or where == "decoder" else "<x>"
    config = {"list": {"additional_special_tokens": [described]}, "map": {"mask_token": described},
              "decoder": {"added_tokens_decoder": {str(e + 1): described}}, "json": {}}[where]
    files = {**old, "tokenizer_config.json": members(**config)}
    if where in ("list", "map"):
        files["vocab.json"] = {**old["vocab.json"], "<x>": e + 1}
    if where == "json":
        files["added_tokens.json"] = {"<x>": e + 1}
    is_stripped = strips is True and (where == "decoder" or (where == "map" and as_object))
    add(files, [], [OLD_END, {**token, "lstrip": is_stripped, "normalized": where == "json"}],
        byte_level_model())
in_json = {"id": e, "content": "<x>", "special": True, "lstrip": False, "rstrip": False,
           "single_word": False, "normalized": False}
beside = []  # settings beside tokenizer.json, and words of the refusal
for name, value in [("special", False), ("lstrip", True), ("rstrip", True), ("normalized", True),
                    ("content", "<y>"), ("id", e + 1), ("single_word", True), ("special", True)]:
    here = {**in_json, name: value}
    beside.append(({"added_tokens_decoder": {str(here["id"]): here}},
                   [] if here == in_json else ["the added token"]))
beside += [({"additional_special_tokens": [token]}, [] if token == "<x>" else ["additional special token"])
           for token in ("<x>", "the", "no")]
beside += [({name + "_token": "no"}, [name + "_token"])
           for name in ("bos", "eos", "unk", "pad", "cls", "sep", "mask")]
for config, refused in beside:
    add(json_file(BPE, [in_json], None, level(), **config), refused, [in_json], byte_level_model())
for name in ("truncation", "padding"):  # not used
    file = json_file(BPE, pre=level())["tokenizer.json"]
    add({"tokenizer.json": {**file, **members(**{name: {"max_length": 1}})}}, [], (), byte_level_model())

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
    ("no combination has settings of the page", settings - tried),
    ("the page lacks settings of the combinations", tried - settings)] if names]
if problems:
    sys.exit("\n".join(problems))
with open(to, "w", encoding="utf-8") as out:
    json.dump(combinations, out)
refusals = sum(bool(one["refused"]) for one in combinations)
print(f"{len(settings)} settings, {len(combinations)} combinations, {refusals} of them refused")
