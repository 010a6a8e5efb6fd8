// The description of each slip in common_masked.cpp, and its hints.
#include "tutorials/exercises/judges/common_masked.h"

namespace exercise::masked_walk {

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

}  // namespace exercise::masked_walk
