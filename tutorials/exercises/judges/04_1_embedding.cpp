#include "tutorials/exercises/judges/04_1_embedding.h"

#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/gather.h"
#include "heed/tensor/ops/matmul.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/views.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

IndexTensor moved(const IndexTensor& ids, std::int64_t by, std::int64_t V) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t t = 0; t < ids.numel(); ++t) numbers.push_back((ids(t) + by + V) % V);
    return IndexTensor(numbers);
}

Tensor walk(const Tensor& E, const Tensor& P, const IndexTensor& ids, const Slips& slip) {
    const std::int64_t V = E.dim(0), d = E.dim(1), T = ids.numel();
    IndexTensor rows = ids;
    if (slip("emb.id-plus-1")) rows = moved(ids, 1, V);
    if (slip("emb.id-minus-1")) rows = moved(ids, -1, V);
    if (slip("emb.by-position")) rows = IndexTensor::arange(T);
    // Reads number k of a row at id + k·V instead of id·d + k.
    const Tensor table = slip("emb.T") ? tensor::transpose(tensor::reshape(E, {d, V})) : E;
    Tensor tokens = tensor::index_select(table, 0, rows);  // [T, d]
    if (slip("emb.sqrt-d")) tokens = tokens * std::sqrt(static_cast<double>(d));
    if (slip("emb.no-position")) return tokens;
    Tensor positions = tensor::slice(P, 0, 0, T);
    if (slip("pe.from-1")) positions = tensor::slice(P, 0, 1, T + 1);
    if (slip("pe.by-id")) positions = tensor::index_select(P, 0, ids);
    if (slip("pe.first-row")) positions = tensor::slice(P, 0, 0, 1);
    if (slip("pe.from-the-end")) positions = tensor::slice(P, 0, -T);
    if (slip("emb.twice")) tokens = tokens + tokens;
    return slip("pe.mul-not-add") ? tokens * positions : tokens + positions;
}

Tensor gradient_walk(const Tensor& G, const IndexTensor& ids, std::int64_t V, const Slips& slip) {
    const std::int64_t T = G.dim(0), d = G.dim(1);
    std::vector<Scalar> rows(static_cast<std::size_t>(V * d), 0);
    std::vector<Scalar> counts(static_cast<std::size_t>(V), 0);
    for (std::int64_t t = 0; t < T; ++t) {
        const std::int64_t id = slip("emb.grad-by-position") ? t : ids(t);
        counts[static_cast<std::size_t>(id)] += 1;
        const bool first = counts[static_cast<std::size_t>(id)] == 1;
        for (std::int64_t k = 0; k < d; ++k) {
            Scalar& entry = rows[static_cast<std::size_t>(id * d + k)];
            const Scalar g = slip("emb.grad-counts") ? 1 : G(t, k);
            if (slip("emb.grad-overwrite")) {
                entry = g;
            } else if (!slip("emb.grad-first") || first) {
                entry += g;
            }
        }
    }
    if (slip("emb.grad-mean")) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Scalar count = counts[i / static_cast<std::size_t>(d)];
            if (count > 0) rows[i] /= count;
        }
    }
    return tensor::from_vector(rows, {V, d});
}

std::vector<Mistake> mistakes() {
    const std::string row = "Look at X[0]: which row of E, which of P is in it?";
    const std::string twice = "Look at the row of the id that occurs twice.";
    return {
        {"emb.id-plus-1",
         "the row after the id's own were read",
         {"Which row belongs to id 0?", row}},
        {"emb.id-minus-1",
         "the row before the id's own were read",
         {"Which row belongs to id 0?", row}},
        {"emb.by-position",
         "row t were read for word t, whatever its id",
         {"What does an id choose?", row}},
        {"emb.T",
         "the numbers of a word were taken from a column of the table",
         {"Is E [V, d] or [d, V]?", row}},
        {"emb.sqrt-d",
         "the rows were multiplied by √d, which this contract does not ask for",
         {"What does the contract do with a row of E?", "Divide X[0] - P[0] by the row of E."}},
        {"emb.no-position",
         "there were no positions in it",
         {"What differs where a word stands twice?", row}},
        {"emb.twice",
         "the rows of E were added twice",
         {"How often is each row in the sum?", "Divide X[0] - P[0] by the row of E."}},
        {"pe.from-1",
         "positions were counted from 1",
         {"Which row of P belongs to the first word?", row}},
        {"pe.by-id",
         "the row of P were chosen by the id and not by the place",
         {"What does the id say, what a word is or where it stands?", row}},
        {"pe.first-row",
         "all words had the position of the first",
         {"Which row of P belongs to the second word?", "The same as before for X[1]."}},
        {"pe.from-the-end",
         "the last T rows of P were taken",
         {"Which row of P belongs to the first word?", row}},
        {"pe.mul-not-add",
         "position and word were multiplied",
         {"How are the two put together?", row}},
        {"emb.grad-overwrite",
         "a row that is read twice kept its last gradient only",
         {"Two uses of one row: what becomes of their gradients?", twice}},
        {"emb.grad-first",
         "a row that is read twice kept its first gradient only",
         {"Two uses of one row: what becomes of their gradients?", twice}},
        {"emb.grad-mean",
         "a row that is read twice had the mean of its gradients",
         {"Two uses of one row: what becomes of their gradients?", twice}},
        {"emb.grad-by-position",
         "the gradient of word t were put into row t",
         {"Which row was read for word t?", "Look for the first row that is not 0."}},
        {"emb.grad-counts",
         "uses were counted, as if every gradient that arrives were 1",
         {"What arrives from above?", "Is G in your result?"}},
    };
}

// X is linear in E, so <X(E) - X(0), G> = <E, ∂L/∂E> for every E and G.
std::string answers_the_lookup(const EmbeddingAnswer& answer) {
    const Tensor E = random({7, 3}, 31), P = random({9, 3}, 32), G = random({5, 3}, 33);
    const IndexTensor ids({2, 6, 2, 0, 2});
    const Tensor read = answer.embed(E, P, ids) - answer.embed(tensor::zeros({7, 3}), P, ids);
    const double above = tensor::sum(read * G).item();
    const double below = tensor::sum(E * answer.gradient(G, ids, 7)).item();
    if (std::fabs(above - below) < 1e-6 * (1 + std::fabs(above))) return "";
    return "Σ G·(the rows that were read) is " + std::to_string(above) + ", Σ E·∂L/∂E is " +
           std::to_string(below) + ".";
}

Stages of_X(const Tensor& X) { return {{"X", X}}; }
Stages of_gradient(const Tensor& gradient) { return {{"the gradient of E", gradient}}; }

}  // namespace

Exercise embedding(const EmbeddingAnswer& answer) {
    Exercise exercise;
    exercise.number = "04.1";
    exercise.title = "Token and position embedding";
    const auto add = [&](const std::string& name, const Shape& of_E, std::int64_t limit,
                         const IndexTensor& ids, std::uint64_t seed) {
        const std::int64_t V = of_E[0], d = of_E[1];
        const Tensor E = random(of_E, seed), P = random({limit, d}, seed + 1);
        const Tensor G = random({ids.numel(), d}, seed + 2);
        exercise.cases.push_back(
            in_order(name,
                     [=](const Slips& slip) {
                         return Steps{
                             [=] { return of_X(walk(E, P, ids, slip)); },
                             [=] { return of_gradient(gradient_walk(G, ids, V, slip)); },
                         };
                     },
                     {[=] { return of_X(answer.embed(E, P, ids)); },
                      [=] { return of_gradient(answer.gradient(G, ids, V)); }}));
    };
    add("5 words, one of them three times", {11, 6}, 12, IndexTensor({3, 10, 3, 0, 3}), 1);
    add("4 words of 3 numbers", {7, 3}, 8, IndexTensor({6, 1, 1, 2}), 11);
    add("a single word", {5, 2}, 6, IndexTensor({4}), 21);
    exercise.laws = {once_done("the gradient answers the lookup, number for number",
                               [=] { return answers_the_lookup(answer); })};
    exercise.mistakes = mistakes();
    exercise.hints = {"Which rows of which table are in X[t]? And where does G[t] go back to?",
                      "Lesson 04.5 for the rows, 04.7 for the gradient; tensor/ops/gather.h",
                      "x_t = E[id_t] + P[t]; row i of the gradient is the sum of G[t] over all t "
                      "with id_t = i",
                      "index_select(E, 0, ids) + slice(P, 0, 0, T), and index_add(G, 0, ids, "
                      "{V, d})"};
    return exercise;
}

Trials embedding_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return embedding({[=](const Tensor& E, const Tensor& P, const IndexTensor& ids) {
                              return walk(E, P, ids, slip);
                          },
                          [=](const Tensor& G, const IndexTensor& ids, std::int64_t V) {
                              return gradient_walk(G, ids, V, slip);
                          }});
    };
    trials.right["by one-hot rows"] = [] {
        return embedding(
            {[](const Tensor& E, const Tensor& P, const IndexTensor& ids) {
                 const Tensor one_hot = tensor::index_select(tensor::eye(E.dim(0)), 0, ids);
                 return tensor::matmul(one_hot, E) + tensor::slice(P, 0, 0, ids.numel());
             },
             [](const Tensor& G, const IndexTensor& ids, std::int64_t V) {
                 const Tensor one_hot = tensor::index_select(tensor::eye(V), 0, ids);
                 return tensor::matmul(tensor::transpose(one_hot), G);
             }});
    };
    return trials;
}

}  // namespace exercise
