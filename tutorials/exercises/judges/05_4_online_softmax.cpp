#include "tutorials/exercises/judges/lesson_05.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/errors.h"

#include <iomanip>

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

Carried nothing_yet(const Tensor& scores, const Tensor& V, double largest = -infinity) {
    const Tensor column = tensor::zeros_like(tensor::slice(scores, -1, 0, 1));
    const Tensor row = tensor::zeros_like(tensor::slice(V, -2, 0, 1));
    return {column + largest, column, column * row};
}

Carried rightly_added(const Carried& before, const Tensor& scores, const Tensor& V) {
    return after_block(before, scores, V, {});
}

Tensor divided(const Carried& carried, const Slips& slip) {
    if (slip("os.no-division")) return carried.weighted;
    if (slip("os.empty-row")) return carried.weighted / carried.total;
    return carried.weighted / tensor::masked_fill(carried.total, carried.total == 0, 1);
}

Tensor in_blocks(const AddBlock& add, const Tensor& scores, const Tensor& V, std::int64_t size,
                 const Slips& slip) {
    if (slip("os.add-unused")) return in_blocks(rightly_added, scores, V, size, {});
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

OnlineSoftmax slipping(const Slips& slip) {
    return {[=](const Carried& before, const Tensor& scores, const Tensor& V) {
                return after_block(before, scores, V, slip);
            },
            [=](const AddBlock& add, const Tensor& scores, const Tensor& V, std::int64_t size) {
                return in_blocks(add, scores, V, size, slip);
            }};
}

std::vector<Mistake> mistakes() {
    const std::string print = "Print largest before and after each block.";
    const std::string paper =
        "Scores 2, then 5, in blocks of one, with values 1 and 0: what is the total after each?";
    const std::string rescale = "If largest rises from 2 to 5, are the old sums still right?";
    const std::string seven = "With 7 keys in blocks of 3: which keys are in which block?";
    return {
        {"os.block-max", "largest was the maximum of the newest block, not of all scores so far",
         "The first block has a 5, the second at most a 2: what is largest?", print},
        {"os.max-0", "largest began at 0, so that it never fell below",
         "What is the maximum of -900 and -901?", print},
        {"os.min", "the smallest score of each row was taken", "Which power may overflow?", print},
        {"os.whole-max", "all rows got the maximum of the whole block",
         "What is left of a row 100000 below another?", "Look at the shape of your maximum."},
        {"os.old-max", "the powers of the new block were shifted by the maximum from before it",
         "With which maximum do the sums begin after this block?", print},
        {"os.no-max", "nothing was subtracted from the scores", "What is exp(1000)?",
         "Look at what exp is given."},
        {"os.empty-block", "-∞ was subtracted from -∞ in a row that had seen nothing else",
         "What is -∞ - (-∞)?", "Look at the maximum of a row of only -∞."},
        {"os.no-rescale", "the sums so far were left as they are when largest rose", rescale,
         paper},
        {"os.total-not-rescaled", "weighted was rescaled when largest rose, total was not", rescale,
         paper},
        {"os.weighted-not-rescaled", "total was rescaled when largest rose, weighted was not",
         rescale, paper},
        {"os.factor-inverted", "the sums so far got the factor exp(new - old), not exp(old - new)",
         "If largest rises, do the old sums become smaller or larger?", paper},
        {"os.forgets", "the sums of the earlier blocks were dropped",
         "What of the first block is left after the second?", paper},
        {"os.mean", "the mean of a block's powers was added to total, not their sum",
         "Does a block of 10 keys weigh as much as one of 2?", paper},
        {"os.block-softmax", "each block had a softmax of its own before its values were summed",
         "When is it known by what to divide?", paper},
        {"os.divided", "weighted was divided by total after each block",
         "If the division comes now, what does the next block add to?", paper},
        {"os.add-unused", "the output came about without add",
         "Who adds a block to what is carried?", "How often is add called, for 7 keys and size 3?"},
        {"os.drop-last", "a last, shorter block was left out", seven,
         "Up to where does your loop run?"},
        {"os.one-block", "all keys made one block", seven, "Where do you use size?"},
        {"os.first-block", "only the first block was added", seven,
         "How often does your loop run?"},
        {"os.same-values", "every block got the values of the first",
         "Which values belong to scores 3, 4 and 5?", "Look at both slices."},
        {"os.starts-anew",
         "each block began with nothing carried, so that only the last one counts",
         "Where do you call nothing_yet?", "Print total after every block."},
        {"os.mean-of-blocks", "the blocks were attended to one by one, and their outputs averaged",
         "A block's scores are all far below another's: how much should it count?",
         "Print total after every block."},
        {"os.start-0", "largest was 0 before the first block, not -∞",
         "Are there rows whose maximum is below 0?", "What does your first add get?"},
        {"os.no-division", "weighted was returned without the division by total",
         "What must the weights of a query sum to?", "Look at your last line."},
        {"os.empty-row", "0 was divided by 0 in a row of only -∞",
         "What is total in a row of only -∞?", "Look at your last line."},
    };
}

// What add_block is given; what is carried before a block is the reference's.
struct Block {
    Carried before;
    Tensor scores, V;
};

struct Input {
    Tensor scores, V;
    std::int64_t size;
    std::vector<Block> blocks;

    Input(const Tensor& scores, const Tensor& V, std::int64_t size)
        : scores(scores), V(V), size(size) {
        Carried before = nothing_yet(scores, V);
        for (std::int64_t j = 0; j < scores.dim(-1); j += size) {
            blocks.push_back({before, tensor::slice(scores, -1, j, j + size),
                              tensor::slice(V, -2, j, j + size)});
            before = rightly_added(before, blocks.back().scores, blocks.back().V);
        }
    }
};

Stages given(const Input& in) {
    Stages inputs = {{"the scores", in.scores}, {"V", in.V}};
    for (const Block& block : in.blocks) {
        inputs.push_back({"before.largest", block.before.largest});
        inputs.push_back({"before.total", block.before.total});
        inputs.push_back({"before.weighted", block.before.weighted});
    }
    return inputs;
}

std::string after(std::size_t block) { return " after block " + std::to_string(block); }

Stages block_by_block(const OnlineSoftmax& online, const Input& in) {
    Stages found;
    for (std::size_t n = 0; n < in.blocks.size(); ++n) {
        const Block& block = in.blocks[n];
        const Carried carried = online.add_block(block.before, block.scores, block.V);
        found.push_back({"largest" + after(n + 1), carried.largest});
        found.push_back({"total" + after(n + 1), carried.total});
        found.push_back({"weighted" + after(n + 1), carried.weighted});
    }
    return found;
}

Stages whole(const OnlineSoftmax& online, const Input& in) {
    std::vector<std::int64_t> sizes;
    const AddBlock add = [&](const Carried& before, const Tensor& scores, const Tensor& V) {
        sizes.push_back(scores.dim(-1));
        return online.add_block(before, scores, V);
    };
    const Tensor output = online.attend_in_blocks(add, in.scores, in.V, in.size);
    Stages found = {{"the number of calls of add", tensor::of(static_cast<double>(sizes.size()))},
                    {"the output", output}};
    if (sizes.size() == in.blocks.size()) {
        found.insert(found.begin() + 1, {"the list of block sizes", numbers(sizes)});
    }
    return found;
}

// A first block of only -∞, later ones with rows of only -∞; row 3 is all -∞.
Input with_masked() {
    const double inf = infinity;
    const Tensor scores = tensor::of({{-inf, -inf, 0.3, 1.2, -inf, -inf, 0.7},
                                      {-inf, -inf, -inf, -inf, -inf, 0.4, -inf},
                                      {-inf, -inf, 1.4, -inf, 2.2, -inf, -0.5},
                                      {-inf, -inf, -inf, -inf, -inf, -inf, -inf},
                                      {-inf, -inf, -3, 0, -inf, -inf, 5}});
    return {scores, random({7, 3}, 61), 2};
}

// Beyond any constant that could stand for -∞.
Input far_below_0() {
    const Tensor scores = tensor::of({{-2e10, -1e10, -3e10, -1e10},
                                      {-5e31, -3e31, -2e31, -4e31},
                                      {-1e300, -3e300, -4e300, -2e300},
                                      {-infinity, -2e10, -infinity, -1e10},
                                      {-2e31, -infinity, -infinity, -1e31}});
    return {scores, random({4, 2}, 82), 2};
}

Inputs<Input> inputs() {
    const Tensor steps = tensor::of({{-100000}, {1000}, {0}, {100000}});
    return {
        {"3 queries and 7 keys", {random({3, 7}, 1, 2), random({7, 2}, 2), 3}},
        {"2 texts, 4 queries and 5 keys", {random({2, 4, 5}, 11, 2), random({2, 5, 3}, 12), 2}},
        {"2 texts of 3 heads, 4 queries", {random({2, 3, 4, 5}, 21), random({2, 3, 5, 6}, 22), 2}},
        {"2 texts, a key at a time", {random({2, 1, 4}, 23), random({2, 4, 5}, 24), 1}},
        {"4 queries, 8 keys, d_v 4", {random({4, 8}, 25), random({8, 4}, 26), 4}},
        {"4 queries, 8 keys, other numbers", {random({4, 8}, 27), random({8, 4}, 28), 4}},
        {"scores around ±1000", {random({3, 6}, 31, 1000), random({6, 4}, 32), 2}},
        {"scores far below 0, that rise",
         {random({3, 5}, 35) - tensor::of({900, 900, 900, 890, 890}), random({5, 2}, 36), 3}},
        {"5 queries, one key", {random({1, 5, 1}, 37), random({1, 1, 2}, 38), 3}},
        {"70 keys", {random({2, 70}, 39), random({70, 3}, 40), 64}},
        {"rows 100000 apart", {random({4, 6}, 41) + steps, random({6, 2}, 42), 4}},
        {"blocks and a row of only -∞", with_masked()},
        {"scores of -10^10, -10^31 and -10^300, beside -∞", far_below_0()},
        // So large that an old key still counts, although it has only e^-60 of the newest one's
        // power.
        {"a value of 10^26 at a score 60 below",
         {tensor::of({{0, -5, 60}, {0, 60, 58}, {60, 59, 0}}), tensor::of({{1e26}, {2}, {-1}}), 2}},
        {"transposed views",
         {tensor::transpose(random({2, 5, 4}, 71)), tensor::transpose(random({2, 3, 5}, 72)), 2}},
    };
}

Cases<OnlineSoftmax> cases() {
    Inputs<Input> in_blocks = inputs();
    for (auto& [name, in] : in_blocks) {
        name += ", all of it in blocks of " + std::to_string(in.size);
    }
    return joined(on_each(block_by_block, inputs()), on_each(whole, in_blocks));
}

// A difference that the cases take for rounding; they report larger ones.
std::string slightly_off(const OnlineSoftmax& online) {
    const Tensor scores = random({3, 5}, 91), V = tensor::ones({5, 2});
    const Tensor output = online.attend_in_blocks(online.add_block, scores, V, 2);
    if (output.shape() != Shape{3, 2}) return "";
    const double off = tensor::max(tensor::abs(output - 1)).item();
    if (!(off > 1e-9 && off < tolerance)) return "";
    return text("Where all values are 1, the output differs from it by ", std::scientific,
                std::setprecision(1), off, ".");
}

std::vector<Hole> holes() {
    Hole add = {
        "add_block",
        {},
        {"A row had a maximum of 2 so far, and the block brings a 5: by how much too large are its "
         "sums now?",
         "Scores 2, then 5, in blocks of one, with values 1 and 0: write down largest, total and "
         "weighted on paper; for the rows of only -∞ look at every difference of two -∞",
         "new = max(largest, the block's); total·exp(largest - new) + Σ exp(s - new), and the same "
         "for weighted with V; where new is -∞, subtract 0",
         "shift = masked_fill(largest, largest == -infinity, 0); exp(before.largest - shift) for "
         "what was carried, exp(scores - shift) for the block"}};
    const Hole attend = {
        "attend_in_blocks",
        {"the number of calls of add", "the list of block sizes", "the output"},
        {"With 7 keys in blocks of 3: which keys are in which block?",
         "nothing_yet gives the beginning; tensor/views.h has slice, which stops at the end by "
         "itself; total can be 0",
         "for start = 0, size, 2·size, … below T_k: add the keys from start to start + size; then "
         "weighted / total, or 0 where total is 0",
         "slice(scores, -1, start, start + size) and slice(V, -2, start, start + size) for add; "
         "masked_fill(carried.total, carried.total == 0, 1) below the fraction bar"}};
    for (std::size_t n = 1; n <= 7; ++n) {
        for (const char* what : {"largest", "total", "weighted"}) {
            add.stages.push_back(what + after(n));
        }
    }
    return {add, attend};
}

Rules<OnlineSoftmax> rules() {
    return {
        .number = "05.4",
        .title = "The online softmax",
        .reference = slipping,
        .cases = cases(),
        .laws = {{"the weights of a query sum to 1", slightly_off}},
        .mistakes = mistakes(),
        .hints = {"Which of the two functions is wrong, or are both?",
                  "Give add_block a single block: total should be Σ exp(s - max) of each row",
                  "If that is so, give attend_in_blocks a size of T_k, then one of T_k / 2",
                  "Print largest, total and weighted after every block"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<OnlineSoftmax> judge_05_4(rules);

}  // namespace exercise
