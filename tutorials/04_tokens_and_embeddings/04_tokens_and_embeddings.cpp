// 04 Tokens and embeddings: how a sentence becomes a matrix. Words are mapped to ids, ids select
// rows of a learned table, and a second table encodes the position of each word.
#include "autograd/ops.h"
#include "nn/text/word_tokenizer.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/04_tokens_and_embeddings/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::row;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

bool same_row(const Tensor& X, std::int64_t t, const Tensor& Y, std::int64_t u) {
    return same(row(X, t), row(Y, u));
}

void a_table(Random& random) {
    section("04.3 An embedding is a row of a table");
    say("Ids are only names: that test is 15 and text is 4 says nothing about tests and texts. So "
        "each id gets a vector of dimension d, its embedding: a row of a table E, which is learned "
        "like any parameter. With one-hot rows, a 1 at the word's id and 0 elsewhere, the lookup "
        "is a product of matrices.");
    const WordTokenizer tokenizer({doc1, doc2});
    const std::int64_t V = tokenizer.size();
    const Tensor E = tensor::normal({V, d}, random);                      // [V, d]
    const IndexTensor ids = tokenizer.encode("This is a test text");      // [T]
    const Tensor one_hot = tensor::index_select(tensor::eye(V), 0, ids);  // [T, V]

    const Tensor by_product = tensor::matmul(one_hot, E);   // [T, d]
    const Tensor by_row = tensor::index_select(E, 0, ids);  // [T, d]
    tutorial::predict_shape("Five ids, and rows of 6 numbers. What is the shape of X?",
                            by_row.shape(),
                            "A row for each id, whatever the number of words in the table.");
    stop("04.3 rows of a table", {{"ids", ids}, {"one_hot", one_hot}, {"by_row", by_row}});
    std::cout << "ids     " << ids << "\none-hot " << one_hot.shape() << " · E " << E.shape()
              << " = X " << by_product.shape() << "\nX =\n"
              << by_row << "\n\n";
    std::cout << "multiplications: " << one_hot.numel() * d
              << " by the product, none by picking the rows\n\n";
    check(same(by_product, by_row), "both ways give the same bits");

    say("E is drawn at random and knows nothing yet. The tokenizer of a pretrained model does not "
        "change that: it brings the model's ids, not its rows. Rows that mean something must be "
        "loaded with the model, or learned.");
    const Tensor other = tensor::normal({V, d}, random);  // [V, d]
    const std::int64_t test = tokenizer.id("test");
    check(!same_row(E, test, other, test),
          "with another table for the same tokenizer, \"test\" has the same id and another row");
    in_the_notes("002 takes a pretrained tokenizer \"instead of random embeddings\", and then "
                 "makes an nn.Embedding, whose rows are random (002-10).");
}

void one_row_for_all_meanings(Random& random) {
    section("04.4 One spelling, one row");
    say("The tokenizer sees letters, not meanings. In \"time flies like an arrow\", flies is a "
        "verb; in \"fruit flies like a banana\", they are animals. The two are homographs: written "
        "alike. That is all that counts here, not how they sound. And bar has at least four "
        "meanings: a place for drinks, a rod, a measure of music, the law exam.");
    const Words sentences = {"time flies like an arrow",
                             "fruit flies like a banana",
                             "he drinks at the bar",
                             "she bent the iron bar",
                             "sing the first bar",
                             "they passed the bar",
                             "I see the sea"};
    const WordTokenizer tokenizer(sentences);
    const Tensor E = tensor::normal({tokenizer.size(), d}, random);  // [V, d]
    bool all_the_same = true;
    for (std::size_t i = 0; i < 6; ++i) {
        const IndexTensor ids = tokenizer.encode(sentences[i]);  // [T]
        const Tensor X = tensor::index_select(E, 0, ids);        // [T, d]
        const std::int64_t t = i < 2 ? 1 : ids.numel() - 1;
        std::cout << "  id " << (ids(t) < 10 ? " " : "") << ids(t) << " of "
                  << tokenizer.word(ids(t)) << " in: " << sentences[i] << "\n";
        all_the_same = all_the_same && same_row(X, t, E, tokenizer.id(i < 2 ? "flies" : "bar"));
    }
    std::cout << "\n";
    check(all_the_same, "both flies get one row, and so do all four bars");
    check(tokenizer.id("see") != tokenizer.id("sea"),
          "see and sea, which sound alike, have two ids");
    say("Only the words around it show which meaning a word has. Attention, from the next "
        "lesson on, lets each word look at the others. In lesson 16 an encoder learns which bar is "
        "meant, and the two flies get vectors of their own.");
    in_the_notes("002 has the two flies, but calls them homophones (002-8). The four meanings of "
                 "bar are 003's.");
}

void gradients(Random& random) {
    section("04.7 The gradient of a row");
    say("A row that is read several times gets several gradients, which add up, as in lesson 02. "
        "If the loss is the sum of all numbers of X, the gradient of a row of E counts how often "
        "its word occurs in the sentence.");
    const WordTokenizer tokenizer({chicken, "nobody"});
    const std::int64_t V = tokenizer.size();
    const IndexTensor ids = tokenizer.encode(chicken);  // [T]
    const Tensor table = tensor::normal({V, d}, random);
    Variable E(table, requires_grad);            // [V, d]
    const Variable X = index_select(E, 0, ids);  // [T, d]
    sum(X).backward();
    const Tensor one_hot = tensor::index_select(tensor::eye(V), 0, ids);  // [T, V]
    const Tensor counts = tensor::sum(one_hot, 0);                        // [V]
    tutorial::predict_number("What is the gradient of each number in the row of \"the\"?",
                             E.grad()(0, 0), 0,
                             "1 for every time the word is read, and these add up.");
    stop("04.7 the gradient of a row", {{"E", E}, {"counts", counts}});
    for (std::int64_t id = 0; id < V; ++id) {
        std::cout << (id % 6 == 0 ? "  " : ", ") << tokenizer.word(id) << " "
                  << fixed(E.grad()(id, 0), 0) << (id % 6 == 5 ? "\n" : "");
    }
    std::cout << "\n";
    check(same(E.grad(), tensor::expand(tensor::unsqueeze(counts, 1), {V, d})),
          "each row's gradient is the count of its word, and 0 for \"nobody\"");

    say("With any other loss, $G = ∂L/∂X$, the same holds for the rows of G. The product with "
        "one-hot rows says it in one formula: ∂L/∂E = one-hotᵀ · G.");
    const Tensor G = tensor::normal(X.shape(), random);  // [T, d]
    E.zero_grad();
    index_select(E, 0, ids).backward({.upstream = G});
    const Variable E_dense(table, requires_grad);                 // [V, d]
    const Variable X_dense = matmul(Variable(one_hot), E_dense);  // [T, d]
    X_dense.backward({.upstream = G});
    const Tensor three_rows = row(G, 0) + row(G, 3) + row(G, 11);  // [d]
    std::cout << "∂L/∂E, row of the = " << row(E.grad(), 0) << "\n\n";
    check(same(row(E.grad(), 0), three_rows), "the row of \"the\" gets G[0] + G[3] + G[11]");
    check(same(E.grad(), E_dense.grad()),
          "the whole table gets the bits of the one-hot product's gradient");
    check(!tensor::all_close(row(E.grad(), 0), row(G, 11), 0, 1e-3),
          "keeping only the last, G[11], would give a different gradient");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 04: tokens and embeddings. A sentence becomes a matrix X with a row for each "
        "token, which is where every lesson from here on begins.");
    a_vocabulary();                    // 04.1, vocabulary.cpp
    unknown_words();                   // 04.2
    a_table(random);                   // 04.3
    one_row_for_all_meanings(random);  // 04.4
    positions(random);                 // 04.5, positions.cpp
    order_matters(random);             // 04.6
    gradients(random);                 // 04.7
    batches(random);                   // 04.8, positions.cpp
    counted_vectors();                 // 04.9, counted_vectors.cpp
}

int main(int argc, char** argv) {
    return tutorial::run({"04_tokens_and_embeddings",
                          "Tokens and embeddings: words, ids, rows of a table, positions."},
                         argc, argv, lesson);
}
