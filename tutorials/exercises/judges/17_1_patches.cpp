#include "tutorials/exercises/judges/17_1_patches.h"

#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"
#include "tutorials/exercises/judging/not_done.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/ops.h"

#include <stdexcept>

using namespace heed;

namespace exercise {

namespace {

Tensor patches_walk(const Tensor& pixels, std::int64_t p, const Slips& slip) {
    const std::int64_t B = pixels.dim(0), H = pixels.dim(1), W = pixels.dim(2), C = pixels.dim(3);
    const std::int64_t rows = H / p, columns = W / p;
    const Shape patches{B, rows * columns, p * p * C};
    if (slip("img.no-permute")) return tensor::reshape(pixels, patches);
    const auto cut = [&](const Shape& axes, const Dims& order) {
        return tensor::reshape(tensor::permute(tensor::reshape(pixels, axes), order), patches);
    };
    const Shape squares{B, rows, p, columns, p, C};
    if (slip("img.interleaved")) return cut({B, p, rows, p, columns, C}, {0, 2, 4, 1, 3, 5});
    if (slip("img.width-first")) return cut({B, columns, p, rows, p, C}, {0, 1, 3, 2, 4, 5});
    if (slip("img.patches-down")) return cut(squares, {0, 3, 1, 2, 4, 5});
    if (slip("img.pixels-down")) return cut(squares, {0, 1, 3, 4, 2, 5});
    if (slip("img.colours-apart")) return cut(squares, {0, 1, 3, 5, 2, 4});
    return cut(squares, {0, 1, 3, 2, 4, 5});
}

struct Learned {
    Variable E, x_class, positions;

    std::vector<Leaf> leaves() const {
        return {{"E", E}, {"x_class", x_class}, {"positions", positions}};
    }
};

Learned random_learned(std::int64_t N, std::int64_t n, std::int64_t d, std::uint64_t seed) {
    return {Variable(random({n, d}, seed), requires_grad),
            Variable(random({d}, seed + 1), requires_grad),
            Variable(random({N + 1, d}, seed + 2), requires_grad)};
}

Variable tokens_walk(const Tensor& patches, const Learned& in, const Slips& slip) {
    const std::int64_t B = patches.dim(0), N = patches.dim(1), d = in.E.dim(1);
    const Variable embedded = matmul(Variable(patches), in.E);
    if (slip("vit.no-class")) return embedded + slice(in.positions, 0, 1, N + 1);
    const Variable first =
        expand(slip("vit.class-constant") ? in.x_class.detach() : in.x_class, {B, 1, d});
    if (slip("vit.class-without-position")) {
        return concatenate({first, embedded + slice(in.positions, 0, 1, N + 1)}, 1);
    }
    if (slip("vit.positions-late")) {
        return concatenate(
            {first + select(in.positions, 0, N), embedded + slice(in.positions, 0, 0, N)}, 1);
    }
    const Variable tokens = slip("vit.class-last") ? concatenate({embedded, first}, 1)
                                                   : concatenate({first, embedded}, 1);
    if (slip("vit.no-positions")) return tokens;
    const Variable positions =
        slip("vit.positions-constant") ? in.positions.detach() : in.positions;
    if (slip("vit.first-position")) return tokens + slice(positions, 0, 0, 1);
    if (slip("vit.times-positions")) return tokens * positions;
    return tokens + positions;
}

std::vector<Mistake> patches_mistakes() {
    const std::string print = "Number the pixels of a 4 by 4 picture with one colour from 0 to 15, "
                              "cut it with p = 2 and print row 0.";
    return {
        {"img.no-permute",
         "the pixels were only read under another shape, so that a patch was a strip of a row",
         {"Which pixel comes after the first p of a patch: the next of the row?", print}},
        {"img.interleaved",
         "a patch took every so many-th pixel of the whole picture",
         {"Are a patch's pixels neighbours?", "Which of the axes H/p and p comes first?"}},
        {"img.width-first",
         "the axes of the height were cut by the width, and the other way round",
         {"Which axis of pixels is the height?", "Try a picture that is wider than high."}},
        {"img.patches-down",
         "the patches were numbered column after column",
         {"Where in the picture is patch 1?", print}},
        {"img.pixels-down",
         "the pixels of a patch were read column after column",
         {"Which pixel of a patch is its second?", print}},
        {"img.colours-apart",
         "each colour of a patch stood by itself",
         {"Which number comes after a pixel's red?", "The place of C in your permute."}},
    };
}

std::vector<Mistake> tokens_mistakes() {
    return {
        {"vit.no-class",
         "the class token was missing",
         {"How many tokens has a picture of N patches?", "The shape of the tokens."}},
        {"vit.class-last",
         "the class token stood after the patches",
         {"Which row is the class token's?", "The order in your concatenate."}},
        {"vit.class-without-position",
         "the class token got no position, and only the patches did",
         {"How many rows has positions, and who gets row 0?", "Print the first token."}},
        {"vit.positions-late",
         "the patches got the positions from row 0 on, and the class token the last one",
         {"Which row of positions is the class token's?", "Print the first token."}},
        {"vit.no-positions",
         "the positions were not added",
         {"Can attention tell where a patch was?", "The last line."}},
        {"vit.first-position",
         "every token got the first position",
         {"How many rows has positions?", "The last line."}},
        {"vit.times-positions",
         "the positions were multiplied and not added",
         {"What does equation 1 do with the positions?", "The last line."}},
        {"vit.class-constant",
         "x_class entered as a constant, so that it would not be learned",
         {"Does the graph know x_class?", "How you repeat x_class for each picture."}},
        {"vit.positions-constant",
         "the positions entered as constants, so that they would not be learned",
         {"Does the graph know the positions?", "How you add the positions."}},
    };
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
        embedding("one patch", random({1, 1, 3}, 31), random_learned(1, 3, 7, 32), answer),
        embedding("100 patches", random({2, 100, 3}, 41), random_learned(100, 3, 2, 42), answer),
        embedding("patches that are a view", tensor::select(turned({1, 2, 6, 5}, 51), 0, 0),
                  random_learned(6, 5, 3, 52), answer),
    };
    exercise.laws = {{"a p that does not fit is refused with std::invalid_argument",
                      [=] { return refuses_no_fitting_p(answer); }}};
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
