// Answers to 12.3, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/12_3_block.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/join.h"
#include "heed/autograd/ops/reduce.h"
#include "heed/autograd/ops/views.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/views.h"

#include <functional>

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_12_3();
}

namespace {

using P = const BlockParts&;
using X = const Variable&;
using Way = Variable (*)(P parts, X x);

Variable pre(P parts, X x) {
    const Variable a = x + parts.attention(parts.norm1(x));
    return a + parts.feed_forward(parts.norm2(a));
}

Variable post(P parts, X x) {
    const Variable a = parts.norm1(x + parts.attention(x));
    return parts.norm2(a + parts.feed_forward(a));
}

std::function<Exercise()> as_pre(Way way) {
    return [way] { return block({way, post}); };
}
std::function<Exercise()> as_post(Way way) {
    return [way] { return block({pre, way}); };
}

Variable stream_is_normed(P parts, X x) {
    const Variable n = parts.norm1(x);
    const Variable a = n + parts.attention(n);
    const Variable m = parts.norm2(a);
    return m + parts.feed_forward(m);
}

Variable norm_called_again(P parts, X x) {
    const Variable a = x + parts.attention(parts.norm1(x));
    return a + parts.feed_forward(parts.norm2(a)) + 0 * parts.norm2(a);
}

Variable norm_at_the_end(P parts, X x) { return parts.norm2(pre(parts, x)); }

Variable feed_forward_without_norm(P parts, X x) {
    const Variable a = x + parts.attention(parts.norm1(x));
    return a + parts.feed_forward(a);
}

Variable norm_of_the_old_x(P parts, X x) {
    const Variable a = x + parts.attention(parts.norm1(x));
    return a + parts.feed_forward(parts.norm2(x));
}

Variable skips_attention_at_the_end(P parts, X x) {
    const Variable a = x + parts.attention(parts.norm1(x));
    return x + parts.feed_forward(parts.norm2(a));
}

Variable one_sum(P parts, X x) {
    const Variable a = parts.attention(parts.norm1(x));
    return x + parts.feed_forward(parts.norm2(a));
}

Variable halved(P parts, X x) {
    const Variable a = (x + parts.attention(parts.norm1(x))) / 2;
    return a + parts.feed_forward(parts.norm2(a));
}

Variable x_by_its_numbers(P parts, X x) {
    const Variable a = x.value() + parts.attention(parts.norm1(x));
    return a + parts.feed_forward(parts.norm2(a));
}

Variable norm_sees_no_gradient(P parts, X x) {
    const Variable a = x + parts.attention(parts.norm1(x));
    return a + parts.feed_forward(parts.norm2(a.detach()));
}

Variable twice_x(P parts, X x) {
    const Variable a = x + parts.attention(parts.norm1(x));
    return a + parts.feed_forward(parts.norm2(a)) + x;
}

Variable writes_to_x(P parts, X x) {
    const Variable y = pre(parts, x);
    Tensor stream = x.value();
    tensor::overwrite(stream, tensor::clone(y.value()));
    return y;
}

Variable keeps_the_first_attention(P parts, X x) {
    static Variable first;
    const Variable found = parts.attention(parts.norm1(x));
    if (first.rank() == 0 || !(first.shape() == x.shape())) first = found.detach();
    const Variable a = x + found - found.detach() + first;
    return a + parts.feed_forward(parts.norm2(a));
}

Variable keeps_the_parts(P parts, X x) {
    static const BlockParts kept = parts;
    return x.numel() == 0 ? pre(kept, x)
                          : pre({parts.attention, parts.attention, parts.norm1,  //
                                 parts.norm2},
                                x);
}

Variable text_by_text(P parts, X x) {
    if (x.rank() <= 2) return pre(parts, x);
    std::vector<Variable> texts;
    for (std::int64_t b = 0; b < x.dim(0); ++b) texts.push_back(pre(parts, select(x, 0, b)));
    return stack(texts, 0);
}

Variable first_word_only(P parts, X x) {
    const Variable a = x + parts.attention(parts.norm1(x));
    const Variable found = parts.feed_forward(parts.norm2(a));
    return a + slice(found, -2, 0, 1);
}

Variable norm_inside_of_the_sum(P parts, X x) {
    const Variable a = parts.norm1(x) + parts.attention(x);
    return parts.norm2(a) + parts.feed_forward(a);
}

Variable post_with_pre(P parts, X x) {
    const Variable a = parts.norm1(x + parts.attention(x));
    return a + parts.feed_forward(parts.norm2(a));
}

Variable norms_at_the_end(P parts, X x) {
    const Variable a = x + parts.attention(x);
    return parts.norm2(parts.norm1(a + parts.feed_forward(a)));
}

Variable stream_before_the_norm(P parts, X x) {
    const Variable a = x + parts.attention(x);
    return parts.norm2(a + parts.feed_forward(parts.norm1(a)));
}

Variable minus(P parts, X x) {
    const Variable a = parts.norm1(x - parts.attention(x));
    return parts.norm2(a + parts.feed_forward(a));
}

Variable swapped_norms(P parts, X x) {
    const Variable a = parts.norm2(x + parts.attention(x));
    return parts.norm1(a + parts.feed_forward(a));
}

Variable feed_forward_of_x(P parts, X x) {
    const Variable a = parts.norm1(x + parts.attention(x));
    return parts.norm2(a + parts.feed_forward(x));
}

// Unusual and right.

Variable with_a_helper(P parts, X x) {
    const auto half = [](X in, const BlockParts::Part& norm, const BlockParts::Part& sublayer) {
        const Variable found = sublayer(norm(in));
        return found + in;
    };
    return half(half(x, parts.norm1, parts.attention), parts.norm2, parts.feed_forward);
}

Variable in_a_loop(P parts, X x) {
    const std::vector<BlockParts::Part> all = {parts.attention, parts.norm1, parts.feed_forward,
                                               parts.norm2};
    Variable stream = x;
    for (std::size_t i = 0; i < all.size(); i += 2) {
        stream = all[i + 1](sum(stack({stream, all[i](stream)}, 0), 0));
    }
    return stream;
}

}  // namespace

Answers exercise::answers_12_3() {
    Answers answers;
    answers.number = "12.3";
    answers.wrong = {
        {"the normalized x runs on", as_pre(stream_is_normed), {"block.residual-normed/pre_norm"}},
        {"norm2 called twice, once for nothing", as_pre(norm_called_again)},
        {"one more norm at the end", as_pre(norm_at_the_end)},
        {"feed-forward without its norm",
         as_pre(feed_forward_without_norm),
         {"block.no-norm@feed_forward/pre_norm"}},
        {"norm2 of the first x", as_pre(norm_of_the_old_x), {"block.parallel/pre_norm"}},
        {"the first x added at the end",
         as_pre(skips_attention_at_the_end),
         {"block.residual-of-x/pre_norm"}},
        {"one residual connection around both",
         as_pre(one_sum),
         {"block.residual-of-x/pre_norm", "block.no-residual@attention/pre_norm"}},
        {"the sum halved", as_pre(halved)},
        {"x added by its numbers",
         as_pre(x_by_its_numbers),
         {"block.residual-detached@attention/pre_norm"}},
        {"norm2 gets a detached stream", as_pre(norm_sees_no_gradient)},
        {"x added once more", as_pre(twice_x)},
        {"writes y over x", as_pre(writes_to_x)},
        {"adds what attention found in the first call", as_pre(keeps_the_first_attention)},
        {"attention twice, no feed-forward", as_pre(keeps_the_parts)},
        {"text by text, many calls of each part", as_pre(text_by_text)},
        {"what feed-forward found for the first word, for all", as_pre(first_word_only)},
        {"norm(x) + sublayer(x)", as_post(norm_inside_of_the_sum), {"block.norm-apart/post_norm"}},
        {"post-norm, then pre-norm", as_post(post_with_pre)},
        {"both norms at the end", as_post(norms_at_the_end)},
        {"norm1 only before feed-forward", as_post(stream_before_the_norm)},
        {"attention subtracted", as_post(minus)},
        {"the norms swapped", as_post(swapped_norms), {"block.norms-swapped/post_norm"}},
        {"feed-forward sees x", as_post(feed_forward_of_x)},
        {"post-norm where pre-norm should be", as_pre(post), {"ln.pre-post/pre_norm"}},
        {"pre-norm where post-norm should be", as_post(pre), {"ln.pre-post/post_norm"}},
        {"the two exchanged",
         [] {
             return block({post, pre});
         },
         {"ln.pre-post/pre_norm", "ln.pre-post/post_norm"}},
    };
    answers.right = {
        {"pre-norm by a helper", as_pre(with_a_helper)},
        {"post-norm in a loop, the sum by stack", as_post(in_a_loop)},
    };
    return answers;
}
