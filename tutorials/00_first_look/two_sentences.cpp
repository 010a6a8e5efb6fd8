// Lesson 00: one word in two sentences, where vectors are enough and where they are not (00.2).
#include "tutorials/00_first_look/parts.h"

#include "autograd/variable.h"
#include "nn/attention/attention.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"
#include "tutorials/support/word_vectors.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <sstream>

using namespace heed;
using tutorial::check;
using tutorial::KnownWords;
using tutorial::say;
using tutorial::Words;

// Of the angle between them: 1 in the same direction, 0 at right angles.
double cosine(const Tensor& a, const Tensor& b) {
    return tensor::sum(a * b).item() /
           std::sqrt(tensor::sum(a * a).item() * tensor::sum(b * b).item());
}

// A word in a sentence, every word of which looks at all.
struct InSentence {
    KnownWords known;
    std::int64_t place = 0;  // of the word among the known ones
    Tensor weights;          // of that word [T]
    Tensor before, after;    // its vector in the table, and after attention [d]

    InSentence(const std::string& word, const std::string& sentence,
               const tutorial::WordVectors& vectors) {
        std::istringstream in(sentence);
        const Words words{std::istream_iterator<std::string>(in), {}};
        known = tutorial::known_words(words, vectors);
        place = std::find(known.words.begin(), known.words.end(), word) - known.words.begin();
        const Variable X(tutorial::vectors_of(known, vectors));             // [T, d]
        const Attention attention = scaled_dot_product_attention(X, X, X);  // no mask
        weights = tensor::select(attention.weights.value(), 0, place);
        before = tensor::select(X.value(), 0, place);
        after = tensor::select(attention.output.value(), 0, place);
    }
    std::vector<double> weights_on(const Words& others) const {
        std::vector<double> of;
        for (const std::string& other : others) {
            const auto at = std::find(known.words.begin(), known.words.end(), other);
            of.push_back(weights(at - known.words.begin()));
        }
        return of;
    }
};

// The cosine of x with the table's vector of each word.
std::vector<double> closeness(const Tensor& x, const Words& others,
                              const tutorial::WordVectors& vectors) {
    std::vector<double> cosines;
    for (const std::string& word : others) {
        const KnownWords one = tutorial::known_words({word}, vectors);
        const Tensor row = tensor::select(tutorial::vectors_of(one, vectors), 0, 0);  // [d]
        cosines.push_back(cosine(x, row));
    }
    return cosines;
}

void print_numbers(const std::string& label, const std::vector<double>& numbers,
                   std::size_t label_width) {
    Words cells;
    for (const double number : numbers) cells.push_back(fixed(number, 2));
    tutorial::print_row(std::cout, label, cells, label_width, 7);
}

void flies(const tutorial::WordVectors& vectors) {
    const Words others = {"plane", "insects", "time", "fruit"};
    const InSentence time("flies", "time flies like an arrow", vectors);
    const InSentence fruit("flies", "fruit flies like a banana", vectors);
    const std::vector<double> before = closeness(time.before, others, vectors);
    const std::vector<double> in_time = closeness(time.after, others, vectors);
    const std::vector<double> in_fruit = closeness(fruit.after, others, vectors);
    tutorial::print_unknown(std::cout, fruit.known,
                            "no vector, so left out as if it were not in the sentence: ");
    tutorial::predict_choice("In the table, flies is closer to insects than to plane. And after "
                             "attention, in \"time flies like an arrow\"?",
                             {"insects", "plane"}, in_time[0] > in_time[1] ? "plane" : "insects",
                             "Its new vector has parts of those of time and arrow.");
    stop("00.2 flies", {{"time.weights", time.weights}, {"time.after", time.after}});
    tutorial::print_row(std::cout, "cosine of \"flies\" with", others, 28, 7);
    print_numbers("in the table", before, 28);
    print_numbers("in time flies like an arrow", in_time, 28);
    print_numbers("in fruit flies like a banana", in_fruit, 28);
    std::cout << "\n";
    check(tensor::same_bits(time.before, fruit.before),
          "the table has one vector of flies for both sentences");
    check(before[1] > before[0] && in_time[0] > in_time[1] && in_fruit[1] > in_fruit[0],
          "after attention, flies is closer to plane in the first, to insects in the second");
    check(in_time[2] > before[2] + 0.2 && in_fruit[3] > before[3] + 0.2 &&
              time.weights(time.place) > 0.5 && fruit.weights(fruit.place) > 0.5,
          "it has moved towards time in the first, towards fruit in the second, although it keeps "
          "most of its weight for itself");
    tutorial::in_the_notes("002 says that flies attends most to time and arrow in one sentence, to "
                           "fruit and banana in the other, and so ends up close to them. Here it "
                           "does come closer to them, but attends most to itself.");
}

void it(const tutorial::WordVectors& vectors) {
    const std::string beginning = "the animal did not cross the street because it was too ";
    const InSentence tired("it", beginning + "tired", vectors);
    const InSentence wide("it", beginning + "wide", vectors);
    const Words others = {"animal", "street"};
    const std::vector<double> if_tired = closeness(tired.after, others, vectors);
    const std::vector<double> if_wide = closeness(wide.after, others, vectors);
    say("Does that always work? The animal did not cross the street because it was too tired: "
        "\"it\" is the animal. Because it was too wide: \"it\" is the street.");
    stop("00.2 it", {{"tired.weights", tired.weights}, {"wide.weights", wide.weights}});
    tutorial::print_row(std::cout, "cosine of \"it\" with", others, 20, 7);
    print_numbers("in the table", closeness(tired.before, others, vectors), 20);
    print_numbers("because too tired", if_tired, 20);
    print_numbers("because too wide", if_wide, 20);
    const Words looked_at = {"animal", "street", "not", "because", "it"};
    std::cout << "\n";
    tutorial::print_row(std::cout, "weight of \"it\" on", looked_at, 20, 7);
    print_numbers("because too tired", tired.weights_on(looked_at), 20);
    print_numbers("because too wide", wide.weights_on(looked_at), 20);
    std::cout << "\n";
    check(std::fabs(if_tired[0] - if_wide[0]) < 0.01 && std::fabs(if_tired[1] - if_wide[1]) < 0.01,
          "\"it\" is as close to animal in one sentence as in the other, and to street, too");
    bool at_small_words = true;
    for (const InSentence* sentence : {&tired, &wide}) {
        const std::vector<double> on = sentence->weights_on(looked_at);
        at_small_words = at_small_words && std::min(on[2], on[3]) > 2 * std::max(on[0], on[1]);
    }
    check(at_small_words, "\"it\" looks at not and because more than at animal and street");
    say("Here the vectors alone do not help. Each word looks at the words it resembles, and \"it\" "
        "resembles other small words, which stand beside everything. To find what can be tired, "
        "\"it\" would have to ask for something that it does not resemble. That is what "
        "projections are for: learned matrices give each word a query, a key and a value, each "
        "different from its vector (lesson 07).");
    tutorial::in_the_notes("004 has this sentence, 000 one like it: the chicken crossed the road "
                           "because it wanted to get to the other side.");
}

void one_word_two_sentences() {
    tutorial::section("00.2 One word, two sentences");
    say("Time flies like an arrow; fruit flies like a banana. The table has one vector for both "
        "flies. Now let every word look at all words of its sentence, later ones too. How alike "
        "are two words? The cosine of their vectors is 1 for the same direction, 0 for right "
        "angles.");
    const tutorial::WordVectors& vectors = tutorial::compiled_in_word_vectors();
    flies(vectors);
    it(vectors);
}
