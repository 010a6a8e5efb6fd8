// Lesson 20: a published model's attention as numbers, and its whole network written out (20.4).
#include "nn/heed.h"
#include "nn/pages/heat_map.h"
#include "tutorials/20_other_peoples_weights/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::difference;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

// The matrix [T, d] of one head.
Tensor of_head(const Tensor& all, std::int64_t head) {
    return tensor::select(tensor::view(all, {-1, all.dim(-2), all.dim(-1)}), 0, head);
}

// At most five columns, up to 1000: 0.12, -1.23, -12.3
std::string three_digits(Scalar number) {
    const double size = std::fabs(static_cast<double>(number));
    return fixed(static_cast<double>(number), size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

// One head's query of the last token, and what it makes of each key: q∘k, q·k, score and weight.
void print_neuron_view(const AttentionRecord& record, std::int64_t head, const Pieces& tokens) {
    const std::int64_t t = record.Q.dim(-2) - 1;
    const Tensor q = tutorial::row(of_head(record.Q, head), t);  // [d_k]
    const Tensor K = of_head(record.K, head);                    // [T, d_k]
    const Tensor scores = tutorial::row(of_head(record.scores, head), t);
    const Tensor weights = tutorial::row(of_head(record.weights, head), t);
    const std::int64_t d_k = q.dim(0), shown = std::min<std::int64_t>(d_k, 4);
    const std::string more =
        d_k > shown ? " (first " + std::to_string(shown) + " of " + std::to_string(d_k) + ")" : "";
    std::cout << "q of \"" << tokens[static_cast<std::size_t>(t)] << "\"" << more << ": ";
    for (std::int64_t c = 0; c < shown; ++c) std::cout << " " << three_digits(q(c));
    const std::size_t width = static_cast<std::size_t>(6 * shown);
    std::cout << "\n\n"
              << std::string(13, ' ') << "k" << std::string(width - 1, ' ') << "q∘k"
              << std::string(width - 2, ' ') << "q·k  score weight\n";
    const auto print = [](Scalar number, std::size_t columns) {
        std::cout << tutorial::fit(three_digits(number), columns, tutorial::Align::right);
    };
    for (std::int64_t j = 0; j < K.dim(0); ++j) {
        std::cout << tutorial::fit(tokens[static_cast<std::size_t>(j)], 8);
        Scalar product = 0;
        for (std::int64_t c = 0; c < shown; ++c) print(K(j, c), 6);
        std::cout << "  ";
        for (std::int64_t c = 0; c < shown; ++c) print(q(c) * K(j, c), 6);
        for (std::int64_t c = 0; c < d_k; ++c) product += q(c) * K(j, c);
        print(product, 7);
        print(scores(j), 7);
        print(weights(j), 7);
        std::cout << "\n";
    }
    std::cout << "\n";
}

// GPT-2 from its file, by the formulas, and with nothing of nn.
class ByHand {
  public:
    ByHand(const StateDict& file, std::int64_t num_heads) : file_(file), num_heads_(num_heads) {}

    Tensor logits(const IndexTensor& ids, std::int64_t num_layers) {
        const std::int64_t T = ids.dim(0);
        Tensor x = tensor::index_select(file_.at("wte.weight"), 0, ids) +
                   tensor::slice(file_.at("wpe.weight"), 0, 0, T);  // [T, d]
        for (std::int64_t n = 0; n < num_layers; ++n) {
            const std::string layer = "h." + std::to_string(n) + ".";
            x = x + attention(layer, norm(layer + "ln_1", x));
            const Tensor hidden =
                tensor::gelu_tanh(conv1d(layer + "mlp.c_fc", norm(layer + "ln_2", x)));
            x = x + conv1d(layer + "mlp.c_proj", hidden);
        }
        return tensor::matmul(norm("ln_f", x), tensor::transpose(file_.at("wte.weight")));
    }

    // Of the first layer.
    std::vector<Tensor> Q, K, weights;

  private:
    Tensor norm(const std::string& name, const Tensor& x) const {
        const Tensor from_mean = x - tensor::mean(x, -1, keepdim);
        const Tensor variance = tensor::mean(from_mean * from_mean, -1, keepdim);
        return from_mean / tensor::sqrt(variance + 1e-5) * file_.at(name + ".weight") +
               file_.at(name + ".bias");
    }

    Tensor conv1d(const std::string& name, const Tensor& x) const {
        return tensor::matmul(x, file_.at(name + ".weight")) + file_.at(name + ".bias");
    }

    // softmax(Q·Kᵀ/√d_k)·V for each head, side by side, and c_proj
    Tensor attention(const std::string& layer, const Tensor& x) {
        const Tensor all = conv1d(layer + "attn.c_attn", x);  // [T, 3·d]
        const std::int64_t d = all.dim(1) / 3, d_k = d / num_heads_;
        std::vector<Tensor> outputs;
        for (std::int64_t n = 0; n < num_heads_; ++n) {
            const std::int64_t at = n * d_k;
            const Tensor Q_n = tensor::slice(all, 1, at, at + d_k);
            const Tensor K_n = tensor::slice(all, 1, d + at, d + at + d_k);
            const Tensor V_n = tensor::slice(all, 1, 2 * d + at, 2 * d + at + d_k);
            const Tensor S =
                tensor::matmul(Q_n, tensor::transpose(K_n)) / std::sqrt(static_cast<double>(d_k));
            const Mask causal = Mask::causal(x.dim(0));
            const Tensor A =
                tensor::softmax(tensor::masked_fill(S, causal.blocked(), -infinity), -1);
            outputs.push_back(tensor::matmul(A, V_n));
            if (layer != "h.0.") continue;
            Q.push_back(Q_n);
            K.push_back(K_n);
            weights.push_back(A);
        }
        return conv1d(layer + "attn.c_proj", tensor::concatenate(outputs, 1));
    }

    const StateDict& file_;
    std::int64_t num_heads_;
};

// softmax(Q·Kᵀ/√d_k) of what was recorded, masked as recorded.
Tensor weights_by_hand(const AttentionRecord& record) {
    const double d_k = static_cast<double>(record.Q.dim(-1));
    Tensor scores = tensor::matmul(record.Q, tensor::transpose(record.K)) / std::sqrt(d_k);
    if (record.mask) scores = tensor::masked_fill(scores, record.mask->blocked(), -infinity);
    return tensor::softmax(scores, -1);
}

}  // namespace

void same_network(const Loaded& loaded) {
    section("20.4 Is it the same network?");
    tutorial::in_the_notes("000 ends with a picture of GPT-2: the neuron view of \"time flies like "
                           "an arrow\", layer 0, head 8.");
    say("A model is published as a folder: config.json, model.safetensors, and the tokenizer's "
        "files. load_gpt(folder), for BERT "
        "load_text_encoder(folder), and load_tokenizer(folder) read it.");
    const Gpt* const model = loaded.gpt ? &*loaded.gpt : nullptr;  // or
    const TextEncoder* const encoder = loaded.encoder ? &*loaded.encoder : nullptr;
    if (!loaded.is_given) {
        say("Here it is a small one in GPT-2's layout, two layers of twelve heads, with random "
            "weights and the pieces of 20.1 (--model DIR takes one of others).");
    } else if (model) {
        std::cout << model->config() << "\n\n";
    } else {
        std::cout << encoder->config() << "\n\n";
    }
    const IndexTensor& ids = loaded.ids;
    std::string pieces;
    for (std::int64_t t = 0; t < ids.dim(0); ++t)
        pieces += " " + loaded.tokens[static_cast<std::size_t>(t)] + " " + std::to_string(ids(t));
    say("The text's pieces and their ids:" + pieces + ".");
    const Pieces& tokens = loaded.tokens;
    stop("20.4 before the call", {{"ids", ids}});
    RecordAttention recording(loaded.network());
    recording.set_tokens(tokens);
    const Variable output = loaded.output();  // [T, vocab_size], or [T, d_model]
    const AttentionRecord& first = recording.records()[0];
    const std::int64_t head = std::min<std::int64_t>(8, first.Q.dim(0) - 1);
    say("Layer 0, head " + std::to_string(head) + ", as \"" + tokens.back() +
        "\" sees the others. Each entry of q times the same entry of k says what that entry speaks "
        "for or against; their sum is $q·k$, and divided by $√d_k$ the score:");
    print_neuron_view(first, head, tokens);
    const Tensor q = tutorial::row(of_head(first.Q, head), -1);
    const Tensor k = tutorial::row(of_head(first.K, head), 0);
    const Tensor products = q * k;
    const Tensor scores = tutorial::row(of_head(first.scores, head), -1);
    stop("20.4 layer 0, head 8", {{"q", q}, {"k", k}, {"products", products}, {"scores", scores}});
    print_heat_map(std::cout, tokens, tokens, of_head(first.weights, head), first.mask);
    double furthest = 0;
    std::vector<Tensor> of_layers;
    for (const AttentionRecord& record : recording.records()) {
        of_layers.push_back(record.weights);  // [h, T, T]
        furthest = std::max(
            furthest, difference(Variable(weights_by_hand(record)), Variable(record.weights)));
    }
    const Tensor weights = tensor::stack(of_layers, 0);  // [layers, h, T, T]
    stop("20.4 all layers and heads", {{"weights", weights}, {"output", output}});
    std::cout << "weights of all layers and heads: " << weights.shape() << "\n\n";
    tutorial::show_attention(
        "All heads to explore; under \"One query\" stand q, k, their products and what softmax "
        "makes of them, number by number.",
        recording.records());
    check(furthest < 1e-5,
          "in all layers and heads the weights are $softmax(Q·Kᵀ/√d_k)$, as in equation 1");
}

void written_out(const Files& files, const Published& gpt2, const Loaded& small, Random& random) {
    say("Are Q and K those of the file? In the small model's, c_attn.weight " +
        gpt2.weights.at("h.0.attn.c_attn.weight").shape().text() +
        " is q, k and v side by side: $[q k v] = x·c_attn$, and head 8 has columns 32 to 35 of "
        "each. Written out from the file's numbers, with nothing of nn, the whole network is 40 "
        "lines (network.cpp). Llama and BERT have a Linear's weights, [out, in], and other norms "
        "(layouts.cpp). By hand and loaded differ by at most:");
    RecordAttention recording(*small.gpt);
    const NoGrad no_grad;
    const Tensor logits = (*small.gpt)(small.ids).value();
    const AttentionRecord& record = recording.at("blocks.0.attention");
    const std::int64_t num_heads = small.gpt->config().num_heads;
    ByHand by_hand(gpt2.weights, num_heads);
    const Tensor own = by_hand.logits(small.ids, small.gpt->config().num_layers);
    double in_heads = 0, in_weights = 0;
    for (std::int64_t n = 0; n < num_heads; ++n) {
        const std::size_t i = static_cast<std::size_t>(n);
        const auto apart = [n](const Tensor& hand, const Tensor& all) {
            return difference(Variable(hand), Variable(of_head(all, n)));
        };
        in_heads =
            std::max({in_heads, apart(by_hand.Q[i], record.Q), apart(by_hand.K[i], record.K)});
        in_weights = std::max(in_weights, apart(by_hand.weights[i], record.weights));
    }
    const double of_logits = difference(Variable(own), Variable(logits));
    const double largest = static_cast<double>(tensor::max(tensor::abs(logits)).item());
    print_row(std::cout, "q and k, all heads of layer 0", {fixed(in_heads, 6)}, 34, 9);
    print_row(std::cout, "weights, all heads of layer 0", {fixed(in_weights, 6)}, 34, 9);
    print_row(std::cout, "logits, which are up to " + fixed(largest, 2), {fixed(of_logits, 6)}, 34,
              9);
    const double of_others = other_layouts(files, small.ids, random);  // layouts.cpp
    check(in_heads < 1e-4 && in_weights < 1e-4,
          "q, k and the weights of all twelve heads are those of the loaded model, to rounding");
    check(of_logits < 1e-4 && largest > 1, "so are the logits: it is the same network");
    check(of_others < 1e-4,
          "so are q and k of Llama's layout, with pairs that are turned, and of BERT's");
}
