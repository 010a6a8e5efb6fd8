#include "tutorials/exercises/judges/05_3_predict_attention.h"

#include "tutorials/exercises/judges/common_steps.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/functions.h"
#include "heed/tensor/ops/matmul.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/ops/softmax.h"
#include "heed/tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

// The query of the solution's comments.
Tensor query() { return tensor::of({1, 1}); }
Tensor keys() { return tensor::of({{1, 1}, {0, 2.5}, {-4, -4}, {3, 0}}); }

int largest_weight(const Slips& slip) {
    const Tensor lengths = tensor::sum(keys() * keys(), -1);
    const Tensor scores = tensor::matmul(keys(), query());
    if (slip("att.cosine")) {
        return static_cast<int>(tensor::argmax(scores / tensor::sqrt(lengths)).item());
    }
    if (slip("att.longest")) return static_cast<int>(tensor::argmax(lengths).item());
    if (slip("att.counted-from-1")) return static_cast<int>(tensor::argmax(scores).item()) + 1;
    if (slip("att.second-best")) return 1;
    return static_cast<int>(tensor::argmax(scores).item());
}

Shape shape_of_weights(const Slips& slip) {
    if (slip("att.kq")) return {2, 9, 7};
    if (slip("att.weights-as-output")) return {2, 7, 5};
    if (slip("att.self-only")) return {2, 7, 7};
    if (slip("att.one-text")) return {7, 9};
    return {2, 7, 9};
}

Shape shape_of_output(const Slips& slip) {
    if (slip("att.rows-are-keys")) return {2, 9, 5};
    if (slip("att.values-from-keys")) return {2, 7, 8};
    if (slip("att.output-as-weights")) return {2, 7, 9};
    if (slip("att.output-one-text")) return {7, 5};
    return {2, 7, 5};
}

double weight_of_equals(const Slips& slip) {
    if (slip("sm.none")) return 3.7;
    if (slip("sm.each-1")) return 1;
    if (slip("sm.equal-0")) return 0;
    return tensor::softmax(tensor::full({5}, 3.7), -1)(0);
}

double weight_of_two(const Slips& slip) {
    const Tensor scores = tensor::of({0, 1.0986122886681098});
    if (slip("sm.sum-norm")) return 1;
    if (slip("sm.exp-only")) return tensor::exp(scores)(1);
    if (slip("sm.other-one")) return tensor::softmax(scores, -1)(0);
    if (slip("sm.twice")) return tensor::softmax(tensor::softmax(scores, -1), -1)(1);
    return tensor::softmax(scores, -1)(1);
}

double weight_after_1000_more(const Slips& slip) {
    if (slip("sm.shift-saturates")) return 1;
    if (slip("sm.shift-evens")) return 0.5;
    if (slip("sm.shift-vanishes")) return 0;
    return 0.75;
}

double output_of_equals(const Slips& slip) {
    const Tensor values = tensor::of({2, 4, 12});
    if (slip("att.sum-not-mean")) return tensor::sum(values).item();
    if (slip("att.first-wins")) return 2;
    if (slip("att.largest-wins")) return 12;
    if (slip("att.median")) return 4;
    return tensor::mean(values).item();
}

int rows_that_change(const Slips& slip) {
    if (slip("att.one-row")) return 1;
    if (slip("att.later-rows")) return 4;
    if (slip("att.no-row")) return 0;
    if (slip("att.rows-before")) return 3;
    return 6;
}

AttentionPredictions slipping(const Slips& slip) {
    return {[=] { return largest_weight(slip); },   [=] { return shape_of_weights(slip); },
            [=] { return shape_of_output(slip); },  [=] { return weight_of_equals(slip); },
            [=] { return weight_of_two(slip); },    [=] { return weight_after_1000_more(slip); },
            [=] { return output_of_equals(slip); }, [=] { return rows_that_change(slip); }};
}

Stages answer(const std::string& question, const std::vector<std::int64_t>& dims) {
    std::vector<std::int64_t> padded(dims);
    padded.resize(static_cast<std::size_t>(max_rank), -1);
    return {{question, numbers(padded)}};
}

Stages answer(const std::string& question, const Shape& shape) {
    std::vector<std::int64_t> dims;
    for (int axis = 0; axis < shape.rank(); ++axis) dims.push_back(shape[axis]);
    return answer(question, dims);
}

Stages answer(const std::string& question, double number) {
    return {{question, tensor::of({number})}};
}

Steps steps(const AttentionPredictions& p) {
    return {
        [=] { return answer("the key with the largest weight", 1.0 * p.largest_weight()); },
        [=] { return answer("the shape of the weights", p.shape_of_weights()); },
        [=] { return answer("the shape of the output", p.shape_of_output()); },
        [=] { return answer("the weight of equal scores", p.weight_of_equals()); },
        [=] { return answer("the weight of log 3", p.weight_of_two()); },
        [=] { return answer("the weight with 1000 more", p.weight_after_1000_more()); },
        [=] { return answer("the output for equal scores", p.output_of_equals()); },
        [=] { return answer("the rows that change", 1.0 * p.rows_that_change()); },
    };
}

// The first wrong answer, without revealing the right one.
std::string first_wrong(const AttentionPredictions& p) {
    const Stages right = all_of(steps(slipping({})));
    const Stages given = until_one_is_wrong(steps(p), right);
    if (same(given, right)) return "";
    return "Your answer for " + given.back().name + " is not what comes out, " +
           std::to_string(given.size() - 1) + " before it were right.";
}

std::vector<Mistake> mistakes() {
    const std::string product = "Work out all four dot products.";
    const std::string axes = "Write the shapes of Q, of K transposed and of V beside each other.";
    const std::string softmax = "Write down exp of each score, and their sum.";
    return {
        {"att.cosine",
         "the key of the same direction won, whatever its norm",
         {"Does a dot product ask for the angle alone?", product}},
        {"att.longest",
         "the longest key won, whatever its direction",
         {"What is the dot product of opposite vectors?", product}},
        {"att.counted-from-1",
         "the keys were counted from 1",
         {"Which number has the first key?", "The question says it."}},
        {"att.second-best",
         "the key (0, 2.5) won",
         {"How large is its dot product, and are there larger ones?", product}},
        {"att.kq", "each key had a row of the weights", {"Whose distribution is a row?", axes}},
        {"att.weights-as-output",
         "weights had the shape of the output",
         {"How many weights has a query?", axes}},
        {"att.self-only",
         "queries were weighed against queries",
         {"How many weights has a query?", axes}},
        {"att.one-text", "both texts shared their weights", {"How many texts are there?", axes}},
        {"att.rows-are-keys",
         "each key had a row of the output",
         {"Who gets an answer, a query or a key?", axes}},
        {"att.values-from-keys",
         "an answer had the dimension of a key",
         {"Of what is an answer the mean?", axes}},
        {"att.output-as-weights",
         "the output had the shape of the weights",
         {"Of what is an answer the mean?", axes}},
        {"att.output-one-text",
         "both texts shared their answers",
         {"How many texts are there?", axes}},
        {"sm.none", "the weight were the score", {"What must five weights sum to?", softmax}},
        {"sm.each-1", "each key had all the weight", {"What must five weights sum to?", softmax}},
        {"sm.equal-0", "equal scores had no weight", {"What must five weights sum to?", softmax}},
        {"sm.sum-norm",
         "scores were divided by their sum, without exp",
         {"What is exp(0)?", softmax}},
        {"sm.exp-only",
         "exp were not divided by the sum",
         {"What must both weights sum to?", softmax}},
        {"sm.other-one",
         "the weight were that of the score 0",
         {"Which of the two is asked for?", softmax}},
        {"sm.twice", "softmax were applied twice", {"How often is softmax in it?", softmax}},
        {"sm.shift-saturates",
         "the larger score took all once both are large",
         {"How far apart are the two scores, before and after?", softmax}},
        {"sm.shift-evens",
         "large scores were all alike",
         {"How far apart are the two scores, before and after?", softmax}},
        {"sm.shift-vanishes",
         "nothing were left for large scores",
         {"How far apart are the two scores, before and after?", softmax}},
        {"att.sum-not-mean",
         "the values were added up without weights",
         {"What is the weight of each?", "Multiply each value by its weight."}},
        {"att.first-wins",
         "the first of equals took all",
         {"Is this a hard lookup or a soft one?", "Multiply each value by its weight."}},
        {"att.largest-wins",
         "the largest value took all",
         {"Do values have a say in the weights?", "Multiply each value by its weight."}},
        {"att.median",
         "the middle value came out",
         {"Is this a mean or a median?", "Multiply each value by its weight."}},
        {"att.one-row",
         "a word mattered to itself alone",
         {"Who looks at the third word?", "Where does its key stand in the scores?"}},
        {"att.later-rows",
         "only the word and those after it saw the change",
         {"Is there a mask?", "Where does its key stand in the scores?"}},
        {"att.rows-before",
         "only the word and those before it saw the change",
         {"Is there a mask?", "Where does its key stand in the scores?"}},
        {"att.no-row",
         "nobody saw the change",
         {"Who looks at the third word?", "Where does its key stand in the scores?"}},
    };
}

}  // namespace

Exercise predict_attention(const AttentionPredictions& predictions) {
    Exercise exercise;
    exercise.number = "05.3";
    exercise.title = "Predict attention";
    exercise.cases = {in_order(
        "your predictions", [](const Slips& slip) { return steps(slipping(slip)); },
        steps(predictions))};
    exercise.laws = {{"", [=] { return first_wrong(predictions); }}};
    exercise.mistakes = mistakes();
    exercise.hints = {"Who asks, who answers, and over whom does a weight sum to 1?",
                      "Lessons 05.1 to 05.4 print cases like these",
                      "s_ij = q_i·k_j, a_i = exp(s_i) / Σ exp(s_i), y_i = Σ_j a_ij v_j",
                      "Let tensor::matmul and tensor::softmax work it out, and print it"};
    return exercise;
}

Trials predict_attention_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return predict_attention(slipping(slip)); };
    trials.right["worked out by a person"] = [] {
        return predict_attention({[] { return 3; },
                                  [] {
                                      return Shape{2, 7, 9};
                                  },
                                  [] {
                                      return Shape{2, 7, 5};
                                  },
                                  [] { return 0.2; }, [] { return 0.75; }, [] { return 0.75; },
                                  [] { return 6; }, [] { return 6; }});
    };
    return trials;
}

}  // namespace exercise
