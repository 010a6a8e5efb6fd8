#include "tutorials/exercises/judges/lesson_11.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/random.h"

using namespace heed;

namespace exercise {

static Stages given(const Lists& lists) {
    return {{"asked", lists.asked}, {"markers", lists.markers}, {"values", lists.values}};
}

namespace {
// Of x [B] over the lists that are `chosen`, 1 or 0.
double mean_over(const Tensor& chosen, const Tensor& x, const Slips& slip) {
    const Tensor lists = slip("sink.all-lists") ? tensor::ones_like(chosen) : chosen;
    const double count = tensor::sum(lists).item();
    if (count == 0) return 0;
    const double by = slip("sink.divided-by-B") ? static_cast<double>(chosen.numel()) : count;
    return tensor::sum(lists * x).item() / by;
}

// Of each row of y.
Tensor norms(const Tensor& y, const Slips& slip) {
    const Tensor squares = tensor::sum(y * y, -1);
    if (slip("sink.squared")) return squares;
    return tensor::sqrt(slip("sink.rms") ? tensor::mean(y * y, -1) : squares);
}

double mean_norm(const Tensor& chosen, const Tensor& y, const Slips& slip) {
    if (!slip("sink.norm-of-mean")) return mean_over(chosen, norms(y, slip), slip);
    std::vector<Scalar> mean;
    for (const Tensor& entry : tensor::unbind(y, -1)) {
        mean.push_back(mean_over(chosen, entry, slip));
    }
    return norms(tensor::from_vector(mean, {std::ssize(mean)}), slip).item();
}

Tensor found_in(const Tensor& match, const Slips& slip) {
    Tensor found = tensor::max(match, -1);
    if (slip("sink.first-item-decides")) found = tensor::select(match, 1, 0);
    if (slip("sink.one-match")) found = tensor::to_tensor(tensor::sum(match, -1) == 1);
    return slip("sink.swapped") ? 1 - found : found;
}

// weights [B, n], values [B, n, d_v] -> [B, d_v]
Tensor outputs(const Tensor& weights, const Tensor& values) {
    return tensor::squeeze(tensor::matmul(tensor::unsqueeze(weights, 1), values), 1);
}

Tensor weight_measured(const Tensor& weights, const Slips& slip) {
    if (slip("sink.other-place")) return tensor::select(weights, 1, 0);
    if (slip("sink.last-item")) return tensor::select(weights, 1, -2);
    const Tensor rest = tensor::select(weights, 1, -1);
    return slip("sink.the-others") ? 1 - rest : rest;
}

Rest rest_walk(const Lists& lists, const Slips& slip) {
    const std::int64_t B = lists.values.dim(0), M = lists.asked.dim(1);
    const Tensor products = tensor::matmul(lists.markers, tensor::unsqueeze(lists.asked, -1));
    const Tensor match = tensor::squeeze(products, -1);  // [B, n]
    const Tensor found = found_in(match, slip), none = 1 - found;
    const Tensor& noisy = slip("sink.noise-if-found") ? found : none;
    const double lower = slip("sink.no-half") ? 0 : 0.5;
    Rest rest;
    for (double sharpness : lists.sharpness) {
        if (slip("sink.one-sharpness")) sharpness = lists.sharpness[0];
        if (slip("sink.scaled")) sharpness /= std::sqrt(static_cast<double>(M));
        const Tensor scores = sharpness * (match - lower);
        const double at_rest = slip("sink.rest-as-found") ? sharpness * (1 - lower) : 0;
        const Tensor more = tensor::concatenate({scores, tensor::full({B, 1}, at_rest)}, 1);
        const Tensor weights = tensor::softmax(more, -1);  // [B, n + 1]
        const Tensor output = outputs(tensor::softmax(scores, -1), lists.values);
        const Tensor with_rest = slip("sink.renormalised")
                                     ? output
                                     : outputs(tensor::slice(weights, 1, 0, -1), lists.values);
        rest.rest_if_found.push_back(mean_over(found, weight_measured(weights, slip), slip));
        rest.rest_if_none.push_back(mean_over(none, weight_measured(weights, slip), slip));
        rest.noise.push_back(mean_norm(noisy, output, slip));
        rest.noise_with_rest.push_back(mean_norm(noisy, with_rest, slip));
    }
    if (slip("sink.noise-exchanged")) std::swap(rest.noise, rest.noise_with_rest);
    if (slip("sink.rest-exchanged")) std::swap(rest.rest_if_found, rest.rest_if_none);
    return rest;
}

std::vector<Mistake> mistakes_of_scores() {
    const std::string print = "Print the scores of one list with a match, the zero key's too.";
    return {
        {"sink.no-half", "an item that does not match scored as high as the zero key",
         "Which score has an item that does not match, and which the zero key?", print},
        {"sink.rest-as-found", "the zero key got the score of an item that matches",
         "What is the product of any query with a key of zeros?", print},
        {"sink.scaled", "the scores were divided by the root of the number of markers",
         "Is there a scale in this head's score?", print},
        {"sink.one-sharpness", "the first sharpness was used for all",
         "Do your four lists of numbers depend on the sharpness?", print},
        {"sink.other-place",
         "the weight of the first item was measured, and not that of the zero key",
         "At which place did you put the zero key?", "Print a row of weights."},
        {"sink.last-item", "the weight of the last item was measured, and not that of the zero key",
         "At which place did you put the zero key, and how long is a row?",
         "Print a row of weights."},
        {"sink.the-others",
         "the weight on all items together was measured, and not that on the zero key",
         "Does the weight at rest rise or fall if nothing is found?", "Print a row of weights."},
    };
}

std::vector<Mistake> mistakes_of_means() {
    const std::string few = "Measure three lists, one of them with a match, and count.";
    const std::string norm = "Print the output of one list, and its norm.";
    return {
        {"sink.divided-by-B", "each sum was divided by the number of all lists",
         "How many lists does the mean go over?", few},
        {"sink.all-lists", "every mean went over all lists, with a match or not",
         "Which lists does each of the four means go over?", few},
        {"sink.swapped", "the lists with a match and those without had changed places",
         "Which lists does each of the four means go over?", few},
        {"sink.rest-exchanged", "rest_if_found and rest_if_none had changed places",
         "In which lists should the weight at rest be larger?", few},
        {"sink.first-item-decides", "a list counted as found only if its first item matches",
         "How do you know that a list has a match?", few},
        {"sink.one-match", "only lists with exactly one match counted as found",
         "What does a list with two matches count as?", few},
        {"sink.noise-if-found", "the noise was measured in the lists with a match",
         "In which lists is the output noise?", few},
        {"sink.squared", "the norm was not rooted", "What is the norm of (3, 4)?", norm},
        {"sink.norm-of-mean",
         "the norm was taken of the mean output, and not the mean of the norms",
         "Do outputs of opposite signs cancel in your mean?", norm},
        {"sink.rms", "the norm was divided by the root of d_v", "What is the norm of (3, 4)?",
         norm},
        {"sink.renormalised",
         "the noise with a zero key was computed as without one: the weights on the items still "
         "sum to 1",
         "What do the weights on the items sum to, if there is a place to rest?", norm},
        {"sink.noise-exchanged", "the noise with a zero key and that without had changed places",
         "Which of the two should be smaller?", norm},
    };
}

Stages stages(const MeasureRest& measure, const Lists& lists) {
    const auto row = [](const std::vector<double>& x) {
        return tensor::from_vector(std::vector<Scalar>(x.begin(), x.end()), {std::ssize(x)});
    };
    const Rest rest = measure(lists);
    return {{"rest_if_found", row(rest.rest_if_found)},
            {"rest_if_none", row(rest.rest_if_none)},
            {"noise", row(rest.noise)},
            {"noise_with_rest", row(rest.noise_with_rest)}};
}

// The marker asked for, and then those of the items, for each list.
using Markers = std::vector<std::vector<std::int64_t>>;

Lists lists_of(const Markers& markers, std::int64_t M, std::int64_t d_v,
               const std::vector<double>& sharpness, std::uint64_t seed) {
    const std::int64_t B = std::ssize(markers), n = std::ssize(markers[0]) - 1;
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
    Markers markers(static_cast<std::size_t>(B));
    for (std::vector<std::int64_t>& list : markers) {
        for (std::int64_t j = 0; j <= n; ++j) list.push_back(random.below(M));
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

Inputs<Lists> inputs() {
    const std::vector<double> few = {4, 0, 1};
    return {
        {"4 lists of 3 items",
         lists_of({{0, 1, 0, 2}, {3, 4, 0, 1}, {2, 2, 3, 2}, {1, 3, 4, 0}}, 5, 2, few, 1)},
        {"4 more lists of 3 items",
         lists_of({{1, 0, 2, 3}, {0, 4, 0, 1}, {4, 4, 1, 4}, {2, 3, 0, 1}}, 5, 2, few, 12)},
        {"30 lists of 4 items", random_lists(30, 4, 8, 3, {2, 8, 0.5}, 2)},
        {"lists that all have a match", lists_of({{0, 0, 1}, {1, 2, 1}, {2, 2, 2}}, 3, 4, few, 3)},
        {"lists without a match", lists_of({{0, 1, 2}, {1, 2, 0}}, 3, 5, few, 4)},
        {"one list of one item", lists_of({{1, 1}}, 2, 3, few, 5)},
        {"very sharp heads", random_lists(9, 3, 4, 3, {3000, 20}, 6)},
        {"lists with all sizes 4", random_lists(4, 4, 4, 4, {3}, 7)},
        {"lists that are views", as_views(random_lists(6, 3, 4, 2, {3, 5}, 8))},
        {"lists of one item, values around ±1000",
         with_large_values(lists_of({{0, 1}, {1, 0}}, 2, 1, {0, 2}, 13))},
        {"one marker for all", lists_of({{0, 0, 0}, {0, 0, 0}}, 1, 2, few, 14)},
        {"20 lists of 60 items", random_lists(20, 60, 50, 3, {6, 2}, 9)},
        {"4 other lists of 3 items", random_lists(4, 3, 5, 2, {7, 1, 2}, 10)},
    };
}

Rules<MeasureRest> rules() {
    return {
        .number = "11.2",
        .title = "What a head does with nothing",
        .reference =
            [](const Slips& slip) {
                return [=](const Lists& lists) { return rest_walk(lists, slip); };
            },
        .cases = on_each(stages, inputs()),
        .mistakes = joined(mistakes_of_scores(), mistakes_of_means()),
        .hints = {"Which score has an item that does not match, and which the zero key?",
                  "Lesson 11.6 has the zero key as one more column; tensor::concatenate and "
                  "tensor::select",
                  "The row of scores is sharpness·(match - 1/2) for each item, and then a 0; the "
                  "weight at rest is the last entry of its softmax; a mean over some lists is Σ "
                  "chosen·x / Σ chosen",
                  "match = squeeze(matmul(markers, unsqueeze(asked, -1)), -1) is [B, n]; found = "
                  "max(match, -1); the scores with rest are concatenate({scores, zeros [B, 1]}, "
                  "1)"},
        .cause_of_nan = "0/0: in a mean over no lists, or in a softmax of large scores",
    };
}

}  // namespace

void show(const MeasureRest& measure) {
    const std::vector<double> sharpness = {0, 1, 2, 4, 8, 16};
    const Rest rest = measure(random_lists(1000, 4, 8, 2, sharpness, 11));
    std::cout << "\n1000 lists of 4 items, 8 markers\n"
                 "sharpness   weight at rest: found     none   noise: without rest     with it\n";
    for (std::size_t i = 0; i < sharpness.size(); ++i) {
        std::cout << text(std::setw(9), sharpness[i], std::fixed, std::setprecision(3), " ",
                          std::setw(23), rest.rest_if_found[i], " ", std::setw(8),
                          rest.rest_if_none[i], " ", std::setw(21), rest.noise[i], " ",
                          std::setw(11), rest.noise_with_rest[i], "\n");
    }
}

const Judge<MeasureRest> judge_11_2(rules);

}  // namespace exercise
