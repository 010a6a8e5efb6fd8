// 04 Tokens and embeddings: how a sentence becomes a matrix. Words are mapped to ids, ids select
// rows of a learned table, and a second table encodes the position of each word: sections 04.3 to
// 04.8. Words and ids, 04.1 and 04.2, are in 04_vocabulary.cpp; 04.9 in 04_counted_vectors.cpp.
#include "autograd/ops.h"
#include "nn/text/token_embedding.h"
#include "nn/text/tokenizer.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/04_tokens_and_embeddings/counted_vectors.h"
#include "tutorials/04_tokens_and_embeddings/vocabulary.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/display.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::row;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

const std::int64_t d = 6;  // the dimension of an embedding

const std::string chicken =
    "The chicken crossed the road because it wanted to get to the other side";

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
          "another table for the same tokenizer: the same id for \"test\", another row");
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
    say("Which meaning a word has, only the words around it can tell. Attention, from the next "
        "lesson on, lets each word look at the others. In lesson 16 an encoder learns to tell "
        "which bar is meant, and the two flies get vectors of their own.");
    in_the_notes("002 has the two flies, but calls them homophones (002-8). The four meanings of "
                 "bar are 003's.");
}

// Does the layer reject these ids? If so, prints why.
bool refuses(const TokenAndPositionEmbedding& embedding, const IndexTensor& ids) {
    try {
        embedding(ids);
    } catch (const std::exception& error) {
        say(tutorial::first_line(error));
        return true;
    }
    return false;
}

void positions(Random& random) {
    section("04.5 Where a word stands: x_t = E[id_t] + P[t]");
    say("A second table P has a row for each position. The network gets the sum of both rows, and "
        "both tables are learned. P has token_limit rows, so no text may have more tokens.");
    const WordTokenizer tokenizer({chicken});
    const std::int64_t V = tokenizer.size();
    const std::int64_t token_limit = 16;
    const Tensor E = tensor::normal({V, d}, random);            // [V, d]
    const Tensor P = tensor::normal({token_limit, d}, random);  // [token_limit, d]

    const IndexTensor ids = tokenizer.encode(chicken);  // [T]
    const std::int64_t T = ids.numel();
    const Tensor tokens = tensor::index_select(E, 0, ids);  // [T, d]
    const Tensor X = tokens + tensor::slice(P, 0, 0, T);    // [T, d]
    const IndexTensor places({0, 3, 11});                   // positions of "the"
    stop("04.5 with positions", {{"ids", ids}, {"tokens", tokens}, {"X", X}});
    std::cout << chicken << "\n-> " << ids << "\n\n\"the\", at positions 0, 3 and 11\nE[id] =\n"
              << tensor::index_select(tokens, 0, places) << "\nE[id] + P[t] =\n"
              << tensor::index_select(X, 0, places) << "\n\n";
    check(same_row(tokens, 0, tokens, 3) && same_row(tokens, 0, tokens, 11),
          "the same word has the same row of E wherever it stands");
    check(!same_row(X, 0, X, 3) && !same_row(X, 0, X, 11) && !same_row(X, 3, X, 11),
          "with its position added, it is three different rows");

    Random any(1);
    TokenAndPositionEmbedding embedding(V, token_limit, d, any);
    embedding.token_embeddings.weight = Parameter(E);
    embedding.position_embeddings.weight = Parameter(P);
    check(same(embedding(ids).value(), X),
          "nn's TokenAndPositionEmbedding gives the same bits with these tables");

    say("What if a table has too few rows? First token_limit = 5, then vocab_size = 10, for the "
        "two documents of 04.1:");
    const WordTokenizer two_documents({doc1, doc2});
    const IndexTensor ids1 = two_documents.encode(doc1), ids2 = two_documents.encode(doc2);
    const bool few_positions = refuses(TokenAndPositionEmbedding(10, 5, d, any), ids1);
    const bool few_words = refuses(TokenAndPositionEmbedding(10, 13, d, any), ids2);
    check(few_positions && few_words, "neither fits");
    check(TokenAndPositionEmbedding(16, 13, d, any)(ids2).shape() == Shape{13, d},
          "16 words and 13 positions do");
    in_the_notes("these sizes are the defaults of 000's Config (000-9).");
}

void order_matters(Random& random) {
    section("04.6 A sentence read backwards");
    say("Without P, a word's row is the same wherever it stands. Permute the words, and the rows "
        "are permuted alike: the lookup is equivariant, and the sentence is a bag of rows. With P "
        "it is neither.");
    const WordTokenizer tokenizer({doc1});
    const TokenAndPositionEmbedding embedding(tokenizer.size(), 9, d, random);
    const Words words = tokenizer.words(doc1);
    const IndexTensor ids = tokenizer.encode(doc1);  // [T]
    const std::int64_t T = ids.numel();
    std::vector<std::int64_t> reversed;
    for (std::int64_t t = T - 1; t >= 0; --t) reversed.push_back(ids(t));
    const IndexTensor backwards(reversed);  // [T]
    std::cout << tokenizer.text_of(ids) << "\n" << tokenizer.text_of(backwards) << "\n\n";

    const Tensor E_rows = embedding.token_embeddings(ids).value();                  // [T, d]
    const Tensor E_rows_backwards = embedding.token_embeddings(backwards).value();  // [T, d]
    const Tensor X = embedding(ids).value();                                        // [T, d]
    const Tensor X_backwards = embedding(backwards).value();                        // [T, d]
    int same_without = 0, same_with = 0;
    for (std::int64_t t = 0; t < T; ++t) {
        same_without += same_row(E_rows, t, E_rows_backwards, T - 1 - t);
        same_with += same_row(X, t, X_backwards, T - 1 - t);
    }
    tutorial::predict_number("Nine words read backwards. How many keep their row, with positions?",
                             same_with, 0, "Only the one in the middle: it stays where it was.");
    stop("04.6 a sentence backwards", {{"X", X}, {"X_backwards", X_backwards}});
    std::cout << "words that keep their row: " << same_without << " of " << T
              << " without positions, " << same_with << " with\n\n";
    check(same_without == T, "without positions all of them do, to the last bit");
    check(same_with == 1 && same_row(X, 4, X_backwards, 4),
          "with positions only \"" + words[4] + "\" does: it is in the middle and did not move");
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

    say("With any other loss, G = ∂L/∂X, the same holds for the rows of G. The product with "
        "one-hot rows says it in one formula: ∂L/∂E = one-hotᵀ · G.");
    const Tensor G = tensor::normal(X.shape(), random);  // [T, d]
    E.zero_grad();
    index_select(E, 0, ids).backward({.upstream = G});
    const Variable E_dense(table, requires_grad);                 // [V, d]
    const Variable X_dense = matmul(Variable(one_hot), E_dense);  // [T, d]
    X_dense.backward({.upstream = G});
    const Tensor three_rows = row(G, 0) + row(G, 3) + row(G, 11);  // [d]
    std::cout << "∂L/∂E, row of the = " << row(E.grad(), 0) << "\n\n";
    check(same(row(E.grad(), 0), three_rows), "the row of the: G[0] + G[3] + G[11]");
    check(same(E.grad(), E_dense.grad()),
          "the whole table: the same bits as the one-hot product's gradient");
    check(!tensor::all_close(row(E.grad(), 0), row(G, 11), 0, 1e-3),
          "keeping only the last, G[11], would give a different gradient");
}

void batches(Random& random) {
    section("04.8 Batches");
    say("Sentences with the same number of tokens can be stacked: ids [B, T] become X [B, T, d], "
        "and positions start at 0 in each. (Different numbers of tokens need padding and a mask: "
        "lesson 08.)");
    const std::string time = "time flies like an arrow", fruit = "fruit flies like a banana";
    const WordTokenizer tokenizer({time, fruit});
    const TokenAndPositionEmbedding embedding(tokenizer.size(), 5, d, random);
    const IndexTensor ids = tokenizer.encode_batch({time, fruit}, 0).ids;  // [B, T]
    const Tensor X = embedding(ids).value();                               // [B, T, d]
    stop("04.8 a batch", {{"ids", ids}, {"X", X}});
    std::cout << "ids =\n" << ids << "\nX " << X.shape() << "\n\n" << embedding << "\n\n";
    check(same(row(X, 0), embedding(tokenizer.encode(time)).value()) &&
              same(row(X, 1), embedding(tokenizer.encode(fruit)).value()),
          "each sentence of the batch has the same bits as alone");
    check(same_row(row(X, 0), 1, row(X, 1), 1),
          "flies comes second in both: one word, one position, one row, two meanings");
    in_the_notes("000 embeds one sentence at a time (000-8).");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 04: tokens and embeddings. A sentence becomes a matrix X with a row for each "
        "token, which is where every lesson from here on begins.");
    words_and_ids();
    a_table(random);
    one_row_for_all_meanings(random);
    positions(random);
    order_matters(random);
    gradients(random);
    batches(random);
    counted_vectors();
}

int main(int argc, char** argv) {
    return tutorial::run({"04_tokens_and_embeddings",
                          "Tokens and embeddings: words, ids, rows of a table, positions."},
                         argc, argv, lesson);
}
