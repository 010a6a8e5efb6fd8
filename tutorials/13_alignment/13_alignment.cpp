// 13 Alignment: why attention was invented. A recurrent network reads a sentence into one vector
// and forgets; attention lets its decoder look back. Spanish to English, from a grammar in which
// the right alignment is known word by word.
#include "nn/heed.h"
#include "nn/pages/heat_map.h"
#include "tutorials/13_alignment/chain.h"
#include "tutorials/13_alignment/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

const std::int64_t d = 4;
const Words spanish = {"el", "gato", "negro", "duerme"};

struct GatedStep {
    Variable r, z, n, h;  // [d] each
};

// One step of a gated recurrent unit, by hand: from x [d] and the last state h [d].
GatedStep gated_step(const RecurrentWeights& W, const Variable& x, const Variable& h) {
    const std::vector<Variable> of_x = chunk(W.of_input(x), 3, -1);  // W_i·x + b_i, of r, z, n
    const std::vector<Variable> of_h = chunk(W.of_state(h), 3, -1);  // W_h·h + b_h
    const Variable r = sigmoid(of_x[0] + of_h[0]);                   // the reset gate
    const Variable z = sigmoid(of_x[1] + of_h[1]);                   // the update gate
    const Variable n = tanh(of_x[2] + r * of_h[2]);
    return {r, z, n, (1 - z) * n + z * h};
}

// The states h_i of the words, [T, d], each made from the one before.
Tensor read_in_order(Random& random) {
    section("13.1 Reading word by word");
    say("Before attention a translator was two recurrent networks (Sutskever et al. 2014, Cho et "
        "al. 2014). The encoder reads word after word; what it has read is in its state h. A gated "
        "unit, GRU, computes the next state h' from h and x, the word's vector, with $σ(a) = 1/(1 "
        "+ e⁻ᵃ)$, between 0 and 1, and ⊙, entry by entry:");
    tutorial::formula("$r  = σ(W_ir·x + b_ir + W_hr·h + b_hr)$         how much of h to look at\n"
                      "$z  = σ(W_iz·x + b_iz + W_hz·h + b_hz)$         how much of h to keep\n"
                      "$n  = tanh(W_in·x + b_in + r ⊙ (W_hn·h + b_hn))$  what is new\n"
                      "$h' = (1 - z) ⊙ n + z ⊙ h$");
    say("With z near 1 a number stays as it is over many words. By hand, with random weights, for "
        "\"el gato negro duerme\":");
    const Tensor E = tensor::normal({4, d}, random);  // a row for each word
    const GruCell cell(d, d, random);
    Variable h(tensor::zeros({d})), by_nn(tensor::zeros({d}));
    std::vector<Variable> states;
    for (std::int64_t i = 0; i < 4; ++i) {
        const Variable x(tensor::select(E, 0, i));  // [d]
        const GatedStep step = gated_step(cell.weights, x, h);
        h = step.h;
        if (i == 0) {
            std::cout << "el, after h = 0:\n  r " << step.r.value() << "\n  z " << step.z.value()
                      << "\n  n " << step.n.value()
                      << "\n  h' = (1 - z) ⊙ n + z ⊙ 0 = " << h.value() << "\n\n";
        }
        by_nn = cell(x, by_nn);
        states.push_back(h);
    }
    const Tensor H = stack(states, 0).value();  // [T, d]
    stop("13.1 states", {{"E", E}, {"H", H}});
    tutorial::predict_shape("The shape of what the encoder hands on after a sentence of 24 words?",
                            {d}, "One state, however long the sentence was.");
    std::cout << "h after each word =\n" << H << "\n\n";
    check(tensor::same_bits(h.value(), by_nn.value()), "nn's GruCell gives the same bits");
    say("The decoder begins with the last h and says one word at a time in the other language. All "
        "it knows of the sentence are these numbers, as many for 24 words as for 3.");
    return H;
}

void align(const Tensor& H, Random& random) {
    section("13.2 Looking back");
    say("Bahdanau et al. (2014) keep all states $h_i$, and let the decoder choose at each step j, "
        "with its own state $s_j$. A score for each word, $a_ij = f(h_i, s_j)$, where f can be "
        "anything; softmax over i, the words of the input; and the weighted sum of the states is "
        "the context $c_j$, which the decoder uses beside $s_j$.");
    const Variable h(H), s(tensor::normal({1, d}, random));  // [S, d], [1, d]
    const BilinearScore f(d, d, random);
    const Variable a = matmul(matmul(s, f.W), transpose(h));  // [1, S]: s_j·W·h_i
    const Variable alpha = softmax(a, -1);                    // over i
    const Variable c = matmul(alpha, h);                      // [1, d]: Σ_i α_ij·h_i
    stop("13.2 context", {{"a", a}, {"alpha", alpha}, {"c", c}});
    std::cout << "a = " << a.value() << "\nα = " << alpha.value() << "\nc = " << c.value()
              << "\n\n";
    const Attention attended = attend(f, s, h, h);
    check(tensor::same_bits(attended.output.value(), c.value()),
          "nn's attend() gives the same bits: s is the query, the h are keys and values");
    const AdditiveScore additive(d, d, d, random);
    const Variable by_network = attend(additive, s, h, h).weights;
    std::cout << "α of the paper's f, v·tanh(W_q·s + W_k·h) = " << by_network.value() << "\n\n";
    check(tutorial::difference(sum(by_network, -1), Variable(tensor::ones({1}))) < 1e-6,
          "another f, and again the weights sum to 1 over the words");
    in_the_notes(
        "001 stops at the softmax, and takes it over the other index (001-4). It passes one "
        "vector to all units of the decoder; each step has its own (001-15). Its paper "
        "scores with the small network, not with an inner product (001-3).");
}

std::vector<std::string> as_text(const std::vector<std::int64_t>& numbers) {
    std::vector<std::string> texts;
    for (const std::int64_t number : numbers) texts.push_back(std::to_string(number));
    return texts;
}

void what_waits(Random& random) {
    section("13.6 What has to wait");
    say("$h_i$ needs $h_{i−1}$: a recurrent network reads word after word, on any machine. In "
        "attention no word waits for another. The longest chain of operations each of which needs "
        "the previous result, read off the graph, for S words:");
    const GRU gru(d, d, random);
    const AttentionHead head(d, d, random);
    std::vector<std::int64_t> recurrent, attention;
    for (const std::int64_t S : {3, 6, 12, 24}) {
        const Variable X(tensor::normal({S, d}, random));
        recurrent.push_back(longest_chain(gru(X).output));
        attention.push_back(longest_chain(head(X)));
    }
    print_row(std::cout, "S", {"3", "6", "12", "24"}, 24, 5);
    print_row(std::cout, "GRU", as_text(recurrent), 24, 5);
    print_row(std::cout, "one head of attention", as_text(attention), 24, 5);
    std::cout << "\n";
    if (tutorial::page_is_written()) {
        const std::vector<double> S{3, 6, 12, 24};
        tutorial::draw(tutorial::plot_svg(
            {.title = "How long one has to wait",
             .x = {.label = "S, words", .covers = {0}},
             .y = {.label = "operations, one after the other", .covers = {0}},
             .series = {{"GRU", S, {recurrent.begin(), recurrent.end()}},
                        {"attention", S, {attention.begin(), attention.end()}}}}));
    }
    const IndexTensor chains({recurrent[3], attention[3]});
    stop("13.6 chains", {{"chains", chains}});
    const std::int64_t a_word = (recurrent[1] - recurrent[0]) / 3;
    check(recurrent[3] - recurrent[2] == 12 * a_word && a_word > 0,
          "each word more is " + std::to_string(a_word) + " operations more to wait for");
    check(attention[3] == attention[0], "attention: as many for 24 words as for 3");
    say("So why keep the recurrence at all? Vaswani et al. (2017) did not: lesson 18.");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    if (options.has("--data")) return on_own_pairs(options.value("--data"), random);
    say("Lesson 13: alignment. Why was attention invented?");
    const Tensor H = read_in_order(random);                                // 13.1
    align(H, random);                                                      // 13.2
    const Material material = known_alignments(random);                    // 13.3
    const Translators models = the_longer_the_sentence(material, random);  // 13.4
    see_it_forget(models);
    where_it_looked(models);
    what_waits(random);  // 13.6
}

int main(int argc, char** argv) {
    return tutorial::run(
        {.name = "13_alignment",
         .subject = "Why was attention invented? A translator that looks back.",
         .options = {{"--data", "FILE", "learn these lines (sentence, tab, translation)"}},
         .trains = true},
        argc, argv, lesson);
}
