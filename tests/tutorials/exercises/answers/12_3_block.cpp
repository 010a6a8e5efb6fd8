// Answers to 12.3, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_12.h"

#include "nn/heed.h"

#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>

using namespace heed;
using namespace exercise;

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
    return [way] { return judge_12_3({way, post}); };
}
std::function<Exercise()> as_post(Way way) {
    return [way] { return judge_12_3({pre, way}); };
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

Variable norms_swapped(P parts, X x) {
    const Variable z = x + parts.attention(parts.norm2(x));
    return z + parts.feed_forward(parts.norm1(z));
}

Variable norm_twice(P parts, X x) {
    const Variable z = x + parts.attention(parts.norm1(x));
    return z + parts.feed_forward(parts.norm1(z));
}

Variable called_twice(P parts, X x) {
    const Variable z = x + parts.attention(parts.norm1(x));
    const Variable found = parts.feed_forward(parts.norm2(z));
    return z + (found + parts.feed_forward(parts.norm2(z))) / 2;
}

Variable looks_at_shape(P parts, X x) {
    if (parts.attention(x).shape() != x.shape()) throw std::runtime_error("the shapes differ");
    return pre(parts, x);
}

Variable feed_forward_first(P parts, X x) {
    const Variable z = x + parts.feed_forward(parts.norm2(x));
    return z + parts.attention(parts.norm1(z));
}

Variable norm_sees_new_leaf(P parts, X x) {
    const Variable z = x + parts.attention(parts.norm1(Variable(x.value(), requires_grad)));
    return z + parts.feed_forward(parts.norm2(z));
}

Variable straight_through(P parts, X x) {
    const Variable n = parts.norm1(x);
    const Variable z = x + parts.attention(x + (n - x).detach());
    return z + parts.feed_forward(parts.norm2(z));
}

Variable no_graph_without_x(P parts, X x) {
    if (x.requires_grad()) return pre(parts, x);
    const NoGrad none;
    return pre(parts, x);
}

Variable first_parts(P parts, X x) {
    static const BlockParts first = parts;
    return pre(first, x);
}

Variable rows_only(P parts, X x) {
    return reshape(pre(parts, reshape(x, -1, x.dim(-1))), x.shape());
}

Variable always_a_batch(P parts, X x) { return pre(parts, x.rank() == 2 ? unsqueeze(x, 0) : x); }

Variable flat_leading_axes(P parts, X x) {
    return pre(parts, reshape(x, -1, x.dim(-2), x.dim(-1)));
}

Variable stream_twice(P parts, X x) {
    const Variable z = x + parts.attention(parts.norm1(x));
    return z + parts.feed_forward(parts.norm2(z)) + (x - x.detach());
}

Variable one_word(P parts, X x) {  // which attends to itself alone
    if (x.dim(-2) > 1) return pre(parts, x);
    return x + parts.feed_forward(parts.norm2(x));
}

Variable norm_of_attended(P parts, X x) {  // norm after the sublayer, inside
    const Variable z = x + parts.norm1(parts.attention(x));
    return z + parts.norm2(parts.feed_forward(z));
}

Variable difference(P parts, X x) {
    const Variable z = x - parts.attention(parts.norm1(x));
    return z - parts.feed_forward(parts.norm2(z));
}

Variable post_from_start(P parts, X x) {
    const Variable z = parts.norm1(x + parts.attention(x));
    return parts.norm2(x + parts.feed_forward(z));
}

Variable norm_of_found(P parts, X x) {
    const Variable z = x + parts.norm1(parts.attention(x));
    return z + parts.norm2(parts.feed_forward(z));
}

Variable post_no_residual(P parts, X x) {
    const Variable z = parts.norm1(parts.attention(x));
    return parts.norm2(parts.feed_forward(z));
}

Variable post_feed_forward_constant(P parts, X x) {
    const Variable z = parts.norm1(x + parts.attention(x));
    return parts.norm2(z + parts.feed_forward(z.detach()));
}

Variable post_stream_constant(P parts, X x) {
    const Variable z = parts.norm1(x + parts.attention(x));
    return parts.norm2(z.detach() + parts.feed_forward(z));
}

Variable half_of_each(P parts, X x) {
    const Variable z = parts.norm1((x + parts.attention(x)) / 2);
    return parts.norm2((z + parts.feed_forward(z)) / 2);
}

Variable residual_before_norm(P parts, X x) {
    const Variable sum = x + parts.attention(x);
    const Variable z = parts.norm1(sum);
    return parts.norm2(sum + parts.feed_forward(z));
}

Variable sublayers_swapped(P parts, X x) {
    const Variable a = x + parts.feed_forward(parts.norm1(x));
    return a + parts.attention(parts.norm2(a));
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

Variable in_one_batch(P parts, X x) {
    return reshape(pre(parts, reshape(x, -1, x.dim(-2), x.dim(-1))), x.shape());
}
Variable minus_minus(P parts, X x) {
    const Variable z = x - (-parts.attention(parts.norm1(x)));
    return z - (-parts.feed_forward(parts.norm2(z)));
}

Variable all_at_the_end(P parts, X x) {
    const Variable attended = parts.attention(parts.norm1(x));
    const Variable found = parts.feed_forward(parts.norm2(attended + x));
    return sum(stack({found, x, attended}, 0), 0);
}

Variable added_before(P parts, X x) {
    Variable stream = x;
    for (const auto& [norm, sublayer] :
         {std::pair(parts.norm1, parts.attention), std::pair(parts.norm2, parts.feed_forward)}) {
        stream = sublayer(norm(stream + 0)) + stream;
    }
    return stream;
}

Variable by_recursion(P parts, X x) {
    if (!parts.attention) return parts.norm2(parts.feed_forward(x) + x);
    BlockParts rest = parts;
    rest.attention = nullptr;
    return by_recursion(rest, parts.norm1(parts.attention(x) + x));
}

Variable kept_apart(P parts, X x) {
    const Variable a = parts.attention(parts.norm1(x));
    const Variable f = parts.feed_forward(parts.norm2(a + x));
    return x + (a + f);
}

}  // namespace

Answers answers_12_3() {
    Answers answers;
    answers.number = "12.3";
    answers.slipping = slipping(judge_12_3);
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
             return judge_12_3({post, pre});
         },
         {"ln.pre-post/pre_norm", "ln.pre-post/post_norm"}},
        {"norms swapped", as_pre(norms_swapped), {"block.norms-swapped/pre_norm"}},
        {"norm1 twice", as_pre(norm_twice), {"block.one-norm/pre_norm"}},
        {"feed-forward twice, and the mean", as_pre(called_twice)},
        {"attention called to see its shape", as_pre(looks_at_shape)},
        {"feed-forward first", as_pre(feed_forward_first), {"block.halves-swapped/pre_norm"}},
        {"norm1 gets a new leaf", as_pre(norm_sees_new_leaf)},
        {"norm1 straight through", as_pre(straight_through)},
        {"no graph where x needs none", as_pre(no_graph_without_x)},
        {"the first parts for ever", as_pre(first_parts)},
        {"all words as one text", as_pre(rows_only)},
        {"always a batch", as_pre(always_a_batch)},
        {"leading axes flat", as_pre(flat_leading_axes)},
        {"the gradient of the stream twice", as_pre(stream_twice)},
        {"one word needs no attention", as_pre(one_word)},
        {"norm after the sublayer, inside",
         as_pre(norm_of_attended),
         {"block.norm-found/pre_norm"}},
        {"subtracted", as_pre(difference)},
        {"the sublayers swapped, the norms not",
         as_pre(sublayers_swapped),
         {"block.sublayers-swapped/pre_norm"}},
        {"x in the second half", as_post(post_from_start), {"block.residual-of-x/post_norm"}},
        {"norm of what was found", as_post(norm_of_found), {"block.norm-found/post_norm"}},
        {"no residual", as_post(post_no_residual), {"block.no-residual/post_norm"}},
        {"feed-forward gets a constant", as_post(post_feed_forward_constant)},
        {"the stream a constant",
         as_post(post_stream_constant),
         {"block.residual-detached@feed_forward/post_norm"}},
        {"halves", as_post(half_of_each)},
        {"the stream before its norm", as_post(residual_before_norm)},
    };
    answers.right = {
        {"pre-norm by a helper", as_pre(with_a_helper)},
        {"post-norm in a loop, the sum by stack", as_post(in_a_loop)},
        {"all leading axes as one, and back", as_pre(in_one_batch)},
        {"minus what is negated", as_pre(minus_minus)},
        {"the sum of all three at the end", as_pre(all_at_the_end)},
        {"in a loop, and by recursion",
         [] {
             return judge_12_3({added_before, by_recursion});
         }},
        {"what was found is added up first",
         [] {
             return judge_12_3({kept_apart, by_recursion});
         }},
    };
    return answers;
}
