// Answers to 03.2.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_03.h"

#include "nn/heed.h"

#include <algorithm>
#include <map>

using namespace heed;
using namespace exercise;

namespace {
// Of each row the entry of its target: [n]
Tensor at_targets(const Tensor& x, const IndexTensor& targets) {
    return tensor::squeeze(tensor::gather(x, 1, targets.reshape({x.dim(0), 1})), 1);
}

Tensor right_losses(const Tensor& logits, const IndexTensor& targets) {
    return -at_targets(tensor::log_softmax(logits, -1), targets);  // [n]
}

Tensor right_loss(const Tensor& logits, const IndexTensor& targets) {
    return tensor::mean(right_losses(logits, targets));
}

double rows_of(const Tensor& logits) { return static_cast<double>(logits.dim(0)); }
double classes_of(const Tensor& logits) { return static_cast<double>(logits.dim(1)); }

Tensor errors(const Tensor& p, const IndexTensor& targets) {
    return p - tensor::one_hot(targets, p.dim(1));  // [n, V]
}

Tensor right_gradient(const Tensor& logits, const IndexTensor& targets) {
    return errors(tensor::softmax(logits, -1), targets) / rows_of(logits);
}

Tensor loss_is_a_sum(const Tensor& logits, const IndexTensor& targets) {
    return tensor::sum(right_losses(logits, targets));
}

Tensor divided_by_all_entries(const Tensor& logits, const IndexTensor& targets) {
    return right_loss(logits, targets) / classes_of(logits);
}

Tensor loss_of_shape_1(const Tensor& logits, const IndexTensor& targets) {
    return tensor::mean(right_losses(logits, targets), 0, keepdim);
}

Tensor log_of_softmax(const Tensor& logits, const IndexTensor& targets) {
    return -tensor::mean(tensor::log(at_targets(tensor::softmax(logits, -1), targets)));
}

Tensor log_of_a_little_more(const Tensor& logits, const IndexTensor& targets) {
    return -tensor::mean(tensor::log(at_targets(tensor::softmax(logits, -1), targets) + 1e-9));
}

Tensor log_of_the_mean(const Tensor& logits, const IndexTensor& targets) {
    return -tensor::log(tensor::mean(at_targets(tensor::softmax(logits, -1), targets)));
}

Tensor bounded_loss(const Tensor& logits, const IndexTensor& targets) {
    return tensor::mean(tensor::minimum(right_losses(logits, targets), 100));
}

Tensor bits(const Tensor& logits, const IndexTensor& targets) {
    return right_loss(logits, targets) / tensor::log(tensor::of(2));
}

Tensor others_counted_too(const Tensor& logits, const IndexTensor& targets) {
    const Tensor p = tensor::softmax(logits, -1);
    const Tensor of_others = tensor::log(tensor::maximum(1 - p, 1e-300));  // [n, V]
    return right_loss(logits, targets) -
           (tensor::sum(of_others) - tensor::sum(at_targets(of_others, targets))) / rows_of(logits);
}

// log Σ exp(z) with `shift` taken from z and given back, [n].
Tensor shifted_loss(const Tensor& logits, const IndexTensor& targets, const Tensor& shift) {
    const Tensor z = logits - shift;
    const Tensor log_sum = tensor::log(tensor::sum(tensor::exp(z), -1));
    return tensor::mean(log_sum - at_targets(z, targets));
}

Tensor not_shifted(const Tensor& logits, const IndexTensor& targets) {
    return shifted_loss(logits, targets, tensor::of(0));
}

Tensor one_maximum_for_all(const Tensor& logits, const IndexTensor& targets) {
    return shifted_loss(logits, targets, tensor::max(logits));
}

Tensor maximum_from_0(const Tensor& logits, const IndexTensor& targets) {
    const Tensor most = tensor::maximum(tensor::max(logits, -1, keepdim), 0);
    return shifted_loss(logits, targets, most);
}

Tensor shifted_by_the_mean(const Tensor& logits, const IndexTensor& targets) {
    return shifted_loss(logits, targets, tensor::mean(logits, -1, keepdim));
}

Tensor shifted_by_the_target(const Tensor& logits, const IndexTensor& targets) {
    return shifted_loss(logits, targets, tensor::unsqueeze(at_targets(logits, targets), 1));
}

// 1 for each row whose target is not 0, [n]
Tensor not_padding(const IndexTensor& targets) {
    std::vector<Scalar> kept;
    for (std::int64_t i = 0; i < targets.numel(); ++i) kept.push_back(targets(i) == 0 ? 0 : 1);
    return tensor::from_vector(kept, targets.shape());
}

Tensor loss_skips_class_0(const Tensor& logits, const IndexTensor& targets) {
    const Tensor kept = not_padding(targets);
    const Tensor count = tensor::maximum(tensor::sum(kept), 1);
    return tensor::sum(right_losses(logits, targets) * kept) / count;
}

Tensor gradient_skips_class_0(const Tensor& logits, const IndexTensor& targets) {
    return right_gradient(logits, targets) * tensor::unsqueeze(not_padding(targets), 1);
}

Tensor not_averaged(const Tensor& logits, const IndexTensor& targets) {
    return right_gradient(logits, targets) * rows_of(logits);
}

Tensor averaged_over_classes(const Tensor& logits, const IndexTensor& targets) {
    return not_averaged(logits, targets) / classes_of(logits);
}

Tensor other_sign(const Tensor& logits, const IndexTensor& targets) {
    return -right_gradient(logits, targets);
}

Tensor softmax_down_the_columns(const Tensor& logits, const IndexTensor& targets) {
    return errors(tensor::softmax(logits, 0), targets) / rows_of(logits);
}

Tensor one_from_the_likeliest(const Tensor& logits, const IndexTensor&) {
    return right_gradient(logits, tensor::argmax(logits, -1));
}

Tensor only_the_right_class(const Tensor& logits, const IndexTensor& targets) {
    return right_gradient(logits, targets) * tensor::one_hot(targets, logits.dim(1));
}

Tensor nothing_where_it_is_right(const Tensor& logits, const IndexTensor& targets) {
    const IndexTensor guess = tensor::argmax(logits, -1);
    std::vector<Scalar> wrong;
    for (std::int64_t i = 0; i < targets.numel(); ++i) wrong.push_back(guess(i) != targets(i));
    return right_gradient(logits, targets) * tensor::from_vector(wrong, {targets.numel(), 1});
}

// All targets in every row: a class loses its share of the targets.
Tensor targets_of_all_rows(const Tensor& logits, const IndexTensor& targets) {
    const Tensor counts = tensor::sum(tensor::one_hot(targets, logits.dim(1)), 0);
    return (tensor::softmax(logits, -1) - counts / rows_of(logits)) / rows_of(logits);
}

Tensor gradient_not_shifted(const Tensor& logits, const IndexTensor& targets) {
    const Tensor e = tensor::exp(logits);
    return errors(e / tensor::sum(e, -1, keepdim), targets) / rows_of(logits);
}

Tensor gradient_one_maximum(const Tensor& logits, const IndexTensor& targets) {
    const Tensor e = tensor::exp(logits - tensor::max(logits));
    return errors(e / tensor::sum(e, -1, keepdim), targets) / rows_of(logits);
}

Tensor gradient_with_eps(const Tensor& logits, const IndexTensor& targets) {
    const Tensor e = tensor::exp(logits - tensor::maximum(tensor::max(logits, -1, keepdim), 0));
    return errors(e / (tensor::sum(e, -1, keepdim) + 1e-12), targets) / rows_of(logits);
}

Tensor sixty_four_rows(const Tensor& logits, const IndexTensor& targets) {
    return tensor::mean(tensor::slice(right_losses(logits, targets), 0, 0, 64));
}

Tensor smoothed(const Tensor& logits, const IndexTensor& targets) {
    const Tensor all = -tensor::mean(tensor::log_softmax(logits, -1));
    return right_loss(logits, targets) * 0.99 + all * 0.01;
}

Tensor unbiased_mean(const Tensor& logits, const IndexTensor& targets) {
    const double n = std::max(rows_of(logits) - 1, 1.0);
    return tensor::sum(right_losses(logits, targets)) / n;
}

Tensor maximum_of_the_first_row(const Tensor& logits, const IndexTensor& targets) {
    return shifted_loss(logits, targets, tensor::max(tensor::select(logits, 0, 0)));
}

Tensor one_hot_of_the_first_call(const Tensor& logits, const IndexTensor& targets) {
    static std::vector<Tensor> known;
    for (const Tensor& hot : known) {
        if (hot.shape() == logits.shape()) {
            return (tensor::softmax(logits, -1) - hot) / rows_of(logits);
        }
    }
    known.push_back(tensor::one_hot(targets, logits.dim(1)));
    return right_gradient(logits, targets);
}

Tensor clipped_gradient(const Tensor& logits, const IndexTensor& targets) {
    return tensor::maximum(tensor::minimum(right_gradient(logits, targets), 0.3), -0.3);
}

Tensor shifted_in_place(const Tensor& logits, const IndexTensor& targets) {
    Tensor shifted = logits;
    tensor::overwrite(shifted, logits - tensor::max(logits, -1, keepdim));
    return right_loss(shifted, targets);
}

Tensor gradient_in_place(const Tensor& logits, const IndexTensor& targets) {
    Tensor result = logits;
    tensor::overwrite(result, right_gradient(logits, targets));
    return result;
}

// log Σ exp(z) = m + log Σ exp(z - m), with the maximum m of the row.
Tensor loss_row_by_row(const Tensor& logits, const IndexTensor& targets) {
    double total = 0;
    for (std::int64_t i = 0; i < logits.dim(0); ++i) {
        const Tensor z = tensor::select(logits, 0, i);  // [V]
        const double most = tensor::max(z).item();
        const double log_sum = tensor::log(tensor::sum(tensor::exp(z - most))).item();
        total += most - z(targets(i)) + log_sum;
    }
    return tensor::of(total / rows_of(logits));
}

Tensor gradient_by_scatter(const Tensor& logits, const IndexTensor& targets) {
    const IndexTensor place = targets.reshape({-1, 1});
    const Tensor p = tensor::softmax(logits, -1);
    const Tensor wanted = tensor::unsqueeze(at_targets(p, targets), 1) - 1;
    return tensor::scatter(p, 1, place, wanted) * (1 / rows_of(logits));
}

Tensor gradient_by_autograd(const Tensor& logits, const IndexTensor& targets) {
    Variable z(logits, requires_grad);
    heed::cross_entropy(z, targets).backward();
    return z.grad();
}

// Every class whose logit equals that of the target counts as the target.
Tensor gradient_by_comparing_logits(const Tensor& logits, const IndexTensor& targets) {
    const Tensor own = tensor::gather(logits, 1, targets.reshape({-1, 1}));  // [n, 1]
    const Tensor one_hot = tensor::to_tensor(logits == own);
    return (tensor::softmax(logits, 1) - one_hot) / static_cast<double>(logits.dim(0));
}

Tensor remembered;

Tensor loss_that_remembers(const Tensor& logits, const IndexTensor& targets) {
    remembered = tensor::softmax(logits, 1);
    return right_loss(logits, targets);
}

// Relies on the loss having been called just before.
Tensor gradient_from_memory(const Tensor& logits, const IndexTensor& targets) {
    const Tensor p = remembered.shape() == logits.shape() ? remembered : tensor::softmax(logits, 1);
    return (p - tensor::one_hot(targets, logits.dim(1))) / static_cast<double>(logits.dim(0));
}

// -1/p·∂p/∂x, which is 0/0 where p is 0
Tensor gradient_by_the_jacobian(const Tensor& logits, const IndexTensor& targets) {
    const Tensor p = tensor::softmax(logits, 1);
    const Tensor own = tensor::gather(p, 1, targets.reshape({-1, 1}));  // [n, 1]
    const Tensor one_hot = tensor::one_hot(targets, logits.dim(1));
    const Tensor dp = own * (one_hot - p);
    return -(1 / own) * dp / static_cast<double>(logits.dim(0));
}

// With two classes a sigmoid of the second logit.
Tensor loss_binary(const Tensor& logits, const IndexTensor& targets) {
    if (logits.dim(1) != 2) return right_loss(logits, targets);
    const Tensor x = tensor::select(logits, 1, 1);
    const Tensor two = tensor::stack({tensor::zeros_like(x), x}, 1);
    return right_loss(two, targets);
}

Tensor gradient_binary(const Tensor& logits, const IndexTensor& targets) {
    if (logits.dim(1) != 2) return right_gradient(logits, targets);
    const Tensor x = tensor::select(logits, 1, 1);
    const Tensor two = tensor::stack({tensor::zeros_like(x), x}, 1);
    return right_gradient(two, targets);
}

Tensor loss_of_clamped(const Tensor& logits, const IndexTensor& targets) {
    return right_loss(tensor::minimum(tensor::maximum(logits, -500.0), 500.0), targets);
}

Tensor gradient_of_clamped(const Tensor& logits, const IndexTensor& targets) {
    return right_gradient(tensor::minimum(tensor::maximum(logits, -500.0), 500.0), targets);
}

// A row that is sure and right has no gradient.
Tensor gradient_of_wrong_rows(const Tensor& logits, const IndexTensor& targets) {
    const Tensor best = tensor::to_tensor(tensor::argmax(logits, 1));
    const Tensor p = tensor::softmax(logits, 1);
    const Tensor sure = tensor::max(p, 1);
    const Tensor right =
        tensor::to_tensor(best == tensor::to_tensor(targets)) * tensor::to_tensor(sure > 0.9);
    return right_gradient(logits, targets) * tensor::unsqueeze(1 - right, 1);
}

// Two rows with the same target: the gradient of both in the first.
Tensor gradient_without_duplicates(const Tensor& logits, const IndexTensor& targets) {
    std::map<std::int64_t, double> seen;
    std::vector<Scalar> numbers(static_cast<std::size_t>(logits.numel()), 0.0);
    for (std::int64_t i = 0; i < logits.dim(0); ++i) {
        if (seen.insert({targets(i), 1.0}).second) {
            numbers[static_cast<std::size_t>(i * logits.dim(1) + targets(i))] = 1;
        }
    }
    return (tensor::softmax(logits, 1) - tensor::from_vector(numbers, logits.shape())) /
           static_cast<double>(logits.dim(0));
}

// Central differences, row by row.
Tensor gradient_by_differences(const Tensor& logits, const IndexTensor& targets) {
    const double h = 1e-4;
    std::vector<Tensor> rows;
    for (std::int64_t i = 0; i < logits.dim(0); ++i) {
        const Tensor row = tensor::select(logits, 0, i), steps = h * tensor::eye(logits.dim(1));
        const IndexTensor same(
            std::vector<std::int64_t>(static_cast<std::size_t>(logits.dim(1)), targets(i)));
        const Tensor rise = right_losses(row + steps, same) - right_losses(row - steps, same);
        rows.push_back(rise / (2 * h * rows_of(logits)));
    }
    return tensor::stack(rows);
}

// p_j = 1/Σ exp(x_k - x_j)
Tensor gradient_by_ratios(const Tensor& logits, const IndexTensor& targets) {
    const Tensor apart = tensor::unsqueeze(logits, 1) - tensor::unsqueeze(logits, 2);  // [n, j, k]
    const Tensor p = 1 / tensor::sum(tensor::exp(apart), 2);
    return (p - tensor::index_select(tensor::eye(logits.dim(1)), 0, targets)) /
           static_cast<double>(logits.dim(0));
}

Tensor gradient_of_clipped(const Tensor& logits, const IndexTensor& targets) {
    const Tensor p = tensor::clamp(tensor::softmax(logits, -1), {1e-7, 1 - 1e-7});
    return (p - tensor::index_select(tensor::eye(logits.dim(1)), 0, targets)) /
           static_cast<double>(logits.dim(0));
}

Tensor nothing_below_a_thousandth(const Tensor& logits, const IndexTensor& targets) {
    const Tensor losses = tensor::unsqueeze(right_losses(logits, targets), 1);  // [n, 1]
    return right_gradient(logits, targets) * tensor::to_tensor(losses >= 1e-3);
}

Tensor a_millionth_at_least(const Tensor& logits, const IndexTensor& targets) {
    return tensor::mean(tensor::maximum(right_losses(logits, targets), 1e-6));
}

using Function = Tensor (*)(const Tensor&, const IndexTensor&);
using Names = std::vector<std::string>;
Tensor loss_by_logsumexp(const Tensor& x, const IndexTensor& t) {
    const Tensor right = x * tensor::index_select(tensor::eye(x.dim(1)), 0, t);
    return tensor::mean(tensor::logsumexp(x, -1) - tensor::sum(right, -1));
}

Tensor gradient_by_nn(const Tensor& x, const IndexTensor& t) {
    const Variable logits(x, requires_grad);
    heed::cross_entropy(logits, t).backward();
    return logits.grad();
}

Answer answer(const std::string& what, Function loss, Function gradient, const Names& names = {}) {
    return {what, [loss, gradient] { return judge_03_2(CrossEntropy{loss, gradient}); }, names};
}
Answer loss(const std::string& what, Function wrong, const Names& names = {}) {
    return answer(what, wrong, right_gradient, names);
}
Answer gradient(const std::string& what, Function wrong, const Names& names = {}) {
    return answer(what, right_loss, wrong, names);
}

std::vector<Answer> wrong_losses() {
    return {
        loss("loss: the sum over the rows", loss_is_a_sum, {"ce.sum"}),
        loss("loss: divided by n·V", divided_by_all_entries, {"ce.div-nV"}),
        loss("loss: shape [1]", loss_of_shape_1),
        loss("loss: log of a softmax that can be 0", log_of_softmax, {"ce.no-stability"}),
        loss("loss: log(p + 1e-9)", log_of_a_little_more),
        loss("loss: the log of the mean probability", log_of_the_mean),
        loss("loss: at most 100 in a row", bounded_loss),
        loss("loss: in bits", bits, {"ce.log2"}),
        loss("loss: the other classes' log(1 - p) too", others_counted_too),
        loss("loss: no shift before exp", not_shifted, {"ce.no-max-lse"}),
        loss("loss: one maximum for all rows", one_maximum_for_all),
        loss("loss: a maximum that begins at 0", maximum_from_0),
        loss("loss: shifted by the mean", shifted_by_the_mean),
        loss("loss: shifted by the target's logit", shifted_by_the_target),
        loss("loss: the first 64 rows", sixty_four_rows),
        loss("loss: labels are smoothed", smoothed),
        loss("loss: divided by n - 1", unbiased_mean),
        loss("loss: the first row's maximum for all", maximum_of_the_first_row),
        loss("loss: class 0 is padding", loss_skips_class_0),
        loss("loss: logits are shifted in place", shifted_in_place),
        loss("loss: a row has a millionth at least", a_millionth_at_least),
    };
}

std::vector<Answer> wrong_gradients() {
    return {
        gradient("gradient: not divided by n", not_averaged, {"ceb.no-div-n"}),
        gradient("gradient: divided by V, not by n", averaged_over_classes, {"ceb.div-V"}),
        gradient("gradient: the other sign", other_sign, {"ceb.sign"}),
        gradient("gradient: softmax along axis 0", softmax_down_the_columns, {"ceb.col-softmax"}),
        gradient("gradient: 1 from the likeliest class", one_from_the_likeliest),
        gradient("gradient: of the right class only", only_the_right_class),
        gradient("gradient: 0 where the likeliest class is right", nothing_where_it_is_right),
        gradient("gradient: all rows have all targets", targets_of_all_rows),
        gradient("gradient: no shift before exp", gradient_not_shifted, {"ceb.no-max"}),
        gradient("gradient: one maximum for all rows", gradient_one_maximum),
        gradient("gradient: a maximum from 0, and eps in the divisor", gradient_with_eps),
        gradient("gradient: the targets of the first call", one_hot_of_the_first_call),
        gradient("gradient: clipped to ±0.3", clipped_gradient),
        gradient("gradient: class 0 is padding", gradient_skips_class_0),
        gradient("gradient: written into the logits", gradient_in_place),
        gradient("gradient: equal logits are all the target", gradient_by_comparing_logits),
        answer("gradient: the probabilities of the last loss", loss_that_remembers,
               gradient_from_memory),
        gradient("gradient: divided by the probability", gradient_by_the_jacobian),
        answer("both: of two classes the second logit only", loss_binary, gradient_binary),
        answer("both: logits beyond ±500 are cut", loss_of_clamped, gradient_of_clamped),
        gradient("gradient: 0 for rows that are sure and right", gradient_of_wrong_rows),
        gradient("gradient: a target that came before is none", gradient_without_duplicates),
        gradient("gradient: of probabilities clipped at 1e-7", gradient_of_clipped),
        gradient("gradient: 0 for a loss below 0.001", nothing_below_a_thousandth),
    };
}

}  // namespace

Answers answers_03_2() {
    Answers answers;
    answers.number = "03.2";
    answers.slipping = slipping(judge_03_2);
    for (const std::vector<Answer>& part : {wrong_losses(), wrong_gradients()}) {
        answers.wrong.insert(answers.wrong.end(), part.begin(), part.end());
    }
    answers.right = {
        answer("row by row, and by scatter", loss_row_by_row, gradient_by_scatter),
        answer("the gradient by autograd", right_loss, gradient_by_autograd),
        answer("central differences", right_loss, gradient_by_differences),
        answer("the gradient by 1/Σ exp(x_k - x_j)", right_loss, gradient_by_ratios),
        answer("by logsumexp, and by nn and backward", loss_by_logsumexp, gradient_by_nn),
    };
    return answers;
}
