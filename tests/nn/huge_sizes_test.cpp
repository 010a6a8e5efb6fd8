// Every layer that is asked for implausibly many of anything says so at once.
#include "nn/heed.h"
#include "tests/catch.h"

#include <functional>
#include <new>
#include <stdexcept>

using namespace heed;

namespace {
Random dice(1);

struct Case {
    const char* name;
    std::function<void(std::int64_t)> make;  // with this for one size
};

// clang-format off
const Case cases[] = {
    {"Linear, in", [](std::int64_t n) { Linear(n, 1, dice); }},
    {"Linear, out", [](std::int64_t n) { Linear(1, n, dice); }},
    {"LayerNorm", [](std::int64_t n) { LayerNorm{n}; }},
    {"RMSNorm", [](std::int64_t n) { RMSNorm{n}; }},
    {"Embedding, rows", [](std::int64_t n) { Embedding(n, 1, dice); }},
    {"Embedding, d", [](std::int64_t n) { Embedding(1, n, dice); }},
    {"TokenAndPositionEmbedding, rows", [](std::int64_t n) { TokenAndPositionEmbedding(n, 1, 1, dice); }},
    {"TokenAndPositionEmbedding, limit", [](std::int64_t n) { TokenAndPositionEmbedding(1, n, 1, dice); }},
    {"TokenAndPositionEmbedding, d", [](std::int64_t n) { TokenAndPositionEmbedding(1, 1, n, dice); }},
    {"AdditiveScore, d_q", [](std::int64_t n) { AdditiveScore(n, 1, 1, dice); }},
    {"AdditiveScore, d_k", [](std::int64_t n) { AdditiveScore(1, n, 1, dice); }},
    {"AdditiveScore, d_hidden", [](std::int64_t n) { AdditiveScore(1, 1, n, dice); }},
    {"BilinearScore, d_q", [](std::int64_t n) { BilinearScore(n, 1, dice); }},
    {"BilinearScore, d_k", [](std::int64_t n) { BilinearScore(1, n, dice); }},
    {"AttentionHead, d_model", [](std::int64_t n) { AttentionHead(n, 1, dice); }},
    {"AttentionHead, d_k", [](std::int64_t n) { AttentionHead(1, n, dice); }},
    {"AttentionHead, d_v", [](std::int64_t n) { AttentionHead(1, 1, dice, {.d_v = n}); }},
    {"AttentionHead, kdim", [](std::int64_t n) { AttentionHead(1, 1, dice, {.kdim = n}); }},
    {"MultiHeadAttention, d_model", [](std::int64_t n) { MultiHeadAttention(n, 1, dice); }},
    {"MultiHeadAttention, heads", [](std::int64_t n) { MultiHeadAttention(1, n, dice, {.d_head = 1}); }},
    {"MultiHeadAttention, d_head", [](std::int64_t n) { MultiHeadAttention(1, 1, dice, {.d_head = n}); }},
    {"MultiHeadAttention, both", [](std::int64_t n) { MultiHeadAttention(n, n, dice); }},
    {"LearnedPositions, limit", [](std::int64_t n) { LearnedPositions(n, 1, dice); }},
    {"LearnedPositions, d", [](std::int64_t n) { LearnedPositions(1, n, dice); }},
    {"RelativeBias, heads", [](std::int64_t n) { RelativeBias(n, 1); }},
    {"RelativeBias, farthest", [](std::int64_t n) { RelativeBias(1, n); }},
    {"Alibi", [](std::int64_t n) { Alibi{n}; }},
    {"GruCell, in", [](std::int64_t n) { GruCell(n, 1, dice); }},
    {"GruCell, hidden", [](std::int64_t n) { GruCell(1, n, dice); }},
    {"GRU, hidden", [](std::int64_t n) { GRU(1, n, dice); }},
    {"GRU, layers", [](std::int64_t n) { GRU(1, 1, dice, {.num_layers = n}); }},
    {"LstmCell, in", [](std::int64_t n) { LstmCell(n, 1, dice); }},
    {"LstmCell, hidden", [](std::int64_t n) { LstmCell(1, n, dice); }},
    {"LSTM, hidden", [](std::int64_t n) { LSTM(1, n, dice); }},
    {"LSTM, layers", [](std::int64_t n) { LSTM(1, 1, dice, {.num_layers = n}); }},
    {"FeedForward, d_model", [](std::int64_t n) { FeedForward(n, 1, dice); }},
    {"FeedForward, d_hidden", [](std::int64_t n) { FeedForward(1, n, dice); }},
    {"TransformerEncoderLayer, d_model", [](std::int64_t n) { TransformerEncoderLayer(n, 1, 1, dice); }},
    {"TransformerEncoderLayer, d_hidden", [](std::int64_t n) { TransformerEncoderLayer(1, 1, n, dice); }},
    {"TransformerDecoderLayer, d_model", [](std::int64_t n) { TransformerDecoderLayer(n, 1, 1, dice); }},
    {"TransformerDecoderLayer, d_hidden", [](std::int64_t n) { TransformerDecoderLayer(1, 1, n, dice); }},
    {"TransformerEncoder, layers", [](std::int64_t n) { TransformerEncoder(n, 1, 1, 1, dice); }},
    {"TransformerEncoder, d_model", [](std::int64_t n) { TransformerEncoder(1, n, 1, 1, dice); }},
    {"TransformerDecoder, layers", [](std::int64_t n) { TransformerDecoder(n, 1, 1, 1, dice); }},
    {"TransformerDecoder, heads", [](std::int64_t n) { TransformerDecoder(1, n, n, 1, dice); }},
    {"Transformer, encoder layers", [](std::int64_t n) {
         Transformer({.d_model = 1, .num_heads = 1, .num_encoder_layers = n, .d_hidden = 1}, dice);
     }},
    {"Transformer, decoder layers", [](std::int64_t n) {
         Transformer({.d_model = 1, .num_heads = 1, .num_decoder_layers = n, .d_hidden = 1}, dice);
     }},
    {"Gpt, layers", [](std::int64_t n) { Gpt({.vocab_size = 1, .limit = 1, .num_layers = n}, dice); }},
    {"Gpt, words", [](std::int64_t n) { Gpt({.vocab_size = n, .limit = 1}, dice); }},
    {"Gpt, limit", [](std::int64_t n) { Gpt({.vocab_size = 1, .limit = n}, dice); }},
    {"Gpt, d_model", [](std::int64_t n) { Gpt({.vocab_size = 1, .limit = 1, .d_model = n}, dice); }},
    {"Gpt, heads", [](std::int64_t n) {
         Gpt({.vocab_size = 1, .limit = 1, .d_model = n, .num_heads = n, .positions = PositionKind::alibi}, dice);
     }},
    {"GptBlock, d_hidden", [](std::int64_t n) { GptBlock({.vocab_size = 1, .limit = 1, .d_hidden = n}, dice); }},
    {"TextEncoder, layers", [](std::int64_t n) { TextEncoder({.vocab_size = 1, .limit = 1, .num_layers = n}, dice); }},
    {"TextClassifier, labels", [](std::int64_t n) { TextClassifier({.vocab_size = 1, .limit = 1}, n, dice); }},
    {"MeanClassifier, layers", [](std::int64_t n) { MeanClassifier({.vocab_size = 1, .limit = 1, .num_layers = n}, dice); }},
    {"MeanClassifier, classes", [](std::int64_t n) { MeanClassifier({.vocab_size = 1, .limit = 1, .num_classes = n}, dice); }},
};
// clang-format on

// What it says, or "" where nothing or something without words was thrown.
std::string refusal(const Case& one, std::int64_t size) {
    try {
        one.make(size);
    } catch (const std::invalid_argument& error) {
        return error.what();
    } catch (const OutOfMemory& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("no layer tries to make implausibly many of anything", "[nn][huge]") {
    for (const Case& one : cases) {
        for (const int power : {48, 60, 61, 62}) {
            INFO(one.name << " of 2^" << power);
            CHECK(refusal(one, std::int64_t{1} << power) != "");
        }
    }
}

TEST_CASE("positions that hold no table may have any size", "[nn][huge]") {
    CHECK(SinusoidalPositions(std::int64_t{1} << 62).d == std::int64_t{1} << 62);
    CHECK(RotaryPositions(std::int64_t{1} << 62).d == std::int64_t{1} << 62);
}
