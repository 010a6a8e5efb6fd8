#include "tutorials/exercises/judges/17_1_patches.h"

#include "tutorials/exercises/judges/17_1_patches_walk.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"
#include "tutorials/exercises/judging/not_done.h"

#include "autograd/ops.h"
#include "tensor/ops.h"

#include <stdexcept>

using namespace heed;
using namespace exercise::patches_of_pictures;

namespace exercise {

namespace {

Learned random_learned(std::int64_t N, std::int64_t n, std::int64_t d, std::uint64_t seed) {
    return {Variable(random({n, d}, seed), requires_grad),
            Variable(random({d}, seed + 1), requires_grad),
            Variable(random({N + 1, d}, seed + 2), requires_grad)};
}

Case cutting(const std::string& name, const Tensor& pixels, std::int64_t p, const Patches& answer) {
    return {name,
            [=](const Slips& slip) {
                return Stages{{"patches", patches_walk(pixels, p, slip)}};
            },
            [=] {
                return Stages{{"patches", answer.patches_of(pixels, p)}};
            },
            {{"pixels", pixels}}};
}

Case embedding(const std::string& name, const Tensor& patches, const Learned& in,
               const Patches& answer) {
    Stages inputs = values_of(in.leaves());
    inputs.push_back({"patches", patches});
    const auto stages = [=](const Variable& tokens) {
        return with_gradients({{"tokens", tokens.value()}}, tokens, in.leaves());
    };
    return {name, [=](const Slips& slip) { return stages(tokens_walk(patches, in, slip)); },
            [=] { return stages(answer.tokens_of(patches, in.E, in.x_class, in.positions)); },
            inputs};
}

std::string not_refused(const Patches& answer, const Shape& pixels, std::int64_t p) {
    const std::string what = "p = " + std::to_string(p) + " for " + pixels.text();
    try {
        answer.patches_of(random(pixels, 71), p);
    } catch (const std::invalid_argument&) {
        return "";
    }
    return what + " was not refused.";
}

std::string refuses_no_fitting_p(const Patches& answer) {
    const std::vector<std::pair<Shape, std::int64_t>> wrong = {
        {{1, 4, 6, 3}, 3}, {{1, 6, 4, 3}, 3}, {{2, 4, 4, 1}, 8}, {{1, 2, 8, 3}, 4},
        {{1, 8, 2, 3}, 4}, {{1, 4, 4, 3}, 0}, {{1, 4, 4, 3}, -2}};
    for (const auto& [pixels, p] : wrong) {
        const std::string finding = not_refused(answer, pixels, p);
        if (!finding.empty()) return finding;
    }
    return "";
}

// What lies within the tolerance of the cases: they tell the rest.
std::string changed_numbers(const Patches& answer) {
    const Tensor pixels = random({2, 4, 6, 3}, 72);
    const Tensor expected = patches_walk(pixels, 2, {});
    const Tensor yours = answer.patches_of(tensor::clone(pixels), 2);
    if (!same(yours, expected) || identical(yours, expected)) return "";
    return "They differ " + worst_entry(yours, expected) + ".";
}

Tensor turned(const Shape& shape, std::uint64_t seed) {
    return tensor::permute(random({shape[2], shape[3], shape[0], shape[1]}, seed), {2, 3, 0, 1});
}

}  // namespace

Exercise patches(const Patches& answer) {
    Exercise exercise;
    exercise.number = "17.1";
    exercise.title = "Patches as tokens";
    exercise.cases = {
        cutting("2 pictures of 4 by 6 pixels, p = 2", random({2, 4, 6, 3}, 1), 2, answer),
        cutting("a picture of 9 by 6 pixels and 4 numbers, p = 3", random({1, 9, 6, 4}, 2), 3,
                answer),
        cutting("square pictures, p = 2", random({3, 8, 8, 1}, 3), 2, answer),
        cutting("patches of one pixel", random({2, 3, 2, 3}, 4), 1, answer),
        cutting("one patch for the whole picture", random({2, 4, 4, 2}, 5), 4, answer),
        cutting("pixels that are a view", turned({2, 4, 6, 3}, 6), 2, answer),
        cutting("other pictures of the first size", random({2, 4, 6, 3}, 7), 2, answer),
        embedding("2 pictures of 6 patches", random({2, 6, 12}, 11), random_learned(6, 12, 5, 12),
                  answer),
        embedding("3 pictures of 4 patches, n = d", random({3, 4, 4}, 21),
                  random_learned(4, 4, 4, 22), answer),
        embedding("as many pictures as tokens", random({3, 2, 3}, 61), random_learned(2, 3, 3, 62),
                  answer),
        embedding("one patch", random({1, 1, 3}, 31), random_learned(1, 3, 7, 32), answer),
        embedding("100 patches", random({2, 100, 3}, 41), random_learned(100, 3, 2, 42), answer),
        embedding("patches that are a view", tensor::select(turned({1, 2, 6, 5}, 51), 0, 0),
                  random_learned(6, 5, 3, 52), answer),
    };
    exercise.laws = {{"a p that does not fit is refused with std::invalid_argument",
                      [=] { return refuses_no_fitting_p(answer); }},
                     {"patches hold the numbers of the pixels, bit for bit",
                      [=] { return changed_numbers(answer); }}};
    exercise.mistakes = patches_mistakes();
    for (const Mistake& mistake : tokens_mistakes()) exercise.mistakes.push_back(mistake);
    exercise.hints = {
        "Which six numbers tell where a number of pixels lies: patch, pixel in it, colour?",
        "tensor/views.h: reshape splits an axis in two, permute puts axes in another order",
        "Write the shape beside each line, for B, H, W, C = 2, 4, 6, 3 and p = 2",
        "Try patches_of and tokens_of by themselves, on numbers you can follow with your eye"};
    exercise.holes = {
        {"patches_of",
         {"patches"},
         {"Into which two axes does p cut the height, and into which two the width?",
          "tensor/views.h: reshape splits an axis in two, permute puts axes in another order",
          "[B, H, W, C] -> [B, H/p, p, W/p, p, C] -> the two counts of patches side by side, the "
          "two of pixels behind them -> [B, N, p·p·C]",
          "permute with {0, 1, 3, 2, 4, 5}, between two calls of reshape"}},
        {"tokens_of",
         {"tokens", "the gradient of E", "the gradient of x_class", "the gradient of positions"},
         {"How does one vector become the first token of B pictures?",
          "autograd/ops/join.h has concatenate, autograd/ops/views.h has expand",
          "[B, 1, d] before [B, N, d] is [B, N + 1, d]; positions are broadcast over B",
          "expand(x_class, {B, 1, d}), then concatenate along axis 1, then + positions"}},
    };
    return exercise;
}

namespace {

// Number by number.
Tensor by_loops(const Tensor& pixels, std::int64_t p) {
    const std::int64_t B = pixels.dim(0), H = pixels.dim(1), W = pixels.dim(2), C = pixels.dim(3);
    if (p <= 0 || H % p > 0 || W % p > 0) throw std::invalid_argument("no");
    std::vector<Scalar> numbers;
    for (std::int64_t b = 0; b < B; ++b) {
        for (std::int64_t patch = 0; patch < H / p * (W / p); ++patch) {
            for (std::int64_t i = 0; i < p * p * C; ++i) {
                const std::int64_t y = patch / (W / p) * p + i / (p * C);
                const std::int64_t x = patch % (W / p) * p + i / C % p;
                numbers.push_back(pixels(b, y, x, i % C));
            }
        }
    }
    return tensor::from_vector(numbers, {B, H / p * (W / p), p * p * C});
}

// Patch by patch, with slices.
Tensor by_slices(const Tensor& pixels, std::int64_t p) {
    const std::int64_t B = pixels.dim(0), H = pixels.dim(1), W = pixels.dim(2), C = pixels.dim(3);
    if (p < 1 || H % p + W % p != 0) throw std::invalid_argument("no");
    std::vector<Tensor> patches;
    for (std::int64_t y = 0; y < H; y += p) {
        for (std::int64_t x = 0; x < W; x += p) {
            const Tensor square = tensor::slice(tensor::slice(pixels, 1, y, y + p), 2, x, x + p);
            patches.push_back(tensor::reshape(square, {B, 1, p * p * C}));
        }
    }
    return tensor::concatenate(patches, 1);
}

// Each summand by itself: an embedding of one row more, zeros, and the class token on top.
Variable by_adding(const Tensor& patches, const Variable& E, const Variable& x_class,
                   const Variable& positions) {
    const std::int64_t B = patches.dim(0), N = patches.dim(1);
    const Tensor none = tensor::zeros({B, 1, patches.dim(2)});
    const Tensor only_first =
        tensor::concatenate({tensor::ones({1, 1}), tensor::zeros({N, 1})}, 0);  // [N + 1, 1]
    const Variable embedded = matmul(Variable(tensor::concatenate({none, patches}, 1)), E);
    return embedded + (positions + Variable(only_first) * x_class);
}

}  // namespace

Trials patches_trials() {
    const auto tokens = [](const Tensor& all, const Variable& E, const Variable& x_class,
                           const Variable& positions) {
        return tokens_walk(all, {E, x_class, positions}, {});
    };
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return patches({[=](const Tensor& pixels, std::int64_t p) {
                            if (p < 1 || pixels.dim(1) % p != 0 || pixels.dim(2) % p != 0) {
                                throw std::invalid_argument("p");
                            }
                            return patches_walk(pixels, p, slip);
                        },
                        [=](const Tensor& all, const Variable& E, const Variable& x_class,
                            const Variable& positions) {
                            return tokens_walk(all, {E, x_class, positions}, slip);
                        }});
    };
    trials.right["number by number"] = [=] { return patches({by_loops, tokens}); };
    trials.right["with slices, and sums of whole tensors"] = [] {
        return patches({by_slices, by_adding});
    };
    return trials;
}

}  // namespace exercise
