#include "tutorials/exercises/judges/lesson_05.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
std::vector<Question<AttentionPredictions>> questions() {
    using P = AttentionPredictions;
    const std::string product = "Work out all four dot products.";
    const std::string axes = "Write the shapes of Q, of K transposed and of V beside each other.";
    const std::string softmax = "Write down exp of each score, and their sum.";
    const std::string multiply = "Multiply each value by its weight.";
    const std::string used = "Where in the scores is its key used?";
    const Tensor q = tensor::of({1, 1}), K = tensor::of({{1, 1}, {0, 2.5}, {-4, -4}, {3, 0}});
    const Tensor lengths = tensor::sum(K * K, -1), scores = tensor::matmul(K, q);
    const auto largest = [](const Tensor& of) { return tensor::argmax(of).item(); };
    const Tensor two = tensor::of({0, 1.0986122886681098}), shares = tensor::softmax(two, -1);
    const Tensor values = tensor::of({2, 4, 12});
    return {
        {{"the key with the largest weight", &P::largest_weight, largest(scores), product},
         {{"att.cosine", largest(scores / tensor::sqrt(lengths)),
           "the key of the same direction won, whatever its norm",
           "Does a dot product ask for the angle alone?"},
          {"att.longest", largest(lengths),
           "the key of the largest norm won, whatever its direction",
           "What is the dot product of opposite vectors?"},
          {"att.counted-from-1", largest(scores) + 1,
           "the keys were not numbered as the question numbers them",
           "Which number has the first key?", "Read the question once more."},
          {"att.second-best", 1, "the key (0, 2.5) won",
           "How large is its dot product, and are there larger ones?"}},
         "largest_weight",
         {"Which of the four dot products is the largest?", "Lesson 05.1; write down all four",
          "q·k = q_0·k_0 + q_1·k_1",
          "Let tensor::matmul(K, q) work out all four scores, and print them"}},
        {{"the shape of the weights", &P::shape_of_weights, Shape{2, 7, 9}, axes},
         {{"att.kq", Shape{2, 9, 7}, "each key had a row of the weights",
           "Is a row of weights that of a query or that of a key?"},
          {"att.weights-as-output", Shape{2, 7, 5}, "the weights had the shape of the output",
           "How many weights has a query?"},
          {"att.weights-as-queries", Shape{2, 7, 8},
           "each query had a weight for each of its dimensions", "How many weights has a query?"},
          {"att.self-only", Shape{2, 7, 7}, "queries were compared with queries",
           "How many weights has a query?"},
          {"att.one-text", Shape{7, 9}, "both texts had the same weights",
           "How many texts are there?"}},
         "shape_of_weights",
         {"How many queries, and how many keys has each text?", "Lesson 05.3 prints such shapes",
          "weights = softmax(Q·Kᵀ), along the last axis",
          "Multiply tensor::zeros of these shapes, and print the shape"}},
        {{"the shape of the output", &P::shape_of_output, Shape{2, 7, 5}, axes},
         {{"att.rows-are-keys", Shape{2, 9, 5}, "each key had a row of the output",
           "What gets an output, a query or a key?"},
          {"att.values-from-keys", Shape{2, 7, 8}, "an output had the dimension of a key",
           "What is an output a weighted sum of?"},
          {"att.output-as-weights", Shape{2, 7, 9}, "the output had the shape of the weights",
           "What is an output a weighted sum of?"},
          {"att.output-one-text", Shape{7, 5}, "both texts had the same output",
           "How many texts are there?"}},
         "shape_of_output",
         {"What is there one output for, and what is it made of?", "Lesson 05.3 prints such shapes",
          "output = weights·V", "Multiply tensor::zeros of these shapes, and print the shape"}},
        {{"the weight of equal scores", &P::weight_of_equals,
          tensor::softmax(tensor::full({5}, 3.7), -1)(0), softmax},
         {{"sm.none", 3.7, "the score itself was the weight", "What must five weights sum to?"},
          {"sm.each-1", 1, "the first key had all the weight", "What must five weights sum to?"},
          {"sm.equal-0", 0,
           "the key had no weight at all (in C++, a whole number divided by a larger one is 0)",
           "What must five weights sum to?"}},
         "weight_of_equals",
         {"What do the weights of a query sum to?", "Lesson 05.4", "a_j = exp(s_j) / Σ_k exp(s_k)",
          "Let tensor::softmax work it out for tensor::full({5}, 3.7)"}},
        {{"the weight of the score log 3", &P::weight_of_two, shares(1), softmax},
         {{"sm.sum-norm", 1,
           "the score 0 had no weight: exp was left out, or the larger score took all of it",
           "What is exp(0)?"},
          {"sm.exp-only", tensor::exp(two)(1), "the exponential was not divided by the sum of both",
           "What must both weights sum to?"},
          {"sm.other-one", shares(0), "the weight was that of another key",
           "Which of the two is asked for?"},
          {"sm.twice", tensor::softmax(shares, -1)(1), "softmax was applied twice",
           "How often is softmax taken?"}},
         "weight_of_two",
         {"What is exp(0), and what is exp(log 3)?", "Lesson 05.4", "a_j = exp(s_j) / Σ_k exp(s_k)",
          "Let tensor::softmax work it out for these two scores"}},
        {{"the weight with 1000 more", &P::weight_after_1000_more, 0.75, softmax},
         {{"sm.shift-saturates", 1, "the larger of two large scores took all the weight",
           "How far apart are the two scores, before and after?"},
          {"sm.shift-evens", 0.5, "large scores were as good as equal",
           "How far apart are the two scores, before and after?"},
          {"sm.shift-vanishes", 0, "large scores left no weight",
           "How far apart are the two scores, before and after?"}},
         "weight_after_1000_more",
         {"Which factor do both exponentials get?", "Lesson 05.4",
          "exp(s + 1000) = exp(s)·exp(1000)",
          "Let tensor::softmax work it out for these two scores"}},
        {{"the output for a query of zeros", &P::output_of_equals, tensor::mean(values).item(),
          multiply},
         {{"att.sum-not-mean", tensor::sum(values).item(),
           "the values were added up without their weights", "What is the weight of each?"},
          {"att.first-wins", 2, "the first of several equal keys took all the weight",
           "Is this a hard lookup or a soft one?"},
          {"att.largest-wins", 12, "the largest value took all the weight",
           "Do the weights depend on the values?"},
          {"att.median", 4, "the output was the middle one of the values",
           "Is a weighted sum always one of the values?"}},
         "output_of_equals",
         {"What are the scores of a query of zeros?", "Lesson 05.2", "y = Σ_j a_j·v_j",
          "Let tensor::softmax work out the weights, and multiply"}},
        {{"the number of rows that change", &P::rows_that_change, 6, used},
         {{"att.one-row", 1, "a word mattered only to itself",
           "Which words attend to the third one?"},
          {"att.later-rows", 4, "only the word and those after it saw the change",
           "Is there a mask?"},
          {"att.rows-before", 3,
           "only words on one side saw the change: those up to the third, or those after it",
           "Is there a mask?"},
          {"att.no-row", 0, "no word saw the change", "Which words attend to the third one?"}},
         "rows_that_change",
         {"Which rows of the output does the key of a word enter, and which its value?",
          "Lesson 05.3", "y_i = Σ_j a_ij·v_j, with a_ij from q_i and all keys",
          "Compute the output twice, with tensor::normal numbers, and compare the rows"}},
    };
}

Rules<AttentionPredictions> rules() {
    return predicting<AttentionPredictions>(
        {
            .number = "05.3",
            .title = "Predict attention",
            .hints = {"Who asks, who answers, and over what do weights sum to 1?",
                      "Lessons 05.1 to 05.4 print cases like these",
                      "s_ij = q_i·k_j, a_ij = exp(s_ij) / Σ_k exp(s_ik), y_i = Σ_j a_ij·v_j",
                      "Let tensor::matmul and tensor::softmax work it out, and print it"},
        },
        questions());
}

}  // namespace

const Judge<AttentionPredictions> judge_05_3(rules);

}  // namespace exercise
