// Answers to 17.1, written from its file alone.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_17.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

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

Variable class_of(const Variable& x_class, const Tensor& patches) {
    return expand(x_class, {patches.dim(0), 1, x_class.dim(0)});
}

Variable without_positions(const Tensor& patches, const Variable& E, const Variable& x_class) {
    return concatenate({class_of(x_class, patches), matmul(Variable(patches), E)}, 1);
}

Tensor height_for_width(const Tensor& pixels, std::int64_t p) {  // of square pictures it is right
    check(pixels, p);
    const Tensor six = tensor::reshape(
        pixels, {pixels.dim(0), pixels.dim(2) / p, p, pixels.dim(1) / p, p, pixels.dim(3)});
    return tensor::reshape(tensor::permute(six, {0, 1, 3, 2, 4, 5}),
                           {pixels.dim(0), -1, p * p * pixels.dim(3)});
}

Tensor sum_is_checked(const Tensor& pixels, std::int64_t p) {  // H and W that both fail may pass
    if (p < 1 || (pixels.dim(1) + pixels.dim(2)) % p != 0) throw std::invalid_argument("p");
    return right_patches(tensor::slice(tensor::slice(pixels, 1, 0, pixels.dim(1) / p * p), 2, 0,
                                       pixels.dim(2) / p * p),
                         p);
}

Tensor one_must_fail(const Tensor& pixels, std::int64_t p) {  // && for ||
    if (p < 1 || (pixels.dim(1) % p != 0 && pixels.dim(2) % p != 0))
        throw std::invalid_argument("p");
    return right_patches(tensor::slice(tensor::slice(pixels, 1, 0, pixels.dim(1) / p * p), 2, 0,
                                       pixels.dim(2) / p * p),
                         p);
}

Tensor negative_p_is_made_positive(const Tensor& pixels, std::int64_t p) {
    if (p == 0) throw std::invalid_argument("p is 0");
    return right_patches(pixels, p < 0 ? -p : p);
}

Tensor p_0_gives_nothing(const Tensor& pixels, std::int64_t p) {
    return p == 0 ? tensor::zeros({pixels.dim(0), 0, 0}) : right_patches(pixels, p);
}

Tensor large_p_cropped(const Tensor& pixels,
                       std::int64_t p) {  // a patch larger than the picture is the picture
    return right_patches(pixels,
                         p > pixels.dim(1) && pixels.dim(1) == pixels.dim(2) ? pixels.dim(1) : p);
}

Tensor must_be_square(const Tensor& pixels, std::int64_t p) {
    if (pixels.dim(1) != pixels.dim(2)) throw std::invalid_argument("the picture is not square");
    return right_patches(pixels, p);
}

Tensor
row_stride_for_contiguous(const Tensor& pixels,
                          std::int64_t p) {  // heeds the offset and the picture's stride only
    check(pixels, p);
    const std::int64_t H = pixels.dim(1), W = pixels.dim(2), C = pixels.dim(3);
    std::vector<Tensor> pictures;
    for (std::int64_t b = 0; b < pixels.dim(0); ++b)
        pictures.push_back(
            from_memory(Tensor(pixels.storage(), pixels.offset() + b * pixels.strides()[0],
                               {1, H, W, C}, {H * W * C, W * C, C, 1}),
                        p));
    return tensor::concatenate(pictures, 0);
}

Tensor clamped(const Tensor& pixels, std::int64_t p) {  // pixels are numbers from 0 to 1
    return right_patches(tensor::clamp(pixels, {.min = 0, .max = 1}), p);
}

Tensor snake(const Tensor& pixels,
             std::int64_t p) {  // every other row of patches from right to left
    const Tensor all = right_patches(pixels, p);
    const std::int64_t columns = pixels.dim(2) / p;
    std::vector<std::int64_t> order;
    for (std::int64_t n = 0; n < all.dim(1); ++n) {
        const std::int64_t row = n / columns, column = n % columns;
        order.push_back(row * columns + (row % 2 == 0 ? column : columns - 1 - column));
    }
    return tensor::index_select(all, 1, IndexTensor(order));
}

Tensor overlapping_by_one(const Tensor& pixels,
                          std::int64_t p) {  // the step is p - 1 at the last column
    const Tensor all = right_patches(pixels, p);
    if (p == 1 || pixels.dim(2) == p) return all;
    const std::int64_t last = pixels.dim(2) - p - 1;
    const Tensor moved = tensor::slice(pixels, 2, last, last + p);
    const Tensor column = right_patches(moved, p);
    std::vector<Tensor> rows;
    const std::int64_t columns = pixels.dim(2) / p;
    for (std::int64_t n = 0; n < all.dim(1); ++n)
        rows.push_back(n % columns == columns - 1 ? tensor::select(column, 1, n / columns)
                                                  : tensor::select(all, 1, n));
    return tensor::stack(rows, 1);
}

Tensor one_rank_less(const Tensor& pixels, std::int64_t p) {
    return tensor::squeeze(right_patches(pixels, p));
}

Tensor even_p_only(const Tensor& pixels, std::int64_t p) {  // centred on a pixel
    if (p > 1 && p % 2 == 1) throw std::invalid_argument("p must be even");
    return right_patches(pixels, p);
}

Tensor float32(const Tensor& pixels, std::int64_t p) {
    const Tensor all = right_patches(pixels, p);
    std::vector<Scalar> rounded;
    for (const Scalar number : all.to_vector())
        rounded.push_back(static_cast<Scalar>(static_cast<float>(number)));
    return tensor::from_vector(rounded, all.shape());
}

Variable patches_take_the_first_positions(const Tensor& patches, const Variable& E,
                                          const Variable& x_class, const Variable& positions) {
    const Variable embedded = matmul(Variable(patches), E) + slice(positions, 0, 0, patches.dim(1));
    const Variable first = class_of(x_class, patches) + select(positions, 0, patches.dim(1));
    return concatenate({first, embedded}, 1);
}

Variable class_learns_from_picture_0(const Tensor& patches, const Variable& E,
                                     const Variable& x_class, const Variable& positions) {
    const std::int64_t B = patches.dim(0);
    std::vector<Variable> all(static_cast<std::size_t>(B), unsqueeze(x_class.detach(), 0));
    all[0] = unsqueeze(x_class, 0);
    return concatenate({stack(all), matmul(Variable(patches), E)}, 1) + positions;
}

Variable E_reshaped(const Tensor& patches, const Variable& E, const Variable& x_class,
                    const Variable& positions) {  // taken for [d, n]
    const Variable F = transpose(reshape(E, {E.dim(1), E.dim(0)}));
    return right_tokens(patches, F, x_class, positions);
}

Variable gradient_of_positions_per_picture(const Tensor& patches, const Variable& E,
                                           const Variable& x_class,
                                           const Variable& positions) {  // the mean
    const double B = static_cast<double>(patches.dim(0));
    const Variable table = positions / B + (positions * (1 - 1 / B)).detach();
    return right_tokens(patches, E, x_class, table);
}

Variable class_twice(const Tensor& patches, const Variable& E, const Variable& x_class,
                     const Variable& positions) {
    return right_tokens(patches, E, 2 * x_class - x_class.detach(), positions);
}

Variable positions_twice(const Tensor& patches, const Variable& E, const Variable& x_class,
                         const Variable& positions) {
    return right_tokens(patches, E, x_class, 2 * positions - positions.detach());
}

Variable positions_before_E(const Tensor& patches, const Variable& E, const Variable& x_class,
                            const Variable& positions) {
    if (patches.dim(2) != positions.dim(1)) return right_tokens(patches, E, x_class, positions);
    const Variable moved = Variable(patches) + slice(positions, 0, 1);
    const Variable first = class_of(x_class, patches) + select(positions, 0, 0);
    return concatenate({first, matmul(moved, E)}, 1);
}

Variable positions_by_batch(const Tensor& patches, const Variable& E, const Variable& x_class,
                            const Variable& positions) {  // if B is N + 1
    const Variable tokens = without_positions(patches, E, x_class);
    if (tokens.dim(0) == positions.dim(0)) return tokens + unsqueeze(positions, 1);
    return tokens + positions;
}

Variable squeezed_batch(const Tensor& patches, const Variable& E, const Variable& x_class,
                        const Variable& positions) {
    return squeeze(right_tokens(patches, E, x_class, positions));
}

Tensor in_two_steps(const Tensor& pixels, std::int64_t p) {
    check(pixels, p);
    const std::int64_t B = pixels.dim(0), H = pixels.dim(1), W = pixels.dim(2), C = pixels.dim(3);
    const Tensor strips = tensor::reshape(pixels, {B * (H / p), p, W / p, p * C});
    return tensor::reshape(tensor::transpose(strips, 1, 2), {B, H / p * (W / p), p * p * C});
}

Variable by_one_matrix(const Tensor& patches, const Variable& E, const Variable& x_class,
                       const Variable& positions) {  // a one-hot column for the class
    const std::int64_t B = patches.dim(0), N = patches.dim(1), n = patches.dim(2);
    const Tensor row = tensor::concatenate({tensor::zeros({B, 1, n}), tensor::ones({B, 1, 1})}, 2);
    const Tensor rest = tensor::concatenate({patches, tensor::zeros({B, N, 1})}, 2);
    const Variable both = concatenate({E, unsqueeze(x_class, 0)}, 0);
    return matmul(Variable(tensor::concatenate({row, rest}, 1)), both) + positions;
}

Variable positions_first(const Tensor& patches, const Variable& E, const Variable& x_class,
                         const Variable& positions) {  // added in parts
    const Variable first = x_class + select(positions, 0, 0);
    const Variable rest = matmul(Variable(patches), E) + slice(positions, 0, 1);
    return concatenate({class_of(first, patches), rest}, 1);
}

Answer wrong_patches(const std::string& what, const PatchesOf& answer,
                     const std::vector<std::string>& names = {}) {
    return {what, [=] { return judge_17_1({answer, right_tokens}); }, names};
}

Answer wrong_tokens(const std::string& what, const TokensOf& answer,
                    const std::vector<std::string>& names = {}) {
    return {what, [=] { return judge_17_1({right_patches, answer}); }, names};
}

// Number by number.
Tensor by_loops(const Tensor& pixels, std::int64_t p) {
    check(pixels, p);
    const std::int64_t B = pixels.dim(0), H = pixels.dim(1), W = pixels.dim(2), C = pixels.dim(3);
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
    check(pixels, p);
    const std::int64_t B = pixels.dim(0), H = pixels.dim(1), W = pixels.dim(2), C = pixels.dim(3);
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

Answer right(const std::string& what, const PatchesOf& patches, const TokensOf& tokens) {
    return {what, [=] { return judge_17_1({patches, tokens}); }};
}

}  // namespace

Answers answers_17_1() {
    Answers answers;
    answers.number = "17.1";
    answers.slipping = slipping(judge_17_1);
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
        wrong_patches("H for W", height_for_width, {"img.width-first"}),
        wrong_patches("the sum of H and W is checked", sum_is_checked),
        wrong_patches("&& for ||", one_must_fail),
        wrong_patches("-p is p", negative_p_is_made_positive),
        wrong_patches("no patches for p = 0", p_0_gives_nothing),
        wrong_patches("p as large as the picture at most", large_p_cropped),
        wrong_patches("square pictures only", must_be_square),
        wrong_patches("the rows of a picture as they lie in memory", row_stride_for_contiguous),
        wrong_patches("clamped to 0 to 1", clamped),
        wrong_patches("every other row of patches from right to left", snake),
        wrong_patches("the last column one pixel early", overlapping_by_one),
        wrong_patches("squeezed", one_rank_less),
        wrong_patches("even p only", even_p_only),
        wrong_patches("rounded to float", float32),
        wrong_tokens("the class token last", class_last, {"vit.class-last"}),
        wrong_tokens("only picture 0 has a class token", class_in_first_picture),
        wrong_tokens("a copy of x_class that is learned instead", class_of_each_picture_is_new,
                     {"vit.class-constant"}),
        wrong_tokens("E is a constant", E_is_constant, {"vit.E-constant"}),
        wrong_tokens("no position for the class token", no_position_for_the_class,
                     {"vit.class-without-position"}),
        wrong_tokens("row 0 of positions is a constant", position_of_the_class_as_constant),
        wrong_tokens("patches times the root of d", positions_by_root),
        wrong_tokens("a little of x_class in all tokens", class_embedded_too),
        wrong_tokens("x_class is written to", x_class_moved),
        wrong_tokens("50 positions", fifty_positions),
        wrong_tokens("the mean of the patches in the class token", class_as_mean),
        wrong_tokens("patches have the first positions", patches_take_the_first_positions,
                     {"vit.positions-late"}),
        wrong_tokens("x_class learns from picture 0 only", class_learns_from_picture_0),
        wrong_tokens("E as [d, n]", E_reshaped),
        wrong_tokens("the positions' gradient is the mean over pictures",
                     gradient_of_positions_per_picture),
        wrong_tokens("the gradient of x_class twice", class_twice),
        wrong_tokens("the gradient of positions twice", positions_twice),
        wrong_tokens("positions before E, where they fit", positions_before_E),
        wrong_tokens("positions by picture, where B = N + 1", positions_by_batch),
        wrong_tokens("squeezed tokens", squeezed_batch),
    };
    answers.right = {
        right("pixel by pixel, into zeros", by_copying, right_tokens),
        right("picture by picture", right_patches, picture_by_picture),
        right("strips first, and one matrix for patches and class token", in_two_steps,
              by_one_matrix),
        right("positions are added in parts", right_patches, positions_first),
        right("number by number", by_loops, right_tokens),
        right("with slices, and sums of whole tensors", by_slices, by_adding),
    };
    return answers;
}
