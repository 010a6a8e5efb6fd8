// 09.1 Split into heads, and merge                          fill · 15 minutes · about 6 lines
//
// One projection computes the queries of all heads at once: each word gets a row of h·d numbers, of
// which head n has columns n·d to (n + 1)·d. Attention needs them as h matrices. A view only
// reinterprets the same numbers in the same order; moving the head axis before the word axis takes
// a transpose. Lesson 09, section 09.3.
//
// split_heads: x [B, T, h·d] -> [B, h, T, d]. merge_heads: x [B, h, T, d] -> [B, T, h·d], so that
// merge_heads(split_heads(x, h)) is x again. Any size may be 1. Gradients flow back through both.
#include "tutorials/exercises/judges/lesson_09.h"

#include "autograd/ops/views.h"

using namespace heed;

Variable split_heads(const Variable& x, std::int64_t h) {
    // begin stub, stop in split_heads
    //     exercise::not_done("09.1");
    // begin solution
    const std::int64_t B = x.dim(0), T = x.dim(1), d = x.dim(2) / h;
    const Variable cut = view(x, {B, T, h, d});
    return transpose(cut, 1, 2);
    // end
}

Variable merge_heads(const Variable& x) {
    // begin stub
    //     exercise::not_done("09.1");
    // begin solution
    const std::int64_t B = x.dim(0), h = x.dim(1), T = x.dim(2), d = x.dim(3);
    const Variable by_words = contiguous(transpose(x, 1, 2));  // [B, T, h, d]
    return view(by_words, {B, T, h * d});
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_09_1({split_heads, merge_heads}), argc, argv);
}
