"""Models in folders as Hugging Face lays them out, with random weights, and what they compute.

    python3 make_pretrained.py FOLDER 25    25 random configurations of each kind, as FOLDER/KIND_N
                                            with config.json, weights, and expected.safetensors
    python3 make_pretrained.py              one small model of each kind, as pretrained.safetensors,
                                            whose metadata has the configs

The models are written out from their papers' formulas in float64, layer by layer; no library that
has them is used. Weights are rounded to the type in the file before anything is computed.
"""
import json
import math
import os
import random
import sys

import torch

from reference import TYPES, drawn, save, write, write_safetensors

torch.set_default_dtype(torch.float64)


# The parts. Each returns its output and, if it is attention, the weights of its heads.

def layer_norm(x, weight, bias, eps):
    centred = x - x.mean(-1, keepdim=True)
    return centred / torch.sqrt((centred**2).mean(-1, keepdim=True) + eps) * weight + bias


def rms_norm(x, weight, eps):
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + eps) * weight


ACTIVATIONS = {
    "gelu": lambda x: x * 0.5 * (1 + torch.erf(x / math.sqrt(2))),
    "gelu_new": lambda x: x * 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "relu": lambda x: torch.clamp(x, min=0),
    "silu": lambda x: x / (1 + torch.exp(-x)),
}


def split(x, heads):  # [B, T, h·d] -> [B, h, T, d]
    B, T, _ = x.shape
    return x.reshape(B, T, heads, -1).transpose(1, 2)


def attend(Q, K, V, allowed):
    times = Q.shape[1] // K.shape[1]
    K, V = (x.repeat_interleave(times, dim=1) for x in (K, V))
    scores = Q @ K.transpose(-1, -2) / math.sqrt(Q.shape[-1])
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), -1)
    heads = weights @ V
    B, h, T, d = heads.shape
    return heads.transpose(1, 2).reshape(B, T, h * d), weights


def slowed(frequency, rope):  # linear and llama3
    if "low_freq_factor" not in rope:
        return frequency / rope["factor"]
    low, high = rope["low_freq_factor"], rope["high_freq_factor"]
    length = 2 * math.pi / frequency
    if length < rope["original_max_position_embeddings"] / high:
        return frequency
    if length > rope["original_max_position_embeddings"] / low:
        return frequency / rope["factor"]
    smooth = (rope["original_max_position_embeddings"] / length - low) / (high - low)
    return (1 - smooth) * frequency / rope["factor"] + smooth * frequency


def rotated(x, config):  # pairs are (c, c + d/2)
    T, d = x.shape[-2:]
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    base = rope.get("rope_theta") or config["rope_theta"]
    frequencies = [base ** (-c / d) for c in range(0, d, 2)]
    if "factor" in rope:
        frequencies = [slowed(f, rope) for f in frequencies]
    angles = torch.arange(T)[:, None] * torch.tensor(frequencies)[None, :]
    first, second = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([first * torch.cos(angles) - second * torch.sin(angles),
                      second * torch.cos(angles) + first * torch.sin(angles)], -1)


def causal(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


# The models: weights by name and the config -> what they compute.

def gpt2(w, config, ids, **_):
    eps, act = config["layer_norm_epsilon"], ACTIVATIONS[config["activation_function"]]
    x = w["wte.weight"][ids] + w["wpe.weight"][: ids.shape[1]]
    results = {}
    for n in range(config["n_layer"]):
        p = {k[len(f"h.{n}."):]: v for k, v in w.items() if k.startswith(f"h.{n}.")}
        a = layer_norm(x, p["ln_1.weight"], p["ln_1.bias"], eps)
        Q, K, V = (a @ p["attn.c_attn.weight"] + p["attn.c_attn.bias"]).chunk(3, -1)
        heads = [split(y, config["n_head"]) for y in (Q, K, V)]
        y, results[f"weights.{n}"] = attend(*heads, causal(ids.shape[1]))
        x = x + y @ p["attn.c_proj.weight"] + p["attn.c_proj.bias"]
        a = layer_norm(x, p["ln_2.weight"], p["ln_2.bias"], eps)
        hidden = act(a @ p["mlp.c_fc.weight"] + p["mlp.c_fc.bias"])
        x = x + hidden @ p["mlp.c_proj.weight"] + p["mlp.c_proj.bias"]
    x = layer_norm(x, w["ln_f.weight"], w["ln_f.bias"], eps)
    results["output"] = x @ w.get("lm_head.weight", w["wte.weight"]).T
    return results


def llama(w, config, ids, **_):
    eps, act = config["rms_norm_eps"], ACTIVATIONS[config["hidden_act"]]
    x = w["model.embed_tokens.weight"][ids]
    results = {}
    for n in range(config["num_hidden_layers"]):
        begin = f"model.layers.{n}."
        p = {k[len(begin):]: v for k, v in w.items() if k.startswith(begin)}

        def linear(name, x):
            return x @ p[name + ".weight"].T + p.get(name + ".bias", 0)

        a = rms_norm(x, p["input_layernorm.weight"], eps)
        Q = rotated(split(linear("self_attn.q_proj", a), config["num_attention_heads"]), config)
        K = rotated(split(linear("self_attn.k_proj", a), config["num_key_value_heads"]), config)
        V = split(linear("self_attn.v_proj", a), config["num_key_value_heads"])
        y, results[f"weights.{n}"] = attend(Q, K, V, causal(ids.shape[1]))
        x = x + linear("self_attn.o_proj", y)
        a = rms_norm(x, p["post_attention_layernorm.weight"], eps)
        x = x + linear("mlp.down_proj", act(linear("mlp.gate_proj", a)) * linear("mlp.up_proj", a))
    x = rms_norm(x, w["model.norm.weight"], eps)
    results["output"] = x @ w.get("lm_head.weight", w["model.embed_tokens.weight"]).T
    return results


def bert(w, config, ids, types, lengths):
    eps, act = config["layer_norm_eps"], ACTIVATIONS[config["hidden_act"]]

    def linear(name, x):
        return x @ w[name + ".weight"].T + w[name + ".bias"]

    def norm(name, x):
        return layer_norm(x, w[name + ".LayerNorm.weight"], w[name + ".LayerNorm.bias"], eps)

    T, heads = ids.shape[1], config["num_attention_heads"]
    allowed = (torch.arange(T)[None, :] < lengths[:, None])[:, None, None, :]
    x = norm("embeddings", w["embeddings.word_embeddings.weight"][ids]
             + w["embeddings.position_embeddings.weight"][:T]
             + w["embeddings.token_type_embeddings.weight"][types])
    results = {}
    for n in range(config["num_hidden_layers"]):
        p = f"encoder.layer.{n}."
        Q, K, V = (split(linear(p + "attention.self." + part, x), heads)
                   for part in ("query", "key", "value"))
        y, results[f"weights.{n}"] = attend(Q, K, V, allowed)
        x = norm(p + "attention.output", x + linear(p + "attention.output.dense", y))
        hidden = act(linear(p + "intermediate.dense", x))
        x = norm(p + "output", x + linear(p + "output.dense", hidden))
    results["output"] = x
    if "pooler.dense.weight" in w:
        results["pooled"] = torch.tanh(linear("pooler.dense", x[:, 0]))
    return results


# Names and shapes of the weights.

def gpt2_shapes(c):
    d, hidden = c["n_embd"], c.get("n_inner") or 4 * c["n_embd"]
    shapes = {"wte.weight": (c["vocab_size"], d), "wpe.weight": (c["n_positions"], d)}
    for n in range(c["n_layer"]):
        for part, (i, o) in {"attn.c_attn": (d, 3 * d), "attn.c_proj": (d, d),
                             "mlp.c_fc": (d, hidden), "mlp.c_proj": (hidden, d)}.items():
            shapes[f"h.{n}.{part}.weight"], shapes[f"h.{n}.{part}.bias"] = (i, o), (o,)
        for part in ("ln_1", "ln_2"):
            shapes[f"h.{n}.{part}.weight"] = shapes[f"h.{n}.{part}.bias"] = (d,)
    shapes["ln_f.weight"] = shapes["ln_f.bias"] = (d,)
    if not c.get("tie_word_embeddings", True):
        shapes["lm_head.weight"] = (c["vocab_size"], d)
    return shapes


def llama_shapes(c):
    d, hidden = c["hidden_size"], c["intermediate_size"]
    d_head = c.get("head_dim") or d // c["num_attention_heads"]
    q, kv = c["num_attention_heads"] * d_head, c["num_key_value_heads"] * d_head
    qkv_bias = c["model_type"] == "qwen2" or c.get("attention_bias", False)
    shapes = {"model.embed_tokens.weight": (c["vocab_size"], d), "model.norm.weight": (d,)}
    for n in range(c["num_hidden_layers"]):
        p = f"model.layers.{n}."
        for part, o, i, bias in [("self_attn.q_proj", q, d, qkv_bias),
                                 ("self_attn.k_proj", kv, d, qkv_bias),
                                 ("self_attn.v_proj", kv, d, qkv_bias),
                                 ("self_attn.o_proj", d, q, c.get("attention_bias", False)),
                                 ("mlp.gate_proj", hidden, d, c.get("mlp_bias", False)),
                                 ("mlp.up_proj", hidden, d, c.get("mlp_bias", False)),
                                 ("mlp.down_proj", d, hidden, c.get("mlp_bias", False))]:
            shapes[p + part + ".weight"] = (o, i)
            if bias:
                shapes[p + part + ".bias"] = (o,)
        shapes[p + "input_layernorm.weight"] = (d,)
        shapes[p + "post_attention_layernorm.weight"] = (d,)
    if not c.get("tie_word_embeddings", False):
        shapes["lm_head.weight"] = (c["vocab_size"], d)
    return shapes


def bert_shapes(c, pooler=True):
    d, hidden = c["hidden_size"], c["intermediate_size"]
    shapes = {"embeddings.word_embeddings.weight": (c["vocab_size"], d),
              "embeddings.position_embeddings.weight": (c["max_position_embeddings"], d),
              "embeddings.token_type_embeddings.weight": (c["type_vocab_size"], d)}
    norms = ["embeddings"]
    linears = {"pooler.dense": (d, d)} if pooler else {}
    for n in range(c["num_hidden_layers"]):
        p = f"encoder.layer.{n}."
        for part in ("query", "key", "value"):
            linears[p + "attention.self." + part] = (d, d)
        linears[p + "attention.output.dense"] = (d, d)
        linears[p + "intermediate.dense"] = (hidden, d)
        linears[p + "output.dense"] = (d, hidden)
        norms += [p + "attention.output", p + "output"]
    for name, (o, i) in linears.items():
        shapes[name + ".weight"], shapes[name + ".bias"] = (o, i), (o,)
    for name in norms:
        shapes[name + ".LayerNorm.weight"] = shapes[name + ".LayerNorm.bias"] = (d,)
    return shapes


def weights_of(shapes):
    """Near 1 where a norm multiplies, else around 0, and large enough that every part matters."""
    def one(name, shape):
        is_gain = len(shape) == 1 and name.endswith("weight")
        return drawn(*shape, width=0.3 if is_gain else 0.5) + (1 if is_gain else 0)
    return {name: one(name, shape) for name, shape in shapes.items()}


# Files.

def write_sharded(folder, tensors, dtype, shards):
    names, weight_map = list(tensors), {}
    random.shuffle(names)
    for s in range(shards):
        file = f"model-{s + 1:05}-of-{shards:05}.safetensors"
        its = names[s::shards]
        write_safetensors(os.path.join(folder, file), {n: tensors[n] for n in its}, dtype)
        weight_map.update({n: file for n in its})
    with open(os.path.join(folder, "model.safetensors.index.json"), "w") as out:
        json.dump({"metadata": {"total_size": 0}, "weight_map": weight_map}, out)


def write_folder(folder, config, stored, dtype, results):
    os.makedirs(folder)
    with open(os.path.join(folder, "config.json"), "w") as out:
        json.dump(config, out, indent=2)
    shards = random.choice([0, 0, 1, 2, 3])
    if shards:
        write_sharded(folder, stored, dtype, min(shards, len(stored)))
    else:
        write_safetensors(os.path.join(folder, "model.safetensors"), stored, dtype)
    write_safetensors(os.path.join(folder, "expected.safetensors"), results, "F64")


# Random configurations, and the same weights under the names that a file may have.

def one_of(*choices):
    return random.choice(choices)


def gpt2_config():
    heads = one_of(1, 2, 3, 4)
    config = {"model_type": "gpt2", "vocab_size": one_of(5, 17, 40), "n_positions": 12,
              "n_embd": heads * one_of(1, 4, 5, 8), "n_layer": one_of(1, 2, 3), "n_head": heads,
              "n_inner": one_of(None, 7, 32), "layer_norm_epsilon": one_of(1e-5, 1e-3),
              "activation_function": one_of("gelu_new", "gelu_new", "gelu", "relu"),
              "attn_pdrop": 0.1, "reorder_and_upcast_attn": False}
    if one_of(True, False):
        config["tie_word_embeddings"] = one_of(True, False)
    return config


def gpt2_stored(weights, config):
    prefix = one_of("", "transformer.")
    stored = {n if n == "lm_head.weight" else prefix + n: x for n, x in weights.items()}
    if one_of(True, False):
        size = config["n_positions"]
        for n in range(config["n_layer"]):
            stored[f"{prefix}h.{n}.attn.bias"] = causal(size)[None, None].double()
            stored[f"{prefix}h.{n}.attn.masked_bias"] = torch.tensor(-1e4)
    if one_of(True, False):
        stored.setdefault("lm_head.weight", weights["wte.weight"])
    return stored


def llama_config(model_type):
    kv, times, d_head = one_of(1, 2), one_of(1, 2, 3), one_of(2, 4, 6, 8)
    config = {"model_type": model_type, "vocab_size": one_of(5, 17, 40),
              "max_position_embeddings": 12, "hidden_size": kv * times * d_head,
              "intermediate_size": one_of(3, 16, 23), "num_hidden_layers": one_of(1, 2, 3),
              "num_attention_heads": kv * times, "num_key_value_heads": kv,
              "rms_norm_eps": one_of(1e-5, 1e-6, 1e-2), "hidden_act": one_of("silu", "silu", "gelu"),
              "attention_dropout": 0.1}
    rope = one_of({"rope_type": "default"}, {"rope_type": "linear", "factor": one_of(1.0, 2.5)},
                  {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": one_of(0.5, 1.0),
                   "high_freq_factor": one_of(2.0, 4.0), "original_max_position_embeddings": 20})
    if one_of(True, False):
        config["rope_theta"] = one_of(10000.0, 500000.0, 100.0)
        config["rope_scaling"] = one_of(None, rope)
    else:
        config["rope_parameters"] = {**rope, "rope_theta": one_of(10000.0, 77.5)}
    if one_of(True, False):
        config["tie_word_embeddings"] = one_of(True, False)
    if one_of(True, False):
        config["head_dim"] = d_head
        config["hidden_size"] = one_of(config["hidden_size"], 9)
    if model_type == "llama":
        config["attention_bias"], config["mlp_bias"] = one_of(True, False), one_of(True, False)
    if model_type == "mistral":
        config["sliding_window"] = one_of(None, 12, 4096)
    if model_type == "qwen2":
        config.update({"sliding_window": 3, "use_sliding_window": False})
    return config


def llama_stored(weights, config):
    stored = dict(weights)
    if one_of(True, False):
        for n in range(config["num_hidden_layers"]):
            stored[f"model.layers.{n}.self_attn.rotary_emb.inv_freq"] = torch.ones(4)
    return stored


def bert_config():
    heads = one_of(1, 2, 3, 4)
    return {"model_type": "bert", "vocab_size": one_of(5, 17, 40), "max_position_embeddings": 12,
            "hidden_size": heads * one_of(1, 4, 5, 8), "num_hidden_layers": one_of(1, 2, 3),
            "num_attention_heads": heads, "intermediate_size": one_of(7, 32),
            "layer_norm_eps": one_of(1e-12, 1e-3), "hidden_act": one_of("gelu", "gelu", "relu"),
            "type_vocab_size": one_of(1, 2, 3), "position_embedding_type": "absolute"}


def bert_stored(weights, config):
    prefix, is_old = one_of("", "bert."), one_of(True, False)

    def name(n):
        if is_old:
            n = n.replace("LayerNorm.weight", "LayerNorm.gamma")
            n = n.replace("LayerNorm.bias", "LayerNorm.beta")
        return prefix + n

    stored = {name(n): x for n, x in weights.items()}
    if one_of(True, False):
        size = config["max_position_embeddings"]
        stored[prefix + "embeddings.position_ids"] = torch.arange(size)[None]
        stored["cls.predictions.bias"] = torch.zeros(config["vocab_size"])
        stored["cls.seq_relationship.weight"] = torch.zeros(2, config["hidden_size"])
    return stored


KINDS = {
    "gpt2": (gpt2_config, gpt2_shapes, gpt2, gpt2_stored),
    "llama": (lambda: llama_config("llama"), llama_shapes, llama, llama_stored),
    "mistral": (lambda: llama_config("mistral"), llama_shapes, llama, llama_stored),
    "qwen2": (lambda: llama_config("qwen2"), llama_shapes, llama, llama_stored),
    "bert": (bert_config, bert_shapes, bert, bert_stored),
}


def inputs_for(config, B, T):
    inputs = {"ids": torch.randint(config["vocab_size"], (B, T))}
    if config["model_type"] == "bert":
        inputs["types"] = torch.randint(config["type_vocab_size"], (B, T))
        inputs["lengths"] = torch.randint(1, T + 1, (B,))
    return inputs


def write_many(folder, number):
    for kind, (make_config, shapes, compute, store) in KINDS.items():
        for i in range(number):
            random.seed(f"{kind} {i}")
            torch.manual_seed(random.randrange(2**31))
            config = make_config()
            dtype = one_of("F64", "F32", "F16", "BF16")
            options = {"pooler": one_of(True, False)} if kind == "bert" else {}
            weights = {n: x.to(TYPES[dtype]).double()
                       for n, x in weights_of(shapes(config, **options)).items()}
            inputs = inputs_for(config, one_of(1, 2, 3), one_of(1, 2, 5, 9, 12))
            results = {n: x.double() for n, x in inputs.items()}
            results.update(compute(weights, config, **inputs))
            write_folder(os.path.join(folder, f"{kind}_{i}"), config, store(weights, config), dtype,
                         results)


SMALL = {
    "gpt2": {"model_type": "gpt2", "vocab_size": 7, "n_positions": 6, "n_embd": 6, "n_layer": 2,
             "n_head": 2, "n_inner": 5, "layer_norm_epsilon": 1e-5,
             "activation_function": "gelu_new"},
    "llama": {"model_type": "llama", "vocab_size": 7, "max_position_embeddings": 6,
              "hidden_size": 8, "intermediate_size": 5, "num_hidden_layers": 2,
              "num_attention_heads": 4, "num_key_value_heads": 2, "rms_norm_eps": 1e-5,
              "rope_theta": 500.0, "hidden_act": "silu", "tie_word_embeddings": True},
    "mistral": {"model_type": "mistral", "vocab_size": 7, "max_position_embeddings": 6,
                "hidden_size": 6, "intermediate_size": 5, "num_hidden_layers": 1, "head_dim": 4,
                "num_attention_heads": 2, "num_key_value_heads": 1, "rms_norm_eps": 1e-5,
                "rope_theta": 10000.0, "hidden_act": "silu"},
    "qwen2": {"model_type": "qwen2", "vocab_size": 7, "max_position_embeddings": 6,
              "hidden_size": 4, "intermediate_size": 5, "num_hidden_layers": 1,
              "num_attention_heads": 2, "num_key_value_heads": 1, "rms_norm_eps": 1e-6,
              "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": True},
    "bert": {"model_type": "bert", "vocab_size": 7, "max_position_embeddings": 6, "hidden_size": 6,
             "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 5,
             "layer_norm_eps": 1e-12, "hidden_act": "gelu", "type_vocab_size": 2},
}


def write_frozen():
    for kind, config in SMALL.items():
        torch.manual_seed(28)
        _, shapes, compute, _ = KINDS[kind]
        weights = weights_of(shapes(config))
        inputs = inputs_for(config, 2, 4)
        for name, tensor in weights.items():
            write(f"{kind}: state {name}", tensor)
        for name, tensor in {**inputs, **compute(weights, config, **inputs)}.items():
            write(f"{kind}: {name}", tensor)
    save("pretrained", **{kind: json.dumps(config) for kind, config in SMALL.items()})


if len(sys.argv) == 3:
    write_many(sys.argv[1], int(sys.argv[2]))
else:
    write_frozen()
