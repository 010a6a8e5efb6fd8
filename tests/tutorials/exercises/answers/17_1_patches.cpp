// Answers to 17.1, written from its file alone.
#include "tutorials/exercises/judges/17_1_patches.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/ops.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace exercise {
Answers answers_17_1();
}

using namespace heed;
using namespace exercise;

namespace {

using PatchesOf = std::function<Tensor(const Tensor& pixels, std::int64_t p)>;
using TokensOf = std::function<Variable(const Tensor& patches, const Variable& E,
                                        const Variable& x_class, const Variable& positions)>;

void check(const Tensor& pixels, std::int64_t p) {
    if (p < 1 || pixels.dim(1) % p != 0 || pixels.dim(2) % p != 0) {
        throw std::invalid_argument("p does not divide H and W");
    }
}

// [B, H/p, p, W/p, p, C]
Tensor cut(const Tensor& pixels, std::int64_t p) {
    return tensor::reshape(
        pixels, {pixels.dim(0), pixels.dim(1) / p, p, pixels.dim(2) / p, p, pixels.dim(3)});
}

Tensor as_patches(const Tensor& pieces, const Tensor& pixels, std::int64_t p) {
    const std::int64_t n = p * p * pixels.dim(3);
    return tensor::reshape(pieces, {pixels.dim(0), pixels.dim(1) * pixels.dim(2) / p / p, n});
}

Tensor right_patches(const Tensor& pixels, std::int64_t p) {
    check(pixels, p);
    return as_patches(tensor::permute(cut(pixels, p), {0, 1, 3, 2, 4, 5}), pixels, p);
}

Variable right_tokens(const Tensor& patches, const Variable& E, const Variable& x_class,
                      const Variable& positions) {
    const Variable first = expand(x_class, {patches.dim(0), 1, E.dim(1)});
    return concatenate({first, matmul(Variable(patches), E)}, 1) + positions;
}

// The pieces in another order of axes.
PatchesOf in_order(const Dims& order) {
    return [=](const Tensor& pixels, std::int64_t p) {
        check(pixels, p);
        return as_patches(tensor::permute(cut(pixels, p), order), pixels, p);
    };
}

Tensor only_reshaped(const Tensor& pixels, std::int64_t p) {
    check(pixels, p);
    return as_patches(pixels, pixels, p);
}

Tensor one_division_only(const Tensor& pixels, std::int64_t p) {
    if (p < 1 || pixels.dim(1) % p != 0) throw std::invalid_argument("p does not divide H");
    const std::int64_t W = pixels.dim(2) / p * p;
    return right_patches(tensor::slice(pixels, 2, 0, W), p);
}

Tensor the_area_is_divided(const Tensor& pixels, std::int64_t p) {
    if (p < 1 || pixels.dim(1) * pixels.dim(2) % (p * p) != 0) throw std::invalid_argument("p");
    const std::int64_t H = pixels.dim(1) / p * p, W = pixels.dim(2) / p * p;
    return right_patches(tensor::slice(tensor::slice(pixels, 1, 0, H), 2, 0, W), p);
}

Tensor cropped(const Tensor& pixels, std::int64_t p) {
    if (p < 1) throw std::invalid_argument("p");
    const std::int64_t H = pixels.dim(1) / p * p, W = pixels.dim(2) / p * p;
    return right_patches(tensor::slice(tensor::slice(pixels, 1, 0, H), 2, 0, W), p);
}

Tensor throws_another_error(const Tensor& pixels, std::int64_t p) {
    if (p < 1 || pixels.dim(1) % p != 0 || pixels.dim(2) % p != 0) {
        throw std::out_of_range("p does not divide H and W");
    }
    return right_patches(pixels, p);
}

Tensor from_memory(const Tensor& pixels, std::int64_t p) {
    check(pixels, p);
    const Tensor whole = tensor::from_vector(
        std::vector<Scalar>(pixels.data(), pixels.data() + pixels.numel()), pixels.shape());
    return right_patches(whole, p);
}

Tensor first_picture_for_all(const Tensor& pixels, std::int64_t p) {
    const Tensor first = right_patches(tensor::slice(pixels, 0, 0, 1), p);
    return tensor::contiguous(tensor::expand(first, {pixels.dim(0), first.dim(1), first.dim(2)}));
}

Tensor three_colours(const Tensor& pixels, std::int64_t p) {
    const std::int64_t C = std::min<std::int64_t>(3, pixels.dim(3));
    return right_patches(tensor::slice(pixels, 3, 0, C), p);
}

Tensor blue_first(const Tensor& pixels, std::int64_t p) {
    return right_patches(tensor::flip(pixels, {3}), p);
}

Tensor scaled_to_1(const Tensor& pixels, std::int64_t p) {
    return right_patches(pixels, p) / tensor::max(tensor::abs(pixels));
}

Tensor kept_from_before(const Tensor& pixels, std::int64_t p) {
    static std::vector<std::pair<Shape, Tensor>> known;
    for (const auto& [shape, patches] : known) {
        if (shape == pixels.shape() && p == 2) return patches;
    }
    const Tensor patches = right_patches(pixels, p);
    if (p == 2) known.emplace_back(pixels.shape(), patches);
    return patches;
}

Tensor upside_down(const Tensor& pixels, std::int64_t p) {
    return right_patches(tensor::flip(pixels, {1}), p);
}

Variable class_last(const Tensor& patches, const Variable& E, const Variable& x_class,
                    const Variable& positions) {
    const Variable last = expand(x_class, {patches.dim(0), 1, E.dim(1)});
    return concatenate({matmul(Variable(patches), E), last}, 1) + positions;
}

Variable class_in_first_picture(const Tensor& patches, const Variable& E, const Variable& x_class,
                                const Variable& positions) {
    const std::int64_t B = patches.dim(0), d = E.dim(1);
    const Variable row = reshape(x_class, {1, 1, d});
    const Variable first =
        B == 1 ? row : concatenate({row, Variable(tensor::zeros({B - 1, 1, d}))}, 0);
    return concatenate({first, matmul(Variable(patches), E)}, 1) + positions;
}

Variable class_of_each_picture_is_new(const Tensor& patches, const Variable& E,
                                      const Variable& x_class, const Variable& positions) {
    const std::int64_t B = patches.dim(0), d = E.dim(1);
    const Variable copies(tensor::clone(tensor::expand(x_class.value(), {B, 1, d})), requires_grad);
    return concatenate({copies, matmul(Variable(patches), E)}, 1) + positions;
}

Variable E_is_constant(const Tensor& patches, const Variable& E, const Variable& x_class,
                       const Variable& positions) {
    return right_tokens(patches, E.detach(), x_class, positions);
}

Variable no_position_for_the_class(const Tensor& patches, const Variable& E,
                                   const Variable& x_class, const Variable& positions) {
    const std::int64_t B = patches.dim(0), N = patches.dim(1), d = E.dim(1);
    const Variable placed = matmul(Variable(patches), E) + slice(positions, 0, 1, N + 1);
    return concatenate({expand(x_class, {B, 1, d}), placed}, 1);
}

Variable position_of_the_class_as_constant(const Tensor& patches, const Variable& E,
                                           const Variable& x_class, const Variable& positions) {
    const Variable rows = concatenate(
        {slice(positions, 0, 0, 1).detach(), slice(positions, 0, 1, positions.dim(0))}, 0);
    return right_tokens(patches, E, x_class, rows);
}

Variable positions_by_root(const Tensor& patches, const Variable& E, const Variable& x_class,
                           const Variable& positions) {
    const double root = std::sqrt(static_cast<double>(E.dim(1)));
    return concatenate({expand(x_class, {patches.dim(0), 1, E.dim(1)}),
                        matmul(Variable(patches), E) * root},
                       1) +
           positions;
}

Variable class_embedded_too(const Tensor& patches, const Variable& E, const Variable& x_class,
                            const Variable& positions) {
    const Variable tokens = right_tokens(patches, E, x_class, positions);
    return tokens + mean(x_class) * 0.01;
}

Variable x_class_moved(const Tensor& patches, const Variable& E, const Variable& x_class,
                       const Variable& positions) {
    Tensor numbers = x_class.value();
    tensor::overwrite(numbers, numbers + tensor::select(positions.value(), 0, 0));
    return right_tokens(patches, E, x_class, positions);
}

Variable fifty_positions(const Tensor& patches, const Variable& E, const Variable& x_class,
                         const Variable& positions) {
    std::vector<std::int64_t> rows;
    for (std::int64_t i = 0; i <= patches.dim(1); ++i) {
        rows.push_back(std::min<std::int64_t>(i, 50));
    }
    return right_tokens(patches, E, x_class, index_select(positions, 0, IndexTensor(rows)));
}

Variable class_as_mean(const Tensor& patches, const Variable& E, const Variable& x_class,
                       const Variable& positions) {
    const Variable embedded = matmul(Variable(patches), E);
    return concatenate({mean(embedded, 1, keepdim) + x_class, embedded}, 1) + positions;
}

Tensor by_copying(const Tensor& pixels, std::int64_t p) {
    check(pixels, p);
    const std::int64_t B = pixels.dim(0), H = pixels.dim(1), W = pixels.dim(2), C = pixels.dim(3);
    Tensor patches = tensor::zeros({B, H * W / p / p, p * p * C});
    for (std::int64_t b = 0; b < B; ++b) {
        for (std::int64_t y = 0; y < H; ++y) {
            for (std::int64_t x = 0; x < W; ++x) {
                const std::int64_t patch = y / p * (W / p) + x / p;
                const std::int64_t first = (y % p * p + x % p) * C;
                const Tensor from =
                    tensor::select(tensor::select(tensor::select(pixels, 0, b), 0, y), 0, x);
                Tensor to = tensor::slice(tensor::select(tensor::select(patches, 0, b), 0, patch),
                                          0, first, first + C);
                tensor::overwrite(to, from);
            }
        }
    }
    return patches;
}

Variable picture_by_picture(const Tensor& patches, const Variable& E, const Variable& x_class,
                            const Variable& positions) {
    std::vector<Variable> pictures;
    for (std::int64_t b = 0; b < patches.dim(0); ++b) {
        const Variable embedded = matmul(Variable(tensor::select(patches, 0, b)), E);
        pictures.push_back(positions + concatenate({unsqueeze(x_class, 0), embedded}, 0));
    }
    return stack(pictures);
}

Answer wrong_patches(const std::string& what, const PatchesOf& answer,
                     const std::vector<std::string>& names = {}) {
    return {what, [=] { return patches({answer, right_tokens}); }, names};
}

Answer wrong_tokens(const std::string& what, const TokensOf& answer,
                    const std::vector<std::string>& names = {}) {
    return {what, [=] { return patches({right_patches, answer}); }, names};
}

}  // namespace

Answers exercise::answers_17_1() {
    Answers answers;
    answers.number = "17.1";
    answers.wrong = {
        wrong_patches("only a reshape", only_reshaped, {"img.no-permute"}),
        wrong_patches("the pixels of a patch go down", in_order({0, 1, 3, 4, 2, 5}),
                      {"img.pixels-down"}),
        wrong_patches("the patches go down", in_order({0, 3, 1, 2, 4, 5}), {"img.patches-down"}),
        wrong_patches("both go down", in_order({0, 3, 1, 4, 2, 5}),
                      {"img.patches-down", "img.pixels-down"}),
        wrong_patches("colours come before pixels", in_order({0, 1, 3, 5, 2, 4}),
                      {"img.colours-apart"}),
        wrong_patches("pixel first, then patch", in_order({0, 2, 4, 1, 3, 5})),
        wrong_patches("only H is checked", one_division_only),
        wrong_patches("the area is checked", the_area_is_divided),
        wrong_patches("what does not fit is cut off", cropped),
        wrong_patches("out_of_range for a p that does not fit", throws_another_error),
        wrong_patches("the numbers as they lie in memory", from_memory),
        wrong_patches("picture 0 for all", first_picture_for_all),
        wrong_patches("three colours at most", three_colours),
        wrong_patches("the last colour first", blue_first),
        wrong_patches("scaled", scaled_to_1),
        wrong_patches("kept from the first call of that shape", kept_from_before),
        wrong_patches("upside down", upside_down),
        wrong_tokens("the class token last", class_last, {"vit.class-last"}),
        wrong_tokens("only picture 0 has a class token", class_in_first_picture),
        wrong_tokens("a copy of x_class that is learned instead", class_of_each_picture_is_new,
                     {"vit.class-constant"}),
        wrong_tokens("E is a constant", E_is_constant),
        wrong_tokens("no position for the class token", no_position_for_the_class,
                     {"vit.class-without-position"}),
        wrong_tokens("row 0 of positions is a constant", position_of_the_class_as_constant),
        wrong_tokens("patches times the root of d", positions_by_root),
        wrong_tokens("a little of x_class in all tokens", class_embedded_too),
        wrong_tokens("x_class is written to", x_class_moved),
        wrong_tokens("50 positions", fifty_positions),
        wrong_tokens("the mean of the patches in the class token", class_as_mean),
    };
    answers.right = {
        {"pixel by pixel, into zeros",
         [] {
             return patches({by_copying, right_tokens});
         }},
        {"picture by picture",
         [] {
             return patches({right_patches, picture_by_picture});
         }},
    };
    return answers;
}
