// 14.3 Train a tiny language model to a loss              extend · 40 minutes · about 40 lines
//
// All of lesson 14 in one piece: ids to vectors, a layer that looks back, logits for the next token
// at every position, and a training loop. The source says sentences such as "S2 w V2 ." and "S1 w w
// V1 w .": after a subject come one or two words that say nothing, then the verb that belongs to
// the subject, and sometimes one such word more. So the last token does not tell the verb, nor
// whether it was there already, and even the best table of pairs stays well above the source's
// entropy, which no model can beat. Lessons 12 and 14; Bengio et al. 2003.
//
// TinyLanguageModel(V, T, random): any layers you like, from the library or your own, that visits
// all its parameters in members(). operator(): ids [B, t] with t ≤ T -> logits [B, t, V] for the
// token after each position. They depend on that position's token and those before it, not on later
// ones, nor on other texts of the batch, to the last bit; so a text's first tokens by themselves
// have the logits that they have in the whole text.
// train(): trains all parameters, on as many texts as you like: sentences.texts(B) gives B new ones
// [B, T + 1], each from the beginning of a sentence on; V and T are sentences.V() and .T().
// Afterwards the mean cross-entropy on 300 new texts must be at least 0.2 below that of the best
// bigram, the best table P(next token | token) for these texts, and not below the source's entropy.
// You are given other tokens and other sizes each time. Ten seconds of training are plenty. A model
// that stays at the best bigram's loss for 200 steps wants other steps, mostly smaller ones.
#include "tutorials/exercises/judges/lesson_14.h"

#include "autograd/ops.h"
#include "nn/attention/attention_head.h"
#include "nn/embedding.h"
#include "nn/linear.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "nn/positions/learned_positions.h"
#include "tensor/mask.h"
#include "tensor/ops/index.h"

using namespace heed;

struct TinyLanguageModel : Module {
    // begin stub
    //     TinyLanguageModel(std::int64_t V, std::int64_t T, Random& random) {
    //         exercise::not_done("14.3");
    //     }
    // begin solution
    TinyLanguageModel(std::int64_t V, std::int64_t T, Random& random)
        : tokens(V, 16, random), positions(T, 16, random), head(16, 16, random),
          to_logits(16, V, random) {}
    // end

    Variable operator()(const IndexTensor& ids) const {
        // begin stub
        //     exercise::not_done("14.3");
        // begin solution
        const Variable X = positions.added_to(tokens(ids));       // [B, t, 16]
        const Variable read = head(X, Mask::causal(ids.dim(1)));  // [B, t, 16]
        return to_logits(X + read);                               // [B, t, V]
        // end
    }

    void members(MemberVisitor& visit) override {
        // begin stub
        //     // visit("name", layer); for each of your layers
        // begin solution
        visit("tokens", tokens);
        visit("positions", positions);
        visit("head", head);
        visit("to_logits", to_logits);
        // end
    }

    // begin stub
    //     // Your layers
    // begin solution
    Embedding tokens;
    LearnedPositions positions;
    AttentionHead head;
    Linear to_logits;
    // end
};

void train(TinyLanguageModel& model, exercise::Sentences& sentences, Random& random) {
    // begin stub, stop in train
    //     exercise::not_done("14.3");
    // begin solution
    Adam optimizer(parameters(model), {.lr = 1e-2});
    for (int step = 0; step < 150; ++step) {
        const IndexTensor texts = sentences.texts(16);              // [16, T + 1]
        const IndexTensor inputs = tensor::slice(texts, 1, 0, -1);  // [16, T]
        const IndexTensor targets = tensor::slice(texts, 1, 1);     // [16, T]
        const Variable logits = model(inputs);                      // [16, T, V]
        const Variable loss = cross_entropy(logits, targets, {.class_axis = -1});
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_14_3(exercise::trained_by(train)), argc, argv);
}
