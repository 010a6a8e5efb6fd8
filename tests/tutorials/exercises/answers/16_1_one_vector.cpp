// Answers to 16.1, written from its file alone.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_16.h"

#include "nn/heed.h"

#include <cmath>
#include <stdexcept>

using namespace heed;
using namespace exercise;

namespace {
[[noreturn]] void refuse() { throw std::invalid_argument("padding alone"); }

// 1 for a token, 0 for padding: [B, T].
Tensor real_of(const Mask& mask) {
    const Tensor real =
        tensor::to_tensor(tensor::reshape(mask.allowed(), {mask.shape()[0], mask.shape()[3]}));
    if ((tensor::sum(real, -1) == 0).any()) refuse();
    return real;
}

Variable right_first(const Variable& x, const Mask& mask) {
    const IndexTensor first = tensor::argmax(real_of(mask), -1);
    std::vector<Variable> rows;
    for (std::int64_t b = 0; b < x.dim(0); ++b) {
        rows.push_back(select(select(x, 0, b), 0, first(b)));
    }
    return stack(rows);
}

Variable right_mean(const Variable& x, const Mask& mask) {
    const Tensor real = real_of(mask);
    const Variable tokens = where(tensor::unsqueeze(real, -1) == 1, x, 0);
    return sum(tokens, 1) / tensor::sum(real, -1, keepdim);
}

Variable row_0(const Variable& x, const Mask& mask) {
    real_of(mask);
    return select(x, 1, 0);
}

Variable by_one_hot_product(const Variable& x, const Mask& mask) {
    const Tensor first = tensor::one_hot(tensor::argmax(real_of(mask), -1), x.dim(1));
    return squeeze(matmul(Variable(tensor::unsqueeze(first, 1)), x), 1);
}

// NaN in another token is still NaN times 0.
Variable one_hot_times_tokens(const Variable& x, const Mask& mask) {
    const Tensor first = tensor::one_hot(tensor::argmax(real_of(mask), -1), x.dim(1));
    const Variable tokens = where(tensor::unsqueeze(real_of(mask), -1) == 1, x, 0);
    return squeeze(matmul(Variable(tensor::unsqueeze(first, 1)), tokens), 1);
}

Variable by_a_sum(const Variable& x, const Mask& mask) {
    const Tensor first = tensor::one_hot(tensor::argmax(real_of(mask), -1), x.dim(1));
    return sum(where(tensor::unsqueeze(first, -1) == 1, x, 0), 1);
}

Variable without_nan(const Variable& x, const Mask& mask) {
    return right_first(where(tensor::is_nan(x.value()), 0, x), mask);
}

Variable after_the_padding(const Variable& x, const Mask& mask) {
    const Tensor real = real_of(mask);
    std::vector<Variable> rows;
    for (std::int64_t b = 0; b < x.dim(0); ++b) {
        const double tokens = tensor::sum(tensor::select(real, 0, b)).item();
        const std::int64_t padding = x.dim(1) - static_cast<std::int64_t>(tokens);
        rows.push_back(select(select(x, 0, b), 0, real(b, 0) == 1 ? 0 : padding));
    }
    return stack(rows);
}

Variable row_0_where_it_is_real(const Variable& x, const Mask& mask) {
    const Tensor real = real_of(mask);
    std::vector<Variable> rows;
    for (std::int64_t b = 0; b < x.dim(0); ++b) {
        const std::int64_t count =
            static_cast<std::int64_t>(tensor::sum(tensor::select(real, 0, b)).item());
        const std::int64_t at = real(b, 0) == 1 ? 0 : x.dim(1) - count;
        rows.push_back(select(select(x, 0, b), 0, at));
    }
    return stack(rows);
}

Variable first_nonzero_row(const Variable& x, const Mask& mask) {
    real_of(mask);
    std::vector<Variable> rows;
    for (std::int64_t b = 0; b < x.dim(0); ++b) {
        std::int64_t t = 0;
        const Tensor text = tensor::select(x.value(), 0, b);
        while (t + 1 < x.dim(1) && (tensor::select(text, 0, t) == 0).all()) ++t;
        rows.push_back(select(select(x, 0, b), 0, t));
    }
    return stack(rows);
}

Variable of_the_first_text(const Variable& x, const Mask& mask) {
    return select(x, 1, tensor::argmax(real_of(mask), -1)(0));
}

Variable padding_alone_is_row_0(const Variable& x, const Mask& mask) {
    std::vector<Variable> rows;
    for (std::int64_t b = 0; b < x.dim(0); ++b) {
        std::int64_t t = 0;
        while (t < x.dim(1) && !mask.allows({b, 0, 0, t})) ++t;
        rows.push_back(select(select(x, 0, b), 0, t < x.dim(1) ? t : 0));
    }
    return stack(rows);
}

Variable times_the_mask(const Variable& x, const Mask& mask) {
    const Tensor real = real_of(mask);
    return sum(x * tensor::unsqueeze(real, -1), 1) / tensor::sum(real, -1, keepdim);
}

Variable mean_over_all(const Variable& x, const Mask& mask) {
    real_of(mask);
    return mean(x, 1);
}

Variable divided_by_T(const Variable& x, const Mask& mask) {
    return mean(where(tensor::unsqueeze(real_of(mask), -1) == 1, x, 0), 1);
}

Variable first_rows(const Variable& x, const Mask& mask) {
    const Tensor count = tensor::sum(real_of(mask), -1);
    std::vector<Variable> means;
    for (std::int64_t b = 0; b < x.dim(0); ++b) {
        means.push_back(mean(slice(select(x, 0, b), 0, 0, static_cast<std::int64_t>(count(b))), 0));
    }
    return stack(means);
}

Variable from_first_to_last(const Variable& x, const Mask& mask) {
    real_of(mask);
    std::vector<Variable> means;
    for (std::int64_t b = 0; b < x.dim(0); ++b) {
        std::int64_t first = 0, last = x.dim(1) - 1;
        while (!mask.allows({b, 0, 0, first})) ++first;
        while (!mask.allows({b, 0, 0, last})) --last;
        means.push_back(mean(slice(select(x, 0, b), 0, first, last + 1), 0));
    }
    return stack(means);
}

Variable nearly_0_weights(const Variable& x, const Mask& mask) {
    const Tensor real = real_of(mask);
    const Tensor scores = tensor::where(real == 1, tensor::zeros({1}), tensor::full({1}, -20));
    const Variable weights(tensor::unsqueeze(tensor::softmax(scores, -1), 1));  // [B, 1, T]
    return squeeze(matmul(weights, where(tensor::is_finite(x.value()), x, 0)), 1);
}

Variable nan_replaced(const Variable& x, const Mask& mask) {
    const Tensor real = tensor::unsqueeze(real_of(mask), -1);
    const Variable finite = where(tensor::is_nan(x.value()), 0, x);
    return sum(finite * real, 1) / tensor::sum(real, 1);
}

Variable shortest_count(const Variable& x, const Mask& mask) {
    const Tensor real = real_of(mask);
    const Variable tokens = where(tensor::unsqueeze(real, -1) == 1, x, 0);
    return sum(tokens, 1) / tensor::max(tensor::sum(real, -1));
}

Variable padding_written_over(const Variable& x, const Mask& mask) {
    const Tensor real = real_of(mask);
    Tensor numbers = x.value();
    tensor::overwrite(numbers,
                      tensor::where(tensor::unsqueeze(real, -1) == 1, numbers, tensor::zeros({1})));
    return sum(x, 1) / tensor::sum(real, -1, keepdim);
}

Variable half_a_gradient(const Variable& x, const Mask& mask) {
    const Variable mean = right_mean(x, mask);
    return mean.detach() + (right_first(x, mask) - right_first(x, mask).detach());
}

Variable at_least_two(const Variable& x, const Mask& mask) {
    const Tensor real = real_of(mask);
    const Variable tokens = where(tensor::unsqueeze(real, -1) == 1, x, 0);
    return sum(tokens, 1) / tensor::maximum(tensor::sum(real, -1, keepdim), 2);
}

Variable a_little_more_than_the_count(const Variable& x, const Mask& mask) {
    const Tensor real = real_of(mask);
    const Variable tokens = where(tensor::unsqueeze(real, -1) == 1, x, 0);
    return sum(tokens, 1) / (tensor::sum(real, -1, keepdim) + 1e-9);
}

Variable zero_for_padding_alone(const Variable& x, const Mask& mask) {
    const Tensor real = tensor::to_tensor(mask.allowed().reshape({x.dim(0), x.dim(1), 1}));
    return sum(where(real == 1, x, 0), 1) / tensor::maximum(tensor::sum(real, 1), 1);
}

Variable count_kept_from_before(const Variable& x, const Mask& mask) {
    static Tensor count;
    const Tensor real = real_of(mask);
    if (!(count.shape() == Shape({x.dim(0), 1}))) count = tensor::sum(real, -1, keepdim);
    return sum(where(tensor::unsqueeze(real, -1) == 1, x, 0), 1) / count;
}

Variable rounded_down(const Variable& x, const Mask& mask) {
    const Variable mean = right_mean(x, mask);
    std::vector<Scalar> rounded;
    for (const Scalar number : mean.value().to_vector()) {
        rounded.push_back(std::floor(number * 100) / 100);
    }
    return mean + (tensor::from_vector(rounded, mean.shape()) - mean.value());
}

Variable with_a_loop(const Variable& x, const Mask& mask) {
    const Tensor real = real_of(mask);
    std::vector<Variable> means;
    for (std::int64_t b = 0; b < x.dim(0); ++b) {
        Variable total(tensor::zeros({x.dim(2)}));
        double count = 0;
        for (std::int64_t t = x.dim(1) - 1; t >= 0; --t) {
            if (real(b, t) == 0) continue;
            total = total + select(select(x, 0, b), 0, t);
            ++count;
        }
        means.push_back(total / count);
    }
    return stack(means);
}

Variable by_gather(const Variable& x, const Mask& mask) {
    const IndexTensor first = tensor::argmax(real_of(mask), -1);
    std::vector<std::int64_t> index;
    for (std::int64_t b = 0; b < x.dim(0); ++b) index.insert(index.end(), x.dim(2), first(b));
    return squeeze(gather(x, 1, IndexTensor(index, {x.dim(0), 1, x.dim(2)})), 1);
}

using Rows = std::vector<std::vector<std::int64_t>>;

// The places of the tokens of each text.
Rows places(const Mask& mask) {
    Rows rows;
    for (std::int64_t b = 0; b < mask.shape()[0]; ++b) {
        rows.emplace_back();
        for (std::int64_t t = 0; t < mask.T_k(); ++t) {
            if (mask.allows(Dims{b, 0, 0, t})) rows.back().push_back(t);
        }
    }
    return rows;
}

void refuse_empty(const Mask& mask) {
    for (const auto& row : places(mask)) {
        if (row.empty()) throw std::invalid_argument("a text without tokens");
    }
}

BoolTensor padding(const Mask& mask) {  // [B, T, 1]
    return mask.blocked().reshape({mask.shape()[0], mask.T_k(), 1});
}

Tensor counts(const Mask& mask) {  // [B, 1]
    return tensor::reshape(tensor::sum(tensor::to_tensor(mask.allowed()), {3}), {-1, 1});
}

Variable token(const Variable& x, std::int64_t b, std::int64_t t) {
    return select(select(x, 0, b), 0, t);
}

Variable each_text(const Mask& mask,
                   const std::function<Variable(std::int64_t, const Rows::value_type&)>& f) {
    std::vector<Variable> rows;
    const Rows all = places(mask);
    for (std::size_t b = 0; b < all.size(); ++b) {
        rows.push_back(f(static_cast<std::int64_t>(b), all[b]));
    }
    return stack(rows);
}

Variable throws_if_cls_is_padding(const Variable& x, const Mask& mask) {
    for (const auto& row : places(mask)) {
        if (row.empty() || row.front() != 0) throw std::invalid_argument("no [CLS]");
    }
    return select(x, 1, 0);
}

Variable throws_if_all_are_empty(const Variable& x, const Mask& mask) {
    if (!mask.allowed().any()) throw std::invalid_argument("no tokens");
    return padding_alone_is_row_0(x, mask);
}

Variable out_of_range(const Variable& x, const Mask& mask) {
    return each_text(mask, [&](auto b, auto& row) { return token(x, b, row.at(0)); });
}

Variable squeezed(const Variable& x, const Mask& mask) { return squeeze(right_first(x, mask)); }

Variable first_text_learns(const Variable& x, const Mask& mask) {
    refuse_empty(mask);
    return each_text(mask, [&](auto b, auto& row) {
        const Variable found = token(x, b, row.front());
        return b == 0 ? found : found.detach();
    });
}

Variable gradient_twice(const Variable& x, const Mask& mask) {
    const Variable found = right_first(x, mask);
    return 2 * found - found.detach();
}

Variable only_finite_tokens(const Variable& x, const Mask& mask) {  // padding is told by NaN, too
    refuse_empty(mask);
    return each_text(mask, [&](auto b, auto& row) {
        for (const std::int64_t t : row) {
            if (tensor::is_finite(token(x, b, t).value()).all()) return token(x, b, t);
        }
        return token(x, b, row.front());
    });
}

Variable starts_where_padding_ends(const Variable& x,
                                   const Mask& mask) {  // the token after the last padding
    refuse_empty(mask);
    return each_text(mask, [&](auto b, auto& row) {
        std::size_t i = row.size() - 1;
        if (row.back() != x.dim(1) - 1) return token(x, b, row.front());
        while (i > 0 && row[i - 1] == row[i] - 1) --i;
        return token(x, b, row[i]);
    });
}

Variable rows_of_the_flat_mask(const Variable& x, const Mask& mask) {  // T and B exchanged
    refuse_empty(mask);
    const BoolTensor table = mask.allowed().reshape({x.dim(1), x.dim(0)});
    return each_text(mask, [&](auto b, auto&) {
        std::int64_t t = 0;
        while (t < x.dim(1) - 1 && !table(t, b)) ++t;
        return token(x, b, t);
    });
}

Variable through_softmax(const Variable& x,
                         const Mask& mask) {  // soft: weights of e^-1 beside that of the first
    refuse_empty(mask);
    const Tensor late = tensor::reshape(tensor::arange(static_cast<double>(x.dim(1))), {1, -1});
    const Tensor scores =
        tensor::masked_fill(tensor::zeros({x.dim(0), 1}) - 20 * late,
                            mask.blocked().reshape({x.dim(0), x.dim(1)}), -infinity);
    const Tensor weights = tensor::unsqueeze(tensor::softmax(scores, 1), 2);
    return sum(masked_fill(x, padding(mask), 0) * Variable(weights), {1});
}

Variable mean_times_share(const Variable& x, const Mask& mask) {  // one token: x / T · T
    refuse_empty(mask);
    return mean(masked_fill(x, padding(mask), 0), {1}) *
           Variable(static_cast<double>(x.dim(1)) / counts(mask));
}

Variable what_is_not_finite_to_0(const Variable& x, const Mask& mask) {  // of the tokens, too
    refuse_empty(mask);
    const Tensor m = tensor::reshape(tensor::to_tensor(mask.allowed()), {x.dim(0), 1, -1});
    const Tensor weights = m / tensor::unsqueeze(counts(mask), 2);
    return squeeze(matmul(Variable(weights), masked_fill(x, !tensor::is_finite(x.value()), 0)), 1);
}

Variable without_cls(const Variable& x, const Mask& mask) {
    refuse_empty(mask);
    return each_text(mask, [&](auto b, auto& row) {
        Variable total = token(x, b, row.size() > 1 ? row[1] : row[0]);
        for (std::size_t i = 2; i < row.size(); ++i) total = total + token(x, b, row[i]);
        return total / std::max(1.0, static_cast<double>(row.size()) - 1);
    });
}

Variable halves(const Variable& x,
                const Mask& mask) {  // running: the mean of the mean so far and the next
    refuse_empty(mask);
    return each_text(mask, [&](auto b, auto& row) {
        Variable so_far = token(x, b, row[0]);
        for (std::size_t i = 1; i < row.size(); ++i) so_far = (so_far + token(x, b, row[i])) / 2;
        return so_far;
    });
}

Variable all_minus_padding(const Variable& x, const Mask& mask) {
    refuse_empty(mask);
    const Variable rest = sum(masked_fill(x, !padding(mask), 0), {1});
    return (sum(x, {1}) - rest) / Variable(counts(mask));
}

Variable counted_by_the_numbers(const Variable& x,
                                const Mask& mask) {  // a token of zeros is taken for padding
    refuse_empty(mask);
    const Variable zeroed = masked_fill(x, padding(mask), 0);
    const Tensor size = tensor::sum(tensor::abs(zeroed.value()), {2});
    const Tensor n = tensor::sum(tensor::to_tensor(size > 0.0), {1}, keepdim);
    return sum(zeroed, {1}) / Variable(tensor::maximum(n, 1.0));
}

Variable domain_error(const Variable& x, const Mask& mask) {
    for (const auto& row : places(mask)) {
        if (row.empty()) throw std::domain_error("a text without tokens");
    }
    return right_mean(x, mask);
}

Variable only_first_text_checked(const Variable& x, const Mask& mask) {
    if (places(mask)[0].empty()) throw std::invalid_argument("a text without tokens");
    return zero_for_padding_alone(x, mask);
}

Variable padding_gets_gradient(const Variable& x,
                               const Mask& mask) {  // right numbers where padding is finite
    refuse_empty(mask);
    const Variable found = right_mean(x, mask);
    const Variable all = mean(x, {1});
    if (!tensor::is_finite(all.value()).all()) return found;
    return found + (all - all.detach());
}

Variable squeezed_mean(const Variable& x, const Mask& mask) {  // a batch of one loses its axis
    return reshape(squeeze(unsqueeze(right_mean(x, mask), 1)),
                   x.dim(0) == 1 ? Dims{x.dim(2)} : Dims{x.dim(0), x.dim(2)});
}

Variable by_a_hard_softmax(const Variable& x, const Mask& mask) {
    refuse_empty(mask);
    const Tensor late = tensor::reshape(tensor::arange(static_cast<double>(x.dim(1))), {1, -1});
    const Tensor scores =
        tensor::masked_fill(tensor::zeros({x.dim(0), 1}) - 1e5 * late,
                            mask.blocked().reshape({x.dim(0), x.dim(1)}), -infinity);
    const Tensor weights = tensor::unsqueeze(tensor::softmax(scores, 1), 2);
    return sum(masked_fill(x, padding(mask), 0) * Variable(weights), {1});
}

Variable by_one_index(const Variable& x, const Mask& mask) {
    std::vector<std::int64_t> rows;
    std::int64_t b = 0;
    for (const auto& row : places(mask)) {
        if (row.empty()) throw ShapeError("a text without tokens");
        rows.push_back(b++ * x.dim(1) + row.front());
    }
    return index_select(flatten(x, 0, 1), 0, IndexTensor(rows));
}

Variable running_mean(const Variable& x, const Mask& mask) {
    refuse_empty(mask);
    return each_text(mask, [&](auto b, auto& row) {
        Variable so_far = token(x, b, row[0]);
        for (std::size_t i = 1; i < row.size(); ++i) {
            so_far = so_far + (token(x, b, row[i]) - so_far) / static_cast<double>(i + 1);
        }
        return so_far;
    });
}

Variable by_cumulated_sums(const Variable& x, const Mask& mask) {
    refuse_empty(mask);
    const Variable sums = cumsum(masked_fill(x, padding(mask), 0), 1);
    return select(sums, 1, -1) / Variable(counts(mask));
}

Answer wrong_first(const std::string& what, const Pooling& pool,
                   const std::vector<std::string>& names = {}) {
    return {what, [=] { return judge_16_1({pool, right_mean}); }, names};
}

Answer wrong_mean(const std::string& what, const Pooling& pool,
                  const std::vector<std::string>& names = {}) {
    return {what, [=] { return judge_16_1({right_first, pool}); }, names};
}

// Text by text, from slices.
Variable first_slices(const Variable& x, const Mask& mask) {
    refuse_empty(mask);
    return each_text(mask, [&](auto b, auto& row) { return token(x, b, row.front()); });
}

Variable means_of_slices(const Variable& x, const Mask& mask) {
    refuse_empty(mask);
    return each_text(mask, [&](auto b, auto& row) {
        std::vector<Variable> tokens;
        for (const std::int64_t t : row) tokens.push_back(token(x, b, t));
        return mean(stack(tokens), 0);
    });
}

// A product with a row of weights for each text, after all that is not read has become 0.
Variable weighted(const Variable& x, const Tensor& weights) {
    const Variable tokens = where(tensor::unsqueeze(weights, -1) > 0, x, 0);
    return squeeze(matmul(Variable(tensor::unsqueeze(weights, 1)), tokens), 1);
}

Tensor equal_weights(const Mask& mask) {  // [B, T]
    refuse_empty(mask);
    const BoolTensor blocked = mask.blocked().reshape({mask.shape()[0], mask.T_k()});
    return tensor::softmax(tensor::masked_fill(tensor::zeros(blocked.shape()), blocked, -infinity),
                           -1);
}

Variable mean_by_weights(const Variable& x, const Mask& mask) {
    return weighted(x, equal_weights(mask));
}

Variable first_by_weights(const Variable& x, const Mask& mask) {
    return weighted(x, tensor::one_hot(tensor::argmax(equal_weights(mask), -1), x.dim(1)));
}

Answer right(const std::string& what, const Pooling& first, const Pooling& mean) {
    return {what, [=] { return judge_16_1({first, mean}); }};
}

}  // namespace

Answers answers_16_1() {
    Answers answers;
    answers.number = "16.1";
    answers.slipping = slipping(judge_16_1);
    answers.wrong = {
        wrong_first("row 0, as note 002 has it", row_0, {"pool.row-0"}),
        wrong_first("a product with one-hot rows, and padding of NaN", by_one_hot_product),
        wrong_first("padding in front is counted, so none may be at the end",
                    row_0_where_it_is_real),
        wrong_first("padding is known by its zeros", first_nonzero_row),
        wrong_first("the place in text 0 for all texts", of_the_first_text,
                    {"pool.place-of-text-0"}),
        wrong_first("a text of padding alone has its row 0", padding_alone_is_row_0),
        wrong_mean("padding times 0", times_the_mask, {"pool.times-0"}),
        wrong_mean("the mean over all T", mean_over_all, {"pool.all"}),
        wrong_mean("zeros for padding, divided by T", divided_by_T, {"pool.by-T"}),
        wrong_mean("as many rows as tokens, from the first on", first_rows,
                   {"pool.tokens-in-front"}),
        wrong_mean("all from the first token to the last", from_first_to_last),
        wrong_mean("weights of e^-20 for padding", nearly_0_weights),
        wrong_mean("only NaN is replaced, infinity is not", nan_replaced),
        wrong_mean("divided by the length of the longest text", shortest_count),
        wrong_mean("zeros are written into x", padding_written_over),
        wrong_mean("the gradient is that of the first token", half_a_gradient),
        wrong_mean("divided by 2 at least", at_least_two),
        wrong_mean("1e-9 more than the count", a_little_more_than_the_count),
        wrong_mean("zeros for a text of padding alone", zero_for_padding_alone),
        wrong_mean("the counts of the first batch of that size", count_kept_from_before),
        wrong_mean("rounded down to two decimals", rounded_down),
        wrong_first("[CLS] must stand at place 0", throws_if_cls_is_padding),
        wrong_first("throws if all texts are padding", throws_if_all_are_empty),
        wrong_first("out_of_range", out_of_range),
        wrong_first("squeezed", squeezed),
        wrong_first("only the first text learns", first_text_learns),
        wrong_first("the gradient twice", gradient_twice),
        wrong_first("the first token of finite numbers", only_finite_tokens),
        wrong_first("what follows the last padding", starts_where_padding_ends),
        wrong_first("the mask's axes exchanged", rows_of_the_flat_mask),
        wrong_first("weights of e^-20 for later tokens", through_softmax),
        wrong_first("a softmax with steps of 1e5, and other tokens times 0", by_a_hard_softmax),
        wrong_first("one-hot rows times the tokens", one_hot_times_tokens),
        wrong_first("NaN becomes 0", without_nan),
        wrong_first("after as many places as there is padding", after_the_padding),
        wrong_mean("the mean over T, times T/n", mean_times_share),
        wrong_mean("0 for what is not finite, in tokens, too", what_is_not_finite_to_0),
        wrong_mean("without [CLS]", without_cls),
        wrong_mean("half of what was, and half of the next", halves),
        wrong_mean("the sum of all less that of the padding", all_minus_padding),
        wrong_mean("a token of zeros is not counted", counted_by_the_numbers),
        wrong_mean("domain_error", domain_error),
        wrong_mean("only the first text is checked", only_first_text_checked),
        wrong_mean("padding gets a gradient", padding_gets_gradient),
        wrong_mean("a batch of one loses its axis", squeezed_mean),
    };
    answers.right = {
        right("token by token, from the last", right_first, with_a_loop),
        right("the first by gather", by_gather, right_mean),
        right("the first from a sum with 0 elsewhere, a running mean", by_a_sum, running_mean),
        right("one index and ShapeError, cumulated sums", by_one_index, by_cumulated_sums),
        right("text by text", first_slices, means_of_slices),
        right("with rows of weights", first_by_weights, mean_by_weights),
    };
    return answers;
}
