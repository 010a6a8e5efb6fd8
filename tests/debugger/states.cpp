// Every state in which a debugger can find one of heed's types, for check_*.py to inspect. Where
// the library can print the same, its text is kept beside it to check the printers.
#include "autograd/grad.h"
#include "autograd/inspect/graph.h"
#include "autograd/node.h"
#include "autograd/ops.h"
#include "nn/nn.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <cstring>
#include <iostream>

using namespace heed;

// The checks halt here and look at the caller.
[[gnu::noinline]] void look() { asm volatile(""); }

struct Model : Module {
    explicit Model(Random& random) : first(3, 2, random), second(2, 2, random, no_bias) {}
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("first", first);
        visit("second", second);
    }

    Linear first, second;
    int calls = 7;
};

Variable Model::operator()(const Variable& x, CallSite site) const {
    const Variable hidden = first(x, site);  // [2, 2]
    look();
    const Variable y = second(hidden, site);  // [2, 2]
    return y;
}

struct Pair {
    Tensor left;
    Variable right;
    int number;
};

// Leaves a destroyed tensor on the stack whose storage is still held elsewhere.
[[gnu::noinline]] std::shared_ptr<Storage> leave_a_tensor() {
    const Tensor left[] = {tensor::arange(6), tensor::arange(6), tensor::arange(6),
                           tensor::arange(6), tensor::arange(6), tensor::arange(6),
                           tensor::arange(6), tensor::arange(6), tensor::arange(6)};
    return left[0].storage();
}

[[gnu::noinline]] void fill_the_stack(int byte) {
    unsigned char bytes[16384];
    std::memset(bytes, byte, sizeof bytes);
    asm volatile("" : : "r"(bytes) : "memory");
}

[[gnu::noinline]] double nothing_is_constructed() {
    double total = 0;  // the first line
    const Tensor x = tensor::arange(6);
    const Variable v(x, requires_grad);
    const Variable y = softmax(v, -1);  // made here
    const Tensor& reference = y.value();
    const Tensor* const pointer = &x;
    const IndexTensor ids({1, 2});
    const BoolTensor truth = x == 1;
    const Mask mask = Mask::causal(2);
    const Shape shape = {2, 3};
    const Dims dims = {1, 2};
    const std::optional<Tensor> perhaps = x;
    const Pair pair = {x, v, 1};
    Random random(1);
    const Linear layer(3, 2, random);
    const Model model(random);
    const std::vector<Tensor> list = {x};
    total += reference(0) + (*pointer)(0) + ids(0) + truth(0) + mask.T_q() + shape[0] + dims[0];
    total += (*perhaps)(0) + pair.number + layer.weight(0, 0) + model.calls + list[0](0);
    return total;
}

void tensors() {
    const Tensor empty;
    const Tensor no_rows = tensor::zeros({0, 3});
    const Tensor rank_0 = tensor::of(3.5);
    const Tensor rank_1 = tensor::of({1, 2, 3});
    const Tensor rank_2 = tensor::of({{0.5, -2, 3}, {4, 5, 6.25}});
    Random random(5);
    const Tensor rank_3 = tensor::normal({2, 3, 4}, random);
    const Tensor rank_4 = tensor::normal({2, 1, 3, 2}, random);
    const Tensor rank_5 = tensor::normal({2, 1, 2, 2, 3}, random);
    const Tensor rank_8 = tensor::ones({1, 2, 1, 1, 2, 1, 1, 3});
    const Tensor transposed = tensor::transpose(rank_2);
    const Tensor sliced = tensor::slice(rank_2, 1, 1, 3);
    const Tensor selected = tensor::select(rank_2, 1, 2);
    const Tensor expanded = tensor::expand(rank_1, {2, 3});
    const double nan = std::nan("");
    const Tensor strange = tensor::of({{nan, 1, -infinity}, {nan, infinity, 0.5}});
    const Tensor weights = tensor::of({{0.25, 0.75, 0}, {0.5, 0.125, 0.375}});
    const Tensor masked_weights = tensor::of({{0.25, 0.75}, {0, 0}});
    const Tensor tiny = tensor::of({1e-5, 2e-5});
    const Tensor uneven = tensor::of({0.25, 2, -3000, 5e-6});
    const Tensor large = tensor::normal({40, 50}, random);
    const Tensor wide = tensor::normal({2, 30}, random);
    Tensor source = tensor::of({1, 2});
    const Tensor taken = std::move(source);
    const Tensor& reference = rank_2;
    const Tensor* pointer = &rank_2;
    const Tensor* null_pointer = nullptr;
    const Tensor* const wild_pointer = reinterpret_cast<const Tensor*>(0x1234567);
    const std::optional<Tensor> full = rank_1;
    const std::optional<Tensor> none;
    const std::vector<Tensor> list = {rank_0, rank_1};
    const Pair pair = {rank_1, Variable(rank_1, requires_grad), 3};
    alignas(16) unsigned char bytes[1024];
    std::memset(bytes, 0xcc, sizeof bytes);
    const Tensor* const garbage = reinterpret_cast<const Tensor*>(bytes);
    const int number = 3;
    std::vector<std::string> texts;
    const Tensor* const printed[] = {&empty,  &no_rows, &rank_0,   &rank_1,         &rank_2,
                                     &rank_3, &rank_4,  &rank_5,   &rank_8,         &transposed,
                                     &sliced, &strange, &expanded, &selected,       &tiny,
                                     &uneven, &large,   &wide,     &masked_weights, &weights};
    for (const Tensor* const x : printed) texts.push_back(to_string(*x));
    look();
    if (number == 0) std::cout << *pointer << null_pointer << wild_pointer << garbage << reference;
}

void other_types() {
    const IndexTensor ids({{3, 1, 4}, {1, 5, 92}});
    const IndexTensor no_ids;
    IndexTensor id_source({1, 2, 3});
    const IndexTensor taken_ids = std::move(id_source);
    const BoolTensor truth = tensor::of({1, 2, 3}) > 1.5;
    const Mask causal = Mask::causal(2, 3);
    const Mask padding = Mask::padding({1, 2}, 2);
    const std::optional<Mask> no_mask;
    const Shape shape = {2, 3, 5};
    const Shape rank_0_shape;
    const Dims dims = {0, -1};
    const CallSite site = CallSite::here();
    const std::vector<std::string> words = {"king", "queen", "man"};
    const std::string sentence = "the keys are";
    const Tensor weights = tensor::of({{1, 0, 0}, {0.5, 0.5, 0}, {0.25, 0.5, 0.25}});
    const std::vector<std::string> texts = {to_string(ids), to_string(no_ids), to_string(truth),
                                            to_string(causal), to_string(padding)};
    look();
}

void variables() {
    const Tensor numbers = tensor::of({{1, 2, 3}, {4, 5, 6.5}});
    const Variable constant(numbers);
    Variable W(numbers, requires_grad);
    W.set_name("W");
    Variable frozen(numbers, requires_grad);
    frozen.set_requires_grad(false);
    const Variable scores = W * 0.5 + frozen;
    const Variable weights = softmax(scores, -1);
    const Variable loss = sum(weights * weights * constant);
    Variable kept = weights * 2;
    kept.retain_grad();
    Variable source = scores;
    const Variable taken = std::move(source);
    const Parameter parameter(numbers, "weight");
    const Parameter not_set;
    const Variable freed = sum(W * W);
    freed.backward();
    Variable fresh(numbers, requires_grad);
    const std::vector<std::string> words = {"king", "queen", "man"};
    const std::string graph = graph_text(loss);
    const Variable shared = weights + scores;
    const std::string shared_graph = graph_text(shared);
    const Variable three = reshape(weights, {1, 2, 3}) + Variable(tensor::zeros({2, 2, 3}));
    look();
}

void layers() {
    Random random(2);
    Linear linear(3, 2, random);
    Linear plain(3, 2, random, no_bias);
    set_requires_grad(plain, false);
    const Model model(random);
    const Module& as_module = model;
    const Sequential network{Linear(2, 3, random), Tanh(), Linear(3, 1, random)};
    MultiHeadAttention attention(4, 2, random);
    attention.eval();
    const Variable x(tensor::of({{1, 2, 3}, {4, 5, 6}}));
    const Variable y = model(x);
    RecordAttention recording;
    recording.set_tokens({"the", "keys", "are"});
    const Variable words(tensor::normal({1, 3, 4}, random));
    const Variable z = attention(words) * attention(words);
    const AttentionRecord record = recording.records()[0];
    look();
    std::cout << count_parameters(as_module) + count_parameters(network) +
                     count_parameters(attention) + count_parameters(linear)
              << "\n";
}

int main() {
    fill_the_stack(0xcc);
    nothing_is_constructed();
    fill_the_stack(0x00);
    nothing_is_constructed();
    fill_the_stack(0xff);
    nothing_is_constructed();
    nothing_is_constructed();  // on what its own last call left
    const std::shared_ptr<Storage> alive = leave_a_tensor();
    nothing_is_constructed();
    tensors();
    other_types();
    variables();
    layers();
    look();
    const Tensor at_the_stop = tensor::of({4, 2});
    // A stop("99.0 this") in a comment does not count.
    heed::stop("99.1 a stop", {{"at_the_stop", at_the_stop}});
    return alive ? 0 : 1;
}
