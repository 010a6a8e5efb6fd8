// Laws that every attention layer obeys: a head, and multi-head attention.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <memory>

using namespace heed;

namespace {
Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

using Masked = std::optional<Mask>;
using Layers = std::vector<std::pair<std::string, std::shared_ptr<AttentionLayer>>>;

// Layers of d_model 6, drawn large enough for weights that differ; a head has values of size 6.
Layers layers(std::uint64_t seed = 1) {
    Random random(seed);
    MultiHeadAttention multi_head(6, 3, random, {.d_head = 4, .d_v = 3});
    for (const NamedParameter& one : parameters(multi_head)) {
        Tensor numbers = one.parameter.value();
        tensor::overwrite(numbers, tensor::normal(numbers.shape(), random, 0, 0.5));
    }
    return {
        {"AttentionHead", std::make_shared<AttentionHead>(6, 4, random, HeadOptions{.d_v = 6})},
        {"MultiHeadAttention", std::make_shared<MultiHeadAttention>(multi_head)},
    };
}

bool close(const Tensor& a, const Tensor& b) { return tensor::all_close(a, b, 1e-5, 5e-6); }
bool is_zero(const Tensor& x) { return (x == tensor::zeros({1})).all(); }
double largest(const Tensor& x) { return static_cast<double>(tensor::max(tensor::abs(x)).item()); }

bool same(const Attention& a, const Attention& b) {
    return tensor::same_bits(a.output.value(), b.output.value()) &&
           tensor::same_bits(a.weights.value(), b.weights.value());
}

// x [B, T, d] with new random rows from `first` on.
Tensor changed_from(const Tensor& x, std::int64_t first) {
    const Tensor copy = tensor::clone(x);
    Tensor rows = tensor::slice(copy, -2, first);
    tensor::overwrite(rows, drawn(rows.shape(), 99));
    return copy;
}

}  // namespace

TEST_CASE("rows of weights sum to 1, and keys in another order change nothing",
          "[nn][attention_layers]") {
    const Tensor X = drawn({2, 4, 6}, 2);
    const Tensor source = drawn({2, 5, 6}, 3);
    const IndexTensor keys({3, 0, 4, 1, 2});
    const IndexTensor queries({2, 3, 0, 1});
    for (const auto& [name, layer] : layers()) {
        INFO(name);
        const Attention plain = layer->with_weights(Variable(X), Variable(source));
        const Tensor sums = tensor::sum(plain.weights.value(), -1);
        CHECK(close(sums, tensor::ones(sums.shape())));
        CHECK(tensor::min(plain.weights.value()).item() > 0);
        const Tensor turned = tensor::index_select(source, 1, keys);
        const Attention permuted = layer->with_weights(Variable(X), Variable(turned));
        CHECK(close(permuted.output.value(), plain.output.value()));
        CHECK(
            close(permuted.weights.value(), tensor::index_select(plain.weights.value(), -1, keys)));
        const Tensor other_queries = tensor::index_select(X, 1, queries);
        const Variable moved = (*layer)(Variable(other_queries), Variable(source));
        const Tensor expected = tensor::index_select(plain.output.value(), 1, queries);
        CHECK(tensor::same_bits(moved.value(), expected));
        CHECK(tensor::max_difference(plain.output.value(), expected) > 1e-2);
    }
}

TEST_CASE("the future changes no earlier output, and gets no gradient from it",
          "[nn][attention_layers]") {
    const Tensor X = drawn({2, 5, 6}, 4);
    const Mask mask = Mask::causal(5) & Mask::padding({5, 4}, 5);
    for (const auto& [name, layer] : layers()) {
        INFO(name);
        for (std::int64_t t : {1, 3}) {
            const auto past = [t](const Variable& x) { return tensor::slice(x.value(), -2, 0, t); };
            const Attention before = layer->with_weights(Variable(X), mask);
            const Attention after = layer->with_weights(Variable(changed_from(X, t)), mask);
            CHECK(tensor::same_bits(past(after.output), past(before.output)));
            CHECK(tensor::same_bits(past(after.weights), past(before.weights)));
            CHECK(tensor::max_difference(after.output.value(), before.output.value()) > 1e-2);

            const Variable leaf(X, requires_grad);
            const Variable early = slice((*layer)(leaf, mask), 1, 0, t);
            early.backward({.upstream = drawn(early.shape(), 5)});
            CHECK(is_zero(tensor::slice(leaf.grad(), 1, t)));
            const Tensor last_seen = tensor::slice(leaf.grad(), 1, t - 1, t);
            CHECK(tensor::min(tensor::abs(last_seen)).item() > 0);
        }
    }
}

TEST_CASE("a padded sequence gives what it gives alone", "[nn][attention_layers]") {
    const Tensor X = drawn({2, 5, 6}, 6);
    const Mask padding = Mask::padding({3, 5}, 5);
    const Tensor G = drawn({2, 5, 6}, 7);
    for (const auto& [name, layer] : layers()) {
        INFO(name);
        const Variable padded(X, requires_grad);
        const Variable short_one(tensor::slice(tensor::select(X, 0, 0), 0, 0, 3), requires_grad);
        const Variable all = slice((*layer)(padded, padding), 1, 0, 3);
        const Variable alone = (*layer)(short_one);
        CHECK(close(tensor::select(all.value(), 0, 0), alone.value()));
        const Tensor upstream = tensor::slice(tensor::select(G, 0, 0), 0, 0, 3);
        select(all, 0, 0).backward({.upstream = upstream});
        alone.backward({.upstream = upstream});
        CHECK(close(tensor::slice(tensor::select(padded.grad(), 0, 0), 0, 0, 3), short_one.grad()));
        CHECK(is_zero(tensor::slice(padded.grad(), 1, 3)));
        CHECK(is_zero(tensor::select(padded.grad(), 0, 1)));
        // The contents of the padding do not matter, to the last bit.
        const Variable other = (*layer)(Variable(changed_from(X, 3)), padding);
        const Tensor kept = tensor::slice(tensor::select(other.value(), 0, 0), 0, 0, 3);
        CHECK(tensor::same_bits(kept, tensor::select(all.value(), 0, 0)));
    }
}

TEST_CASE("with any leading axes, or none, each sequence is independent",
          "[nn][attention_layers]") {
    const Tensor X = drawn({2, 3, 4, 6}, 8);
    const Tensor source = drawn({2, 3, 5, 6}, 9);
    const Tensor all_masks = drawn({2, 3, 1, 4, 5}, 10);
    for (const auto& [name, layer] : layers()) {
        INFO(name);
        const Mask mask = Mask::allowing(all_masks > -0.5);
        const Attention all = layer->with_weights(Variable(X), Variable(source), mask);
        CHECK(all.output.shape() == Shape{2, 3, 4, 6});
        bool right = true;
        for (std::int64_t a = 0; a < 2; ++a) {
            for (std::int64_t b = 0; b < 3; ++b) {
                const auto one = [a, b](const Tensor& x) {
                    return tensor::select(tensor::select(x, 0, a), 0, b);
                };
                const Mask own = Mask::allowing(one(all_masks) > -0.5);
                const Attention alone =
                    layer->with_weights(Variable(one(X)), Variable(one(source)), own);
                right = right && tensor::same_bits(one(all.output.value()), alone.output.value());
                right = right && tensor::same_bits(one(all.weights.value()), alone.weights.value());
            }
        }
        CHECK(right);
    }
}

TEST_CASE("X as query, key and value gets three gradients", "[nn][attention_layers]") {
    const Tensor X = drawn({2, 4, 6}, 11);
    const Tensor G = drawn({2, 4, 6}, 12);
    for (const auto& [name, layer] : layers()) {
        INFO(name);
        const Variable one(X, requires_grad);
        const Variable q(X, requires_grad), k(X, requires_grad), v(X, requires_grad);
        (*layer)(one, Mask::causal(4)).backward({.upstream = G});
        (*layer)(q, k, v, Mask::causal(4)).backward({.upstream = G});
        CHECK(close(one.grad(), q.grad() + k.grad() + v.grad()));
        for (const Variable& part : {q, k, v}) CHECK(largest(part.grad()) > 1e-2);
    }
}

TEST_CASE("one key, no key, no query, no sequence", "[nn][attention_layers]") {
    for (const auto& [name, layer] : layers()) {
        INFO(name);
        const Variable one(drawn({2, 1, 6}, 13));
        const Attention single = layer->with_weights(one);
        CHECK((single.weights.value() == tensor::ones({1})).all());
        // The query then does not matter.
        const Variable other(drawn({2, 1, 6}, 14));
        CHECK(tensor::same_bits((*layer)(other, one).value(), single.output.value()));

        const Variable queries(drawn({2, 3, 6}, 15), requires_grad);
        const Variable nothing(tensor::zeros({2, 0, 6}));
        const Attention empty = layer->with_weights(queries, nothing);
        CHECK(empty.output.shape() == Shape{2, 3, 6});
        CHECK(empty.weights.shape().dim(-1) == 0);
        // As if all keys were masked: only the last projection's bias remains.
        const Mask none = Mask::allowing(BoolTensor::full({3, 1}, false));
        const Attention blocked = layer->with_weights(queries, one, none);
        CHECK(tensor::same_bits(empty.output.value(), blocked.output.value()));
        CHECK(is_zero(grad(empty.output, queries, {.upstream = empty.output.detach()}).value()));
        CHECK((*layer)(nothing, one).shape() == Shape{2, 0, 6});
        CHECK((*layer)(Variable(tensor::zeros({0, 3, 6}))).shape() == Shape{0, 3, 6});
    }
}

TEST_CASE("a query that may see nothing has weights, gradient and head outputs 0",
          "[nn][attention_layers]") {
    const Tensor X = drawn({2, 4, 6}, 16);
    std::vector<bool> allowed(16, true);
    for (std::size_t j = 4; j < 8; ++j) allowed[j] = false;
    const Mask mask = Mask::allowing(BoolTensor(allowed, {4, 4}));
    for (const auto& [name, layer] : layers()) {
        INFO(name);
        const Variable query(X, requires_grad), source(X, requires_grad);
        const Attention attention = layer->with_weights(query, source, mask);
        CHECK(is_zero(tensor::select(attention.weights.value(), -2, 1)));
        const Tensor rows = tensor::select(attention.output.value(), 1, 1);  // [2, 6]
        CHECK(tensor::same_bits(tensor::select(rows, 0, 0), tensor::select(rows, 0, 1)));
        CHECK(tensor::is_finite(attention.output.value()).all());
        attention.output.backward({.upstream = drawn({2, 4, 6}, 17)});
        CHECK(is_zero(tensor::select(query.grad(), 1, 1)));
        CHECK(largest(tensor::select(query.grad(), 1, 0)) > 1e-3);
        CHECK(tensor::is_finite(source.grad()).all());
    }
}

TEST_CASE("scores of a hundred thousand give finite results", "[nn][attention_layers]") {
    for (const auto& [name, layer] : layers()) {
        INFO(name);
        const Variable X(drawn({2, 4, 6}, 18) * 300.0, requires_grad);
        const Attention attention = layer->with_weights(X, Mask::causal(4));
        const Tensor sums = tensor::sum(attention.weights.value(), -1);
        CHECK(close(sums, tensor::ones(sums.shape())));
        attention.output.backward({.upstream = drawn({2, 4, 6}, 19)});
        CHECK(tensor::is_finite(attention.output.value()).all());
        CHECK(tensor::is_finite(X.grad()).all());
    }
}

TEST_CASE("equal keys give the mean of the values", "[nn][attention_layers]") {
    const Tensor key = tensor::expand(drawn({1, 6}, 20), {5, 6});
    const Tensor value = drawn({5, 6}, 21);
    const Tensor mean = tensor::mean(value, 0, keepdim);
    for (const auto& [name, layer] : layers()) {
        INFO(name);
        const Variable X(drawn({3, 6}, 22));
        const Attention equal = layer->with_weights(X, Variable(key), Variable(value));
        CHECK(close(equal.weights.value(), tensor::full(equal.weights.shape(), 0.2)));
        const Variable of_mean = (*layer)(X, Variable(tensor::slice(key, 0, 0, 1)), Variable(mean));
        CHECK(close(equal.output.value(), of_mean.value()));
    }
}

TEST_CASE("a call changes neither layer nor mask, and can be repeated", "[nn][attention_layers]") {
    const Variable X(drawn({2, 4, 6}, 23));
    for (const auto& [name, layer] : layers()) {
        INFO(name);
        const Mask mask = Mask::causal(4);
        const Attention first = layer->with_weights(X, mask);
        CHECK(mask == Mask::causal(4));
        CHECK(same(layer->with_weights(X, mask), first));
        // Strided inputs give the same results.
        const Tensor turned = tensor::contiguous(tensor::transpose(X.value()));
        CHECK(same(layer->with_weights(Variable(tensor::transpose(turned)), mask), first));
    }
}

TEST_CASE("queries and sources of other batches are named by a layer, with their axes",
          "[nn][attention]") {
    Random random(1);
    const Variable query(tensor::zeros({2, 5, 4})), source(tensor::zeros({3, 6, 4}));
    const std::string expected =
        ": the batch of query is 2 and that of key is 3 (axis 0); query has shape [2, 5, 4] and "
        "key [3, 6, 4]; the axes before the last two must be equal, or 1";
    CHECK(message_of<ShapeError>([&] { MultiHeadAttention(4, 2, random)(query, source); }) ==
          "MultiHeadAttention" + expected);
    CHECK(message_of<ShapeError>([&] { AttentionHead(4, 2, random)(query, source); }) ==
          "AttentionHead" + expected);
    const Variable eight(tensor::zeros({1, 1, 1, 1, 1, 1, 5, 4}));
    CHECK(message_of<ShapeError>([&] { MultiHeadAttention(4, 2, random)(eight); }) ==
          "MultiHeadAttention: shape [1, 1, 1, 1, 1, 1, 5, 4] has 8 axes; the heads need one more, "
          "and a tensor has at most 8");
}
