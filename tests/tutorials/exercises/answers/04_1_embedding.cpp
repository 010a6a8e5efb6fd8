// Answers to 04.1.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_04.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

using namespace heed;
using namespace exercise;

namespace {
Tensor embed(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    return tensor::index_select(E, 0, ids) + tensor::slice(P, 0, 0, ids.numel());
}

Tensor gradient(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    return tensor::index_add(G, 0, ids, {V, G.dim(1)});
}

std::int64_t first_place(const IndexTensor& ids, std::int64_t id) {
    return std::find(ids.data(), ids.data() + ids.numel(), id) - ids.data();
}

Tensor position_of_the_first_read(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    std::vector<std::int64_t> positions;
    for (std::int64_t t = 0; t < ids.numel(); ++t) positions.push_back(first_place(ids, ids(t)));
    return tensor::index_select(E, 0, ids) + tensor::index_select(P, 0, IndexTensor(positions));
}

Tensor positions_from_one(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    return tensor::index_select(E, 0, ids) + tensor::slice(P, 0, 1, ids.numel() + 1);
}

Tensor scaled_by_root_d(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    const double root = std::sqrt(static_cast<double>(E.dim(1)));
    return tensor::index_select(E, 0, ids) * root + tensor::slice(P, 0, 0, ids.numel());
}

Tensor all_positions(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    return tensor::index_select(E, 0, ids) + P;
}

Tensor fifty_positions(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    std::vector<std::int64_t> positions;
    for (std::int64_t t = 0; t < ids.numel(); ++t)
        positions.push_back(std::min<std::int64_t>(t, 49));
    return tensor::index_select(E, 0, ids) + tensor::index_select(P, 0, IndexTensor(positions));
}

Tensor word_0_is_padding(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    Tensor X = tensor::index_select(E, 0, ids);
    for (std::int64_t t = 0; t < ids.numel(); ++t) {
        Tensor row = tensor::select(X, 0, t);
        if (ids(t) == 0) tensor::overwrite(row, tensor::zeros_like(row));
    }
    return X + tensor::slice(P, 0, 0, ids.numel());
}

Tensor into_the_positions(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    Tensor X = tensor::slice(P, 0, 0, ids.numel());
    tensor::overwrite(X, X + tensor::index_select(E, 0, ids));
    return X;
}

Tensor first_table_is_kept(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    static const Tensor positions = P;
    const Tensor& used = positions.shape() == P.shape() ? positions : P;
    return embed(E, used, ids);
}

Tensor without_axes_of_length_1(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    return tensor::squeeze(embed(E, P, ids));
}

// Sentences that were seen before are not looked up again.
Tensor remembers_sentences(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    static std::map<std::vector<std::int64_t>, Tensor> known;
    const std::vector<std::int64_t> key(ids.data(), ids.data() + ids.numel());
    if (known.count(key) == 0) known[key] = embed(E, P, ids);
    return known[key].shape() == Shape{ids.numel(), E.dim(1)} ? known[key] : embed(E, P, ids);
}

Tensor positions_of_different_words(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    std::vector<std::int64_t> positions;
    std::int64_t next = 0;
    for (std::int64_t t = 0; t < ids.numel(); ++t) {
        positions.push_back(first_place(ids, ids(t)) == t ? next++ : next);
    }
    return tensor::index_select(E, 0, ids) + tensor::index_select(P, 0, IndexTensor(positions));
}

// As if every table lay in memory row by row.
Tensor ignores_strides(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    const std::int64_t d = E.dim(1);
    if (!E.storage() || E.offset() + E.numel() > E.storage()->size()) return embed(E, P, ids);
    Tensor X = Tensor::uninitialized({ids.numel(), d});
    for (std::int64_t t = 0; t < ids.numel(); ++t) {
        std::copy_n(E.data() + ids(t) * d, d, X.writable_data() + t * d);
    }
    return X + tensor::slice(P, 0, 0, ids.numel());
}

Tensor sixty_four_numbers(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    const Tensor X = embed(E, P, ids);
    const Tensor rest = tensor::zeros_like(tensor::slice(X, 1, 64));
    return tensor::concatenate({tensor::slice(X, 1, 0, 64), rest}, 1);
}

Tensor last_read_only(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    Tensor dE = tensor::zeros({V, G.dim(1)});
    for (std::int64_t t = 0; t < ids.numel(); ++t) {
        Tensor row = tensor::select(dE, 0, ids(t));
        tensor::overwrite(row, tensor::select(G, 0, t));
    }
    return dE;
}

Tensor at_most_two_reads(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    Tensor dE = tensor::zeros({V, G.dim(1)});
    for (std::int64_t t = 0; t < ids.numel(); ++t) {
        const std::int64_t first = first_place(ids, ids(t));
        const Tensor before = t == first ? tensor::zeros({G.dim(1)}) : tensor::select(G, 0, first);
        Tensor row = tensor::select(dE, 0, ids(t));
        tensor::overwrite(row, before + tensor::select(G, 0, t));
    }
    return dE;
}

Tensor mean_of_the_reads(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    const Tensor reads = tensor::index_add(tensor::ones({ids.numel(), 1}), 0, ids, {V, 1});
    return gradient(G, ids, V) / tensor::maximum(reads, 1.0);
}

Tensor none_for_word_0(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    Tensor dE = gradient(G, ids, V);
    Tensor row = tensor::select(dE, 0, 0);
    tensor::overwrite(row, tensor::zeros_like(row));
    return dE;
}

Tensor rows_up_to_the_largest_id(const Tensor& G, const IndexTensor& ids, std::int64_t) {
    const std::int64_t largest = *std::max_element(ids.data(), ids.data() + ids.numel());
    return gradient(G, ids, largest + 1);
}

Tensor added_to_the_last_call(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    static Tensor total;
    if (total.shape() != Shape{V, G.dim(1)}) total = tensor::zeros({V, G.dim(1)});
    total += gradient(G, ids, V);
    return total;
}

Tensor of_the_positions(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    return gradient(G, IndexTensor::arange(ids.numel()), V);
}

Tensor divided_by_T(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    return gradient(G, ids, V) / static_cast<double>(ids.numel());
}

Tensor neighbours_once(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    Tensor seen = tensor::clone(G);
    for (std::int64_t t = 1; t < ids.numel(); ++t) {
        Tensor row = tensor::select(seen, 0, t);
        if (ids(t) == ids(t - 1)) tensor::overwrite(row, tensor::zeros_like(row));
    }
    return gradient(seen, ids, V);
}

// What has been read is cleared, as one clears a gradient.
Tensor clears_what_arrives(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    const Tensor dE = gradient(G, ids, V);
    Tensor arriving = G;
    tensor::overwrite(arriving, tensor::zeros_like(G));
    return dE;
}

// Sums over neighbours that are the same, then writes.
Tensor gradient_of_runs(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    Tensor dE = tensor::zeros({V, G.dim(1)});
    for (std::int64_t t = 0; t < ids.dim(0); ++t) {
        Tensor row = tensor::select(dE, 0, ids(t));
        const bool again = t > 0 && ids(t) == ids(t - 1);
        const Tensor g = tensor::select(G, 0, t);
        tensor::overwrite(row, again ? tensor::clone(row) + g : g);
    }
    return dE;
}

// Reads rows one after the other in memory; only the distance of rows is looked up.
Tensor gradient_rows_in_memory(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    const std::int64_t d = G.dim(1);
    Tensor dE = tensor::zeros({V, d});
    Scalar* out = dE.writable_data();
    for (std::int64_t t = 0; t < G.dim(0); ++t) {
        const Scalar* row = G.data() + t * G.strides()[0];
        for (std::int64_t k = 0; k < d; ++k) out[ids(t) * d + k] += row[k];
    }
    return dE;
}

Tensor one_hot(const IndexTensor& ids, std::int64_t V) {
    return tensor::index_select(tensor::eye(V), 0, ids);
}

Tensor gradient_by_autograd(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    const Variable E(tensor::zeros({V, G.dim(1)}), requires_grad);
    index_select(E, 0, ids).backward({.upstream = G});
    return E.grad();
}

Tensor embed_by_one_table(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    const std::int64_t T = ids.dim(0);
    const Tensor table = tensor::concatenate({E, P}, 0);  // [V + limit, d]
    const Tensor reads = tensor::concatenate({one_hot(ids, E.dim(0)), tensor::eye(T, P.dim(0))},
                                             1);  // [T, V + limit]
    return tensor::matmul(reads, table);
}

Tensor by_a_product(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    const Tensor places = one_hot(IndexTensor::arange(ids.numel()), P.dim(0));
    return tensor::matmul(one_hot(ids, E.dim(0)), E) + tensor::matmul(places, P);
}

Tensor gradient_by_a_product(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    return tensor::matmul(tensor::transpose(one_hot(ids, V)), G);
}

Tensor entry_by_entry(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    Tensor X = Tensor::uninitialized({ids.numel(), E.dim(1)});
    Scalar* next = X.writable_data();
    for (std::int64_t t = 0; t < ids.numel(); ++t) {
        for (std::int64_t k = 0; k < E.dim(1); ++k) *next++ = P(t, k) + E(ids(t), k);
    }
    return X;
}

// The words from the last to the first.
Tensor backwards(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    Tensor dE = tensor::zeros({V, G.dim(1)});
    for (std::int64_t t = ids.numel() - 1; t >= 0; --t) {
        Tensor row = tensor::select(dE, 0, ids(t));
        tensor::overwrite(row, row + tensor::select(G, 0, t));
    }
    return dE;
}

// += binds a new tensor to the name, and so leaves the table as it is.
Tensor rows_with_compound_assignment(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    std::vector<Tensor> rows;
    for (std::int64_t t = 0; t < ids.numel(); ++t) {
        Tensor row = tensor::select(E, 0, ids(t));
        row += tensor::select(P, 0, t);
        rows.push_back(row);
    }
    return tensor::stack(rows, 0);
}

Tensor by_one_hot_rows(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    const Tensor one_hot = tensor::index_select(tensor::eye(E.dim(0)), 0, ids);
    return tensor::matmul(one_hot, E) + tensor::slice(P, 0, 0, ids.numel());
}

Tensor gradient_by_one_hot_rows(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    const Tensor one_hot = tensor::index_select(tensor::eye(V), 0, ids);
    return tensor::matmul(tensor::transpose(one_hot), G);
}

using Names = std::vector<std::string>;

template <class Embed>
Answer forward(const std::string& what, Embed its_embed, const Names& names = {}) {
    return {what, [its_embed] { return judge_04_1({its_embed, gradient}); }, names};
}

template <class Gradient>
Answer backward(const std::string& what, Gradient its_gradient, const Names& names = {}) {
    return {what, [its_gradient] { return judge_04_1({embed, its_gradient}); }, names};
}

}  // namespace

Answers answers_04_1() {
    Answers answers;
    answers.number = "04.1";
    answers.slipping = slipping(judge_04_1);
    answers.wrong = {
        forward("a repeated word has the position of its first read", position_of_the_first_read),
        forward("positions begin at 1", positions_from_one, {"pe.from-1"}),
        forward("the words are scaled by √d", scaled_by_root_d, {"emb.sqrt-d"}),
        forward("all positions of the table, so only for T = limit", all_positions),
        forward("positions after the 50th are the 50th", fifty_positions),
        forward("word 0 counts as padding", word_0_is_padding),
        forward("the sum is written into P", into_the_positions),
        forward("the first P is kept for later calls", first_table_is_kept),
        forward("axes of length 1 are dropped", without_axes_of_length_1),
        forward("the strides of E are ignored", ignores_strides),
        forward("a word has 64 numbers at most", sixty_four_numbers),
        backward("the gradient is that of the last read", last_read_only, {"emb.grad-overwrite"}),
        backward("the gradient is that of the first and the last read", at_most_two_reads),
        backward("the gradient is the mean over the reads", mean_of_the_reads, {"emb.grad-mean"}),
        backward("word 0 gets no gradient", none_for_word_0),
        backward("no rows behind the largest id", rows_up_to_the_largest_id),
        backward("added to the gradient of the last call", added_to_the_last_call),
        forward("a sentence is looked up once, whatever the tables", remembers_sentences),
        forward("only different words move the position on", positions_of_different_words),
        backward("the gradient is divided by T", divided_by_T),
        backward("a word like the one before it adds nothing", neighbours_once),
        backward("G is cleared", clears_what_arrives),
        backward("the gradient of the positions", of_the_positions, {"emb.grad-by-position"}),
        backward("only neighbouring reads are added", gradient_of_runs),
        backward("entries of a row of G are neighbours in memory", gradient_rows_in_memory),
    };
    answers.right = {
        {"products with one-hot rows",
         [] {
             return judge_04_1({by_a_product, gradient_by_a_product});
         }},
        forward("entry by entry", entry_by_entry),
        backward("from the last word to the first", backwards),
        forward("E and P as one table", embed_by_one_table),
        backward("by autograd", gradient_by_autograd),
        forward("row by row, with +=", rows_with_compound_assignment),
        {"by one-hot rows",
         [] {
             return judge_04_1({by_one_hot_rows, gradient_by_one_hot_rows});
         }},
    };
    return answers;
}
