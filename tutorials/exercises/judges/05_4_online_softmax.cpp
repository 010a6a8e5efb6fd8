#include "tutorials/exercises/judges/05_4_online_softmax.h"

#include "tutorials/exercises/judges/05_4_online_softmax_mistakes.h"
#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"
#include "tutorials/exercises/judging/judge.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/choose.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/views.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace heed;

namespace exercise {

namespace {

struct Input {
    std::string name;
    Tensor scores, V;
    std::int64_t size;
};

std::string after(std::size_t block) { return " after block " + std::to_string(block); }

// add_block on each block of the input; what is carried before it is the reference's.
Case block_by_block(const Input& in, const OnlineSoftmax& online) {
    std::vector<Tensor> scores, V;
    std::vector<Carried> before = {nothing_yet(in.scores, in.V)};
    Stages inputs = {{"the scores", in.scores}, {"V", in.V}};
    for (std::int64_t j = 0; j < in.scores.dim(-1); j += in.size) {
        scores.push_back(tensor::slice(in.scores, -1, j, j + in.size));
        V.push_back(tensor::slice(in.V, -2, j, j + in.size));
        inputs.push_back({"before.largest", before.back().largest});
        inputs.push_back({"before.total", before.back().total});
        inputs.push_back({"before.weighted", before.back().weighted});
        before.push_back(after_block(before.back(), scores.back(), V.back(), {}));
    }
    const auto stages = [=](const AddBlock& add) {
        Stages found;
        for (std::size_t n = 0; n < scores.size(); ++n) {
            const Carried carried = add(before[n], scores[n], V[n]);
            found.push_back({"largest" + after(n + 1), carried.largest});
            found.push_back({"total" + after(n + 1), carried.total});
            found.push_back({"weighted" + after(n + 1), carried.weighted});
        }
        return found;
    };
    return {in.name, [=](const Slips& slip) { return stages(online_slipping(slip).add_block); },
            [=] { return stages(online.add_block); }, inputs};
}

Case whole(const Input& in, const OnlineSoftmax& online) {
    const auto stages = [=](const OnlineSoftmax& from) {
        std::vector<Scalar> sizes;
        const AddBlock add = [&](const Carried& before, const Tensor& scores, const Tensor& V) {
            sizes.push_back(static_cast<Scalar>(scores.dim(-1)));
            return from.add_block(before, scores, V);
        };
        const Tensor output = from.attend_in_blocks(add, in.scores, in.V, in.size);
        const std::int64_t calls = static_cast<std::int64_t>(sizes.size());
        Stages found = {{"the number of calls of add", tensor::of(static_cast<double>(calls))},
                        {"the output", output}};
        const bool as_many_as_blocks = calls == (in.scores.dim(-1) + in.size - 1) / in.size;
        if (as_many_as_blocks) {
            const Tensor keys = tensor::from_vector(sizes, {calls});
            found.insert(found.begin() + 1, {"the list of block sizes", keys});
        }
        return found;
    };
    return {in.name + ", all of it in blocks of " + std::to_string(in.size),
            [=](const Slips& slip) { return stages(online_slipping(slip)); },
            [=] { return stages(online); },
            {{"the scores", in.scores}, {"V", in.V}}};
}

// A first block of only -∞, later ones with rows of only -∞; row 3 is all -∞.
Input with_masked() {
    const double inf = infinity;
    const Tensor scores = tensor::of({{-inf, -inf, 0.3, 1.2, -inf, -inf, 0.7},
                                      {-inf, -inf, -inf, -inf, -inf, 0.4, -inf},
                                      {-inf, -inf, 1.4, -inf, 2.2, -inf, -0.5},
                                      {-inf, -inf, -inf, -inf, -inf, -inf, -inf},
                                      {-inf, -inf, -3, 0, -inf, -inf, 5}});
    return {"blocks and a row of only -∞", scores, random({7, 3}, 61), 2};
}

// Beyond any constant that could stand for -∞.
Input far_below_0() {
    const Tensor scores = tensor::of({{-2e10, -1e10, -3e10, -1e10},
                                      {-5e31, -3e31, -2e31, -4e31},
                                      {-1e300, -3e300, -4e300, -2e300},
                                      {-infinity, -2e10, -infinity, -1e10},
                                      {-2e31, -infinity, -infinity, -1e31}});
    return {"scores of -10^10, -10^31 and -10^300, beside -∞", scores, random({4, 2}, 82), 2};
}

// So large that an old key still counts, although it has only e^-60 of the newest one's power.
Input large_values() {
    return {"a value of 10^26 at a score 60 below",
            tensor::of({{0, -5, 60}, {0, 60, 58}, {60, 59, 0}}), tensor::of({{1e26}, {2}, {-1}}),
            2};
}

Input rows_far_apart() {
    const Tensor steps = tensor::of({{-100000}, {1000}, {0}, {100000}});
    return {"rows 100000 apart", random({4, 6}, 41) + steps, random({6, 2}, 42), 4};
}

Input views() {
    return {"transposed views", tensor::transpose(random({2, 5, 4}, 71)),
            tensor::transpose(random({2, 3, 5}, 72)), 2};
}

std::vector<Input> inputs() {
    return {
        {"3 queries and 7 keys", random({3, 7}, 1, 2), random({7, 2}, 2), 3},
        {"2 texts, 4 queries and 5 keys", random({2, 4, 5}, 11, 2), random({2, 5, 3}, 12), 2},
        {"2 texts of 3 heads, 4 queries", random({2, 3, 4, 5}, 21), random({2, 3, 5, 6}, 22), 2},
        {"2 texts, a key at a time", random({2, 1, 4}, 23), random({2, 4, 5}, 24), 1},
        {"4 queries, 8 keys, d_v 4", random({4, 8}, 25), random({8, 4}, 26), 4},
        {"4 queries, 8 keys, other numbers", random({4, 8}, 27), random({8, 4}, 28), 4},
        {"scores around ±1000", random({3, 6}, 31, 1000), random({6, 4}, 32), 2},
        {"scores far below 0, that rise",
         random({3, 5}, 35) - tensor::of({900, 900, 900, 890, 890}), random({5, 2}, 36), 3},
        {"5 queries, one key", random({1, 5, 1}, 37), random({1, 1, 2}, 38), 3},
        {"70 keys", random({2, 70}, 39), random({70, 3}, 40), 64},
        rows_far_apart(),
        with_masked(),
        far_below_0(),
        large_values(),
        views(),
    };
}

// A difference that the cases take for rounding; they report larger ones.
std::string slightly_off(const OnlineSoftmax& online) {
    const Tensor scores = random({3, 5}, 91), V = tensor::ones({5, 2});
    const Tensor output = online.attend_in_blocks(online.add_block, scores, V, 2);
    if (output.shape() != Shape{3, 2}) return "";
    const double off = tensor::max(tensor::abs(output - 1)).item();
    if (!(off > 1e-9 && off < tolerance)) return "";
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", off);
    return std::string("Where all values are 1, the output differs from it by ") + text + ".";
}

std::vector<Hole> holes() {
    Hole add = {"add_block",
                {},
                {"A row had a maximum of 2 so far, and the block brings a 5: by how much too large "
                 "are its sums now?",
                 "Scores 2, then 5, in blocks of one, with values 1 and 0: write down largest, "
                 "total and weighted on paper; for the rows of only -∞ look at every difference "
                 "of two -∞",
                 "new = max(largest, the block's); total·exp(largest - new) + Σ exp(s - new), and "
                 "the same for weighted with V; where new is -∞, subtract 0",
                 "shift = masked_fill(largest, largest == -infinity, 0); exp(before.largest - "
                 "shift) for what was carried, exp(scores - shift) for the block"}};
    const Hole attend = {
        "attend_in_blocks",
        {"the number of calls of add", "the list of block sizes", "the output"},
        {"With 7 keys in blocks of 3: which keys are in which block?",
         "nothing_yet gives the beginning; tensor/views.h has slice, which stops at the end by "
         "itself; total can be 0",
         "for start = 0, size, 2·size, … below T_k: add the keys from start to start + size; then "
         "weighted / total, or 0 where total is 0",
         "slice(scores, -1, start, start + size) and slice(V, -2, start, start + size) for add; "
         "masked_fill(carried.total, carried.total == 0, 1) below the fraction bar"}};
    for (std::size_t n = 1; n <= 7; ++n) {
        for (const char* what : {"largest", "total", "weighted"}) {
            add.stages.push_back(what + after(n));
        }
    }
    return {add, attend};
}

}  // namespace

Exercise online_softmax(const OnlineSoftmax& online) {
    Exercise exercise;
    exercise.number = "05.4";
    exercise.title = "The online softmax";
    std::vector<Case> later;
    for (const Input& in : inputs()) {
        exercise.cases.push_back(block_by_block(in, online));
        later.push_back(whole(in, online));
    }
    exercise.cases = hole_by_hole({exercise.cases, later});
    exercise.laws = {
        once_done("the weights of a query sum to 1", [=] { return slightly_off(online); })};
    exercise.mistakes = online_mistakes();
    exercise.holes = holes();
    exercise.hints = {"Which of the two functions is wrong, or are both?",
                      "Give add_block a single block: total should be Σ exp(s - max) of each row",
                      "If that is so, give attend_in_blocks a size of T_k, then one of T_k / 2",
                      "Print largest, total and weighted after every block"};
    return exercise;
}

namespace {

Tensor finite_or_0(const Tensor& x) { return tensor::masked_fill(x, x == -infinity, 0); }

// With the scores of one key after another.
Carried key_by_key(const Carried& before, const Tensor& scores, const Tensor& V) {
    Carried now = before;
    for (std::int64_t j = 0; j < scores.dim(-1); ++j) {
        const Tensor s = tensor::slice(scores, -1, j, j + 1);  // [..., T_q, 1]
        const BoolTensor nothing = tensor::maximum(now.largest, s) == -infinity;
        const Tensor largest = tensor::maximum(now.largest, s);
        const Tensor kept = tensor::where(nothing, 1, tensor::exp(now.largest - largest));
        const Tensor power = tensor::where(nothing, 0, tensor::exp(s - largest));
        now = {largest, now.total * kept + power,
               now.weighted * kept + power * tensor::slice(V, -2, j, j + 1)};
    }
    return now;
}

// Both sums as one: the values get a column of ones.
Carried with_a_column_of_ones(const Carried& before, const Tensor& scores, const Tensor& V) {
    const Tensor largest = tensor::maximum(before.largest, tensor::max(scores, -1, keepdim));
    const Tensor shift = finite_or_0(largest);
    const Tensor powers = tensor::exp(scores - shift), kept = tensor::exp(before.largest - shift);
    const Tensor ones = tensor::ones_like(tensor::slice(V, -1, 0, 1));
    return {largest, tensor::matmul(powers, ones) + kept * before.total,
            tensor::matmul(powers, V) + kept * before.weighted};
}

}  // namespace

Trials online_softmax_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return online_softmax(online_slipping(slip)); };
    trials.right["key by key"] = [] {
        return online_softmax({key_by_key, online_slipping({}).attend_in_blocks});
    };
    trials.right["the total by a product with ones"] = [] {
        return online_softmax({with_a_column_of_ones, online_slipping({}).attend_in_blocks});
    };
    trials.right["blocks by reading off where the last began"] = [] {
        return online_softmax(
            {online_slipping({}).add_block,
             [](const AddBlock& add, const Tensor& scores, const Tensor& V, std::int64_t size) {
                 std::int64_t left = scores.dim(-1);
                 Carried now = nothing_yet(scores, V);
                 while (left > 0) {
                     const std::int64_t n = std::min(size, left);
                     const std::int64_t j = scores.dim(-1) - left;
                     now = add(now, tensor::slice(scores, -1, j, j + n),
                               tensor::slice(V, -2, j, j + n));
                     left -= n;
                 }
                 return tensor::where(now.total > 0, now.weighted / now.total, 0);
             }});
    };
    return trials;
}

}  // namespace exercise
