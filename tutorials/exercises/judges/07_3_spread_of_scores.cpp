#include "tutorials/exercises/judges/lesson_07.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/random.h"

using namespace heed;

namespace exercise {
namespace {
double variance_of(const Tensor& x, const Slips& slip) {
    if (slip("var.no-mean")) return tensor::mean(x * x).item();
    const double variance = tensor::var(x, {0}, slip("red.mean-n") ? 0 : 1).item();
    return slip("var.std") ? std::sqrt(variance) : variance;
}

SpreadOfScores walk(const Tensor& Q, const Tensor& K, const Slips& slip) {
    const double d_k = static_cast<double>(Q.dim(1));
    Tensor products = tensor::sum(Q * K, -1);  // [N]
    if (slip("var.all-pairs")) {
        products = tensor::flatten(tensor::matmul(Q, tensor::transpose(K)));
    }
    if (slip("var.entries")) products = tensor::flatten(Q * K);
    if (slip("var.by-column")) products = tensor::sum(Q * K, 0);
    if (slip("var.mean-product")) products = tensor::mean(Q * K, -1);
    const double variance = variance_of(products, slip);
    double divisor = std::sqrt(d_k);
    if (slip("att.scale-dk")) divisor = d_k;
    if (slip("att.scale-T")) divisor = std::sqrt(static_cast<double>(Q.dim(0)));
    if (slip("att.scale-mul")) divisor = 1 / divisor;
    if (slip("att.no-scale")) divisor = 1;
    double scaled = variance_of(products / divisor, slip);
    if (slip("var.scaled-itself")) scaled = variance / std::sqrt(d_k);
    return {tensor::mean(products).item(), variance, scaled};
}

std::vector<Mistake> mistakes() {
    const std::string counted = "How many numbers do you take the variance of? There are N pairs.";
    return {
        {"var.std", "the result was the standard deviation, the root of the variance",
         "In what unit is a variance?", "Look at the last thing you do with the products."},
        {"var.no-mean", "the squares were averaged without subtracting the mean first",
         "What is the variance of 5, 5, 5?", "tensor/ops/reduce.h has var."},
        {"red.mean-n", "the sum of squares was divided by N and not by N - 1",
         "By what does tensor::var divide?", "tensor/ops/reduce.h says it of `correction`."},
        {"var.all-pairs", "every query met every key, and not only its own",
         "Which key belongs to query 0?", counted},
        {"var.entries",
         "the products of single entries were measured, before they are added up to q·k",
         "What is a dot product the sum of?", counted},
        {"var.by-column",
         "the products were added up over the pairs and not over the entries of a pair",
         "Which axis runs over the entries of one vector?", counted},
        {"var.mean-product", "a score was the mean of its d_k products and not their sum",
         "Is q·k a sum or a mean?", "Look at how you make one number of d_k."},
        {"att.scale-dk", "the scores were divided by d_k and not by its root",
         "What becomes of a variance when all numbers are halved?", "Look at what you divide by."},
        {"att.scale-T", "the scores were divided by √N, the number of pairs",
         "Which number is under your root?", "Look at what you divide by."},
        {"att.scale-mul", "the scores were multiplied by √d_k", "Should the spread shrink or grow?",
         "Look at what you divide by."},
        {"att.no-scale", "the scores were not divided for the second variance",
         "What differs between the two variances?", "Look at what you divide by."},
        {"var.scaled-itself", "the variance was divided by √d_k, and not the scores",
         "What becomes of a variance when all numbers are halved?",
         "Look at what you divide: scores, or their variance?"},
    };
}

struct Pairs {
    Tensor Q, K;
};

Stages given(const Pairs& in) { return {{"Q", in.Q}, {"K", in.K}}; }

Stages stages(const MeasureSpread& measure, const Pairs& in) {
    const SpreadOfScores spread = measure(in.Q, in.K);
    return {{"the mean", tensor::of({spread.mean})},
            {"the variance", tensor::of({spread.variance})},
            {"the variance of q·k/√d_k", tensor::of({spread.scaled_variance})}};
}

Tensor column_of(double number, std::int64_t N) { return tensor::full({N, 1}, number); }

// q·k = 10⁸ + a·b: the mean is large, the variance is that of a·b.
Pairs far_from_0(std::int64_t N) {
    return {tensor::concatenate({column_of(1e4, N), random({N, 2}, 31)}, 1),
            tensor::concatenate({column_of(1e4, N), random({N, 2}, 32)}, 1)};
}

Inputs<Pairs> inputs() {
    Random generator(3);
    // Uniform between 0 and 1, as from note 000's rand: their products have a nonzero mean.
    const Tensor rand_q = tensor::uniform({40, 16}, generator);
    const Tensor rand_k = tensor::uniform({40, 16}, generator);
    const Tensor equal = random({8, 3}, 25);
    return {
        {"9 pairs of 6 numbers", {random({9, 6}, 1), random({9, 6}, 2)}},
        {"9 other pairs of 6 numbers", {random({9, 6}, 15), random({9, 6}, 16)}},
        {"40 pairs of 16 numbers between 0 and 1", {rand_q, rand_k}},
        {"500 pairs of 64 numbers", {random({500, 64}, 4), random({500, 64}, 5)}},
        {"4 pairs of 1100 numbers", {random({4, 1100}, 19), random({4, 1100}, 20)}},
        {"2 pairs of 5 numbers", {random({2, 5}, 11), random({2, 5}, 12)}},
        {"7 pairs of a single number", {random({7, 1}, 13), random({7, 1}, 14)}},
        {"3000 pairs of 3 numbers", {random({3000, 3}, 17), random({3000, 3}, 18)}},
        {"5 pairs, some of them orthogonal",
         {tensor::of({{1, 0}, {0, 1}, {2, 1}, {0, 0}, {1, 1}}),
          tensor::of({{0, 1}, {1, 0}, {1, 1}, {3, 2}, {2, 2}})}},
        {"3 pairs, all the same",
         {tensor::of({{1, 2}, {1, 2}, {1, 2}}), tensor::of({{3, 1}, {3, 1}, {3, 1}})}},
        {"8 pairs in which the key is the query", {equal, equal}},
        {"pairs as transposed views",
         {tensor::transpose(random({5, 8}, 21)), tensor::transpose(random({5, 8}, 22))}},
        {"scores that are all large and negative",
         {random({12, 4}, 23) + 30, random({12, 4}, 24) - 30}},
        {"scores of about 100000000", far_from_0(20)},
    };
}

std::string does_not_grow(const MeasureSpread& measure) {
    const Tensor Q = random({9, 6}, 6), K = random({9, 6}, 7);
    const double once = measure(Q, K).variance, twice = measure(Q * 2, K).variance;
    if (std::fabs(twice - 4 * once) <= 1e-6 * std::fabs(once)) return "";
    return "The variance went from " + fixed(once, 6) + " to " + fixed(twice, 6) + ".";
}

Rules<MeasureSpread> rules() {
    return {
        .number = "07.3",
        .title = "How far scores spread",
        .reference =
            [](const Slips& slip) {
                return [=](const Tensor& Q, const Tensor& K) { return walk(Q, K, slip); };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"queries twice as long give four times the variance", does_not_grow}},
        .mistakes = mistakes(),
        .hints = {"How many scores do N pairs have, and which two rows make one?",
                  "Lesson 07.1; tensor/ops/reduce.h has sum, mean and var",
                  "s_n = Σ_c Q_nc·K_nc; mean and variance of s; variance of s/√d_k",
                  "products = sum(Q * K, -1); mean(products), var(products), "
                  "var(products / sqrt(d_k))"},
    };
}

}  // namespace

const Judge<MeasureSpread> judge_07_3(rules);

void show(const MeasureSpread& measure) {
    std::cout << "\n  What you measure, on 500 pairs of vectors with entries of variance 1:\n\n"
                 "     d_k    mean of q·k    variance    of q·k/√d_k\n";
    for (const std::int64_t d_k : {1, 4, 16, 64, 256, 1024}) {
        const SpreadOfScores spread = measure(random({500, d_k}, 8), random({500, d_k}, 9));
        std::cout << text(std::fixed, std::setprecision(2), "  ", std::setw(6), d_k, " ",
                          std::setw(14), spread.mean, " ", std::setw(11), spread.variance, " ",
                          std::setw(14), spread.scaled_variance, "\n");
    }
}

}  // namespace exercise
