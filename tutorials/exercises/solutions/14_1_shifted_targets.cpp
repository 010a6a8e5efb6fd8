// 14.1 Shifted targets                                       fill · 25 minutes · about 20 lines
//
// A text is its own teacher: at each position, the target is the token that comes next. Cut a text
// into windows of T inputs each and shift the targets by one, and a causal model learns T tasks in
// one pass. Texts end where they like, so the last window of a text is filled up, and the loss is
// the mean over the positions that have a target. Lesson 14.1; cross-entropy: lesson 03.4.
//
// windows_of: texts, each [n] token ids of its own length n, and T ≥ 1 -> inputs [B, T] and targets
// [B, T], the windows of text 0 first, then those of text 1, and so on. The first input of a text
// is its first token. Each pair of neighbours within a text, a token and the next one, occurs
// exactly once, in order: the former as an input, the latter as its target. So a window begins T
// tokens after the one before it; no pair reaches from one text into another; a text with fewer
// than 2 tokens has no window. A text's last window may have room left, at its end: the inputs
// there are 0, the targets exercise::no_target. (0 is also the id of a token.)
// loss_of: logits [B, T, V], which may be large, and targets [B, T], of which at least one is not
// no_target -> the mean [] of -log softmax(logits)[target] over all positions with a target,
// wherever these are. The logits get a gradient, which is 0 at the other positions.
#include "tutorials/exercises/judges/lesson_14.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"

using namespace heed;

exercise::Windows windows_of(const std::vector<IndexTensor>& texts, std::int64_t T) {
    // begin stub, stop in windows_of
    //     exercise::not_done("14.1");
    // begin solution
    std::vector<std::int64_t> inputs, targets;
    for (const IndexTensor& text : texts) {
        const std::int64_t pairs = text.numel() - 1;
        for (std::int64_t first = 0; first < pairs; first += T) {
            for (std::int64_t t = first; t < first + T; ++t) {
                inputs.push_back(t < pairs ? text(t) : 0);
                targets.push_back(t < pairs ? text(t + 1) : exercise::no_target);
            }
        }
    }
    const Shape shape{static_cast<std::int64_t>(inputs.size()) / T, T};
    return {IndexTensor(inputs, shape), IndexTensor(targets, shape)};
    // end
}

Variable loss_of(const Variable& logits, const IndexTensor& targets) {
    // begin stub
    //     exercise::not_done("14.1");
    // begin solution
    std::vector<std::int64_t> positions, tokens;  // those that have a target, n of them
    for (std::int64_t i = 0; i < targets.numel(); ++i) {
        if (targets.data()[i] == exercise::no_target) continue;
        positions.push_back(i);
        tokens.push_back(targets.data()[i]);
    }
    const Variable rows = reshape(logits, {-1, logits.dim(-1)});             // [B·T, V]
    const Variable counted = index_select(rows, 0, IndexTensor(positions));  // [n, V]
    const IndexTensor column = IndexTensor(tokens).reshape({-1, 1});         // [n, 1]
    return -mean(gather(log_softmax(counted, -1), 1, column));               // []
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_14_1({windows_of, loss_of}), argc, argv);
}
