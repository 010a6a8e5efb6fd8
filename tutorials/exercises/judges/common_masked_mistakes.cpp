// The description of each slip in common_masked.cpp, and its hints.
#include "tutorials/exercises/judges/common_masked.h"

namespace exercise::masked_walk {

std::vector<Mistake> product_mistakes() {
    return {
        {"att.kq",
         "keys and queries had changed places, K·Qᵀ for Q·Kᵀ",
         {"Who asks in row 0 of the scores, and whom?",
          "Entry [0, 1] of the scores: is it query 0 times key 1, or the reverse?"}},
        {"att.keys-from-queries",
         "the queries had been compared with themselves, Q·Qᵀ",
         {"Why are your scores symmetric?", "Both factors of the product that makes the scores."}},
        {"att.q-from-keys",
         "the keys had been compared with themselves, K·Kᵀ",
         {"Why are your scores symmetric?", "Both factors of the product that makes the scores."}},
        {"att.keys-from-values",
         "the queries had been compared with the values",
         {"What answers a query: a key or a value?", "The second factor of your scores."}},
    };
}

std::vector<Mistake> scale_mistakes() {
    return {
        {"att.no-scale",
         "the scores had not been scaled",
         {"What is the spread of a dot product of d_k numbers?",
          "The scores just before the softmax: are they smaller than the products?"}},
        {"att.scale-dk",
         "the scores had been divided by d_k and not by its root",
         {"How does the spread of a dot product grow: with d_k, or slower?",
          "What you divide by: print it, and the size of one key."}},
        {"att.scale-mul",
         "the scores had been multiplied with √d_k",
         {"Should large scores become smaller or larger?", "The sign of the operation: * or /."}},
        {"att.scale-T",
         "the scores had been divided by the root of the number of words",
         {"Which length does a dot product sum over?",
          "The axis whose size you take the root of."}},
        {"att.scale-dmodel",
         "the scores had been divided by the root of the model's size, and not of the head's",
         {"How many numbers has one key of one head?",
          "The axis whose size you take the root of."}},
        {"att.scale-after",
         "the weights had been scaled, and not the scores",
         {"What do your rows of weights sum to?",
          "Where the division stands: before the softmax?"}},
        {"att.int-div",
         "the scale were 0, as 1 / d_k is for whole numbers",
         {"Why do all keys get the same weight?", "Print what you scale with."}},
    };
}

std::vector<Mistake> triangle_mistakes() {
    return {
        {"mask.absent",
         "nothing had been masked",
         {"Which weights should be exactly 0?", "Row 0 of your weights: tensor weights[0]"}},
        {"mask.upper",
         "the past had been masked and the future kept",
         {"Which word may the first one look at?", "Row 0 of your mask."}},
        {"mask.strict",
         "the diagonal had been masked too, so that no word sees itself",
         {"May a word look at itself?", "Entry [0, 0] of your masked scores."}},
        {"mask.plus1",
         "each word had seen the next one too",
         {"How far ahead may word 0 look?", "Entry [0, 1] of your masked scores."}},
    };
}

std::vector<Mistake> fill_mistakes() {
    return {
        {"mask.fill0",
         "the masked scores had been set to 0, which is a score like any other",
         {"What is exp(0)?", "What your mask puts in."}},
        {"mask.fill-small",
         "the masked scores had been set to -1, which is a score like any other",
         {"What is exp(-1)?", "What your mask puts in."}},
        {"mask.fill-large",
         "the masked scores had been set to a large negative number and not to -∞",
         {"What if all scores of a row are that small?", "What your mask puts in."}},
        {"mask.after",
         "the weights had been set to 0 after the softmax",
         {"What do the rows of your weights sum to?", "What comes first: mask or softmax?"}},
        {"mask.after-inf",
         "-∞ had been put into the weights, after the softmax",
         {"What is -∞ times a value?", "What comes first: mask or softmax?"}},
        {"mask.mul-inf",
         "-∞ had been multiplied with a table of zeros and ones",
         {"What is 0 · ∞?", "The entries that should be kept."}},
        {"mask.one-head",
         "only the first matrix of the batch had been masked",
         {"Which matrices does your mask reach?", "Compare the weights at [0, 0] and at [1, 0]."}},
    };
}

std::vector<Mistake> softmax_mistakes() {
    return {
        {"sm.cols",
         "the softmax had gone over the queries: columns sum to 1 and not rows",
         {"Among whom does one query share out its attention?", "The axis of your softmax."}},
        {"sm.all",
         "one softmax had gone over everything at once",
         {"What does one row of your weights sum to?", "The axis of your softmax."}},
        {"sm.none",
         "there had been no softmax",
         {"What turns scores into weights?", "Row 0 of your weights: does it sum to 1?"}},
        {"sm.exp-only",
         "the scores' powers had not been divided by their sum",
         {"What does one row of your weights sum to?", "What follows the exp."}},
        {"sm.sum-norm",
         "the scores had been divided by their sum, without exp",
         {"Can a weight be negative?", "What stands before the division."}},
        {"sm.twice",
         "a softmax had been taken of a softmax",
         {"Why are your weights so even?", "How often does softmax stand on the way?"}},
        {"sm.no-max",
         "exp had been taken of scores without subtracting the largest first",
         {"What is exp(1000)?", "The case of large numbers: which step is the first with inf?"}},
        {"sm.global-max",
         "the largest score of all had been subtracted, and not that of the row",
         {"What if one row lies 2000 below another?", "The axis of your max."}},
        {"sm.log-mix",
         "the logarithm of the softmax had been used as weights",
         {"Can a weight be negative?", "Which softmax it is that you call."}},
    };
}

std::vector<Mistake> context_mistakes() {
    return {
        {"att.values-from-keys",
         "the weights had been applied to the keys",
         {"What does a word hand over when it is found?",
          "The second factor of the last product."}},
        {"att.weights-T",
         "the weights had been transposed before they met the values",
         {"Whose weights make up output 0?", "The first factor of the last product."}},
    };
}

}  // namespace exercise::masked_walk
