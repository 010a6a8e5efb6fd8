"""Writes a Llama of models.cpp for llama.cpp, with the same weights: gguf_llama.py 162M FILE"""

import sys

from gguf_file import ARRAY, BOOL, F32, I32, STRING, U32, write
from noise_weights import NoiseWeights

# vocabulary, limit, layers, heads, d_model, d_hidden
SIZES = {"tiny": (300, 64, 2, 2, 32, 48), "162M": (50257, 1024, 12, 12, 768, 2048)}
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6  # kinds of tokens


def settings(vocabulary, limit, layers, heads, d_model, d_hidden):
    yield "general.architecture", STRING, "llama"
    yield "llama.context_length", U32, limit
    yield "llama.embedding_length", U32, d_model
    yield "llama.block_count", U32, layers
    yield "llama.feed_forward_length", U32, d_hidden
    yield "llama.attention.head_count", U32, heads
    yield "llama.attention.head_count_kv", U32, heads
    yield "llama.attention.layer_norm_rms_epsilon", F32, 1e-5
    yield "llama.rope.dimension_count", U32, d_model // heads
    yield "llama.rope.freq_base", F32, 10000.0
    yield "llama.vocab_size", U32, vocabulary


def tokenizer(vocabulary):
    """No text is read or written, but llama.cpp wants one."""
    bytes_ = ["<0x%02X>" % i for i in range(256)]
    words = ["\u2581w%d" % i for i in range(vocabulary - 259)]
    kinds = [UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256 + [NORMAL] * len(words)
    yield "tokenizer.ggml.model", STRING, "llama"
    yield "tokenizer.ggml.tokens", ARRAY, (STRING, ["<unk>", "<s>", "</s>"] + bytes_ + words)
    yield "tokenizer.ggml.scores", ARRAY, (F32, [0.0] * vocabulary)
    yield "tokenizer.ggml.token_type", ARRAY, (I32, kinds)
    yield "tokenizer.ggml.bos_token_id", U32, 1
    yield "tokenizer.ggml.eos_token_id", U32, 2
    yield "tokenizer.ggml.add_bos_token", BOOL, False


def tensors(vocabulary, limit, layers, heads, d_model, d_hidden):
    """In the order of heed's Gpt, whose seeds follow it."""
    weights = NoiseWeights()
    yield "token_embd.weight", weights.matrix(vocabulary, d_model)
    for i in range(layers):
        of_block = "blk.%d." % i
        yield of_block + "attn_norm.weight", weights.factor(d_model)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            yield of_block + name + ".weight", weights.matrix(d_model, d_model)
        yield of_block + "ffn_norm.weight", weights.factor(d_model)
        yield of_block + "ffn_up.weight", weights.matrix(d_hidden, d_model)
        yield of_block + "ffn_down.weight", weights.matrix(d_model, d_hidden)
        yield of_block + "ffn_gate.weight", weights.matrix(d_hidden, d_model)
    yield "output_norm.weight", weights.factor(d_model)
    yield "output.weight", weights.matrix(vocabulary, d_model)


if __name__ == "__main__":
    sizes = SIZES[sys.argv[1]]
    write(sys.argv[2], [*settings(*sizes), *tokenizer(sizes[0])], [*tensors(*sizes)])
