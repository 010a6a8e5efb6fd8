// Lesson 20: queries and keys from the files of Llama and BERT, by hand (20.4).
#include "nn/heed.h"
#include "tutorials/20_other_peoples_weights/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::print_row;

namespace {

// Llama turns pairs of features (c, c + d/2) by t·10000^(-2c/d): here d is 8.
Tensor turned(const Tensor& x) {
    const Tensor t = tensor::view(tensor::arange(x.dim(0)), {-1, 1});  // [T, 1]
    const Tensor angles = t * tensor::of({1, 0.1, 0.01, 0.001});       // [T, d/2]
    const Tensor first = tensor::slice(x, 1, 0, 4), second = tensor::slice(x, 1, 4, 8);
    const Tensor cos = tensor::cos(angles), sin = tensor::sin(angles);
    return tensor::concatenate({first * cos - second * sin, second * cos + first * sin}, 1);
}

// Head n of x·Wᵀ: a Linear's rows are its outputs.
Tensor head_of(const Tensor& x, const Tensor& W, std::int64_t n) {
    return tensor::matmul(x, tensor::transpose(tensor::slice(W, 0, 8 * n, 8 * n + 8)));  // [T, 8]
}

double apart(const Tensor& hand, const Tensor& all, std::int64_t head) {
    return tutorial::difference(Variable(hand), Variable(tensor::select(all, 0, head)));
}

double llama(const Files& files, const IndexTensor& ids, Random& random) {
    const Published published = small_llama(random);
    const Gpt model = load_gpt(write(files, "llama", published));
    RecordAttention recording(model);
    model(ids);
    const StateDict& file = published.weights;
    const std::string layer = "model.layers.0.";
    const Tensor x = tensor::index_select(file.at("model.embed_tokens.weight"), 0, ids);
    const Tensor mean_square = tensor::mean(x * x, -1, keepdim);
    const Tensor normed =
        x / tensor::sqrt(mean_square + 1e-5) * file.at(layer + "input_layernorm.weight");
    const AttentionRecord& record = recording.at("blocks.0.attention");
    double furthest = 0;
    for (std::int64_t n = 0; n < 4; ++n) {
        const Tensor Q = turned(head_of(normed, file.at(layer + "self_attn.q_proj.weight"), n));
        const Tensor K = turned(head_of(normed, file.at(layer + "self_attn.k_proj.weight"), n / 2));
        furthest = std::max({furthest, apart(Q, record.Q, n), apart(K, record.K, n)});
    }
    return furthest;
}

double bert(const Files& files, const IndexTensor& ids, Random& random) {
    const Published published = small_bert(random);
    const TextEncoder model = load_text_encoder(write(files, "bert", published));
    RecordAttention recording(model);
    model(ids);
    const StateDict& file = published.weights;
    const std::string tables = "bert.embeddings.", layer = "bert.encoder.layer.0.attention.self.";
    const Tensor x =
        tensor::index_select(file.at(tables + "word_embeddings.weight"), 0, ids) +
        tensor::slice(file.at(tables + "position_embeddings.weight"), 0, 0, ids.dim(0)) +
        tutorial::row(file.at(tables + "token_type_embeddings.weight"), 0);
    const Tensor from_mean = x - tensor::mean(x, -1, keepdim);
    const Tensor variance = tensor::mean(from_mean * from_mean, -1, keepdim);
    const Tensor normed =
        from_mean / tensor::sqrt(variance + 1e-12) * file.at(tables + "LayerNorm.weight") +
        file.at(tables + "LayerNorm.bias");
    const AttentionRecord& record = recording.records()[0];
    double furthest = 0;
    for (std::int64_t n = 0; n < 4; ++n) {
        const auto part = [n](const Tensor& bias) {
            return tensor::slice(bias, 0, 8 * n, 8 * n + 8);
        };
        const Tensor Q = head_of(normed, file.at(layer + "query.weight"), n) +
                         part(file.at(layer + "query.bias"));
        const Tensor K =
            head_of(normed, file.at(layer + "key.weight"), n) + part(file.at(layer + "key.bias"));
        furthest = std::max({furthest, apart(Q, record.Q, n), apart(K, record.K, n)});
    }
    return furthest;
}

}  // namespace

double other_layouts(const Files& files, const IndexTensor& ids, Random& random) {
    const NoGrad no_grad;
    const double of_llama = llama(files, ids, random);
    const double of_bert = bert(files, ids, random);
    print_row(std::cout, "Llama: q and k of layer 0", {fixed(of_llama, 6)}, 34, 9);
    print_row(std::cout, "BERT: q and k of layer 0", {fixed(of_bert, 6)}, 34, 9);
    std::cout << "\n";
    return std::max(of_llama, of_bert);
}
