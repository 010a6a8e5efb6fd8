// Lesson 09: why several heads. A verb asks for two words at once, and a single row of weights has
// to share itself between them (09.1).
#include "autograd/grad_mode.h"
#include "nn/attention/multi_head_attention.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/09_multi_head_attention/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

namespace {

const std::int64_t n = 4;            // words in a sentence; roles: giver, gift, receiver, place
const std::int64_t d_v = 4;          // the size of a word's value
const std::int64_t d_model = 2 * n;  // of a question, two roles, and of an answer, two values

struct Sentences {
    Variable asked;  // [B, 1, d_model], two one-hot rows side by side: the roles the verb asks for
    Variable roles;  // [B, n, n], one-hot rows: the role of each word
    Variable words;  // [B, n, n + d_v], its role and its value
    Tensor right;    // [B, 2, n], 1 at the word with the role asked for
    Tensor targets;  // [B, 1, d_model], the values of these two words, side by side
};

Sentences sentences(const IndexTensor& asked, const IndexTensor& roles, Random& random) {
    const std::int64_t B = roles.dim(0);
    const Tensor A = tensor::one_hot(asked, n);                    // [B, 2, n]
    const Tensor M = tensor::one_hot(roles, n);                    // [B, n, n]
    const Tensor values = tensor::normal({B, n, d_v}, random);     // [B, n, d_v]
    const Tensor right = tensor::matmul(A, tensor::transpose(M));  // [B, 2, n]
    const Tensor targets = tensor::matmul(right, values);          // [B, 2, d_v]
    return {Variable(tensor::reshape(A, {B, 1, d_model})), Variable(M),
            Variable(tensor::concatenate({M, values}, -1)), right,
            tensor::reshape(targets, {B, 1, d_model})};
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

// Queries are verbs, keys the roles of words, values the words. W^O is fixed, as the identity: each
// head writes its own part of the answer.
MultiHeadAttention trained(std::int64_t d_head, std::int64_t h, Random& random) {
    const FastKernels fast;  // also in a Debug build
    MultiHeadAttention layer(
        d_model, h, random,
        {.bias = false, .d_head = d_head, .d_v = d_model / h, .kdim = n, .vdim = n + d_v});
    layer.W_O.weight = Parameter(tensor::eye(d_model));
    set_requires_grad(layer.W_O, false);
    Adam optimizer(parameters(layer), {.lr = 0.03});
    for (int step = 0; step < 500; ++step) {
        const Sentences s = random_sentences(64, random);
        const Variable loss = mse_loss(layer(s.asked, s.roles, s.words), Variable(s.targets));
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
    return layer;
}

// What a layer does with "gave", and with all sentences of a test.
struct Found {
    Tensor gave;   // [h, n], its weights on the words of the one sentence
    Tensor loss;   // [2], of each question
    Tensor share;  // [2], the mean weight of the word asked for, in the head where it has more
};

Found found(const MultiHeadAttention& layer, const Sentences& gave, const Sentences& tests) {
    const NoGrad no_grad;
    const Tensor row = layer.with_weights(gave.asked, gave.roles, gave.words).weights.value();
    const Attention all = layer.with_weights(tests.asked, tests.roles, tests.words);
    const Tensor off = tensor::reshape(all.output.value() - tests.targets, {-1, 2, d_v});
    const Tensor rows = tensor::squeeze(all.weights.value(), 2);                   // [B, h, n]
    const Tensor on_asked = tensor::matmul(rows, tensor::transpose(tests.right));  // [B, h, 2]
    return {tensor::squeeze(tensor::select(row, 0, 0), 1), tensor::mean(off * off, {0, 2}),
            tensor::max(tensor::mean(on_asked, {0}), {0})};
}

void print_found(const std::vector<Found>& layers) {
    const tutorial::Words heads[] = {{"one head of 8"},
                                     {"one head of 8"},
                                     {"one head of 8"},
                                     {"one head of 64"},
                                     {"two of 4: head 0", "head 1"}};
    tutorial::Table table;
    table.corner = "\"gave\" looks at";
    table.columns = {"Mary", "roses", "Susan", "Paris", "1st loss", "2nd loss", "mean"};
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Tensor& loss = layers[i].loss;
        for (std::size_t head = 0; head < heads[i].size(); ++head) {
            const Tensor weights = tutorial::row(layers[i].gave, static_cast<std::int64_t>(head));
            table.rows.push_back(heads[i][head]);
            for (const Scalar w : weights.to_vector()) table.cells.push_back({fixed(w, 2), w});
            for (const double x : {loss(0), loss(1), tensor::mean(loss).item()}) {
                table.cells.push_back({fixed(x, 2)});
            }
        }
    }
    std::cout << "Mary gave roses to Susan in Paris: weights, and losses on 10000 sentences\n\n";
    tutorial::print_table(std::cout, table);
}

// How far a head's losses are from what its row of weights leaves to the two questions.
double off_what_is_left(const Found& one) {
    const Tensor squared = one.share * one.share;            // a², b²
    const Tensor left = 1 - squared / tensor::sum(squared);  // b²/(a² + b²), a²/(a² + b²)
    return tensor::max_difference(one.loss, left);
}

}  // namespace

void two_questions(Random& random) {
    section("09.1 Two questions at once");
    say("Mary gave roses to Susan. \"gave\" has to know who gave and who received, both at once. A "
        "head has one row of weights for it, and so one weighted sum. Is that enough?");
    say("The lookup of lesson 07.5, with two questions: four words, each with a role (giver, gift, "
        "receiver or place) and a value of four random numbers. A verb asks for two roles, and its "
        "output should be the two values, side by side. Scores see the roles only. One head of 8 "
        "tries to learn this, and two heads of 4: the same 160 numbers in $W^Q$, $W^K$ and $W^V$. "
        "$W^O$ is the identity matrix, so each head has its own part of the output. (The layer is "
        "nn's; 09.2 builds it.)");
    tutorial::predict_number(
        "Answering 0 to everything has a loss of 1. How low does one head get?", 0.5, 0.05,
        "What it tells of one word, it cannot tell of the other.");
    const Sentences gave =  // asks for giver and receiver
        sentences(IndexTensor({0, 2}, {1, 2}), IndexTensor({0, 1, 2, 3}, {1, 4}), random);
    const Sentences tests = random_sentences(10000, random);
    std::vector<Found> layers;
    double off_half = 0, off_left = 0;
    for (const std::int64_t d_head : {8, 8, 8, 64}) {
        layers.push_back(found(trained(d_head, 1, random), gave, tests));
        off_half = std::max(off_half, std::abs(tensor::mean(layers.back().loss).item() - 0.5));
        off_left = std::max(off_left, off_what_is_left(layers.back()));
    }
    layers.push_back(found(trained(4, 2, random), gave, tests));
    const Tensor one_head = layers.front().gave, two_heads = layers.back().gave;  // [h, n]
    stop("09.1 two questions", {{"one_head", one_head}, {"two_heads", two_heads}});
    print_found(layers);
    check(off_half < 0.03, "one head stays at a loss of 1/2, to 0.03, however it shares its row "
                           "and whatever its size");
    check(tensor::mean(layers.back().loss).item() < 0.01 &&
              tensor::min(layers.back().share).item() > 0.9,
          "two heads fall below 0.01, and each word asked for has more than 0.9 of a head's row");
    say("1/2 is the floor. A row with a on one word and b on the other gives $a·v_1 + b·v_2$. The "
        "values have mean 0 and variance 1, and are independent of each other and of the weights. "
        "So the multiple of this sum closest to $v_1$ misses it by $b²/(a² + b²)$ in mean square, "
        "and the one closest to $v_2$ by $a²/(a² + b²)$: together 1, whatever a and b. Weight on "
        "other words only adds to it. No $W^V$ and no larger head helps.");
    check(off_left < 0.06, "each question's loss is what its share of the row leaves, to 0.06");
    tutorial::in_the_notes("004 gives this sentence as the reason for several heads.");
}
