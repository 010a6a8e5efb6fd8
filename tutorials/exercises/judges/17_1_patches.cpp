#include "tutorials/exercises/judges/lesson_17.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
struct Pictures {
    Tensor pixels;
    std::int64_t p;
};
Stages given(const Pictures& in) { return {{"pixels", in.pixels}}; }

// What tokens are made of.
struct Embedded {
    Tensor patches;
    Variable E, x_class, positions;
};
std::vector<Leaf> leaves_of(const Embedded& in) {
    return {{"E", in.E}, {"x_class", in.x_class}, {"positions", in.positions}};
}
Stages given(const Embedded& in) {
    return joined(values_of(leaves_of(in)), Stages{{"patches", in.patches}});
}

Tensor patches_walk(const Tensor& pixels, std::int64_t p, const Slips& slip) {
    const std::int64_t B = pixels.dim(0), H = pixels.dim(1), W = pixels.dim(2), C = pixels.dim(3);
    if (p < 1 || H % p != 0 || W % p != 0) throw std::invalid_argument("p");
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

Variable tokens_walk(const Embedded& in, const Slips& slip) {
    const std::int64_t B = in.patches.dim(0), N = in.patches.dim(1), d = in.E.dim(1);
    const Variable E = slip("vit.E-constant") ? in.E.detach() : in.E;
    const Variable embedded = matmul(Variable(in.patches), E);
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

std::vector<Mistake> mistakes() {
    const std::string print = "Number the pixels of a 4 by 4 picture with one colour from 0 to 15, "
                              "cut it with p = 2 and print row 0.";
    return {
        {"img.no-permute",
         "the pixels were only read under another shape, so that a patch was a strip of a row",
         "Which pixel comes after the first p of a patch: the next of the row?", print},
        {"img.interleaved", "a patch took every so many-th pixel of the whole picture",
         "Are a patch's pixels neighbours?", "Which of the axes H/p and p comes first?"},
        {"img.width-first", "the axes of the height were cut by the width, and the other way round",
         "Which axis of pixels is the height?", "Try a picture that is wider than high."},
        {"img.patches-down", "the patches were numbered column after column",
         "Where in the picture is patch 1?", print},
        {"img.pixels-down", "the pixels of a patch were read column after column",
         "Which pixel of a patch is its second?", print},
        {"img.colours-apart", "each colour of a patch stood by itself",
         "Which number comes after a pixel's red?", "The place of C in your permute."},
        {"vit.no-class", "the class token was missing",
         "How many tokens has a picture of N patches?", "The shape of the tokens."},
        {"vit.class-last", "the class token stood after the patches",
         "Which row is the class token's?", "The order in your concatenate."},
        {"vit.class-without-position", "the class token got no position, and only the patches did",
         "How many rows has positions, and who gets row 0?", "Print the first token."},
        {"vit.positions-late",
         "the patches got the positions from row 0 on, and the class token the last one",
         "Which row of positions is the class token's?", "Print the first token."},
        {"vit.no-positions", "the positions were not added",
         "Can attention tell where a patch was?", "The last line."},
        {"vit.first-position", "every token got the first position", "How many rows has positions?",
         "The last line."},
        {"vit.times-positions", "the positions were multiplied and not added",
         "What does equation 1 do with the positions?", "The last line."},
        {"vit.E-constant", "E entered as a constant, so that it would not be learned",
         "Does the graph know E?", "How E comes into the product."},
        {"vit.class-constant", "x_class entered as a constant, so that it would not be learned",
         "Does the graph know x_class?", "How you repeat x_class for each picture."},
        {"vit.positions-constant",
         "the positions entered as constants, so that they would not be learned",
         "Does the graph know the positions?", "How you add the positions."},
    };
}

Tensor turned(const Shape& shape, std::uint64_t seed) {
    return tensor::permute(random({shape[2], shape[3], shape[0], shape[1]}, seed), {2, 3, 0, 1});
}

Inputs<Pictures> pictures() {
    return {
        {"2 pictures of 4 by 6 pixels, p = 2", {random({2, 4, 6, 3}, 1), 2}},
        {"a picture of 9 by 6 pixels and 4 numbers, p = 3", {random({1, 9, 6, 4}, 2), 3}},
        {"square pictures, p = 2", {random({3, 8, 8, 1}, 3), 2}},
        {"patches of one pixel", {random({2, 3, 2, 3}, 4), 1}},
        {"one patch for the whole picture", {random({2, 4, 4, 2}, 5), 4}},
        {"pixels that are a view", {turned({2, 4, 6, 3}, 6), 2}},
        {"other pictures of the first size", {random({2, 4, 6, 3}, 7), 2}},
    };
}

Embedded with_random(const Tensor& patches, std::int64_t d, std::uint64_t seed) {
    const std::int64_t N = patches.dim(1), n = patches.dim(2);
    return {patches, Variable(random({n, d}, seed), requires_grad),
            Variable(random({d}, seed + 1), requires_grad),
            Variable(random({N + 1, d}, seed + 2), requires_grad)};
}

Inputs<Embedded> patches_of_pictures() {
    return {
        {"2 pictures of 6 patches", with_random(random({2, 6, 12}, 11), 5, 12)},
        {"3 pictures of 4 patches, n = d", with_random(random({3, 4, 4}, 21), 4, 22)},
        {"as many pictures as tokens", with_random(random({3, 2, 3}, 61), 3, 62)},
        {"one patch", with_random(random({1, 1, 3}, 31), 7, 32)},
        {"100 patches", with_random(random({2, 100, 3}, 41), 2, 42)},
        {"patches that are a view",
         with_random(tensor::select(turned({1, 2, 6, 5}, 51), 0, 0), 3, 52)},
    };
}

Stages patches(const Patches& f, const Pictures& in) {
    return {{"patches", f.patches_of(in.pixels, in.p)}};
}

Stages tokens(const Patches& f, const Embedded& in) {
    const Variable tokens = f.tokens_of(in.patches, in.E, in.x_class, in.positions);
    return with_gradients({{"tokens", tokens.value()}}, tokens, leaves_of(in));
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

std::vector<Hole> holes() {
    return {
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
}

Rules<Patches> rules() {
    return {
        .number = "17.1",
        .title = "Patches as tokens",
        .reference = [](const Slips& slip) -> Patches {
            return {
                [=](const Tensor& pixels, std::int64_t p) { return patches_walk(pixels, p, slip); },
                [=](const Tensor& patches, const Variable& E, const Variable& x_class,
                    const Variable& positions) {
                    return tokens_walk({patches, E, x_class, positions}, slip);
                }};
        },
        .cases = joined(on_each(patches, pictures()), on_each(tokens, patches_of_pictures())),
        .laws = {{"a p that does not fit is refused with std::invalid_argument",
                  refuses_no_fitting_p},
                 {"patches hold the numbers of the pixels, bit for bit", changed_numbers}},
        .mistakes = mistakes(),
        .hints =
            {"Which six numbers tell where a number of pixels lies: patch, pixel in it, colour?",
             "tensor/views.h: reshape splits an axis in two, permute puts axes in another order",
             "Write the shape beside each line, for B, H, W, C = 2, 4, 6, 3 and p = 2",
             "Try patches_of and tokens_of by themselves, on numbers you can follow with your eye"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<Patches> judge_17_1(rules);

}  // namespace exercise
