// Objects that hold others, for check_holders.py to look at.
#include "nn/heed.h"

#include <array>
#include <memory>
#include <utility>

using namespace heed;

[[gnu::noinline]] void look() { asm volatile(""); }

void pairs_and_pointers() {
    const Tensor x = tensor::of({1, 2, 3});
    const Variable w(tensor::of({{1, 2}, {3, 4}}), requires_grad);
    const std::pair<Tensor, Variable> both(x, w);
    const std::pair<int, int> plain_pair(1, 2);
    const std::array<Tensor, 2> two = {x, x};
    const std::shared_ptr<Tensor> shared = std::make_shared<Tensor>(x);
    const std::unique_ptr<const Variable> unique = std::make_unique<const Variable>(w);
    const std::shared_ptr<Tensor> nobody;
    const std::optional<Attention> none;
    const Variable Q(tensor::of({{1, 0}, {0, 1}}), requires_grad);
    const Attention attention = scaled_dot_product_attention(Q, Q, w);
    const Attention other = scaled_dot_product_attention(2 * Q, Q, w);
    const std::optional<Attention> perhaps = attention;
    const std::pair<std::string, Tensor> named("x", x);
    const Variable sharp = softmax(Variable(tensor::of({{0, 12}, {1, 2}})), -1);
    look();
}

struct Heads : Module {
    Linear first;
    std::optional<Linear> second;
    std::optional<Parameter> scale;
    std::array<Linear, 2> pair;
    std::unique_ptr<Linear> owned;
    Any<Module> any;

    explicit Heads(Random& random)
        : first(2, 2, random), pair{Linear(2, 1, random), Linear(2, 1, random)},
          owned(std::make_unique<Linear>(2, 3, random)), any(LayerNorm(2)) {}
    void members(MemberVisitor& visit) override {
        visit("first", first);
        visit("second", second);
        if (scale) visit("scale", *scale);
        visit("pair", pair);
        visit("owned", owned);
        visit("any", any);
    }
};

void training() {
    Random random(1);
    Linear network(2, 1, random);
    AdamW adam(parameters(network), {.lr = 0.01});
    SGD sgd(parameters(network), {.lr = 0.5, .momentum = 0.9, .nesterov = true});
    const Optimizer& rule = adam;
    Gpt gpt({.vocab_size = 5, .limit = 8, .d_model = 4, .num_layers = 2, .num_heads = 2}, random);
    const SGD of_gpt(parameters(gpt));
    const StateDict state = state_dict(network);
    const StateDict state_of_gpt = state_dict(gpt);
    const WarmupCosine schedule = {.lr = 0.001, .floor = 0, .warmup = 10, .steps = 100};
    ExponentialAverage average(0.9), unused(0.9);
    average.add(2);
    KeyValueCache cache, unused_cache;
    const Variable K(tensor::zeros({1, 3, 2}));
    cache.append({K, K});
    cache.append({K, K});
    const KeysAndValues all = cache.append({K, K});
    const Variable x(tensor::of({{1, 2}, {3, 4}}));
    const Variable loss = sum(network(x) * network(x));
    loss.backward();
    adam.step();
    adam.step();
    RecordAttention recording(gpt);
    recording.set_tokens({"time", "flies", "on"});
    const Variable logits = gpt(IndexTensor({{1, 2, 3}}));
    const AttentionRecord record = recording.records()[0];
    Heads heads(random);
    const std::int64_t numbers = count_parameters(heads);
    const std::shared_ptr<Module> module = std::make_shared<Linear>(network);
    alignas(16) unsigned char bytes[1024] = {};
    look();
}

int main() {
    pairs_and_pointers();
    training();
}
