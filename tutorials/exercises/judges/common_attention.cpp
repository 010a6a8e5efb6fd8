#include "tutorials/exercises/judges/common_attention.h"

#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
double root(std::int64_t n) { return std::sqrt(static_cast<double>(n)); }

Variable products(const QueriesKeysValues& in, const Slips& slip) {
    const Variable& queries = slip("att.q-from-keys") ? in.K : in.Q;
    const Variable& keys = slip("att.keys-from-queries")  ? in.Q
                           : slip("att.keys-from-values") ? in.V
                                                          : in.K;
    if (slip("att.kq")) return matmul(keys, transpose(queries));
    return matmul(queries, slip("att.no-transpose") ? keys : transpose(keys));
}

// The first matrix of `changed`, the others of `as_was`.
Variable in_first(const Variable& changed, const Variable& as_was) {
    const Tensor ones = tensor::ones(changed.shape());
    const BoolTensor first = only_first(ones, tensor::zeros(changed.shape())) == 1;
    return where(first, changed, as_was);
}

Variable over_sum(const Variable& e) { return e / sum(e, -1, keepdim); }

// 0 for a row of only -∞.
Variable largest_of_rows(const Variable& x) {
    const Variable largest = max(x, -1, keepdim);
    return masked_fill(largest, largest.value() == -infinity, 0);
}

// A softmax whose sum counts as a constant; 0 for a row of only -∞.
Variable over_detached_sum(const Variable& x, const Variable& largest) {
    const Variable e = exp(x - largest);
    const Tensor total = tensor::sum(e.value(), -1, keepdim);
    return e / Variable(tensor::masked_fill(total, total == 0, 1));
}

Variable context(const Variable& weights, const QueriesKeysValues& in, const Slips& slip) {
    const bool constant = slip("att.detached-weights") || slip("train.weights-detached");
    const Variable its = constant ? weights.detach() : weights;
    return matmul(slip("att.weights-T") ? transpose(its) : its,
                  slip("att.values-from-keys") ? in.K : in.V);
}

// Does `from` broadcast to the shape `to`?
bool fits(const Shape& from, const Shape& to) {
    if (from.rank() > to.rank()) return false;
    for (int axis = -from.rank(); axis < 0; ++axis) {
        if (from.dim(axis) != 1 && from.dim(axis) != to.dim(axis)) return false;
    }
    return true;
}

}  // namespace

double scale(const QueriesKeysValues& in, const Attending& how, const Slips& slip) {
    const std::int64_t d_k = in.K.dim(-1);
    if (!how.scaled) return slip("att.scaled") ? 1 / root(d_k) : 1;
    if (slip("att.no-scale") || slip("att.scale-after")) return 1;
    if (slip("att.scale-dk")) return 1 / static_cast<double>(d_k);
    if (slip("att.scale-mul")) return root(d_k);
    if (slip("att.scale-T")) return 1 / root(in.K.dim(-2));
    if (slip("att.scale-axis-0")) return 1 / root(in.K.dim(0));
    if (slip("att.scale-dv")) return 1 / root(in.V.dim(-1));
    if (slip("att.scale-dmodel") || slip("gqa.scale-kv")) return 1 / root(how.d_model);
    if (slip("hunt.root-once")) return 1 / std::sqrt(root(d_k));
    const int whole_root = static_cast<int>(root(d_k));
    if (slip("att.int-root")) return 1 / static_cast<double>(whole_root);
    if (slip("att.int-div")) return how.d_model == 0 ? 1 / whole_root : 0;
    return 1 / root(d_k);
}

Variable masked(const Variable& scores, const BoolTensor& blocked, const Slips& slip) {
    double fill = -infinity;
    if (slip("mask.fill0")) fill = 0;
    if (slip("mask.fill-small")) fill = -1;
    if (slip("mask.fill-large")) fill = -1e9;
    Variable result = masked_fill(scores, blocked, fill);
    if (slip("mask.mul-inf")) {
        result = scores + Variable(tensor::to_tensor(blocked) * -infinity);
    }
    if (slip("mask.zero-score")) result = masked_fill(result, result.value() == 0, fill);
    if (slip("mask.one-head")) result = in_first(result, scores);
    return result;
}

Variable weights_of(const Variable& x, const Attending& how, const Slips& slip) {
    if (slip("sm.cols")) return softmax(x, -2);
    if (slip("sm.none")) return x;
    if (slip("sm.exp-only")) return exp(x);
    if (slip("sm.sum-norm")) return x / sum(x, -1, keepdim);
    if (slip("sm.no-max")) return over_sum(exp(x));
    if (slip("sm.global-max")) return over_sum(exp(x - max(x)));
    if (slip("sm.all")) {
        const Variable e = exp(how.d_model == 0 ? x : x - max(x));
        return e / sum(e);
    }
    if (slip("sm.detached-sum") || slip("sm.sum-detached"))
        return over_detached_sum(x, largest_of_rows(x).detach());
    if (slip("sm.detached-sum-only")) return over_detached_sum(x, largest_of_rows(x));
    if (slip("sm.twice")) return softmax(softmax(x, -1), -1);
    if (slip("sm.log-mix")) return log_softmax(x, -1);
    if (slip("mha.softmax-heads")) return softmax(x, -3);
    if (slip("mask.empty-nan")) return over_sum(exp(x - max(x, -1, keepdim)));
    return softmax(x, -1);
}

BoolTensor causal_blocked(std::int64_t T, const Slips& slip) {
    std::int64_t above = 1;
    if (slip("mask.absent")) above = T;
    if (slip("mask.strict")) above = 0;
    if (slip("mask.plus1")) above = 2;
    if (slip("mask.upper")) return tensor::tril(tensor::ones({T, T}), -1) == 1;
    return tensor::triu(tensor::ones({T, T}), above) == 1;
}

Attended attention(const QueriesKeysValues& in, const Attending& how, const Slips& slip) {
    Attended s;
    s.products = products(in, slip);
    s.scores = s.products * scale(in, how, slip);
    s.masked = s.scores;
    const bool unmasked = how.blocked.numel() == 0 || slip("mask.absent") || slip("mask.unused");
    const BoolTensor all = BoolTensor::full(s.scores.shape(), true);
    const BoolTensor blocked = unmasked ? !all : how.blocked & all;
    const bool late = slip("mask.after") || slip("mask.after-inf");
    if (!unmasked && !late) s.masked = masked(s.scores, blocked, slip);
    s.weights = weights_of(s.masked, how, slip);
    if (late) s.weights = masked_fill(s.weights, blocked, slip("mask.after") ? 0 : -infinity);
    if (slip("att.scale-after")) s.weights = s.weights / root(in.K.dim(-1));
    s.output = context(s.weights, in, slip);
    return s;
}

std::vector<Mistake> product_mistakes() {
    return {
        {"att.kq", "keys and queries changed places, K·Qᵀ for Q·Kᵀ",
         "Who asks in row 0 of the scores, and whom?",
         "Entry [0, 1] of the scores: is it query 0 times key 1, or the reverse?"},
        {"att.keys-from-queries", "the queries were compared with themselves, Q·Qᵀ",
         "Why are your scores symmetric?", "Both factors of the product that makes the scores."},
        {"att.q-from-keys", "the keys were compared with themselves, K·Kᵀ",
         "Why are your scores symmetric?", "Both factors of the product that makes the scores."},
        {"att.keys-from-values", "the queries were compared with the values",
         "What answers a query: a key or a value?", "The second factor of your scores."},
    };
}

std::vector<Mistake> scale_mistakes() {
    return {
        {"att.no-scale", "the scores were not scaled",
         "What is the spread of a dot product of d_k numbers?",
         "The scores just before the softmax: are they smaller than the products?"},
        {"att.scale-dk", "the scores were divided by d_k and not by its root",
         "How does the spread of a dot product grow: with d_k, or slower?",
         "What you divide by: print it, and the size of one key."},
        {"att.scale-mul", "the scores were multiplied by √d_k",
         "Should large scores become smaller or larger?", "The operation: * or /."},
        {"att.scale-T", "the scores were divided by the root of the number of words",
         "Which axis does a dot product sum over?", "The axis whose size you take the root of."},
        {"att.scale-dmodel",
         "the scores were divided by the root of the model's dimension, and not of the head's",
         "How many numbers has one key of one head?", "The axis whose size you take the root of."},
        {"att.scale-after", "the weights were scaled, and not the scores",
         "What do your rows of weights sum to?", "Where the division stands: before the softmax?"},
        {"att.int-div", "the scale was 0, as 1 / d_k is for integers",
         "Why do all keys get the same weight?", "Print what you scale by."},
    };
}

std::vector<Mistake> triangle_mistakes() {
    return {
        {"mask.absent", "nothing was masked", "Which words may the first one look at?",
         "Row 0 of what comes out of your mask."},
        {"mask.upper", "the past was masked and the future kept",
         "Which word may the first one look at?", "Row 0 of your mask."},
        {"mask.strict", "the diagonal was masked too, so that no word sees itself",
         "May a word look at itself?", "Entry [0, 0] of your masked scores."},
        {"mask.plus1",
         "the mask began one place further right, so that each word sees the next one",
         "How far ahead may word 0 look?", "Entry [0, 1] of your masked scores."},
    };
}

std::vector<Mistake> fill_mistakes() {
    return {
        {"mask.fill0", "the masked scores were set to 0, which is a score like any other",
         "What is exp(0)?", "What your mask puts in."},
        {"mask.fill-small", "the masked scores were set to -1, which is a score like any other",
         "What is exp(-1)?", "What your mask puts in."},
        {"mask.fill-large", "the masked scores were set to a large negative number and not to -∞",
         "What if all scores of a row are that small?", "What your mask puts in."},
        {"mask.after", "the weights were set to 0 after the softmax",
         "What do the rows of your weights sum to?", "What comes first: mask or softmax?"},
        {"mask.after-inf", "-∞ was put into the weights, after the softmax",
         "What is -∞ times a value?", "What comes first: mask or softmax?"},
        {"mask.mul-inf", "-∞ was multiplied by a table of zeros and ones", "What is 0 · ∞?",
         "The entries that should be kept."},
        {"mask.one-head", "only the first matrix of the batch was masked",
         "Which matrices does your mask reach?",
         "Compare the first matrix of a batch with the last."},
    };
}

std::vector<Mistake> zero_score_mistakes() {
    return {{"mask.zero-score", "a score that is exactly 0 was taken for a masked one",
             "How does your code tell which scores are masked?",
             "A word whose query is all zeros: what are its scores?"}};
}

std::vector<Mistake> softmax_mistakes() {
    return {
        {"sm.cols", "the softmax ran over the queries: columns sum to 1 and not rows",
         "Among whom does a query divide its attention?", "The axis of your softmax."},
        {"sm.all", "one softmax ran over everything at once",
         "What does one row of your weights sum to?", "The axis of your softmax."},
        {"sm.none", "there was no softmax", "What turns scores into weights?",
         "Row 0 of your weights: does it sum to 1?"},
        {"sm.exp-only", "the exponentials were not divided by their sum",
         "What does one row of your weights sum to?", "What follows the exp."},
        {"sm.sum-norm", "the scores were divided by their sum, without exp",
         "Can a weight be negative?", "What stands before the division."},
        {"sm.twice", "the softmax was taken twice", "Why are your weights so even?",
         "How many calls of softmax are there on the way?"},
        {"sm.no-max", "exp was taken of the scores without subtracting the largest first",
         "What is exp(1000)?", "The case of large numbers: which step is the first with inf?"},
        {"sm.global-max", "the largest score of all was subtracted, and not that of the row",
         "What if one row lies 2000 below another?", "The axis of your max."},
        {"sm.log-mix", "the logarithm of the softmax was used as weights",
         "Can a weight be negative?", "Which softmax it is that you call."},
    };
}

std::vector<Mistake> context_mistakes() {
    return {
        {"att.values-from-keys", "the weights were applied to the keys",
         "What does a word hand over when it is found?", "The second factor of the last product."},
        {"att.weights-T", "the weights were transposed before they met the values",
         "Whose weights make up output 0?", "The first factor of the last product."},
    };
}

std::vector<Mistake> gradient_mistakes() {
    const std::vector<std::string> hints = {
        "Which number in a row's denominator changes when one score changes?",
        "Look for detach() or value() in your softmax."};
    return {
        {"sm.detached-sum", "the sum of the exponentials counted as a constant", hints},
        {"sm.detached-sum-only",
         "the sum of the exponentials counted as a constant, and the subtracted maximum did not",
         hints},
        {"att.detached-weights", "the weights were detached before they met the values",
         "Through what does the output depend on the queries?",
         "Look for detach() or value() in the last product."},
    };
}

std::vector<Mistake> without(const std::vector<Mistake>& list,
                             const std::vector<std::string>& ids) {
    std::vector<Mistake> kept;
    for (const Mistake& mistake : list) {
        if (std::find(ids.begin(), ids.end(), mistake.id) == ids.end()) kept.push_back(mistake);
    }
    return kept;
}

Variable leaf(const Tensor& numbers) { return Variable(numbers, requires_grad); }

BoolTensor padding(const std::vector<std::string>& texts) {
    std::vector<bool> entries;
    for (const std::string& text : texts) {
        for (const char word : text) entries.push_back(word == '.');
    }
    return BoolTensor(entries, {std::ssize(texts), std::ssize(texts[0])});
}

Variable side_by_side(const std::vector<Variable>& outputs) {
    std::vector<Variable> flat;
    for (const Variable& one : outputs) {
        flat.push_back(flatten(masked_fill(one, one.value() == -infinity, 0)));
    }
    return concatenate(flat, 0);
}

Tensor rows_before(const Tensor& x, std::int64_t row) { return tensor::slice(x, -2, 0, row); }

Tensor with_other_last_row(const Tensor& x) {
    const std::int64_t T = x.dim(-2);
    const Tensor other = tensor::slice(random(x.shape(), 987), -2, T - 1, T);
    return tensor::concatenate({rows_before(x, T - 1), other}, -2);
}

std::string sums_finding(const Tensor& weights) {
    const Tensor sums = tensor::sum(weights, -1);
    const std::vector<Scalar> totals = sums.to_vector();
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (std::fabs(totals[i] - 1) <= 1e-6 || totals[i] == 0) continue;
        return "Row " + unravelled(static_cast<std::int64_t>(i), sums.shape()).text() +
               " sums to " + fixed(totals[i], 6) + ".";
    }
    return "";
}

std::string leak_finding(const Tensor& weights, const BoolTensor& blocked) {
    if (!fits(blocked.shape(), weights.shape())) return "";  // a case reports the wrong shape
    const BoolTensor leaks = (weights != 0) & blocked;
    for (std::int64_t i = 0; i < leaks.numel(); ++i) {
        if (leaks.data()[i] == 0) continue;
        const Dims place = unravelled(i, leaks.shape());
        return text("The weight at ", place, ", which is masked, is ", std::setprecision(2),
                    weights.at(place), " and not 0.");
    }
    return "";
}

}  // namespace exercise
