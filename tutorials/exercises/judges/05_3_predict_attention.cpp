#include "tutorials/exercises/judges/05_3_predict_attention.h"

#include "tutorials/exercises/judges/common_steps.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

// Those of the first question.
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
    if (slip("att.weights-as-queries")) return {2, 7, 8};
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
        [=] { return answer("the weight of the score log 3", p.weight_of_two()); },
        [=] { return answer("the weight with 1000 more", p.weight_after_1000_more()); },
        [=] { return answer("the output for a query of zeros", p.output_of_equals()); },
        [=] { return answer("the number of rows that change", 1.0 * p.rows_that_change()); },
    };
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
         "the key of the largest norm won, whatever its direction",
         {"What is the dot product of opposite vectors?", product}},
        {"att.counted-from-1",
         "the keys were not numbered as the question numbers them",
         {"Which number has the first key?", "Read the question once more."}},
        {"att.second-best",
         "the key (0, 2.5) won",
         {"How large is its dot product, and are there larger ones?", product}},
        {"att.kq",
         "each key had a row of the weights",
         {"Is a row of weights that of a query or that of a key?", axes}},
        {"att.weights-as-output",
         "the weights had the shape of the output",
         {"How many weights has a query?", axes}},
        {"att.weights-as-queries",
         "each query had a weight for each of its dimensions",
         {"How many weights has a query?", axes}},
        {"att.self-only",
         "queries were compared with queries",
         {"How many weights has a query?", axes}},
        {"att.one-text", "both texts had the same weights", {"How many texts are there?", axes}},
        {"att.rows-are-keys",
         "each key had a row of the output",
         {"What gets an output, a query or a key?", axes}},
        {"att.values-from-keys",
         "an output had the dimension of a key",
         {"What is an output a weighted sum of?", axes}},
        {"att.output-as-weights",
         "the output had the shape of the weights",
         {"What is an output a weighted sum of?", axes}},
        {"att.output-one-text",
         "both texts had the same output",
         {"How many texts are there?", axes}},
        {"sm.none", "the score itself was the weight", {"What must five weights sum to?", softmax}},
        {"sm.each-1",
         "the first key had all the weight",
         {"What must five weights sum to?", softmax}},
        {"sm.equal-0",
         "the key had no weight at all (in C++, a whole number divided by a larger one is 0)",
         {"What must five weights sum to?", softmax}},
        {"sm.sum-norm",
         "the score 0 had no weight: exp was left out, or the larger score took all of it",
         {"What is exp(0)?", softmax}},
        {"sm.exp-only",
         "the exponential was not divided by the sum of both",
         {"What must both weights sum to?", softmax}},
        {"sm.other-one",
         "the weight was that of another key",
         {"Which of the two is asked for?", softmax}},
        {"sm.twice", "softmax was applied twice", {"How often is softmax taken?", softmax}},
        {"sm.shift-saturates",
         "the larger of two large scores took all the weight",
         {"How far apart are the two scores, before and after?", softmax}},
        {"sm.shift-evens",
         "large scores were as good as equal",
         {"How far apart are the two scores, before and after?", softmax}},
        {"sm.shift-vanishes",
         "large scores left no weight",
         {"How far apart are the two scores, before and after?", softmax}},
        {"att.sum-not-mean",
         "the values were added up without their weights",
         {"What is the weight of each?", "Multiply each value by its weight."}},
        {"att.first-wins",
         "the first of several equal keys took all the weight",
         {"Is this a hard lookup or a soft one?", "Multiply each value by its weight."}},
        {"att.largest-wins",
         "the largest value took all the weight",
         {"Do the weights depend on the values?", "Multiply each value by its weight."}},
        {"att.median",
         "the output was the middle one of the values",
         {"Is a weighted sum always one of the values?", "Multiply each value by its weight."}},
        {"att.one-row",
         "a word mattered only to itself",
         {"Which words attend to the third one?", "Where in the scores is its key used?"}},
        {"att.later-rows",
         "only the word and those after it saw the change",
         {"Is there a mask?", "Where in the scores is its key used?"}},
        {"att.rows-before",
         "only words on one side saw the change: those up to the third, or those after it",
         {"Is there a mask?", "Where in the scores is its key used?"}},
        {"att.no-row",
         "no word saw the change",
         {"Which words attend to the third one?", "Where in the scores is its key used?"}},
    };
}

std::vector<Hole> holes() {
    return {
        {"largest_weight",
         {"the key with the largest weight"},
         {"Which of the four dot products is the largest?", "Lesson 05.1; write down all four",
          "q·k = q_0·k_0 + q_1·k_1",
          "Let tensor::matmul(K, q) work out all four scores, and print them"}},
        {"shape_of_weights",
         {"the shape of the weights"},
         {"How many queries, and how many keys has each text?", "Lesson 05.3 prints such shapes",
          "weights = softmax(Q·Kᵀ), along the last axis",
          "Multiply tensor::zeros of these shapes, and print the shape"}},
        {"shape_of_output",
         {"the shape of the output"},
         {"What is there one output for, and what is it made of?", "Lesson 05.3 prints such shapes",
          "output = weights·V", "Multiply tensor::zeros of these shapes, and print the shape"}},
        {"weight_of_equals",
         {"the weight of equal scores"},
         {"What do the weights of a query sum to?", "Lesson 05.4", "a_j = exp(s_j) / Σ_k exp(s_k)",
          "Let tensor::softmax work it out for tensor::full({5}, 3.7)"}},
        {"weight_of_two",
         {"the weight of the score log 3"},
         {"What is exp(0), and what is exp(log 3)?", "Lesson 05.4", "a_j = exp(s_j) / Σ_k exp(s_k)",
          "Let tensor::softmax work it out for these two scores"}},
        {"weight_after_1000_more",
         {"the weight with 1000 more"},
         {"Which factor do both exponentials get?", "Lesson 05.4",
          "exp(s + 1000) = exp(s)·exp(1000)",
          "Let tensor::softmax work it out for these two scores"}},
        {"output_of_equals",
         {"the output for a query of zeros"},
         {"What are the scores of a query of zeros?", "Lesson 05.2", "y = Σ_j a_j·v_j",
          "Let tensor::softmax work out the weights, and multiply"}},
        {"rows_that_change",
         {"the number of rows that change"},
         {"Which rows of the output does the key of a word enter, and which its value?",
          "Lesson 05.3", "y_i = Σ_j a_ij·v_j, with a_ij from q_i and all keys",
          "Compute the output twice, with tensor::normal numbers, and compare the rows"}},
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
    exercise.mistakes = mistakes();
    exercise.secret = true;
    exercise.hints = {"Who asks, who answers, and over what do weights sum to 1?",
                      "Lessons 05.1 to 05.4 print cases like these",
                      "s_ij = q_i·k_j, a_ij = exp(s_ij) / Σ_k exp(s_ik), y_i = Σ_j a_ij·v_j",
                      "Let tensor::matmul and tensor::softmax work it out, and print it"};
    exercise.holes = holes();
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
