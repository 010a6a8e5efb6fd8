#include "tutorials/exercises/judges/lesson_04.h"
#include "tutorials/exercises/judging/kit.h"
#include "tutorials/exercises/judging/steps.h"

using namespace heed;

namespace exercise {
namespace {
IndexTensor moved(const IndexTensor& ids, std::int64_t by) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t t = 0; t < ids.numel(); ++t) numbers.push_back(ids(t) + by);
    return IndexTensor(numbers);
}

Tensor walk(const Tensor& E, const Tensor& P, const IndexTensor& ids, const Slips& slip) {
    const std::int64_t V = E.dim(0), d = E.dim(1), T = ids.numel();
    IndexTensor rows = ids;
    if (slip("emb.id-plus-1")) rows = moved(ids, 1);
    if (slip("emb.id-minus-1")) rows = moved(ids, -1);
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

// How often each id has been read before the word at t, and in all.
std::int64_t reads_before(const IndexTensor& ids, std::int64_t t, std::int64_t id) {
    return std::count(ids.data(), ids.data() + t, id);
}

Tensor gradient_walk(const Tensor& G, const IndexTensor& ids, std::int64_t V, const Slips& slip) {
    const std::int64_t T = ids.numel();
    const IndexTensor rows = slip("emb.grad-by-position") ? IndexTensor::arange(T) : ids;
    std::vector<Scalar> kept;
    for (std::int64_t t = 0; t < T; ++t) {
        const std::int64_t before = reads_before(ids, t, ids(t));
        const std::int64_t all = reads_before(ids, T, ids(t));
        Scalar factor = 1;
        if (slip("emb.grad-overwrite")) factor = before + 1 == all ? 1 : 0;
        if (slip("emb.grad-first")) factor = before == 0 ? 1 : 0;
        if (slip("emb.grad-mean")) factor = 1 / static_cast<Scalar>(all);
        kept.push_back(factor);
    }
    const Tensor arriving = slip("emb.grad-counts") ? tensor::ones_like(G) : G;
    return tensor::index_add(arriving * tensor::from_vector(kept, {T, 1}), 0, rows, {V, G.dim(1)});
}

EmbeddingAnswer slipping(const Slips& slip) {
    return {[=](const Tensor& E, const Tensor& P, const IndexTensor& ids) {
                return walk(E, P, ids, slip);
            },
            [=](const Tensor& G, const IndexTensor& ids, std::int64_t V) {
                return gradient_walk(G, ids, V, slip);
            }};
}

std::vector<Mistake> mistakes() {
    const std::string row = "Look at X[0]: which row of E is in it, and which of P?";
    const std::string twice = "Look at the row of an id that occurs several times.";
    return {
        {"emb.id-plus-1", "the row after the id's own was read", "Which row belongs to id 0?", row},
        {"emb.id-minus-1", "the row before the id's own was read", "Which row belongs to id 0?",
         row},
        {"emb.by-position", "row t was read for word t, whatever its id", "What does an id choose?",
         row},
        {"emb.T", "the numbers of a word were read down a column of the table",
         "Is E [V, d] or [d, V]?", row},
        {"emb.sqrt-d", "the rows were multiplied by √d, which this contract does not ask for",
         "What does the contract do with a row of E?", "Divide X[0] - P[0] by the row of E."},
        {"emb.no-position", "no positions were added", "What differs where a word stands twice?",
         row},
        {"emb.twice", "the rows of E were added twice", "How often does each row enter the sum?",
         "Divide X[0] - P[0] by the row of E."},
        {"pe.from-1", "positions were counted from 1", "Which row of P belongs to the first word?",
         row},
        {"pe.by-id", "the row of P was chosen by the id and not by the position",
         "What does an id tell, what a word is or where it stands?", row},
        {"pe.first-row", "all words had the position of the first",
         "Which row of P belongs to the second word?",
         "Look at X[1] - X[0] where both words are the same."},
        {"pe.from-the-end", "the last T rows of P were taken",
         "Which row of P belongs to the first word?", row},
        {"pe.mul-not-add", "words and positions were multiplied, not added",
         "How are the two combined?", row},
        {"emb.grad-overwrite", "a row that is read several times kept only its last gradient",
         "A row is used twice: what becomes of the two gradients?", twice},
        {"emb.grad-first", "a row that is read several times kept only its first gradient",
         "A row is used twice: what becomes of the two gradients?", twice},
        {"emb.grad-mean", "a row that is read several times got the mean of its gradients",
         "A row is used twice: what becomes of the two gradients?", twice},
        {"emb.grad-by-position", "the gradient of word t was put into row t",
         "Which row was read for word t?", "Look for the first row that is not 0."},
        {"emb.grad-counts", "the reads of each row were counted, as if G were all ones",
         "By what is each read weighted?", "Where does G enter your result?"},
    };
}

struct Tables {
    Tensor E, P, G;  // [V, d], [limit, d], [T, d]
};

Tables tables(const Shape& of_E, std::int64_t limit, std::int64_t T, std::uint64_t seed) {
    const std::int64_t d = of_E[1];
    return {random(of_E, seed), random({limit, d}, seed + 1), random({T, d}, seed + 2)};
}

// The same sizes as views: E and G are transposed, P is every second column of a wider tensor.
Tables views(const Shape& of_E, std::int64_t limit, std::int64_t T, std::uint64_t seed) {
    const std::int64_t V = of_E[0], d = of_E[1];
    return {tensor::transpose(random({d, V}, seed)),
            tensor::slice(random({limit, 2 * d}, seed + 1), 1, 0, tensor::to_the_end, 2),
            tensor::transpose(random({d, T}, seed + 2))};
}

struct Input {
    Tables tables;
    IndexTensor ids;
};
Stages given(const Input& in) {
    return {{"E", in.tables.E}, {"P", in.tables.P}, {"G", in.tables.G}};
}

// More words than a table of fixed size would have room for; some rows are read again and again.
IndexTensor many_ids(std::int64_t T, std::int64_t modulus) {
    std::vector<std::int64_t> ids;
    for (std::int64_t t = 0; t < T; ++t) ids.push_back(t * t % modulus);
    return IndexTensor(ids);
}

IndexTensor three_times() { return IndexTensor({3, 9, 3, 0, 3}); }

Inputs<Input> inputs() {
    const Input first = {tables({11, 6}, 12, 5, 1), three_times()};
    return {
        {"5 words, one of them three times", first},
        {"the same words and other tables", {tables({11, 6}, 12, 5, 11), three_times()}},
        {"4 words of 3 numbers", {tables({7, 3}, 8, 4, 21), IndexTensor({6, 1, 1, 2})}},
        {"tables that are views", {views({8, 5}, 9, 6, 31), IndexTensor({7, 0, 2, 7, 5, 4})}},
        {"a single word", {tables({5, 2}, 6, 1, 41), IndexTensor({4})}},
        {"words of one number", {tables({4, 1}, 5, 3, 51), IndexTensor({2, 0, 2})}},
        {"words of 130 numbers", {tables({4, 130}, 5, 3, 101), IndexTensor({2, 0, 2})}},
        {"a vocabulary of one word", {tables({1, 4}, 3, 2, 61), IndexTensor({0, 0})}},
        {"as many words as positions, 600", {tables({300, 2}, 600, 600, 71), many_ids(600, 299)}},
        {"the first 5 words again", first},
    };
}

Stages of_X(const EmbeddingAnswer& answer, const Input& in) {
    return {{"X", answer.embed(in.tables.E, in.tables.P, in.ids)}};
}

Stages of_gradient(const EmbeddingAnswer& answer, const Input& in) {
    return {{"the gradient of E", answer.gradient(in.tables.G, in.ids, in.tables.E.dim(0))}};
}

Stages both(const EmbeddingAnswer& answer, const Input& in) {
    return joined(of_X(answer, in), of_gradient(answer, in));
}

std::vector<Hole> holes() {
    return {{"embed",
             {"X"},
             {"Which row of which table belongs to the word at t?",
              "Lesson 04.5; tensor/ops/gather.h reads rows by their index",
              "x_t = E[id_t] + P[t], t from 0", "index_select(E, 0, ids) + slice(P, 0, 0, T)"}},
            {"embed_gradient",
             {"the gradient of E"},
             {"Which row of E did word t come from, and where does G[t] go back to?",
              "Lesson 04.7; tensor/ops/gather.h also has the reverse of reading rows",
              "row i of the gradient is the sum of G[t] over all t with id_t = i",
              "index_add(G, 0, ids, {V, d})"}}};
}

Rules<EmbeddingAnswer> rules() {
    return {
        .number = "04.1",
        .title = "Token and position embedding",
        .reference = slipping,
        .cases = on_each<EmbeddingAnswer>(
            in_order<EmbeddingAnswer, Input>({of_X, of_gradient}, slipping({})), inputs()),
        .laws = {earlier_results_stay(both, {tables({11, 6}, 12, 5, 81), three_times()},
                                      {tables({11, 6}, 12, 5, 91), three_times()})},
        .mistakes = mistakes(),
        .hints = {"Which of the two functions is it, and what is it given?",
                  "Print the shapes of what you are given, and the ids",
                  "Try it by hand on 2 words of 1 number: E = [[10], [20]], ids = [1, 1]",
                  "Key d stops the program in embed: step through it and print each tensor"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<EmbeddingAnswer> judge_04_1(rules);

}  // namespace exercise
