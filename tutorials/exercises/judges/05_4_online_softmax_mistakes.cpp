#include "tutorials/exercises/judges/05_4_online_softmax_mistakes.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/choose.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

#include <algorithm>

using namespace heed;

namespace exercise {

namespace {

Tensor finite_or_0(const Tensor& x) { return tensor::masked_fill(x, x == -infinity, 0); }
Tensor sum_of_rows(const Tensor& x) { return tensor::sum(x, -1, keepdim); }

Tensor largest_of(const Carried& before, const Tensor& scores, const Slips& slip) {
    Tensor of_block = tensor::max(scores, -1, keepdim);
    if (slip("os.whole-max")) of_block = tensor::zeros_like(of_block) + tensor::max(scores);
    if (slip("os.min")) of_block = tensor::min(scores, -1, keepdim);
    if (slip("os.block-max")) return of_block;
    if (slip("os.max-0")) of_block = tensor::maximum(of_block, 0);
    return tensor::maximum(before.largest, of_block);
}

}  // namespace

Carried after_block(const Carried& before, const Tensor& scores, const Tensor& V,
                    const Slips& slip) {
    const Tensor largest = largest_of(before, scores, slip);
    Tensor shift = slip("os.empty-block") ? largest : finite_or_0(largest);
    if (slip("os.old-max")) shift = finite_or_0(before.largest);
    if (slip("os.no-max")) shift = tensor::zeros_like(shift);
    Tensor factor = tensor::exp(before.largest - shift);
    if (slip("os.factor-inverted")) factor = 1 / factor;
    if (slip("os.no-rescale") || slip("os.no-max")) factor = tensor::ones_like(factor);
    if (slip("os.forgets")) factor = tensor::zeros_like(factor);
    Tensor powers = tensor::exp(scores - shift);
    const Tensor of_block = sum_of_rows(powers);
    const Tensor one = tensor::ones_like(factor);
    const Tensor total = (slip("os.total-not-rescaled") ? one : factor) * before.total +
                         (slip("os.mean") ? tensor::mean(powers, -1, keepdim) : of_block);
    if (slip("os.block-softmax")) powers = powers / tensor::masked_fill(of_block, of_block == 0, 1);
    Tensor weighted = (slip("os.weighted-not-rescaled") ? one : factor) * before.weighted +
                      tensor::matmul(powers, V);
    if (slip("os.divided")) weighted = weighted / tensor::masked_fill(total, total == 0, 1);
    return {largest, total, weighted};
}

Carried nothing_yet(const Tensor& scores, const Tensor& V, double largest) {
    const Tensor column = tensor::zeros_like(tensor::slice(scores, -1, 0, 1));
    const Tensor row = tensor::zeros_like(tensor::slice(V, -2, 0, 1));
    return {column + largest, column, column * row};
}

namespace {

Tensor divided(const Carried& carried, const Slips& slip) {
    if (slip("os.no-division")) return carried.weighted;
    if (slip("os.empty-row")) return carried.weighted / carried.total;
    return carried.weighted / tensor::masked_fill(carried.total, carried.total == 0, 1);
}

Tensor in_blocks(const AddBlock& add, const Tensor& scores, const Tensor& V, std::int64_t size,
                 const Slips& slip) {
    if (slip("os.add-unused")) return in_blocks(online_slipping({}).add_block, scores, V, size, {});
    const Carried start = nothing_yet(scores, V, slip("os.start-0") ? 0 : -infinity);
    const std::int64_t T_k = scores.dim(-1);
    std::int64_t end = slip("os.drop-last") && T_k >= size ? T_k - T_k % size : T_k;
    if (slip("os.one-block")) size = T_k;
    if (slip("os.first-block")) end = std::min(size, T_k);
    Carried carried = start;
    Tensor outputs = tensor::zeros_like(start.weighted);
    double count = 0;
    for (std::int64_t j = 0; j < end; j += size) {
        if (slip("os.starts-anew") || slip("os.mean-of-blocks")) carried = start;
        const Tensor values = slip("os.same-values") && j + size <= T_k
                                  ? tensor::slice(V, -2, 0, size)
                                  : tensor::slice(V, -2, j, j + size);
        carried = add(carried, tensor::slice(scores, -1, j, j + size), values);
        outputs = outputs + divided(carried, slip);
        ++count;
    }
    if (slip("os.mean-of-blocks")) return outputs / count;
    return divided(carried, slip);
}

}  // namespace

OnlineSoftmax online_slipping(const Slips& slip) {
    return {[=](const Carried& before, const Tensor& scores, const Tensor& V) {
                return after_block(before, scores, V, slip);
            },
            [=](const AddBlock& add, const Tensor& scores, const Tensor& V, std::int64_t size) {
                return in_blocks(add, scores, V, size, slip);
            }};
}

namespace {

std::vector<Mistake> in_the_maximum() {
    const std::string print = "Print largest before and after each block.";
    return {
        {"os.block-max",
         "largest was the maximum of the newest block, not of all scores so far",
         {"The first block has a 5, the second at most a 2: what is largest?", print}},
        {"os.max-0",
         "largest began at 0, so that it never fell below",
         {"What is the maximum of -900 and -901?", print}},
        {"os.min",
         "the smallest score of each row was taken",
         {"Which power may overflow?", print}},
        {"os.whole-max",
         "all rows got the maximum of the whole block",
         {"What is left of a row 100000 below another?", "Look at the shape of your maximum."}},
        {"os.old-max",
         "the powers of the new block were shifted by the maximum from before it",
         {"With which maximum do the sums begin after this block?", print}},
        {"os.no-max",
         "nothing was subtracted from the scores",
         {"What is exp(1000)?", "Look at what exp is given."}},
        {"os.empty-block",
         "-∞ was subtracted from -∞ in a row that had seen nothing else",
         {"What is -∞ - (-∞)?", "Look at the maximum of a row of only -∞."}},
    };
}

std::vector<Mistake> in_the_sums() {
    const std::string paper = "Scores 2, then 5, in blocks of one, with values 1 and 0: what is "
                              "the total after each?";
    const std::string rescale = "If largest rises from 2 to 5, are the old sums still right?";
    return {
        {"os.no-rescale",
         "the sums so far were left as they are when largest rose",
         {rescale, paper}},
        {"os.total-not-rescaled",
         "weighted was rescaled when largest rose, total was not",
         {rescale, paper}},
        {"os.weighted-not-rescaled",
         "total was rescaled when largest rose, weighted was not",
         {rescale, paper}},
        {"os.factor-inverted",
         "the sums so far got the factor exp(new - old), not exp(old - new)",
         {"If largest rises, do the old sums become smaller or larger?", paper}},
        {"os.forgets",
         "the sums of the earlier blocks were dropped",
         {"What of the first block is left after the second?", paper}},
        {"os.mean",
         "the mean of a block's powers was added to total, not their sum",
         {"Does a block of 10 keys weigh as much as one of 2?", paper}},
        {"os.block-softmax",
         "each block had a softmax of its own before its values were summed",
         {"When is it known by what to divide?", paper}},
        {"os.divided",
         "weighted was divided by total after each block",
         {"If the division comes now, what does the next block add to?", paper}},
    };
}

std::vector<Mistake> in_the_pass() {
    const std::string seven = "With 7 keys in blocks of 3: which keys are in which block?";
    return {
        {"os.add-unused",
         "the output came about without add",
         {"Who adds a block to what is carried?",
          "How often is add called, for 7 keys and size 3?"}},
        {"os.drop-last",
         "a last, shorter block was left out",
         {seven, "Up to where does your loop run?"}},
        {"os.one-block", "all keys made one block", {seven, "Where do you use size?"}},
        {"os.first-block",
         "only the first block was added",
         {seven, "How often does your loop run?"}},
        {"os.same-values",
         "every block got the values of the first",
         {"Which values belong to scores 3, 4 and 5?", "Look at both slices."}},
        {"os.starts-anew",
         "each block began with nothing carried, so that only the last one counts",
         {"Where do you call nothing_yet?", "Print total after every block."}},
        {"os.mean-of-blocks",
         "the blocks were attended to one by one, and their outputs averaged",
         {"A block's scores are all far below another's: how much should it count?",
          "Print total after every block."}},
        {"os.start-0",
         "largest was 0 before the first block, not -∞",
         {"Are there rows whose maximum is below 0?", "What does your first add get?"}},
        {"os.no-division",
         "weighted was returned without the division by total",
         {"What must the weights of a query sum to?", "Look at your last line."}},
        {"os.empty-row",
         "0 was divided by 0 in a row of only -∞",
         {"What is total in a row of only -∞?", "Look at your last line."}},
    };
}

}  // namespace

std::vector<Mistake> online_mistakes() {
    std::vector<Mistake> all = in_the_maximum();
    for (const auto& list : {in_the_sums(), in_the_pass()}) {
        all.insert(all.end(), list.begin(), list.end());
    }
    return all;
}

}  // namespace exercise
