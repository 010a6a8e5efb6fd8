// 19 Generating: why not compute everything again? Keys and values that are kept, what that saves,
// and ways to choose the next token.
#include "nn/heed.h"
#include "nn/pages/heat_map.h"
#include "tutorials/19_generating/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::print_row;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

const std::int64_t d = 4;

// What a head keeps of the tokens it has read.
struct Kept {
    Variable K{tensor::zeros({0, d})};  // [t, d] after t tokens
    Variable V{tensor::zeros({0, d})};
};

// Attention of one more token x [1, d]: its own query, the keys and values of all so far.
Attention attend_from(const AttentionHead& head, const Variable& x, Kept& kept) {
    kept.K = concatenate({kept.K, head.W_K(x)}, 0);  // [t, d]
    kept.V = concatenate({kept.V, head.W_V(x)}, 0);  // [t, d]
    const Variable q = head.W_Q(x);                  // [1, d]
    const Variable scores = matmul(q, transpose(kept.K)) / std::sqrt(static_cast<double>(d));
    const Variable weights = softmax(scores, -1);  // [1, t]
    return {matmul(weights, kept.V), weights};
}

void one_head(Random& random) {
    section("19.1 The growing triangle");
    const Words words = {"the", "keys", "to", "the", "cabinet"};
    const std::int64_t T = 5;
    const AttentionHead head(d, d, random);
    const Variable X(tensor::normal({T, d}, random));
    const Mask causal = Mask::causal(T);
    say("A model writes a text a token at a time: each new token becomes part of the input for the "
        "next. With a causal mask, output t is $y_t = softmax(q_t·K_{≤t}ᵀ/√d_k)·V_{≤t}$, in which "
        "no later token occurs (lesson 08). So when a fifth token comes, what happens to the "
        "outputs of the first four? Nothing:");
    const Variable shorter = slice(X, 0, 0, T - 1);  // [4, d]
    const Variable before = head(shorter, Mask::causal(T - 1));
    const Variable after = slice(head(X, causal), 0, 0, T - 1);
    check(same(before, after), "a fifth token leaves the outputs of the first four as they were");
    check(tutorial::rows_that_differ(head(shorter).value(), slice(head(X), 0, 0, T - 1).value()) ==
              T - 1,
          "without the mask it changes all four");
    say("So they need not be computed again. And what does $y_5$ need of the old tokens? By the "
        "formula their keys and their values, $k_1$ to $k_4$ and $v_1$ to $v_4$, and nothing else: "
        "their queries have done their work. Keep K and V, and each new token brings one query, "
        "one key and one value:");
    tutorial::predict_shape("Each vector has 4 numbers. After five tokens, what is the shape of K?",
                            Shape({T, d}), "One key for each token so far.");
    const Attention all = head.with_weights(X, causal);
    Kept kept;
    std::vector<Tensor> rows;
    bool same_rows = true;
    for (std::int64_t t = 0; t < T; ++t) {
        const Attention row = attend_from(head, slice(X, 0, t, t + 1), kept);
        const Tensor to_come = tensor::zeros({1, T - t - 1});
        rows.push_back(tensor::concatenate({row.weights.value(), to_come}, 1));  // [1, T]
        same_rows = same_rows && same(row.output, slice(all.output, 0, t, t + 1));
    }
    const Tensor triangle = tensor::concatenate(rows, 0);  // [T, T]
    const Variable &K = kept.K, &V = kept.V;
    stop("19.1 keys and values", {{"K", K}, {"V", V}, {"triangle", triangle}});
    std::cout << "after five tokens: K " << K.shape() << ", V " << V.shape() << "\n\n";
    print_heat_map(std::cout, words, words, triangle, causal);
    check(same_rows && same(triangle, all.weights.value()),
          "a row at a time, the weights and outputs are those of all rows at once, bit for bit");
    say("Each step adds one row to the triangle. Computed anew, each step would draw the whole "
        "triangle once more.");
    in_the_notes(
        "001 compares what runs in parallel with what has to wait. Training has all tokens "
        "and runs in parallel; writing has to wait for each token, as a recurrent network "
        "does. What such a network keeps stays as large as it is; K and V grow.");
}

struct Count {
    std::int64_t projections = 0;  // multiplications with weight matrices
    std::int64_t attention = 0;    // those of Q·Kᵀ and of the weights with V
};

// Counts the multiplications of a model that reads one more token at a time.
Count count(const Gpt& gpt, const IndexTensor& ids, bool keep) {
    const NoGrad no_grad;
    Count found;
    std::int64_t keys = 0;
    const ForwardHook hook(gpt, [&](const LayerCall& call) {
        if (call.type == "Linear") {
            found.projections += call.inputs[0].numel() * call.output.dim(-1);
        } else if (call.type == "MultiHeadAttention") {
            found.attention += 2 * call.output.numel() * keys;
        }
    });
    GptCache cache;
    for (std::int64_t t = 0; t < ids.dim(0); ++t) {
        keys = t + 1;
        if (keep) {
            gpt.with_past(tensor::slice(ids, 0, t, t + 1), cache);
        } else {
            gpt(tensor::slice(ids, 0, 0, t + 1));
        }
    }
    return found;
}

std::string ratio(std::int64_t a, std::int64_t b) {
    return fixed(static_cast<double>(a) / static_cast<double>(b), 1);
}

void operations(Random& random) {
    section("19.2 What it saves");
    say("Step t reads t tokens anew, or one, if keys and values are kept. Over n steps that is $1 "
        "+ 2 + ... + n = n·(n + 1)/2$ tokens instead of n, and each costs the same multiplications "
        "with weight matrices (W). Between queries, keys and values (QKV), step t has $t·t$ "
        "products of a query with a key, or t; the sums are $n·(n + 1)·(2n + 1)/6$ and $n·(n + "
        "1)/2$. (Masked ones are counted, too: they are computed and then masked.) So the ratios "
        "should be $(n + 1)/2$ and $(2n + 1)/3$. Counted in a GPT of two blocks (lesson 14) that "
        "writes n tokens:");
    tutorial::predict_number(
        "Anew, step t reads t tokens. For 63 tokens in all, how many times more is that than "
        "reading each once?",
        32, 0.5, "$1 + 2 + ... + 63 = 63·64/2$, so $(63 + 1)/2$ times 63.");
    const Gpt gpt({.vocab_size = 19, .limit = 63, .d_model = 32, .num_layers = 2, .num_heads = 2},
                  random);
    print_row(std::cout, "n", {"W anew", "kept", "ratio", "QKV anew", "kept", "ratio"}, 4, 9);
    bool as_expected = true;
    for (const std::int64_t n : {7, 15, 31, 63}) {
        const IndexTensor ids(std::vector<std::int64_t>(static_cast<std::size_t>(n), 0), {n});
        const Count anew = count(gpt, ids, false), kept = count(gpt, ids, true);
        print_row(std::cout, std::to_string(n),
                  {std::to_string(anew.projections), std::to_string(kept.projections),
                   ratio(anew.projections, kept.projections), std::to_string(anew.attention),
                   std::to_string(kept.attention), ratio(anew.attention, kept.attention)},
                  4, 9);
        as_expected = as_expected && 2 * anew.projections == (n + 1) * kept.projections &&
                      3 * anew.attention == (2 * n + 1) * kept.attention;
    }
    std::cout << "\n";
    check(as_expected,
          "the ratios are (n + 1)/2 and (2n + 1)/3, so what is saved grows with the text");
    GptCache cache;
    gpt.with_past(IndexTensor({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), cache);
    std::int64_t numbers = 0;
    for (const KeyValueCache& block : cache.blocks) {
        numbers += block.all().K.numel() + block.all().V.numel();
    }
    std::cout << "\nThe price: after 10 tokens the cache holds " << numbers << " numbers.\n\n";
    check(numbers == 2 * 2 * 10 * 32, "these are 2 (K and V) · 2 blocks · 10 tokens · 32 numbers");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 19: generating. Why not compute everything again, and which token comes next?");
    one_head(random);       // 19.1
    operations(random);     // 19.2
    std::vector<Gpt> gpts;  // cache.cpp
    for (int i = 0; i < 3; ++i) gpts.push_back(trained(random));
    const Gpt& gpt = gpts[0];
    same_bits(gpt);                    // 19.3
    choosing(gpts, random);            // 19.4, choosing.cpp
    shared_beginning(gpt);             // 19.5
    restarted_positions(gpt, random);  // 19.6
}

int main(int argc, char** argv) {
    return tutorial::run({.name = "19_generating",
                          .subject = "A cache of keys and values, and ways to choose.",
                          .trains = true},
                         argc, argv, lesson);
}
