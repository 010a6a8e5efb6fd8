// Lesson 09, section 09.1: why several heads. A verb asks for two words at once, and a single row
// of weights has to share itself between them.
#include "heed/autograd/grad_mode.h"
#include "heed/autograd/ops.h"
#include "heed/nn/losses.h"
#include "heed/nn/optim/optimizers.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "heed/tensor/runtime/fast_kernels.h"
#include "tutorials/09_heads.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/display.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <algorithm>
#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

namespace {

const std::int64_t n = 4;    // words in a sentence; roles: giver, gift, receiver, place
const std::int64_t d_v = 2;  // the size of a word's value

struct Sentences {
    Variable asked;  // [B, 1, 2·n], two one-hot rows side by side: the roles the verb asks for
    Variable roles;  // [B, n, n], one-hot rows: the role of each word
    Variable words;  // [B, n, n + d_v], its role and its value
    Tensor right;    // [B, 2, n], 1 at the word with the role asked for
    Tensor targets;  // [B, 1, 2·d_v], the values of these two words, side by side
};

Sentences sentences(const IndexTensor& asked, const IndexTensor& roles, Random& random) {
    const std::int64_t B = roles.dim(0);
    const Tensor A = tensor::one_hot(asked, n);                    // [B, 2, n]
    const Tensor M = tensor::one_hot(roles, n);                    // [B, n, n]
    const Tensor values = tensor::normal({B, n, d_v}, random);     // [B, n, d_v]
    const Tensor right = tensor::matmul(A, tensor::transpose(M));  // [B, 2, n]
    const Tensor targets = tensor::matmul(right, values);          // [B, 2, d_v]
    return {Variable(tensor::reshape(A, {B, 1, 2 * n})), Variable(M),
            Variable(tensor::concatenate({M, values}, -1)), right,
            tensor::reshape(targets, {B, 1, 2 * d_v})};
}

Sentences random_sentences(std::int64_t B, Random& random) {
    std::vector<std::int64_t> asked, roles;
    for (std::int64_t b = 0; b < B; ++b) {
        const std::vector<std::int64_t> two = random.permutation(n), own = random.permutation(n);
        asked.insert(asked.end(), two.begin(), two.begin() + 2);
        roles.insert(roles.end(), own.begin(), own.end());
    }
    return sentences(IndexTensor(asked, {B, 2}), IndexTensor(roles, {B, n}), random);
}

struct Projections {
    Variable W_Q;  // [2·n, d_k]
    Variable W_K;  // [n, d_k]: scores see roles only
    Variable W_V;  // [n + d_v, 2·d_v]
};

Variable block(const Variable& x, std::int64_t i, std::int64_t h) {
    const std::int64_t d = x.dim(-1) / h;
    return slice(x, -1, i * d, (i + 1) * d);
}

// One head uses the columns of Q, K and V whole; of h heads, each has its own block of them.
Attention attend(const Projections& W, const Sentences& s, std::int64_t h) {
    const Variable Q = matmul(s.asked, W.W_Q);                          // [B, 1, d_k]
    const Variable K = matmul(s.roles, W.W_K);                          // [B, n, d_k]
    const Variable V = matmul(s.words, W.W_V);                          // [B, n, 2·d_v]
    const double root = std::sqrt(static_cast<double>(Q.dim(-1) / h));  // √(d_k/h)
    std::vector<Variable> rows, outputs;
    for (std::int64_t i = 0; i < h; ++i) {
        const Variable scores = matmul(block(Q, i, h), transpose(block(K, i, h))) / root;
        rows.push_back(softmax(scores, -1));                     // [B, 1, n]
        outputs.push_back(matmul(rows.back(), block(V, i, h)));  // [B, 1, 2·d_v/h]
    }
    return {concatenate(outputs, -1), concatenate(rows, 1)};  // [B, 1, 2·d_v], [B, h, n]
}

Projections trained(std::int64_t d_k, std::int64_t h, Random& random) {
    const FastKernels fast;  // also in a Debug build
    const Projections W{
        Variable(tensor::normal({2 * n, d_k}, random, 0, 0.5), requires_grad),
        Variable(tensor::normal({n, d_k}, random, 0, 0.5), requires_grad),
        Variable(tensor::normal({n + d_v, 2 * d_v}, random, 0, 0.5), requires_grad)};
    Adam optimizer({W.W_Q, W.W_K, W.W_V}, {.lr = 0.03});
    for (int step = 0; step < 500; ++step) {
        const Sentences s = random_sentences(64, random);
        const Variable loss = mse_loss(attend(W, s, h).output, Variable(s.targets));
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
    return W;
}

// What W does with "gave", and with all sentences of a test.
struct Found {
    Tensor gave;      // [h, n], its weights on the four words
    double loss[2];   // of the first and of the second question
    double share[2];  // the mean weight on the word that answers it
};

Found found(const Projections& W, std::int64_t h, const Sentences& gave, const Sentences& tests) {
    const NoGrad no_grad;
    const Attention all = attend(W, tests, h);
    Found f{tensor::select(attend(W, gave, h).weights.value(), 0, 0), {}, {}};
    for (std::int64_t i = 0; i < 2; ++i) {
        const Variable target = block(Variable(tests.targets), i, 2);
        f.loss[i] = mse_loss(block(all.output, i, 2), target).item();
        const Tensor row = tensor::select(all.weights.value(), 1, h == 1 ? 0 : i);
        f.share[i] = tensor::sum(row * tensor::select(tests.right, 1, i)).item() /
                     static_cast<double>(row.dim(0));
    }
    return f;
}

// A row of the table: weights, then losses.
void add_row(tutorial::Table& table, const std::string& name, const Tensor& weights,
             const tutorial::Words& losses) {
    table.rows.push_back(name);
    for (const Scalar w : weights.to_vector()) table.cells.push_back({fixed(w, 2), w});
    for (const std::string& loss : losses) table.cells.push_back({loss});
}

double mean_loss(const Found& f) { return (f.loss[0] + f.loss[1]) / 2; }

void print_found(const std::vector<Found>& one, const Found& two) {
    tutorial::Table table{
        .corner = "\"gave\" looks at",
        .what_columns = "column",
        .rows = {},
        .columns = {"Mary", "roses", "Susan", "Paris", "giver", "receiver", "mean loss"},
        .cells = {}};
    const char* names[] = {"one head", "again", "again", "with d_k 64"};
    for (std::size_t i = 0; i < one.size(); ++i) {
        add_row(table, names[i], one[i].gave,
                {fixed(one[i].loss[0], 2), fixed(one[i].loss[1], 2), fixed(mean_loss(one[i]), 2)});
    }
    add_row(table, "two heads: 0", tutorial::row(two.gave, 0), {fixed(two.loss[0], 2), "", ""});
    add_row(table, "1", tutorial::row(two.gave, 1),
            {"", fixed(two.loss[1], 2), fixed(mean_loss(two), 2)});
    tutorial::print_table(std::cout, table);
}

}  // namespace

void two_questions(Random& random) {
    section("09.1 Two questions at once");
    say("Mary gave roses to Susan. \"gave\" has to know who gave and who received, both at once. A "
        "head has one row of weights for it, and so one weighted sum. Is that enough?");
    say("The lookup of lesson 07.5, with two questions: four words, each with a role (giver, gift, "
        "receiver or place) and a value of two random numbers. A verb asks for two roles, and its "
        "output shall be the two values, side by side. Scores see the roles only. W^Q, W^K and "
        "W^V are learned: one head uses them whole; for two heads their columns are cut in two, "
        "so both have the same 120 numbers to learn.");
    tutorial::predict_number(
        "Answering 0 to everything has a loss of 1. How low does one head get?", 0.5, 0.05,
        "One answer costs it the other.");
    const Sentences gave =
        sentences(IndexTensor({0, 2}, {1, 2}), IndexTensor({0, 1, 2, 3}, {1, 4}), random);
    const Sentences tests = random_sentences(20000, random);
    std::vector<Found> one;
    std::vector<Tensor> rows;
    for (const std::int64_t d_k : {8, 8, 8, 64}) {
        one.push_back(found(trained(d_k, 1, random), 1, gave, tests));
        rows.push_back(one.back().gave);
    }
    const Found two = found(trained(8, 2, random), 2, gave, tests);
    const Tensor one_head = tensor::concatenate(rows, 0), two_heads = two.gave;  // [4, n], [2, n]
    stop("09.1 two questions", {{"one_head", one_head}, {"two_heads", two_heads}});
    std::cout << "Mary gave roses to Susan in Paris. Weights, and losses on 20000 sentences:\n\n";
    print_found(one, two);

    bool half = true, as_shared = true;
    double least = 1;
    for (const Found& f : one) {
        half = half && std::abs(mean_loss(f) - 0.5) < 0.03;
        const double a = f.share[0], b = f.share[1], both = a * a + b * b;
        as_shared = as_shared && std::abs(f.loss[0] - b * b / both) < 0.06 &&
                    std::abs(f.loss[1] - a * a / both) < 0.06;
        std::cerr << mean_loss(f) << " " << f.loss[0] - b * b / both << " "
                  << f.loss[1] - a * a / both << "\n";
    }
    for (const double share : two.share) least = std::min(least, share);
    std::cerr << mean_loss(two) << " share " << least << "\n";
    check(half, "one head: a loss of 1/2, to 0.03, however the row is shared and whatever d_k is");
    check(mean_loss(two) < 0.01 && least > 0.9,
          "two heads: below 0.01, with more than 0.9 of each row on one word");
    say("1/2 is the floor. A row that gives a to one word and b to the other has the sum "
        "a·v_1 + b·v_2. The values have mean 0 and variance 1 and know nothing of each other, nor "
        "the weights of them; so the multiple of the sum that comes closest to v_1 misses it by "
        "b²/(a² + b²), and the one closest to v_2 by a²/(a² + b²). Together that is 1, whatever a "
        "and b, and weight on other words only adds to it. No W^V helps, and no d_k.");
    check(as_shared, "each question's loss is what its share of the row leaves, to 0.06");
    tutorial::in_the_notes("004 has this sentence as the reason for several heads.");
}
