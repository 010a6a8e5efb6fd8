#include "tutorials/exercises/judges/07_5_backward_by_hand_mistakes.h"

namespace exercise {

namespace {

std::vector<Mistake> product_mistakes() {
    const std::string shapes = "Write the shapes of both factors beside your product.";
    const std::string letters = "Is each letter in your product the one you meant?";
    return {
        {"attb.dV-noT",
         "∂L/∂V was weights·G, with the weights as they are",
         {"v_j is in the output of every query: over which axis of the weights is summed?",
          shapes}},
        {"attb.dP-noT",
         "∂L/∂weights was G·V, with V as it is",
         {"A weight belongs to a query and a key: which two rows make its gradient?", shapes}},
        {"attb.dP-keys",
         "∂L/∂weights was made with the keys in place of the values",
         {"By what are the weights multiplied in the forward pass?", letters}},
        {"attb.dQ-T",
         "∂L/∂scores was transposed in ∂L/∂Q as well",
         {"Query i is in row i of the scores: which row of ∂L/∂scores does it need?", shapes}},
        {"attb.dQ-from-Q",
         "∂L/∂Q was made with the queries in place of the keys",
         {"Score ij is q_i·k_j: what is its derivative with respect to q_i?", letters}},
        {"attb.dK-noT",
         "∂L/∂K was made with ∂L/∂scores as it is, not transposed",
         {"Key j is in column j of the scores: over which axis is summed?", shapes}},
        {"attb.dK-from-K",
         "∂L/∂K was made with the keys in place of the queries",
         {"Score ij is q_i·k_j: what is its derivative with respect to k_j?", letters}},
        {"ag.swapped-parents",
         "∂L/∂Q and ∂L/∂K had changed places",
         {"In which order are the five returned?", "Look at your return."}},
        {"ag.no-upstream",
         "G was left out, as if L were the sum of the outputs",
         {"How much does L change when an entry of the output does?", "Look for G in your lines."}},
    };
}

std::vector<Mistake> softmax_mistakes() {
    const std::string sum_of_row = "Sum a row of your ∂L/∂scores: it should be 0.";
    const std::string look_at_sum = "Print what you subtract, and its shape.";
    return {
        {"attb.no-softmax",
         "∂L/∂weights was passed on to the scores as it is, as if there were no softmax",
         {"Which step lies between the scores and the weights?", sum_of_row}},
        {"smb.p-dy",
         "softmax passed on weights·∂L/∂weights, without what all weights of a row share",
         {"If one score grows, what happens to the other weights of its row?", sum_of_row}},
        {"smb.diag",
         "each score reached only its own weight",
         {"If one score grows, what happens to the other weights of its row?", sum_of_row}},
        {"smb.dy-s",
         "the factor in front, the weight itself, was forgotten in ∂L/∂scores",
         {"How strongly can a weight change that is almost 0?",
          "Look at ∂L/∂scores where a weight is almost 0."}},
        {"smb.y-once",
         "the weight multiplied ∂L/∂weights, but not the sum that is subtracted",
         {"Which terms does the factor in front belong to?", "Look at the brackets."}},
        {"smb.mean",
         "the mean along the row was subtracted, not the sum",
         {"What weighs the terms already, so that nothing is left to divide by?", look_at_sum}},
        {"smb.sum-G",
         "∂L/∂weights was summed without the weights",
         {"How much does a key count whose weight is almost 0?", look_at_sum}},
        {"smb.all",
         "the sum ran over all rows at once",
         {"Does a score reach the weights of another query?", look_at_sum}},
        {"smb.wrong-axis",
         "the sum ran over the queries, not over the keys",
         {"Along which axis do the weights sum to 1?", look_at_sum}},
        {"smb.plus",
         "the sum was added, not subtracted",
         {"If one score grows, do the other weights of its row grow or shrink?", sum_of_row}},
    };
}

std::vector<Mistake> scale_mistakes() {
    const std::string where = "Look for √d_k in the lines after ∂L/∂scores.";
    const std::string how = "Compare your ∂L/∂Q with ∂L/∂scores·K.";
    return {
        {"attb.scale-lost",
         "the division by √d_k was forgotten on the way back, in ∂L/∂Q and in ∂L/∂K",
         {"What lies between Q·Kᵀ and the scores?", where}},
        {"attb.scale-lost-Q",
         "the division by √d_k was forgotten in ∂L/∂Q only",
         {"Who is divided by √d_k in a product of q_i and k_j?", how}},
        {"attb.scale-lost-K",
         "the division by √d_k was forgotten in ∂L/∂K only",
         {"Who is divided by √d_k in a product of q_i and k_j?", where}},
        {"attb.scores-scaled",
         "∂L/∂scores was divided by √d_k, as if it belonged to the scores before the division",
         {"The scores of the contract: are they divided already, or not yet?",
          "Sum up what each of your names stands for."}},
        {"attb.scale-twice",
         "∂L/∂scores was divided by √d_k, and ∂L/∂Q and ∂L/∂K once more",
         {"How often does the forward pass divide by √d_k?", where}},
        {"attb.scale-dk",
         "the gradients of Q and K were divided by d_k, not by its root",
         {"By what does the forward pass divide?", how}},
        {"attb.scale-mul",
         "the gradients of Q and K were multiplied by √d_k",
         {"y = x/2 has which derivative?", how}},
        {"attb.scale-T",
         "the gradients of Q and K were divided by the root of the number of keys",
         {"Which axis does a score sum over?", "Which number is under your root?"}},
        {"attb.scale-T_q",
         "the gradients of Q and K were divided by the root of the number of queries",
         {"Which axis does a score sum over?", "Which number is under your root?"}},
        {"attb.int-root",
         "√d_k was made a whole number",
         {"What is √7?", "Which type has the variable that holds the root?"}},
        {"attb.scale-dv",
         "the gradients of Q and K were divided by the root of the dimension of a value",
         {"Which axis does a score sum over?", "Which number is under your root?"}},
    };
}

}  // namespace

std::vector<Mistake> backward_mistakes() {
    std::vector<Mistake> all = product_mistakes();
    for (const auto& list : {softmax_mistakes(), scale_mistakes()}) {
        all.insert(all.end(), list.begin(), list.end());
    }
    return all;
}

}  // namespace exercise
