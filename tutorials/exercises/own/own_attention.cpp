// Makes the learner's attention of exercise 08.3 available to a lesson.
// The learner's file is compiled unchanged, with its main renamed. That main passes the learner's
// functions to the judge, padding_and_causal, and the verdict to run; here both are replaced, which
// captures the functions whatever their names are.
#include "tutorials/support/own_attention.h"
#include "heed/autograd/ops/views.h"
#include "heed/tensor/errors.h"
#include "tutorials/exercises/judges/08_3_padding_and_causal.h"
#include "tutorials/exercises/judging/program.h"

#include <algorithm>

int heed_main_of_the_exercise(int argc, char** argv);

using namespace heed;

namespace {

exercise::MaskedAttention learners;

// The exercise's attention has batch and head axes: [..., T, d] -> [B, h, T, d].
Variable with_four_axes(const Variable& x) {
    Variable y = x;
    while (y.rank() < 4) y = unsqueeze(y, 0);
    return y;
}

Mask with_four_axes(const Mask& mask) {
    Shape shape = mask.shape();
    while (shape.rank() < 4) shape = shape.inserted(0, 1);
    return Mask::allowing(mask.allowed().reshape(shape));
}

Variable with_axes(const Variable& x, int rank) {
    Variable y = x;
    while (y.rank() > rank && y.dim(0) == 1) y = squeeze(y, 0);
    return y;
}

Attention attend(const Variable& Q, const Variable& K, const Variable& V,
                 const std::optional<Mask>& mask) {
    const Mask given = mask ? *mask : Mask::all_allowed(Q.dim(-2), K.dim(-2));  // [..., T_q, T_k]
    const exercise::WeightsAndOutput found =
        learners(with_four_axes(Q), with_four_axes(K), with_four_axes(V), with_four_axes(given));
    const int rank = std::max({Q.rank(), K.rank(), given.shape().rank()});
    return {with_axes(found.output, std::max(rank, V.rank())), with_axes(found.weights, rank)};
}

OwnAttention::Function make() {
    char name[] = "08.3";
    char* argv[] = {name, nullptr};
    heed_main_of_the_exercise(1, argv);
    if (!learners) {
        fail_runtime("own attention", "the exercise's main did not call padding_and_causal",
                     CallSite::here());
    }
    return attend;
}

const bool declared = (tutorial::lessons_run_on(make, HEED_OWN_ATTENTION_FILE), true);

}  // namespace

namespace exercise {

Exercise padding_and_causal(const MaskOfBatch&, const MaskedAttention& attention) {
    learners = attention;
    return {};
}

int run(const Exercise&, int, char**) { return 0; }

}  // namespace exercise
