// Answers to 10.1, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_10.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

using namespace heed;
using namespace exercise;

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

Tensor kept_by_size(std::int64_t T, std::int64_t d, std::int64_t first) {
    static std::map<std::pair<std::int64_t, std::int64_t>, Tensor> kept;
    return kept.try_emplace({T, d}, angles(T, d, first)).first->second;
}

Tensor only_2048(std::int64_t T, std::int64_t d, std::int64_t first) {
    std::vector<std::int64_t> rows;
    for (std::int64_t t = first; t < first + T; ++t) {
        rows.push_back(std::min<std::int64_t>(t, 2047));
    }
    return tensor::index_select(angles(2048, d, 0), 0, IndexTensor(rows));
}

Tensor one_position_has_one_axis(std::int64_t T, std::int64_t d, std::int64_t first) {
    const Tensor by = angles(T, d, first);
    return T == 1 ? tensor::squeeze(by, 0) : by;
}

Tensor last_pair_stands_still(std::int64_t T, std::int64_t d, std::int64_t first) {
    const Tensor by = angles(T, d, first);
    if (d < 4) return by;
    return tensor::concatenate({tensor::slice(by, 1, 0, -1), tensor::zeros({T, 1})}, 1);
}

Tensor slowest_is_10000(std::int64_t T, std::int64_t d, std::int64_t first) {
    const double steps = static_cast<double>(std::max<std::int64_t>(d / 2 - 1, 1));
    const Tensor rates = tensor::pow(10000, tensor::arange(0, static_cast<double>(d / 2)) / -steps);
    return angles(T, 2, first) * rates;  // [T, 1] times [d/2]
}

Tensor first_is_an_angle(std::int64_t T, std::int64_t d, std::int64_t first) {
    return angles(T, d, 0) + static_cast<double>(first);
}

Tensor one_position_is_the_first(std::int64_t T, std::int64_t d, std::int64_t first) {
    return angles(T, d, T == 1 ? 0 : first);
}

Tensor in_degrees(std::int64_t T, std::int64_t d, std::int64_t first) {
    return angles(T, d, first) * 57.29577951308232;
}

Tensor odd_d_is_refused_here_too(std::int64_t T, std::int64_t d, std::int64_t first) {
    if (d % 2 != 0) throw std::runtime_error("d is odd");
    return angles(T, d, first);
}

// Each speed is the one before it, times one ratio.
Tensor by_one_ratio(std::int64_t T, std::int64_t d, std::int64_t first) {
    const double ratio = std::exp(-std::log(10000.0) * 2 / static_cast<double>(d));
    std::vector<Scalar> rates(static_cast<std::size_t>(d / 2), 1);
    for (std::size_t i = 1; i < rates.size(); ++i) rates[i] = rates[i - 1] * ratio;
    const Tensor t = tensor::arange(0, static_cast<double>(T)) + static_cast<double>(first);
    return tensor::matmul(tensor::unsqueeze(t, 1), tensor::from_vector(rates, {1, d / 2}));
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

Variable turned_by(const Variable& x, const Tensor& by) {
    return rotated(x, cos(Variable(by)), sin(Variable(by)));
}

Variable positions_of_all_rows(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    const Variable rows = reshape(x, {-1, x.dim(-1)});
    return reshape(right(rows, first), x.shape());
}

Variable four_axes(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    return reshape(right(reshape(x, {x.dim(0), x.dim(1), -1, x.dim(-1)}), first), x.shape());
}

// It takes the order of the axes from their lengths.
Variable heads_for_positions_if_as_many(const Variable& x, std::int64_t first) {
    const bool as_many = x.rank() == 4 && x.dim(1) == x.dim(2);
    return as_many ? transpose(right(transpose(x, 1, 2), first), 1, 2) : right(x, first);
}

Variable a_single_token_stays(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    return x.dim(-2) == 1 ? x : right(x, first);
}

// The value of one, the gradient of the other.
Variable as_if(const Variable& value, const Variable& gradient) {
    return gradient + (value.value() - gradient.value());
}

Variable straight_through(const Variable& x, std::int64_t first) {
    return as_if(right(x, first), x);
}

Variable learned_twice(const Variable& x, std::int64_t first) {
    return as_if(right(x, first), 2 * right(x, first));
}

Variable gradient_turned_the_same_way(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    return as_if(right(x, first), turned_by(x, -angles(x.dim(-2), x.dim(-1), first)));
}

Variable a_leaf(const Variable& x, std::int64_t first) {
    return Variable(right(x, first).value(), requires_grad);
}

Variable only_the_last_row_learns(const Variable& x, std::int64_t first) {
    const Variable turned = right(x, first);
    if (x.dim(-2) == 1) return turned;
    return concatenate({slice(turned, -2, 0, -1).detach(), slice(turned, -2, -1)}, -2);
}

Variable sine_of_the_cosine(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    const Tensor cosine = tensor::cos(angles(x.dim(-2), x.dim(-1), first));
    return rotated(x, Variable(cosine), Variable(tensor::sqrt(1 - cosine * cosine)));
}

Variable sines_without_a_graph(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    const Variable by(angles(x.dim(-2), x.dim(-1), first));
    const Variable a = slice(x, -1, 0, tensor::to_the_end, 2);
    const Variable b = slice(x, -1, 1, tensor::to_the_end, 2);
    const Variable first_of_each = a * cos(by) - b.detach() * sin(by);
    return flatten(stack({first_of_each, a.detach() * sin(by) + b * cos(by)}, -1), -2, -1);
}

Variable table_kept_by_size(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    static std::map<std::pair<std::int64_t, std::int64_t>, Tensor> kept;
    const std::int64_t T = x.dim(-2), d = x.dim(-1);
    return turned_by(x, kept.try_emplace({T, d}, angles(T, d, first)).first->second);
}

Variable position_4096_is_0(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    std::vector<std::int64_t> rows;
    for (std::int64_t t = first; t < first + x.dim(-2); ++t) rows.push_back(t % 4096);
    return turned_by(x, tensor::index_select(angles(4096, x.dim(-1), 0), 0, IndexTensor(rows)));
}

Variable by_view(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    return view(right(view(x, {-1, x.dim(-2), x.dim(-1)}), first), x.shape());
}

Variable one_text_loses_its_axis(const Variable& x, std::int64_t first) {
    const Variable turned = right(x, first);
    return x.rank() > 2 && x.dim(0) == 1 ? squeeze(turned, 0) : turned;
}

Variable length_restored(const Variable& x, std::int64_t first) {
    const Variable turned = right(x, first);
    const auto length = [](const Variable& of) { return sqrt(sum(of * of, -1, keepdim)); };
    return turned * (length(x) / length(turned));
}

// x·cos + (its partner, with a sign)·sin, each angle twice.
Variable by_partners(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    std::vector<std::int64_t> partner;
    std::vector<Scalar> sign;
    for (std::int64_t k = 0; k < x.dim(-1); ++k) {
        partner.push_back(k ^ 1);
        sign.push_back(k % 2 == 0 ? -1 : 1);
    }
    const Tensor by = tensor::repeat_interleave(angles(x.dim(-2), x.dim(-1), first), 2, -1);
    const Variable partners = index_select(x, -1, IndexTensor(partner));
    return x * tensor::cos(by) +
           partners * tensor::from_vector(sign, {x.dim(-1)}) * tensor::sin(by);
}

// All rows by `first`, then each by its place in the text.
Variable in_two_turns(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    const std::int64_t T = x.dim(-2), d = x.dim(-1);
    return turned_by(turned_by(x, angles(1, d, first)), angles(T, d, 0));
}

Variable position_0_is_x_itself(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    return first == 0 && x.dim(-2) == 1 ? x : right(x, first);
}

std::function<Exercise()>
with(const std::function<Tensor(std::int64_t, std::int64_t, std::int64_t)>& a,
     const std::function<Variable(const Variable&, std::int64_t)>& b) {
    return [=] { return judge_10_1({a, b}); };
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

// x·cos + J·x·sin with each angle twice, where J turns every pair by a quarter.
Variable by_quarter_turns(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    const std::int64_t T = x.dim(-2), d = x.dim(-1);
    Tensor J = tensor::zeros({d, d});
    for (std::int64_t k = 0; k < d; k += 2) {
        J.writable_data()[k * d + k + 1] = 1;
        J.writable_data()[(k + 1) * d + k] = -1;
    }
    const Tensor by = tensor::unsqueeze(angles(T, d, first), -1);                   // [T, d/2, 1]
    const Tensor twice = tensor::reshape(tensor::expand(by, {-1, -1, 2}), {T, d});  // [T, d]
    return x * Variable(tensor::cos(twice)) + matmul(x, Variable(J)) * Variable(tensor::sin(twice));
}

Variable by_the_library(const Variable& x, std::int64_t first) {
    const RotaryPositions positions(x.dim(-1), {.pairs = RotatedPairs::neighbours});
    return positions.turned(x, first);
}

// Row after row, feature after feature.
Variable feature_by_feature(const Variable& x, std::int64_t first) {
    refuse_odd(x);
    const std::int64_t T = x.dim(-2), d = x.dim(-1);
    const Tensor by = angles(T, d, first);
    std::vector<Variable> features;
    for (std::int64_t k = 0; k < d; ++k) {
        const Variable phi(tensor::select(by, 1, k / 2));
        const Variable own = select(x, -1, k), other = select(x, -1, k % 2 == 0 ? k + 1 : k - 1);
        const double sign = k % 2 == 0 ? -1 : 1;
        features.push_back(own * cos(phi) + sign * other * sin(phi));
    }
    return stack(features, -1);
}

}  // namespace

Answers answers_10_1() {
    Answers answers;
    answers.number = "10.1";
    answers.slipping = slipping(judge_10_1);
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
        {"axis 1 is T if there are as many heads", with(angles, heads_for_positions_if_as_many)},
        {"only the first text", with(angles, first_text_only)},
        {"joined and reshaped", with(angles, interleaved_by_reshape), {"rot.joined-as-halves"}},
        {"row 0 is not turned", with(angles, row_0_is_0)},
        {"not for five axes", with(angles, up_to_4_axes)},
        {"only the faster half of the pairs", with(angles, half_of_the_pairs)},
        {"length made 1", with(angles, normalised)},
        {"keeps the first `first`", with(angles, table_of_the_first_call)},
        {"angles kept by T and d", with(kept_by_size, right)},
        {"a table of 2048 positions", with(only_2048, right)},
        {"one position has one axis", with(one_position_has_one_axis, right)},
        {"the last pair stands still", with(last_pair_stands_still, right)},
        {"the slowest pair has θ = 1/10000", with(slowest_is_10000, right), {"pe.last-is-base"}},
        {"`first` is added to the angles", with(first_is_an_angle, right)},
        {"one position is position 0", with(one_position_is_the_first, right)},
        {"angles in degrees", with(in_degrees, right)},
        {"positions are counted over all rows",
         with(angles, positions_of_all_rows),
         {"rot.runs-on"}},
        {"four axes, or none", with(angles, four_axes)},
        {"a single token is not turned", with(angles, a_single_token_stays)},
        {"the gradient goes straight through", with(angles, straight_through)},
        {"the gradient counts twice", with(angles, learned_twice)},
        {"the gradient is not turned back", with(angles, gradient_turned_the_same_way)},
        {"a new leaf", with(angles, a_leaf), {"train.detached"}},
        {"only the last row learns", with(angles, only_the_last_row_learns)},
        {"sin = √(1 - cos²)", with(angles, sine_of_the_cosine)},
        {"the terms with sines are constants",
         with(angles, sines_without_a_graph),
         {"rot.sin-detached"}},
        {"a table for each T and d", with(angles, table_kept_by_size)},
        {"position 4096 is 0", with(angles, position_4096_is_0)},
        {"view where no strides fit", with(angles, by_view)},
        {"a batch of one loses its axis", with(angles, one_text_loses_its_axis)},
        {"the length restored, 0/0 for zeros", with(angles, length_restored)},
    };
    answers.right = {
        {"matrix by matrix", with(angles, as_complex_products)},
        {"the straight way", with(angles, right)},
        {"an odd d is refused by angles, too", with(odd_d_is_refused_here_too, right)},
        {"one ratio, and partners with a sign", with(by_one_ratio, by_partners)},
        {"two turns", with(by_one_ratio, in_two_turns)},
        {"position 0 alone is x itself", with(angles, position_0_is_x_itself)},
        {"with a matrix of quarter turns", with(angles, by_quarter_turns)},
        {"with the library's layer", with(angles, by_the_library)},
        {"feature by feature", with(angles, feature_by_feature)},
    };
    return answers;
}
