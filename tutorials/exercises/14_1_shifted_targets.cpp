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
    exercise::not_done("14.1");
}

Variable loss_of(const Variable& logits, const IndexTensor& targets) {
    exercise::not_done("14.1");
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_14_1({windows_of, loss_of}), argc, argv);
}
