// Lesson 04: a second table, for the position of each word (04.5), what a sentence loses without it
// (04.6), and batches (04.8).
#include "tutorials/04_tokens_and_embeddings/parts.h"

#include "nn/embedding.h"
#include "nn/text/word_tokenizer.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>
#include <utility>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::row;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

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

// How far apart functions of t put the neighbours t and t + 1.
void without_a_table() {
    say("A table ends; a function of t does not, and there is nothing to learn. But which "
        "function? t itself outgrows the word it is added to. A sigmoid, $1 / (1 + exp(-t))$, "
        "stays below 1, but far out all its values are alike. Sine and cosine stay within ±1 and "
        "keep turning. How far apart are the neighbours t and $t + 1$?");
    const Tensor t = tensor::of({0, 3, 10, 20, 100}), next = t + 1;                  // [5]
    const Tensor by_sigmoid = tensor::sigmoid(next) - tensor::sigmoid(t);            // [5]
    const Tensor in_sine = tensor::sin(next) - tensor::sin(t);                       // [5]
    const Tensor in_cosine = tensor::cos(next) - tensor::cos(t);                     // [5]
    const Tensor by_both = tensor::sqrt(in_sine * in_sine + in_cosine * in_cosine);  // [5]
    tutorial::print_row(std::cout, "t", {"0", "3", "10", "20", "100"}, 16, 6);
    std::vector<tutorial::Series> drawn;
    for (const auto& [name, distances] :
         {std::pair{"sigmoid", by_sigmoid}, std::pair{"sine and cosine", by_both}}) {
        Words cells;
        for (const Scalar distance : distances.to_vector()) cells.push_back(fixed(distance));
        tutorial::print_row(std::cout, name, cells, 16, 6);
        const std::vector<Scalar> places = t.to_vector(), numbers = distances.to_vector();
        drawn.push_back({name, {places.begin(), places.end()}, {numbers.begin(), numbers.end()}});
    }
    std::cout << "\n";
    if (tutorial::page_is_written()) {
        tutorial::draw(
            tutorial::plot_svg({.title = "How far apart neighbours are",
                                .x = {.label = "t, a position"},
                                .y = {.label = "distance of f(t) and f(t + 1)", .covers = {0}},
                                .series = drawn}));
    }
    check(by_sigmoid(3) < 1e-6 && by_sigmoid(4) < 1e-6, "the sigmoid tells no late places apart");
    check(tensor::max_difference(by_both, tensor::of({1, 1, 1, 1, 1}) * by_both(0)) < 1e-5,
          "sine and cosine tell all of them apart equally well");
    in_the_notes("004 gives this reason for sinusoids. Lesson 10 builds them, and compares them "
                 "with tables.");
}

void positions(Random& random) {
    section("04.5 Where a word stands: $x_t = E[id_t] + P[t]$");
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
    check(few_positions && few_words, "neither size fits");
    check(TokenAndPositionEmbedding(16, 13, d, any)(ids2).shape() == Shape{13, d},
          "16 words and 13 positions do");
    in_the_notes("these sizes are the defaults of 000's Config (000-9).");
    without_a_table();
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
