// Lesson 04: mapping words to ids, by hand and with nn (04.1), and what happens to words that have
// no id (04.2).
#include "tutorials/04_tokens_and_embeddings/parts.h"

#include "nn/text/word_tokenizer.h"
#include "tensor/ops/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>
#include <map>
#include <sstream>

using namespace heed;
using tutorial::check;
using tutorial::in_quotes;
using tutorial::in_the_notes;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

Words words_of(const std::string& text) {
    std::istringstream in(text);
    Words words;
    std::string word;
    while (in >> word) {
        for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        words.push_back(word);
    }
    return words;
}

// Both directions: word2ind maps a word to its id, vocab an id to its word.
struct Vocabulary {
    Words vocab;
    std::map<std::string, std::int64_t> word2ind;
};

Vocabulary vocabulary_of(const Words& documents) {
    Vocabulary V;
    for (const std::string& document : documents) {
        for (const std::string& word : words_of(document)) {
            if (V.word2ind.count(word) > 0) continue;
            V.word2ind[word] = static_cast<std::int64_t>(V.vocab.size());
            V.vocab.push_back(word);
        }
    }
    return V;
}

IndexTensor ids_of(const std::string& text, const Vocabulary& V) {
    std::vector<std::int64_t> ids;
    for (const std::string& word : words_of(text)) ids.push_back(V.word2ind.at(word));
    return IndexTensor(ids);
}

Words first(std::ptrdiff_t count, const Words& words) {
    return Words(words.begin(), words.begin() + count);
}

void a_vocabulary() {
    section("04.1 A vocabulary, by hand and by nn");
    say("A network computes with numbers. So a text is cut into pieces, its tokens, and each "
        "different token gets a number, its id. Here tokens are words: two documents are cut at "
        "the spaces, in lower case, and the different words are numbered.");
    const Vocabulary V = vocabulary_of({doc1, doc2});
    for (std::size_t id = 0; id < V.vocab.size(); ++id) {
        std::cout << (id % 8 == 0 ? "  " : " ") << id << ":" << V.vocab[id]
                  << (id % 8 == 7 ? "\n" : "");
    }
    const IndexTensor ids = ids_of("This is a test text", V);  // [T]
    stop("04.1 words and ids", {{"ids", ids}});
    const WordTokenizer tokenizer({doc1, doc2});
    std::cout << "\n\"This is a test text\" -> " << ids << "\nand back: " << tokenizer.text_of(ids)
              << "\n\n";
    check(tokenizer.vocabulary() == V.vocab &&
              tensor::same_entries(tokenizer.encode("This is a test text"), ids),
          "nn's WordTokenizer gives the same ids");
    check(tokenizer.decode(ids) == words_of("This is a test text"), "the words come back");

    say("Which word gets which id? A slip that is easy to make: the order of a set, in Python "
        "list(set(words)). It can change from run to run, and then a model saved today reads other "
        "words tomorrow. Here the order is fixed: words as they are first seen or, on request, "
        "sorted, which does not depend on the order of the documents either.");
    const WordTokenizerOptions by_bytes{.order = WordOrder::sorted};
    const Words first_seen = WordTokenizer({doc2, doc1}).vocabulary();
    const Words sorted = WordTokenizer({doc1, doc2}, by_bytes).vocabulary();
    std::cout << "the first five, first seen      " << in_quotes(first(5, V.vocab))
              << "\nthe documents exchanged         " << in_quotes(first(5, first_seen))
              << "\nsorted                          " << in_quotes(first(5, sorted)) << "\n\n";
    check(first_seen != V.vocab && first_seen.size() == V.vocab.size(),
          "in order of appearance, exchanging the documents changes the ids");
    check(WordTokenizer({doc2, doc1}, by_bytes).vocabulary() == sorted,
          "sorted, the order of the documents does not matter");

    const std::int64_t T1 = ids_of(doc1, V).numel(), T2 = ids_of(doc2, V).numel();
    say("Count before you choose the sizes of a model:");
    std::cout << "words in all " << words_of(doc1 + " " + doc2).size() << ", different "
              << tokenizer.size() << ", tokens in each document " << T1 << " and " << T2 << "\n\n";
    check(tokenizer.size() > 10 && T1 > 5 && T2 > 5,
          "room for 10 words and 5 tokens would be too little: 04.5 runs into both limits");
    in_the_notes("000 has these two documents. It numbers words in the order of a set (000-6), and "
                 "its Config has room for vocab_size = 10 words and token_limit = 5 tokens "
                 "(000-9).");
}

void unknown_words() {
    section("04.2 Words that are not in the vocabulary");
    say("No vocabulary is complete. A plain dictionary fails at the first unknown word; nn's "
        "tokenizer lists them all:");
    const std::string text = "This is a good test and a good wibble";
    const WordTokenizer strict({doc1, doc2});
    bool refused = false;
    try {
        strict.encode(text);
    } catch (const std::out_of_range& error) {
        refused = true;
        say(tutorial::first_line(error));
    }
    say("Or one token of the vocabulary stands for every unknown word. Then every text has ids, "
        "and the way back shows what was lost.");
    const WordTokenizer open({doc1, doc2}, {.unknown = "[UNK]"});
    const IndexTensor ids = open.encode(text);
    stop("04.2 unknown words", {{"ids", ids}});
    std::cout << "\"" << text << "\"\n-> " << ids << "\nand back: " << open.text_of(ids) << "\n\n";
    check(refused && strict.unknown_words(text) == Words{"good", "wibble"},
          "without an unknown token the text is refused, and each unknown word is named once");
    check(open.word(0) == "[UNK]" && ids(3) == 0 && ids(7) == 0 && ids(8) == 0,
          "with one, all of them have its id, 0");

    say("What counts as a word is a choice, too. Cut at spaces only, and \"coke,\" is not "
        "\"coke\". Drop the punctuation, and it is lost. By default, nn makes tokens of it.");
    const std::string drinks = "I've drunk coke, but ate steak.";
    const Words keep = WordTokenizer({drinks}, {.punctuation = Punctuation::keep}).vocabulary();
    const Words drop = WordTokenizer({drinks}, {.punctuation = Punctuation::drop}).vocabulary();
    const Words separate = WordTokenizer({drinks}).vocabulary();
    std::cout << "keep      " << in_quotes(keep) << "\ndrop      " << in_quotes(drop)
              << "\nseparate  " << in_quotes(separate) << "\n\n";
    check(keep[2] == "coke," && drop[2] == "coke" && separate[2] == "coke",
          "\"coke\" is a word only where the comma is cut off");
    check(separate.size() == drop.size() + 2, "as tokens of their own, the two marks are not lost");
    in_the_notes("000 cuts at spaces only, and its dictionary fails with a bare lookup error "
                 "(000-6). 001 drops the punctuation.");
}
