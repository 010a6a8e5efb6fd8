// Every layer of nn/, with the number of its parameters as its members() has them;
// check_every_layer.py compares it with what the debugger shows. That none is missing is checked by
// tests/source_rules/check_layers.cmake.
#include "nn/heed.h"

#include <cstdio>

using namespace heed;

[[gnu::noinline]] void look(const Module& layer, std::int64_t numbers) {
    asm volatile("" : : "r"(&layer), "r"(numbers) : "memory");
}

void show(const Module& layer) { look(layer, count_parameters(layer)); }

int main() {
    Random dice(1);
    const GptConfig gpt = complete(
        GptConfig{.vocab_size = 5, .limit = 8, .d_model = 4, .num_layers = 2, .num_heads = 2});
    GptConfig llama = gpt;
    llama.positions = PositionKind::rotary;
    llama.norm = NormKind::rms;
    llama.gated = true;
    llama.activation = Activation::silu;
    GptConfig biased = gpt;
    biased.positions = PositionKind::alibi;
    const TextEncoderConfig encoder = {
        .vocab_size = 5, .limit = 8, .d_model = 4, .num_layers = 1, .num_heads = 2};
    const TransformerSizes sizes = {.d_model = 4,
                                    .num_heads = 2,
                                    .num_encoder_layers = 1,
                                    .num_decoder_layers = 2,
                                    .d_hidden = 8};
    show(Tanh());
    show(Sigmoid());
    show(Relu());
    show(Silu());
    show(Softmax(0));
    show(Gelu());
    show(GeluTanh());
    show(Linear(4, 3, dice));
    show(Dropout(0.5, dice));
    show(LayerNorm(4));
    show(LayerNorm(4, {.bias = false}));
    show(RMSNorm(4));
    show(Sequential{Linear(4, 3, dice), Tanh(), LayerNorm(3)});
    show(Embedding(5, 4, dice));
    show(TokenAndPositionEmbedding(5, 8, 4, dice));
    show(DotScore());
    show(ScaledDotScore());
    show(AdditiveScore(4, 4, 3, dice));
    show(BilinearScore(4, 4, dice));
    show(GaussianScore());
    show(AttentionHead(4, 2, dice));
    show(MultiHeadAttention(4, 2, dice));
    show(MultiHeadAttention(4, 2, dice, {.positions = RelativeBias(2, 3)}));
    show(LearnedPositions(8, 4, dice));
    show(SinusoidalPositions(4));
    show(RotaryPositions(4));
    show(RelativeBias(2, 3));
    show(Alibi(2));
    show(GruCell(4, 2, dice));
    show(GRU(4, 2, dice, {.num_layers = 2, .bidirectional = true}));
    show(LstmCell(4, 2, dice));
    show(LSTM(4, 2, dice));
    show(FeedForward(4, 8, dice));
    show(FeedForward(4, 8, dice, {.activation = Activation::silu, .gated = true}));
    show(TransformerEncoderLayer(4, 2, 8, dice));
    show(TransformerDecoderLayer(4, 2, 8, dice));
    show(TransformerEncoder(2, 4, 2, 8, dice));
    show(TransformerDecoder(1, 4, 2, 8, dice));
    show(Transformer(sizes, dice));
    show(GptBlock(llama, dice));
    show(Gpt(gpt, dice));
    show(Gpt(llama, dice));
    show(Gpt(biased, dice));
    show(MeanClassifier(
        {.vocab_size = 5, .limit = 8, .d_model = 4, .num_layers = 1, .num_heads = 2}, dice));
    show(TextEncoder(encoder, dice));
    show(TextClassifier(encoder, 2, dice));
    std::puts("all layers were shown");
}
