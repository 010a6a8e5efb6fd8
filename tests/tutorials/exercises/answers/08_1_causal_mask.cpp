// Answers to 08.1.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_08.h"

#include "nn/heed.h"

#include <algorithm>
#include <limits>

using namespace heed;
using namespace exercise;

namespace {
BoolTensor future(std::int64_t T) { return Mask::causal(T).blocked(); }  // [T, T]
BoolTensor future_of(const Variable& scores) { return future(scores.dim(-1)); }

Variable correct(const Variable& scores) {
    return masked_fill(scores, future_of(scores), -infinity);
}

Variable masks_the_diagonal_too(const Variable& scores) {
    const Tensor upper = tensor::triu(tensor::ones({scores.dim(-1), scores.dim(-1)}));
    return masked_fill(scores, upper == 1, -infinity);
}

Variable lets_the_next_word_be_seen(const Variable& scores) {
    const Tensor upper = tensor::triu(tensor::ones({scores.dim(-1), scores.dim(-1)}), 2);
    return masked_fill(scores, upper == 1, -infinity);
}

Variable masks_the_past(const Variable& scores) {
    const Tensor lower = tensor::tril(tensor::ones({scores.dim(-1), scores.dim(-1)}), -1);
    return masked_fill(scores, lower == 1, -infinity);
}

Variable lowest_number(const Variable& scores) {
    const double lowest = std::numeric_limits<Scalar>::lowest();
    return masked_fill(scores, future_of(scores), lowest);
}

Variable minus_a_billion(const Variable& scores) {
    return masked_fill(scores, future_of(scores), -1e9);
}

// A score of the past that is exactly 0 is masked, too.
Variable whatever_is_0_is_future(const Variable& scores) {
    const Variable lower = tril(scores);
    return masked_fill(lower, lower.value() == 0, -infinity);
}

// A future score gets a gradient; one that is +∞ becomes NaN.
Variable adds_a_mask(const Variable& scores) {
    const Tensor added = tensor::where(future_of(scores), -infinity, 0.0);
    return scores + added;
}

// A future score that is -∞ already, because of padding, becomes NaN: 0·∞.
Variable multiplies_and_adds(const Variable& scores) {
    const Tensor kept = tensor::tril(tensor::ones({scores.dim(-1), scores.dim(-1)}));
    return scores * kept + tensor::where(future_of(scores), -infinity, 0.0);
}

Variable without_a_gradient(const Variable& scores) {
    return Variable(tensor::masked_fill(scores.value(), future_of(scores), -infinity));
}

// The first row has one entry to keep; its gradient is lost.
Variable first_row_as_a_constant(const Variable& scores) {
    const Variable masked = correct(scores);
    const Variable first = slice(masked, -2, 0, 1).detach();
    return concatenate({first, slice(masked, -2, 1)}, -2);
}

Variable writes_into_the_input(const Variable& scores) {
    const Variable masked = correct(scores);
    Tensor place = scores.value();
    tensor::overwrite(place, masked.value());
    return masked;
}

// Wrong with two leading axes.
Variable length_from_axis_1(const Variable& scores) {
    return masked_fill(scores, future(scores.dim(1)), -infinity);
}

// [1, 1] with one text: nothing is masked.
Variable length_from_axis_0(const Variable& scores) {
    return masked_fill(scores, future(scores.dim(0)), -infinity);
}

// Future words from position 16 on are not masked.
Variable table_of_16_positions(const Variable& scores) {
    const std::int64_t T = scores.dim(-1);
    std::vector<bool> masked(static_cast<std::size_t>(T * T));
    for (std::int64_t i = 0; i < std::min<std::int64_t>(T, 16); ++i) {
        for (std::int64_t j = i + 1; j < std::min<std::int64_t>(T, 16); ++j) {
            masked[static_cast<std::size_t>(i * T + j)] = true;
        }
    }
    return masked_fill(scores, BoolTensor(masked, {T, T}), -infinity);
}

Variable first_text_only(const Variable& scores) {
    if (scores.rank() == 2) return correct(scores);
    return concatenate({correct(slice(scores, 0, 0, 1)), slice(scores, 0, 1)}, 0);
}

Variable first_head_only(const Variable& scores) {
    if (scores.rank() < 4) return correct(scores);
    return concatenate({correct(slice(scores, 1, 0, 1)), slice(scores, 1, 1)}, 1);
}

Variable merges_the_leading_axes(const Variable& scores) {
    const std::int64_t T = scores.dim(-1);
    if (scores.rank() <= 3) return correct(scores);
    return correct(reshape(scores, -1, T, T));
}

Variable keeps_its_first_mask(const Variable& scores) {
    static const BoolTensor first = future_of(scores);
    return masked_fill(scores, first, -infinity);
}

Variable drops_axes_of_length_1(const Variable& scores) {
    return scores.dim(-1) == 1 ? correct(scores) : correct(squeeze(scores));
}

// A score that is negative enough counts as masked.
Variable low_scores_are_masked(const Variable& scores) {
    const Variable masked = correct(scores);
    return masked_fill(masked, masked.value() < -1000, -infinity);
}

// An earlier mask is forgotten.
Variable finite_before(const Variable& scores) {
    return correct(masked_fill(scores, scores.value() == -infinity, 0));
}

Variable half_of_the_gradient(const Variable& scores) {
    return correct(0.5 * scores + 0.5 * scores.detach());
}

Variable two_leading_axes_at_most(const Variable& scores) {
    if (scores.rank() < 5) return correct(scores);
    return scores;
}

// Takes the first text's word for all.
Variable masked_if_its_corner_is(const Variable& scores) {
    const std::int64_t T = scores.dim(-1);
    const Tensor matrices = tensor::reshape(scores.value(), {-1, T, T});
    return T > 1 && matrices(0, 0, -1) == -infinity ? scores : correct(scores);
}

Variable blind_words_see_themselves(const Variable& scores) {
    const Variable masked = correct(scores);
    const BoolTensor blind = tensor::max(masked.value(), -1, keepdim) == -infinity;
    return masked_fill(masked, blind & (tensor::eye(scores.dim(-1)) == 1), 0);
}

Variable clipped_gradient(const Variable& scores) {
    Variable masked = correct(scores);
    if (masked.requires_grad()) {
        masked.register_hook([](const Variable& gradient) { return clamp(gradient, {-1, 1}); });
    }
    return masked;
}

// Right.

Variable row_by_row(const Variable& scores) {
    std::vector<Variable> rows;
    const std::int64_t T = scores.dim(-1);
    for (std::int64_t i = 0; i < T; ++i) {
        const Variable row = slice(scores, -2, i, i + 1);  // [..., 1, T]
        const BoolTensor later = tensor::arange(static_cast<double>(T)) > static_cast<double>(i);
        rows.push_back(masked_fill(row, later, -infinity));
    }
    return concatenate(rows, -2);
}

Variable lower_triangle_and_upper(const Variable& scores) {
    return tril(scores) + tensor::where(future_of(scores), -infinity, 0.0);
}

Variable by_comparing_positions(const Variable& scores) {
    const Tensor position = tensor::arange(static_cast<double>(scores.dim(-1)));  // [T]
    const BoolTensor seen = position <= tensor::unsqueeze(position, -1);          // [T, T]
    return where(seen, scores, -infinity);
}

Variable the_smaller_of_score_and_limit(const Variable& scores) {
    return minimum(scores, Variable(tensor::where(future_of(scores), -infinity, infinity)));
}

// A constant has no gradient to retain.
Variable retains_the_gradient(const Variable& scores) {
    Variable looked_at = scores;
    looked_at.retain_grad();
    return correct(looked_at);
}

// So that a score of 0 is not taken for a masked one; it is rounded on the way.
Variable far_from_0_and_back(const Variable& scores) {
    const Variable lower = tril(scores + 1e6);
    return masked_fill(lower, lower.value() == 0, -infinity) - 1e6;
}

// log and exp take the finite scores far below the largest to -∞.
Variable through_exponentials(const Variable& scores) {
    const Tensor largest = tensor::max(scores.value(), -1, keepdim);
    return log(tril(exp(scores - largest))) + largest;
}

Variable as_many_matrices_as_texts(const Variable& scores) {
    const std::int64_t T = scores.dim(-1), texts = scores.rank() > 2 ? scores.dim(0) : 1;
    std::vector<bool> blocked;
    for (std::int64_t n = 0; n < scores.numel(); ++n) {
        blocked.push_back(n / (T * T) < texts && n % T > n / T % T);
    }
    return masked_fill(scores, BoolTensor(blocked, scores.shape()), -infinity);
}

// A score that was -∞ before gets no gradient, and would get none from a softmax.
Variable with_the_earlier_mask(const Variable& scores) {
    const BoolTensor earlier = scores.value() == tensor::full({1}, -infinity);
    return masked_fill(scores, future_of(scores) | earlier, -infinity);
}

Answer answer(const char* what, const ApplyCausalMask& mask,
              const std::vector<std::string>& names = {}) {
    return {what, [mask] { return judge_08_1(mask); }, names};
}

Variable by_where(const Variable& scores) {
    const BoolTensor allowed = Mask::causal(scores.dim(-1)).allowed();
    return where(allowed, scores, Variable(tensor::of(-infinity)));
}

}  // namespace

Answers answers_08_1() {
    Answers answers;
    answers.number = "08.1";
    answers.slipping = slipping(judge_08_1);
    answers.wrong = {
        answer("the diagonal is masked too", masks_the_diagonal_too, {"mask.strict"}),
        answer("the next word may be seen", lets_the_next_word_be_seen, {"mask.plus1"}),
        answer("the past is masked", masks_the_past, {"mask.upper"}),
        answer("the lowest finite number", lowest_number),
        answer("-1e9", minus_a_billion, {"mask.fill-large"}),
        answer("every 0 of the lower triangle is masked", whatever_is_0_is_future,
               {"mask.zero-score"}),
        answer("the future is multiplied by 0 first", multiplies_and_adds),
        answer("a constant", without_a_gradient, {"train.detached"}),
        answer("the first row is a constant", first_row_as_a_constant),
        answer("the input changes", writes_into_the_input),
        answer("T is the length of axis 1", length_from_axis_1),
        answer("T is the length of axis 0", length_from_axis_0),
        answer("nothing is masked from position 16 on", table_of_16_positions),
        answer("only the first text is masked", first_text_only),
        answer("only the first head is masked", first_head_only),
        answer("two leading axes become one", merges_the_leading_axes),
        answer("the mask is that of the first call", keeps_its_first_mask),
        answer("axes of length 1 are dropped", drops_axes_of_length_1),
        answer("scores below -1000 are masked", low_scores_are_masked),
        answer("-∞ of an earlier mask becomes 0", finite_before),
        answer("half of the gradient", half_of_the_gradient),
        answer("three leading axes are too many", two_leading_axes_at_most),
        answer("-∞ in the corner is taken for a mask", masked_if_its_corner_is),
        answer("a word that may see nothing sees itself", blind_words_see_themselves),
        answer("the gradient is clipped to 1", clipped_gradient),
        answer("the gradient is retained, which a constant has not", retains_the_gradient),
        answer("a million is added and taken away", far_from_0_and_back),
        answer("log of the lower triangle of exp", through_exponentials),
        answer("as many matrices are masked as there are texts", as_many_matrices_as_texts),
    };
    answers.right = {
        answer("row by row", row_by_row),
        answer("a mask of 0 and -∞ added", adds_a_mask),
        answer("the lower triangle, and -∞ above it", lower_triangle_and_upper),
        answer("by comparing positions", by_comparing_positions),
        answer("what was -∞ is masked again", with_the_earlier_mask),
        answer("the smaller of score and limit", the_smaller_of_score_and_limit),
        answer("by where", by_where),
    };
    return answers;
}
