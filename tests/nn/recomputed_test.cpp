// recomputed(): the bits of a layer that keeps everything, less memory, and what it refuses.
#include "autograd/inspect/keep.h"
#include "autograd/inspect/replay.h"
#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"

#include "tests/autograd/inspect/what_is_said.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <atomic>
#include <memory>
#include <thread>

using namespace heed;
using Inputs = std::vector<Variable>;

namespace {
IndexTensor drawn_ids(const Shape& shape, std::int64_t vocab_size, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < shape.numel(); ++i) ids.push_back(random.below(vocab_size));
    return IndexTensor(ids, shape);
}

Variable drawn_input(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return Variable(tensor::normal(shape, random), requires_grad);
}

// What two training steps leave: losses, and all parameters.
std::vector<Tensor> trained(GptConfig config, bool recompute) {
    config.recompute = recompute;
    Random random(5);
    Gpt model(config, random);
    Adam optimizer(parameters(model), {.lr = 0.01});
    const IndexTensor ids = drawn_ids({2, 7}, config.vocab_size, 6);
    const IndexTensor targets = drawn_ids({14}, config.vocab_size, 7);
    std::vector<Tensor> left;
    for (int step = 0; step < 2; ++step) {
        const Variable loss = cross_entropy(reshape(model(ids), {14, config.vocab_size}), targets);
        optimizer.zero_grad();
        loss.backward();
        left.push_back(loss.value());
        for (const NamedParameter& each : parameters(model)) {
            left.push_back(each.parameter.grad());
        }
        optimizer.step();
    }
    for (const NamedParameter& each : parameters(model)) left.push_back(each.parameter.value());
    return left;
}

bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    bool all = a.size() == b.size();
    for (std::size_t i = 0; all && i < a.size(); ++i) all = tensor::same_bits(a[i], b[i]);
    return all;
}

GptConfig tiny() {
    return {.vocab_size = 11, .limit = 20, .d_model = 8, .num_layers = 3, .num_heads = 2};
}

Gpt recomputing() {
    GptConfig config = tiny();
    config.recompute = true;
    Random random(1);
    return Gpt(config, random);
}

Variable recomputed_linear(const Linear& layer, const Variable& x) {
    return recomputed(layer, {x}, [&layer](const Inputs& in) { return layer(in[0]); });
}

}  // namespace

TEST_CASE("a model whose blocks are recomputed trains with the same bits", "[nn][recomputed]") {
    for (const PositionKind positions : {PositionKind::learned, PositionKind::rotary,
                                         PositionKind::relative, PositionKind::alibi}) {
        GptConfig config = tiny();
        config.positions = positions;
        CHECK(same(trained(config, true), trained(config, false)));
        config.dropout = 0.3;
        CHECK(same(trained(config, true), trained(config, false)));
        const FastKernels fast;
        CHECK(same(trained(config, true), trained(config, false)));
    }
}

TEST_CASE("so does a transformer, whose decoder has two inputs", "[nn][recomputed]") {
    std::vector<Tensor> of[2];
    Tensor of_encoder[2];
    for (const bool recompute : {false, true}) {
        Random random(1);
        Transformer model({.d_model = 8,
                           .num_heads = 2,
                           .num_encoder_layers = 2,
                           .num_decoder_layers = 2,
                           .d_hidden = 12},
                          random, {.dropout = 0.2, .recompute = recompute});
        const Variable X = drawn_input({2, 5, 8}, 2), Y = drawn_input({2, 4, 8}, 3);
        const Variable y = model(X, Y, {.target = Mask::causal(4)});
        y.backward({.upstream = y.value()});
        of[recompute] = {y.value(), Y.grad()};
        for (const NamedParameter& each : parameters(model.decoder)) {
            of[recompute].push_back(each.parameter.grad());
        }
        // Both decoder layers read the memory, so the sum of its gradients has another order.
        of_encoder[recompute] = X.grad();
    }
    CHECK(same(of[0], of[1]));
    CHECK(tensor::all_close(of_encoder[0], of_encoder[1], 1e-4, 1e-6));
}

TEST_CASE("between forward and backward a recomputed model needs a fraction of the memory",
          "[nn][recomputed]") {
    std::int64_t in_use[2];
    for (const bool recompute : {false, true}) {
        GptConfig config = tiny();
        config.num_layers = 6;
        config.recompute = recompute;
        Random random(1);
        const Gpt model(config, random);
        const std::int64_t before = memory_use().in_use;
        const Variable logits = model(drawn_ids({8, 20}, 11, 2));
        in_use[recompute] = memory_use().in_use - before;
    }
    if (memory_use().in_use > 0) CHECK(4 * in_use[1] < in_use[0]);
}

TEST_CASE("the derivative of a recomputed layer can be differentiated", "[nn][recomputed]") {
    Random random(1);
    GptConfig config = complete(tiny());
    const GptBlock block(config, random);
    const Mask causal = Mask::causal(4);
    const Variable x = drawn_input({4, 8}, 2);
    const auto second = [&](const Variable& y) {
        const Variable first = grad(sum(y * y), x, {.create_graph = true});
        return grad(sum(first * first), x).value();
    };
    const Variable kept = block(x, causal);
    const Variable again =
        recomputed(block, {x}, [&](const Inputs& in) { return block(in[0], causal); });
    CHECK(tensor::all_close(second(again), second(kept)));
}

TEST_CASE("an input that is given twice gets both parts of its gradient", "[nn][recomputed]") {
    Random random(1);
    const Linear layer(3, 3, random);
    const Variable x = drawn_input({2, 3}, 2);
    const auto call = [&](const Inputs& in) { return layer(in[0]) * in[1]; };
    const Variable wanted = grad(sum(call({x, x})), x);
    CHECK(tensor::all_close(grad(sum(recomputed(layer, {x, x}, call)), x).value(), wanted.value()));
    const Variable differentiable =
        grad(sum(recomputed(layer, {x, x}, call)), x, {.create_graph = true});
    CHECK(tensor::all_close(differentiable.value(), wanted.value()));
}

TEST_CASE("a parameter that two layers inside share gets its gradient once", "[nn][recomputed]") {
    Random random(1);
    Sequential layers{Linear(3, 3, random), Tanh(), Linear(3, 3, random)};
    Linear& first = layers.at<Linear>(0);
    Linear& second = layers.at<Linear>(2);
    tie(second.weight, first.weight);
    const Variable x = drawn_input({2, 3}, 2);
    const auto call = [&](const Inputs& in) { return layers(in[0]); };
    sum(call({x})).backward();
    const Tensor wanted = first.weight.grad();
    zero_grad(layers);
    sum(recomputed(layers, {x}, call)).backward();
    CHECK(tensor::all_close(first.weight.grad(), wanted));
}

TEST_CASE("after the backward pass of two calls, dropout draws on as it would have",
          "[nn][recomputed]") {
    Tensor third[2];
    for (const bool recompute : {false, true}) {
        Random random(1);
        const Dropout dropout(0.5, random);
        const Variable x = drawn_input({2, 9}, 2);
        const auto drop = [&] {
            const auto call = [&dropout](const Inputs& in) { return dropout(in[0]); };
            return recompute ? recomputed(dropout, {x}, call) : call({x});
        };
        const Variable first = drop(), second = drop();
        sum(first + second).backward();
        third[recompute] = drop().value();
    }
    CHECK(tensor::same_bits(third[0], third[1]));
}

TEST_CASE("what is frozen or constant gets no gradient, and nothing is recorded without need",
          "[nn][recomputed]") {
    Random random(1);
    Linear layer(3, 2, random);
    set_requires_grad(layer, false);
    const Variable x = drawn_input({2, 3}, 2);
    recomputed_linear(layer, x).backward({.upstream = tensor::ones({2, 2})});
    CHECK(x.has_grad());
    CHECK_FALSE(layer.weight.has_grad());
    CHECK_FALSE(recomputed_linear(layer, x.detach()).requires_grad());
    set_requires_grad(layer, true);
    recomputed_linear(layer, x.detach()).backward({.upstream = tensor::ones({2, 2})});
    CHECK(layer.weight.has_grad());
    const NoGrad no_grad;
    CHECK_FALSE(recomputed_linear(layer, x).requires_grad());
}

TEST_CASE("a parameter used inside and outside of a recomputed layer: its hook sees the sum",
          "[nn][recomputed][hooks]") {
    Random random(1);
    Linear layer(3, 2, random);
    const Variable x = drawn_input({2, 3}, 2);
    std::vector<Tensor> seen;
    const HookHandle hook = layer.weight.register_hook([&](const Variable& G) {
        seen.push_back(G.value());
        return G;
    });
    const auto loss = [&](const Variable& y) { return sum(y) + sum(layer.weight * layer.weight); };
    grad(loss(layer(x)), layer.weight);
    grad(loss(recomputed_linear(layer, x)), layer.weight);
    REQUIRE(seen.size() == 2);
    CHECK(tensor::all_close(seen[1], seen[0]));
}

TEST_CASE("a pass through a recomputed layer calls it again once, and hooks inside once",
          "[nn][recomputed][hooks]") {
    Random random(1);
    const Linear layer(3, 2, random);
    const Variable x = drawn_input({2, 3}, 2);
    for (const bool create_graph : {false, true}) {
        int calls = 0, hooks = 0;
        const Variable y = recomputed(layer, {x}, [&](const Inputs& in) {
            ++calls;
            Variable inner = layer(in[0]);
            if (!inner.requires_grad()) return inner * inner;
            inner.register_hook([&hooks](const Variable& G) {
                ++hooks;
                return G;
            });
            return inner * inner;
        });
        grad(sum(y), {x, layer.weight, layer.bias}, {.create_graph = create_graph});
        CHECK(calls == 2);
        CHECK(hooks == 1);
    }
}

TEST_CASE("a second pass through a recomputed layer looks at the numbers of now",
          "[nn][recomputed][bits]") {
    Random random(1);
    Linear layer(3, 2, random);
    const Variable x = drawn_input({2, 3}, 2);
    const Variable y = recomputed_linear(layer, x);
    Tensor upstream = tensor::ones({2, 2});
    const auto slope = [&](const Variable& output) {
        return grad(output, x, {.retain_graph = true, .upstream = upstream}).value();
    };
    for (const Scalar number : {Scalar(1), Scalar(-3)}) {
        tensor::overwrite(upstream, tensor::full({2, 2}, number));
        CHECK(tensor::same_bits(slope(y), slope(layer(x))));
    }
    init::zeros(layer.weight);
    CHECK_THROWS_WITH(slope(y), Contains("was overwritten after it was recorded"));
}

TEST_CASE("threads may run passes over one recomputed layer that draws",
          "[nn][recomputed][threads]") {
    Random random(1);
    const Dropout dropout(0.5, random);
    const Variable x = drawn_input({50, 40}, 2);
    const Variable y =
        sum(recomputed(dropout, {x}, [&dropout](const Inputs& in) { return dropout(in[0]); }));
    const Tensor expected = grad(y, x, {.retain_graph = true}).value();
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                Tensor found;
                what_is_said([&] { found = grad(y, x, {.retain_graph = true}).value(); });
                wrong += !tensor::same_bits(found, expected);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
}

TEST_CASE("an input that no gradient reaches has none, and its hooks are not called",
          "[nn][recomputed][hooks]") {
    Random random(1);
    const Linear layer(3, 2, random);
    Variable x = drawn_input({2, 3}, 2);
    int calls = 0;
    x.register_hook([&calls](const Variable& G) {
        ++calls;
        return G;
    });
    sum(recomputed(layer, {x}, [&](const Inputs& in) { return layer(in[0].detach()); })).backward();
    CHECK_FALSE(x.has_grad());
    CHECK(layer.weight.has_grad());
    const Variable constant = recomputed(layer, {x}, [&](const Inputs& in) {
        const NoGrad no_grad;
        return layer(in[0]);
    });
    CHECK(calls == 0);
    (sum(constant) + sum(2 * x)).backward();
    CHECK(x.grad()(0, 0) == 2);
    CHECK(calls == 1);
}

TEST_CASE("the parameters of a recomputed layer may be results of operations", "[nn][recomputed]") {
    Random random(1);
    const Variable factor(tensor::of(3), requires_grad), x = drawn_input({2, 3}, 2);
    const Linear first(3, 3, random);
    Linear layer = first;
    const auto slopes = [&](const Variable& y) { return grad(sum(y), factor).value(); };
    const auto replace = [&] {  // the bias depends on the weight
        const Variable weight = factor * first.weight;
        replace_parameters(layer, {weight, sum(exp(weight), 1)});
    };
    replace();
    const Variable once = layer(layer(x));
    replace();
    CHECK(tensor::all_close(slopes(recomputed_linear(layer, recomputed_linear(layer, x))),
                            slopes(once)));
}

TEST_CASE("a recomputed layer inside a recomputed layer, of which the second call throws",
          "[nn][recomputed]") {
    Random random(1);
    const Linear layer(3, 3, random);
    const Variable x = drawn_input({2, 3}, 2);
    int calls = 0;
    const auto inner = [&](const Inputs& in) {
        if (++calls == 2) throw std::runtime_error("the second call");
        return layer(in[0]);
    };
    const auto outer = [&](const Inputs& in) { return recomputed(layer, in, inner); };
    CHECK_THROWS_WITH(sum(recomputed(layer, {x}, outer)).backward(), Contains("the second call"));
    CHECK_FALSE(x.has_grad());
    int shown = 0;
    const ForwardHook hook(layer, [&shown](const LayerCall&) { ++shown; });
    const RecordAttention record;
    CHECK(RecordAttention::is_open());
    sum(recomputed(layer, {x}, outer)).backward();
    CHECK(shown == 1);
    // The outer function is called twice; the second time, it records the inner layer.
    CHECK(calls == 5);
    CHECK(tensor::same_bits(x.grad(), grad(sum(layer(x)), x).value()));
}

TEST_CASE("hooks and recordings may end and begin while a layer is recomputed",
          "[nn][recomputed][hooks]") {
    Random random(1);
    const Linear layer(3, 2, random);
    const Variable x = drawn_input({2, 3}, 2);
    int before = 0, after = 0, calls = 0;
    auto first = std::make_unique<ForwardHook>(layer, [&before](const LayerCall&) { ++before; });
    auto recording = std::make_unique<RecordAttention>();
    std::unique_ptr<ForwardHook> second;
    const Variable y = recomputed(layer, {x}, [&](const Inputs& in) {
        if (++calls == 2) {
            first.reset();
            recording.reset();
            second = std::make_unique<ForwardHook>(layer, [&after](const LayerCall&) { ++after; });
        }
        return layer(in[0]);
    });
    sum(y).backward();
    CHECK_FALSE(RecordAttention::is_open());
    layer(x);
    CHECK(before == 1);
    CHECK(after == 1);
}

TEST_CASE("a recomputed function that uses another variable is refused in the backward pass",
          "[nn][recomputed][errors]") {
    Random random(1);
    const Linear layer(3, 2, random);
    const Variable x = drawn_input({2, 3}, 2);
    const Variable scale = drawn_input({2}, 3);
    const auto scaled = [&](const Variable& by) {
        return recomputed(layer, {x}, [&layer, by](const Inputs& in) { return layer(in[0]) * by; });
    };
    const std::string expected =
        "backward: the function of a recomputed layer, Linear, uses a variable of shape [2] that "
        "is neither an input nor a parameter of the layer, so it would get no gradient; pass it as "
        "an "
        "input";
    CHECK(message_of<std::runtime_error>([&] { sum(scaled(scale)).backward(); }) == expected);
    CHECK(message_of<std::runtime_error>([&] { sum(scaled(2 * scale)).backward(); }) == expected);
    CHECK(message_of<std::runtime_error>(
              [&] { grad(sum(scaled(scale)), x, {.create_graph = true}); }) == expected);
    sum(scaled(scale.detach())).backward();
    CHECK(x.has_grad());
}

TEST_CASE("hooks and recordings see a recomputed layer once", "[nn][recomputed]") {
    const Gpt model = recomputing();
    int calls = 0;
    const ForwardHook hook(model, [&](const LayerCall& call) { calls += call.type == "GptBlock"; });
    const RecordAttention record(model);
    sum(model(drawn_ids({2, 5}, 11, 2))).backward();
    CHECK(calls == 3);
    CHECK(record.records().size() == 3);
}

TEST_CASE("a recomputed layer needs a function", "[nn][recomputed]") {
    Random random(11);
    const Linear layer(2, 2, random);
    CHECK(message_of<std::invalid_argument>([&] {
              recomputed(layer, {Variable(tensor::ones({1, 2}))}, nullptr);
          }) == "recomputed: the function is empty; give one to call");
}

TEST_CASE("in evaluation after a recomputed call in training, backward says what changed",
          "[nn][recomputed][errors]") {
    Random random(1);
    Sequential network({Linear(3, 3, random), Dropout(0.5, random)});
    const auto call = [&](const Inputs& in) { return network(in[0]); };
    const Variable y = recomputed(network, {drawn_input({2, 3}, 2)}, call);
    network.eval();
    CHECK(message_of<std::runtime_error>([&] { sum(y).backward(); }) ==
          "backward: a recomputed layer, Sequential, gives other numbers when it is called again; "
          "its mode and what its function uses must not change before the backward pass");
    network.train();
    sum(recomputed(network, {drawn_input({2, 3}, 2)}, call)).backward();
    CHECK(network.at<Linear>(0).weight.has_grad());
}

TEST_CASE("a recomputed layer must live, and keep its parameters, until the backward pass",
          "[nn][recomputed][errors]") {
    Random random(1);
    std::optional<Linear> layer(std::in_place, 3, 2, random);
    const Variable x = drawn_input({2, 3}, 2);
    const Variable y = sum(recomputed_linear(*layer, x));
    init::zeros(layer->weight);
    CHECK_THROWS_WITH(y.backward(), Catch::Contains("was overwritten after it was recorded"));
    const Variable of_gone = sum(recomputed_linear(*layer, x));
    layer.reset();
    CHECK(message_of<std::runtime_error>([&] { of_gone.backward(); }) ==
          "backward: a recomputed layer is gone; it must live until the backward pass");
}

TEST_CASE("explain says why it measures no slope at a recomputed layer's parameter",
          "[nn][recomputed][errors]") {
    Random random(1);
    Linear layer(3, 2, random);
    const KeepGraph keep;
    const Variable x = drawn_input({2, 3}, 2);
    const Variable y = sum(recomputed_linear(layer, x));
    y.backward({.retain_graph = true});
    const auto slope = [&](const Variable& at) {
        return Replay(*y.node(), *at.node()).value(2 * at.value()).item();
    };
    CHECK(slope(x) == sum(layer(2 * x)).item());
    CHECK_THROWS_WITH(slope(layer.weight),
                      Catch::StartsWith("replay: a recomputed layer cannot be computed with other "
                                        "parameters than its own"));
}

TEST_CASE("your own attention is called as ever in a model that recomputes", "[nn][recomputed]") {
    const Gpt model = recomputing();
    int calls = 0;
    Variable loss;
    {
        const OwnAttention own([&](const Variable& Q, const Variable& K, const Variable& V,
                                   const std::optional<Mask>& mask) {
            ++calls;
            return scaled_dot_product_attention(Q, K, V, mask);
        });
        loss = sum(model(drawn_ids({1, 4}, 11, 2)));
    }
    loss.backward();
    CHECK(calls == 3);
}
