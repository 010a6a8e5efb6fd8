#include "tutorials/exercises/judges/11_2_nothing_to_find.h"

#include "tutorials/exercises/judges/11_2_nothing_to_find_walk.h"
#include "tutorials/exercises/judging/inputs.h"

#include "tensor/index_tensor.h"
#include "tensor/ops.h"
#include "tensor/random.h"

#include <cmath>
#include <cstdio>

using namespace heed;

namespace exercise {

namespace {

Tensor as_tensor(const std::vector<double>& x) {
    return tensor::from_vector(std::vector<Scalar>(x.begin(), x.end()),
                               {static_cast<std::int64_t>(x.size())});
}

Stages stages(const Rest& rest) {
    return {{"rest_if_found", as_tensor(rest.rest_if_found)},
            {"rest_if_none", as_tensor(rest.rest_if_none)},
            {"noise", as_tensor(rest.noise)},
            {"noise_with_rest", as_tensor(rest.noise_with_rest)}};
}

// The marker asked for, and then those of the items, for each list.
Lists lists_of(const std::vector<std::vector<std::int64_t>>& markers, std::int64_t M,
               std::int64_t d_v, const std::vector<double>& sharpness, std::uint64_t seed) {
    const auto B = static_cast<std::int64_t>(markers.size());
    const auto n = static_cast<std::int64_t>(markers[0].size()) - 1;
    std::vector<std::int64_t> asked, of_items;
    for (const std::vector<std::int64_t>& list : markers) {
        asked.push_back(list[0]);
        of_items.insert(of_items.end(), list.begin() + 1, list.end());
    }
    return {tensor::one_hot(IndexTensor(asked), M),
            tensor::one_hot(IndexTensor(of_items, {B, n}), M), random({B, n, d_v}, seed),
            sharpness};
}

Lists random_lists(std::int64_t B, std::int64_t n, std::int64_t M, std::int64_t d_v,
                   const std::vector<double>& sharpness, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::vector<std::int64_t>> markers;
    for (std::int64_t b = 0; b < B; ++b) {
        std::vector<std::int64_t> list;
        for (std::int64_t j = 0; j <= n; ++j) list.push_back(random.below(M));
        markers.push_back(list);
    }
    return lists_of(markers, M, d_v, sharpness, seed + 1);
}

// The same numbers in memory of another order.
Lists as_views(const Lists& lists) {
    const auto turned = [](const Tensor& x) {
        return tensor::transpose(tensor::contiguous(tensor::transpose(x)));
    };
    return {turned(lists.asked), turned(lists.markers), turned(lists.values), lists.sharpness};
}

// Small errors are large ones here.
Lists with_large_values(const Lists& lists) {
    return {lists.asked, lists.markers, lists.values * 1000, lists.sharpness};
}

Case on(const std::string& name, const Lists& lists, const MeasureRest& measure) {
    return {name,
            [=](const Slips& slip) { return stages(rest_walk(lists, slip)); },
            [=] { return stages(measure(lists)); },
            {{"asked", lists.asked}, {"markers", lists.markers}, {"values", lists.values}}};
}

}  // namespace

Exercise nothing_to_find(const MeasureRest& measure) {
    Exercise exercise;
    exercise.number = "11.2";
    exercise.title = "What a head does with nothing";
    const std::vector<double> few = {4, 0, 1};
    exercise.cases = {
        on("4 lists of 3 items",
           lists_of({{0, 1, 0, 2}, {3, 4, 0, 1}, {2, 2, 3, 2}, {1, 3, 4, 0}}, 5, 2, few, 1),
           measure),
        on("4 more lists of 3 items",
           lists_of({{1, 0, 2, 3}, {0, 4, 0, 1}, {4, 4, 1, 4}, {2, 3, 0, 1}}, 5, 2, few, 12),
           measure),
        on("30 lists of 4 items", random_lists(30, 4, 8, 3, {2, 8, 0.5}, 2), measure),
        on("lists that all have a match", lists_of({{0, 0, 1}, {1, 2, 1}, {2, 2, 2}}, 3, 4, few, 3),
           measure),
        on("lists without a match", lists_of({{0, 1, 2}, {1, 2, 0}}, 3, 5, few, 4), measure),
        on("one list of one item", lists_of({{1, 1}}, 2, 3, few, 5), measure),
        on("very sharp heads", random_lists(9, 3, 4, 3, {3000, 20}, 6), measure),
        on("lists with all sizes 4", random_lists(4, 4, 4, 4, {3}, 7), measure),
        on("lists that are views", as_views(random_lists(6, 3, 4, 2, {3, 5}, 8)), measure),
        on("lists of one item, values around ±1000",
           with_large_values(lists_of({{0, 1}, {1, 0}}, 2, 1, {0, 2}, 13)), measure),
        on("one marker for all", lists_of({{0, 0, 0}, {0, 0, 0}}, 1, 2, few, 14), measure),
        on("20 lists of 60 items", random_lists(20, 60, 50, 3, {6, 2}, 9), measure),
        on("4 other lists of 3 items", random_lists(4, 3, 5, 2, {7, 1, 2}, 10), measure),
    };
    exercise.mistakes = nothing_to_find_mistakes();
    exercise.hints = {
        "Which score has an item that does not match, and which the zero key?",
        "Lesson 11.6 has the zero key as one more column; tensor::concatenate and tensor::select",
        "The row of scores is sharpness·(match - 1/2) for each item, and then a 0; the weight at "
        "rest is the last entry of its softmax; a mean over some lists is Σ chosen·x / Σ chosen",
        "match = squeeze(matmul(markers, unsqueeze(asked, -1)), -1) is [B, n]; found = max(match, "
        "-1); the scores with rest are concatenate({scores, zeros [B, 1]}, 1)"};
    exercise.cause_of_nan = "0/0: in a mean over no lists, or in a softmax of large scores";
    return exercise;
}

void show(const MeasureRest& measure) {
    const std::vector<double> sharpness = {0, 1, 2, 4, 8, 16};
    const Rest rest = measure(random_lists(1000, 4, 8, 2, sharpness, 11));
    std::printf("\n1000 lists of 4 items, 8 markers\n");
    std::printf("sharpness   weight at rest: found     none   noise: without rest     with it\n");
    for (std::size_t i = 0; i < sharpness.size(); ++i) {
        std::printf("%9g %23.3f %8.3f %21.3f %11.3f\n", sharpness[i], rest.rest_if_found[i],
                    rest.rest_if_none[i], rest.noise[i], rest.noise_with_rest[i]);
    }
}

namespace {

// Without a softmax: what the weights come to if k of n items match.
Rest by_formula(const Lists& lists) {
    Rest rest;
    const std::int64_t B = lists.values.dim(0), n = lists.values.dim(1);
    const Tensor match =
        tensor::squeeze(tensor::matmul(lists.markers, tensor::unsqueeze(lists.asked, -1)), -1);
    const Tensor matches = tensor::sum(match, -1);          // [B]
    const Tensor of_values = tensor::sum(lists.values, 1);  // [B, d_v]
    for (const double sharpness : lists.sharpness) {
        double found = 0, none = 0, resting = 0, resting_none = 0, noise = 0, with_rest = 0;
        const double low = tensor::exp(tensor::of(-sharpness / 2)).item();
        for (std::int64_t b = 0; b < B; ++b) {
            const double k = matches(b), others = static_cast<double>(n) - k;
            if (k > 0) {
                // All weights times e^(-sharpness/2), so that nothing overflows.
                ++found;
                resting += low / (k + low + others * low * low);
                continue;
            }
            ++none;
            const Tensor sum = tensor::select(of_values, 0, b);
            const double length = std::sqrt(tensor::sum(sum * sum).item());
            resting_none += 1 / (1 + others * low);
            noise += length / others;
            with_rest += length * low / (1 + others * low);
        }
        rest.rest_if_found.push_back(found > 0 ? resting / found : 0);
        rest.rest_if_none.push_back(none > 0 ? resting_none / none : 0);
        rest.noise.push_back(none > 0 ? noise / none : 0);
        rest.noise_with_rest.push_back(none > 0 ? with_rest / none : 0);
    }
    return rest;
}

// The noise with rest is that without, times what is left of the weight.
Rest with_the_noise_scaled(const Lists& lists) {
    Rest rest = rest_walk(lists, {});
    for (std::size_t i = 0; i < rest.noise.size(); ++i) {
        rest.noise_with_rest[i] = rest.noise[i] * (1 - rest.rest_if_none[i]);
    }
    return rest;
}

}  // namespace

Trials nothing_to_find_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return nothing_to_find([=](const Lists& lists) { return rest_walk(lists, slip); });
    };
    trials.right["by a formula"] = [] { return nothing_to_find(by_formula); };
    trials.right["with the noise scaled"] = [] { return nothing_to_find(with_the_noise_scaled); };
    return trials;
}

}  // namespace exercise
