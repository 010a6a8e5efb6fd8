// Answers to 10.1, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/10_1_rotary_positions.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/ops.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_10_1();
}

namespace {

Tensor angles(std::int64_t T, std::int64_t d, std::int64_t first) {
    std::vector<Scalar> numbers;
    for (std::int64_t t = first; t < first + T; ++t) {
        for (std::int64_t k = 0; k < d; k += 2) {
            const double rate = std::pow(10000, -static_cast<double>(k) / static_cast<double>(d));
            numbers.push_back(static_cast<Scalar>(static_cast<double>(t) * rate));
        }
    }
    return tensor::from_vector(numbers, {T, d / 2});
}

void refuse_odd(const Variable& x) {
    if (x.dim(-1) % 2 != 0) throw std::invalid_argument("d is odd");
}

Variable rotated(const Variable& x, const Variable& cos, const Variable& sin) {
    const Variable a = slice(x, -1, 0, tensor::to_the_end, 2);
    const Variable b = slice(x, -1, 1, tensor::to_the_end, 2);
    return flatten(stack({a * cos - b * sin, a * sin + b * cos}, -1), -2, -1);
}

Variable right(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    const Variable by(angles(x.dim(-2), x.dim(-1), first));
    return rotated(x, cos(by), sin(by));
}

// Angles.
Tensor whole_number_exponent(std::int64_t T, std::int64_t d, std::int64_t first) {
    std::vector<Scalar> numbers;
    for (std::int64_t t = first; t < first + T; ++t) {
        for (std::int64_t i = 0; i < d / 2; ++i) {
            const double exponent = static_cast<double>(2 * i / d);
            numbers.push_back(
                static_cast<Scalar>(static_cast<double>(t) * std::pow(10000, -exponent)));
        }
    }
    return tensor::from_vector(numbers, {T, d / 2});
}

Tensor in_floats(std::int64_t T, std::int64_t d, std::int64_t first) {
    std::vector<Scalar> numbers = angles(T, d, first).to_vector();
    for (Scalar& number : numbers) number = static_cast<Scalar>(static_cast<float>(number));
    return tensor::from_vector(numbers, {T, d / 2});
}

Tensor only_512(std::int64_t T, std::int64_t d, std::int64_t first) {
    std::vector<Tensor> rows;
    const Tensor table = angles(512, d, 0);
    for (std::int64_t t = first; t < first + T; ++t) {
        rows.push_back(tensor::select(table, 0, std::min<std::int64_t>(t, 511)));
    }
    return tensor::stack(rows);
}

Tensor within_one_turn(std::int64_t T, std::int64_t d, std::int64_t first) {
    std::vector<Scalar> numbers = angles(T, d, first).to_vector();
    for (Scalar& number : numbers) number = std::fmod(number, Scalar(6.283185307));
    return tensor::from_vector(numbers, {T, d / 2});
}

Tensor each_angle_twice(std::int64_t T, std::int64_t d, std::int64_t first) {
    const Tensor once = angles(T, d, first);
    return tensor::concatenate({once, once}, -1);
}

Tensor columns_for_rows(std::int64_t T, std::int64_t d, std::int64_t first) {
    return tensor::transpose(angles(T, d, first));
}

// Turning.
Variable odd_d_is_cut(const Variable& x, std::int64_t first) {
    const std::int64_t d = x.dim(-1), even = d - d % 2;
    if (even == 0) return x;
    const Variable by(angles(x.dim(-2), even, first));
    const Variable most = rotated(slice(x, -1, 0, even), cos(by), sin(by));
    return even == d ? most : concatenate({most, slice(x, -1, even, d)}, -1);
}

Variable odd_is_out_of_range(const Variable& x, std::int64_t first) {
    if (x.dim(-1) % 2 != 0) throw std::out_of_range("d is odd");
    return right(x, first);
}

Variable on_values(const Variable& x, std::int64_t first) {
    return Variable(right(x.detach(), first).value());
}

Variable last_feature_detached(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    const Variable by(angles(x.dim(-2), x.dim(-1), first));
    const Variable a = slice(x, -1, 0, tensor::to_the_end, 2);
    const Variable b = slice(x, -1, 1, tensor::to_the_end, 2).detach();
    return flatten(stack({a * cos(by) - b * sin(by), a * sin(by) + b * cos(by)}, -1), -2, -1);
}

Variable in_place(const Variable& x, std::int64_t first) {
    const Tensor result = right(x, first).value();
    Tensor same_storage = x.value();
    tensor::overwrite(same_storage, result);
    return right(x, first);
}

Variable axis_1_is_T(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    if (x.rank() < 3) return right(x, first);
    Variable by(angles(x.dim(1), x.dim(-1), first));
    for (int axis = 2; axis + 1 < x.rank(); ++axis) by = unsqueeze(by, 1);
    return rotated(x, cos(by), sin(by));
}

Variable first_text_only(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    if (x.rank() < 3 || x.dim(0) == 1) return right(x, first);
    const Variable one = right(slice(x, 0, 0, 1), first);
    return concatenate({one, slice(x, 0, 1)}, 0);
}

Variable interleaved_by_reshape(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    const Variable by(angles(x.dim(-2), x.dim(-1), first));
    const Variable a = slice(x, -1, 0, tensor::to_the_end, 2);
    const Variable b = slice(x, -1, 1, tensor::to_the_end, 2);
    const Variable joined = concatenate({a * cos(by) - b * sin(by), a * sin(by) + b * cos(by)}, -1);
    std::vector<std::int64_t> dims;
    for (int axis = 0; axis < x.rank(); ++axis) dims.push_back(x.shape()[axis]);
    return reshape(joined, Dims(dims));
}

Variable row_0_is_0(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    const std::int64_t T = x.dim(-2);
    if (T == 1) return right(x, 0);
    return concatenate({slice(x, -2, 0, 1), right(slice(x, -2, 1, T), first + 1)}, -2);
}

Variable up_to_4_axes(const Variable& x, std::int64_t first) {
    if (x.rank() > 4) return x;
    return right(x, first);
}

Variable half_of_the_pairs(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    Tensor by = tensor::clone(angles(x.dim(-2), x.dim(-1), first));
    const std::int64_t pairs = by.dim(1);
    for (std::int64_t r = 0; r < by.dim(0); ++r) {
        for (std::int64_t i = (pairs + 1) / 2; i < pairs; ++i)
            by.writable_data()[r * pairs + i] = 0;
    }
    return rotated(x, cos(Variable(by)), sin(Variable(by)));
}

Variable normalised(const Variable& x, std::int64_t first) {
    const Variable turned = right(x, first);
    return turned / sqrt(sum(turned * turned, -1, keepdim) + 1e-9);
}

Variable table_of_the_first_call(const Variable& x, std::int64_t first) {
    static const Tensor table = angles(6000, 6, 0);
    if (x.dim(-1) != 6) return right(x, first);
    static std::int64_t begin = first;
    const Variable by(tensor::slice(table, 0, begin, begin + x.dim(-2)));
    return rotated(x, cos(by), sin(by));
}

std::function<Exercise()>
with(const std::function<Tensor(std::int64_t, std::int64_t, std::int64_t)>& a,
     const std::function<Variable(const Variable&, std::int64_t)>& b) {
    return [=] { return rotary_positions({a, b}); };
}

Variable as_complex_products(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    const std::int64_t T = x.dim(-2), d = x.dim(-1);
    std::vector<Variable> rows;
    for (std::int64_t t = 0; t < T; ++t) {
        const Tensor by = angles(1, d, first + t);
        Tensor M = tensor::zeros({d, d});
        for (std::int64_t i = 0; i < d / 2; ++i) {
            const Scalar c = std::cos(by(0, i)), s = std::sin(by(0, i));
            Scalar* at = M.writable_data() + 2 * i * d + 2 * i;
            at[0] = c;
            at[1] = s;
            at[d] = -s;
            at[d + 1] = c;
        }
        rows.push_back(matmul(slice(x, -2, t, t + 1), Variable(M)));
    }
    return concatenate(rows, -2);
}

}  // namespace

Answers exercise::answers_10_1() {
    Answers answers;
    answers.number = "10.1";
    answers.wrong = {
        {"2i/d in whole numbers, which is 0",
         with(whole_number_exponent, right),
         {"rot.all-alike"}},
        {"angles rounded to float", with(in_floats, right)},
        {"a table of 512 positions", with(only_512, right)},
        {"angles within one turn", with(within_one_turn, right)},
        {"each angle twice", with(each_angle_twice, right)},
        {"the angles transposed", with(columns_for_rows, right)},
        {"the last feature of an odd d is left alone", with(angles, odd_d_is_cut)},
        {"an odd d is out_of_range", with(angles, odd_is_out_of_range)},
        {"computed on the values", with(angles, on_values), {"train.detached"}},
        {"second features detached", with(angles, last_feature_detached)},
        {"turns x itself", with(angles, in_place)},
        {"axis 1 is T", with(angles, axis_1_is_T)},
        {"only the first text", with(angles, first_text_only)},
        {"joined and reshaped", with(angles, interleaved_by_reshape), {"rot.joined-as-halves"}},
        {"row 0 is not turned", with(angles, row_0_is_0)},
        {"not for five axes", with(angles, up_to_4_axes)},
        {"only the faster half of the pairs", with(angles, half_of_the_pairs)},
        {"length made 1", with(angles, normalised)},
        {"keeps the first `first`", with(angles, table_of_the_first_call)},
    };
    answers.right = {
        {"matrix by matrix", with(angles, as_complex_products)},
        {"the straight way", with(angles, right)},
    };
    return answers;
}
