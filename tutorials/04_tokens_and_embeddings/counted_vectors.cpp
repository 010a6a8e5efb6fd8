// Lesson 04: rows of a table that are counted from text (04.9).
#include "tutorials/04_tokens_and_embeddings/parts.h"

#include "nn/text/word_tokenizer.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

// How often each word occurs in the same sentence as each other word.
Tensor cooccurrence(const Words& sentences, const WordTokenizer& tokenizer) {
    const std::int64_t V = tokenizer.size();
    std::vector<Scalar> counts(V * V, 0);
    for (const std::string& sentence : sentences) {
        const IndexTensor ids = tokenizer.encode(sentence);  // [T]
        for (std::int64_t i = 0; i < ids.numel(); ++i) {
            for (std::int64_t j = 0; j < ids.numel(); ++j) {
                if (i != j) counts[ids(i) * V + ids(j)] += 1;
            }
        }
    }
    return tensor::from_vector(counts, {V, V});
}

void counted_vectors() {
    section("04.9 Rows from the words around");
    say("The rows of a new table are random. Good ones come from text: words in similar contexts "
        "have similar meanings, the distributional hypothesis (Joos 1950, Harris 1954, Firth "
        "1957). The simplest way is to count. Here a word's row says how often each word of the "
        "vocabulary shares one of these sentences with it.");
    const Words sentences = {
        "oculists examine tired eyes",      "eye-doctors examine sore eyes",
        "oculists prescribe new glasses",   "eye-doctors prescribe strong glasses",
        "patients ask oculists about eyes", "patients trust eye-doctors",
        "we drink hot tea at breakfast",    "they drink strong coffee at breakfast",
        "fresh tea tastes good with milk",  "fresh coffee tastes good with sugar",
        "hot coffee keeps us awake",        "guests drink green tea"};
    for (std::size_t i = 0; i < sentences.size(); i += 2) {
        std::cout << "  " << tutorial::fit(sentences[i], 38) << sentences[i + 1] << "\n";
    }
    const WordTokenizer tokenizer(sentences, {.punctuation = Punctuation::keep});
    const Tensor C = cooccurrence(sentences, tokenizer);  // [V, V]
    const Tensor cosines = tutorial::cosines_of(C);       // [V, V]
    tutorial::predict_shape(
        "The sentences have 33 different words. What is the shape of the table of counts?",
        C.shape(), "How often each word meets each other word.");
    stop("04.9 counted vectors", {{"C", C}, {"cosines", cosines}});
    const Words shown = tokenizer.words("oculists eye-doctors tea coffee");
    const IndexTensor ids = tokenizer.encode("oculists eye-doctors tea coffee");  // [4]
    const Tensor rows = tensor::index_select(cosines, 0, ids);                    // [4, V]
    std::cout << "\nC " << C.shape() << "\n\n";
    say("How similar are two rows? The cosine of the angle between them is 1 for the same "
        "direction, and 0 where they share no word (lesson 05):");
    tutorial::Table table = {"cosine", "word", shown, shown, {}};
    for (const Scalar cosine : tensor::index_select(rows, 1, ids).to_vector()) {
        table.cells.push_back({fixed(cosine, 2)});
    }
    tutorial::print_table(std::cout, table);
    const IndexTensor partners = tutorial::nearest(cosines, 1);  // [V, 1]
    check(C(ids(0), ids(1)) == 0 && C(ids(2), ids(3)) == 0,
          "oculists and eye-doctors share no sentence, nor do tea and coffee");
    check(partners(ids(0), 0) == ids(1) && partners(ids(1), 0) == ids(0) &&
              partners(ids(2), 0) == ids(3) && partners(ids(3), 0) == ids(2),
          "yet of all 33 words, the nearest to each of the four is its partner");
    say("Lesson 05 has vectors that were learned from much more text, by GloVe: 100 numbers a word "
        "in place of one for each word of the vocabulary.");
}
