#include "tutorials/exercises/judges/16_2_broken_classifier_walk.h"

namespace exercise::broken_classifier_walk {

namespace {

std::vector<Mistake> of_embeddings() {
    const std::string row = "The position is added to the token's vector: print position_ids.";
    const std::string twice = "Run classify twice in evaluation with other numbers in dropped.";
    return {
        {"pos.run-on",
         "positions ran on from one text to the next",
         {"Which position has the first token of text 1?", row}},
        {"pos.of-text",
         "each token had the number of its text for a position",
         {"Which of B and T do positions count?", row}},
        {"pos.all-0", "all tokens had position 0", {"Which position has the last token?", row}},
        {"pos.down-columns",
         "positions were counted across the texts",
         {"Which position has the first token of text 1?", row}},
        {"pe.from-1", "positions began at 1", {"Which position has the first token?", row}},
        {"pos.none", "no positions were added", {"What tells the model the order?", row}},
        {"train.eval-dropout",
         "dropout worked in evaluation, too",
         {"Does anything random belong into evaluation?", twice}},
        {"drop.in-evaluation",
         "dropout worked in evaluation only",
         {"When are numbers dropped: in training or afterwards?", twice}},
        {"drop.never",
         "nothing was dropped, not even in training",
         {"What does dropout do in training?", "The second case is in training."}},
        {"drop.no-rescale",
         "what was not dropped had not grown by 1/(1 - p)",
         {"What keeps the mean as it was?", "The last line of dropout."}},
        {"drop.times-p",
         "what was not dropped had shrunk by 1 - p",
         {"What keeps the mean as it was?", "The last line of dropout."}},
        {"drop.rescaled-in-evaluation",
         "in evaluation nothing was dropped, and yet everything grew by 1/(1 - p)",
         {"What does dropout do to the numbers in evaluation?", twice}},
        {"drop.before-the-norm",
         "numbers were dropped before the norm",
         {"What does a norm make of dropped numbers?", "The last line of embeddings."}},
    };
}

std::vector<Mistake> of_attention() {
    const std::string columns = "tensor weights[1][0]: what stands in the columns of padding?";
    return {
        {"mask.pad-query-axis",
         "padding could not attend, but everything could attend to it",
         {"Are keys the rows of scores, or the columns?", columns}},
        {"mask.pad-both-axes",
         "padding could neither be attended to nor attend",
         {"What is said of padding's own queries in the first lines of the file?", columns}},
        {"mask.absent", "nothing was masked", {"What does the mask change?", columns}},
        {"mask.inverted",
         "only padding could be attended to",
         {"What is true in the table: what may be attended to, or what may not?", columns}},
        {"mask.fill0",
         "the score of padding was 0",
         {"What does softmax make of a score of 0?", columns}},
    };
}

std::vector<Mistake> of_the_layer() {
    const std::string line = "The line of fed_forward: what goes into feed_forward?";
    return {
        {"ln.pre-post",
         "the norm stood after the sum and not before feed_forward",
         {"Where has pre-LN its norms?", line}},
        {"ln.no-norm",
         "there was no norm before feed_forward",
         {"What is layer_norm_2 for?", line}},
        {"ln.normed-residual",
         "the residual connection carried the normed vectors",
         {"What does x + f(norm(x)) add?", line}},
        {"ln.of-the-result",
         "the result of feed_forward was normed, and not what goes into it",
         {"Where has pre-LN its norms?", line}},
        {"ln.before-and-after",
         "the norm stood before feed_forward and after the sum as well",
         {"How often is layer_norm_2 used?", line}},
        {"ln.first-again",
         "layer_norm_1 stood before feed_forward",
         {"Which norm has no other use?", line}},
        {"ln.no-residual",
         "the residual connection was missing",
         {"What does x + f(norm(x)) add?", line}},
        {"pool.last-row",
         "the classifier read the last row",
         {"Where does [CLS] stand?", "The line of logits."}},
        {"pool.all",
         "the classifier read the mean of all rows, padding included",
         {"Which row does the classifier read?", "The line of logits."}},
    };
}

std::vector<Mistake> of_the_loss() {
    const std::string certain = "What is the loss of a model that is certain and right?";
    return {
        {"ce.double-softmax",
         "cross_entropy was given probabilities and took their softmax again",
         {certain, "nn/losses.h says what cross_entropy takes."}},
        {"ce.probabilities-for-logits",
         "the logits were replaced by their softmax",
         {certain, "nn/losses.h says what cross_entropy takes."}},
        {"ce.sum",
         "the losses were added up",
         {"Is a batch of twice as many texts twice as bad?", "The line of loss."}},
    };
}

}  // namespace

std::vector<Mistake> mistakes() {
    std::vector<Mistake> all = {
        {"hunt.as-it-was",
         "all five faults were still there",
         {"Of which stage do you know what must hold without knowing the numbers?",
          "Begin by stopping at classify (the key d starts the debugger), with the first batch: "
          "which position_ids has text 1?"}}};
    for (const std::vector<Mistake>& some :
         {of_embeddings(), of_attention(), of_the_layer(), of_the_loss()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

}  // namespace exercise::broken_classifier_walk
