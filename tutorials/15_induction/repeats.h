// The texts of lesson 15, whose second half repeats the first, and the model that is trained on
// them.
#pragma once

#include "nn/heed.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

inline constexpr std::int64_t V = 16;         // kinds of tokens
inline constexpr std::int64_t n = 8;          // distinct tokens, then the same again
inline constexpr std::int64_t T = 2 * n - 1;  // the last one is only predicted
inline constexpr std::int64_t d = 32;

// How the second half repeats the first: from any place on, round and round, or from the first.
enum class Repeat { from_any, from_first };

struct Examples {
    heed::IndexTensor ids;             // [B, T]
    heed::IndexTensor targets;         // [B, T - n]: what follows the tokens of the second half
    std::vector<std::int64_t> begins;  // [B]: where in the first half the second begins
};

Examples random_examples(std::int64_t B, Repeat repeat, heed::Random& random);

// What is knocked out: the output of a layer is replaced by 0 at some positions.
struct KnockedOut {
    enum Which { layer_0, layer_0_words, layer_1 } which;
    std::int64_t first = 0, end = T;  // positions
};

// A residual stream with one head a layer: no feed-forward, no norms. Beside layer 0 stands a
// second head that reads the tokens without their positions.
struct Repeater : heed::Module {
    heed::Embedding tokens;
    heed::LearnedPositions positions;
    std::vector<heed::MultiHeadAttention> layers;
    heed::MultiHeadAttention words;
    heed::Linear to_logits;

    Repeater(int num_layers, heed::Random& random);

    struct Seen {
        heed::Variable logits;              // of the second half, [B, T - n, V]
        std::vector<heed::Tensor> weights;  // of each layer, [B, T, T]
    };
    Seen operator()(const heed::IndexTensor& ids,
                    const std::optional<KnockedOut>& without = std::nullopt) const;
    void members(heed::MemberVisitor& visit) override;
};

struct Measured {
    double loss, accuracy;
    double previous;   // layer 0: mean weight of tokens 1 to n - 1 on the one before
    double induction;  // layer 1: mean weight on what followed the token in the first half
};

Measured measured(const Repeater& model, const Examples& examples,
                  const std::optional<KnockedOut>& without = std::nullopt);

using Figure = double Measured::*;

inline constexpr std::array<int, 7> steps_shown = {0, 25, 50, 75, 100, 200, 400};

// A trained model, and what was measured on `tests` at each of the steps that are shown.
struct Trained {
    Repeater model;
    std::vector<Measured> curve;
};

Trained trained(const std::string& name, int num_layers, Repeat repeat, const Examples& tests,
                heed::Random& random);
