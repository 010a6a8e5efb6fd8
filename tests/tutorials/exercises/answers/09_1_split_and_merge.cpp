// Answers to 09.1.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_09.h"

#include "nn/heed.h"

#include <algorithm>

using namespace heed;
using namespace exercise;

namespace {
Variable right_split(const Variable& x, std::int64_t h) {
    return transpose(reshape(x, {x.dim(0), x.dim(1), h, x.dim(2) / h}), 1, 2);
}

Variable right_merge(const Variable& x) { return flatten(contiguous(transpose(x, 1, 2)), 2, 3); }

Variable split_by_view_alone(const Variable& x, std::int64_t h) {
    return reshape(x, {x.dim(0), h, x.dim(1), x.dim(2) / h});
}

Variable merge_by_view_alone(const Variable& x) {
    return reshape(x, {x.dim(0), x.dim(2), x.dim(1) * x.dim(3)});
}

Variable split_every_hth(const Variable& x, std::int64_t h) {
    return permute(reshape(x, {x.dim(0), x.dim(1), x.dim(2) / h, h}), {0, 3, 1, 2});
}

Variable merge_every_hth(const Variable& x) {
    return flatten(contiguous(permute(x, {0, 2, 3, 1})), 2, 3);
}

Variable split_takes_h_for_d(const Variable& x, std::int64_t h) {
    return transpose(reshape(x, {x.dim(0), x.dim(1), x.dim(2) / h, h}), 1, 2);
}

Variable split_of_value(const Variable& x, std::int64_t h) { return right_split(x.detach(), h); }

Variable merge_of_value(const Variable& x) { return right_merge(x.detach()); }

Variable split_learns_in_head_0(const Variable& x, std::int64_t h) {
    const Variable heads = right_split(x, h);
    if (h == 1) return heads;
    return concatenate({slice(heads, 1, 0, 1), slice(heads, 1, 1).detach()}, 1);
}

Variable split_first_text(const Variable& x, std::int64_t h) {
    const Variable first = right_split(slice(x, 0, 0, 1), h);
    return expand(first, {x.dim(0), h, x.dim(1), x.dim(2) / h});
}

Variable split_from_the_last(const Variable& x, std::int64_t h) {
    return flip(right_split(x, h), {1});
}

Variable merge_from_the_last(const Variable& x) { return right_merge(flip(x, {1})); }

Variable split_leaves_one_head(const Variable& x, std::int64_t h) {
    return h == 1 ? unsqueeze(x, 2) : right_split(x, h);
}

Variable split_keeps_first_h(const Variable& x, std::int64_t h) {
    static const std::int64_t kept = h;
    return right_split(x, kept);
}

Variable merge_two_heads(const Variable& x) {
    return concatenate({select(x, 1, 0), select(x, 1, -1)}, -1);
}

// The heads are put where x was.
Variable split_in_place(const Variable& x, std::int64_t h) {
    const Variable heads = contiguous(right_split(x, h));
    Tensor room = x.value();
    if (h > 1) tensor::overwrite(room, tensor::reshape(heads.value(), x.shape()));
    return heads;
}

// A batch of one text loses its axis.
Variable merge_squeezes(const Variable& x) {
    const Variable merged = right_merge(x);
    return x.dim(0) == 1 ? squeeze(merged, 0) : merged;
}

Variable split_by_columns(const Variable& x, std::int64_t h) { return stack(chunk(x, h, 2), 1); }

Variable merge_by_columns(const Variable& x) { return concatenate(unbind(x, 1), 2); }

// The words' axis goes last, and comes back.
Variable split_on_its_side(const Variable& x, std::int64_t h) {
    const Variable columns = contiguous(transpose(x));
    return transpose(view(columns, {x.dim(0), h, x.dim(2) / h, x.dim(1)}));
}

Variable merge_on_its_side(const Variable& x) {
    const Variable columns = contiguous(transpose(x));
    return transpose(view(columns, {x.dim(0), x.dim(1) * x.dim(3), x.dim(2)}));
}

Variable split_of_its_first_numbers(const Variable& x, std::int64_t h) {
    static Tensor kept = tensor::clone(x.value());
    if (!(kept.shape() == x.shape())) kept = tensor::clone(x.value());
    return right_split(x + (kept - x.value()), h);
}

Variable merge_in_place(const Variable& x) {
    const Variable merged = right_merge(x);
    Tensor room = x.value();
    tensor::overwrite(room, tensor::reshape(merged.value(), x.shape()));
    return merged;
}

Variable merge_learns_in_head_0(const Variable& x) {
    if (x.dim(1) == 1) return right_merge(x);
    return right_merge(concatenate({slice(x, 1, 0, 1), slice(x, 1, 1).detach()}, 1));
}

// The larger of the two axes is taken for the words'.
Variable merge_guesses_axes(const Variable& x) {
    return x.dim(1) > x.dim(2) ? flatten(contiguous(x), 2, 3) : right_merge(x);
}

Variable split_for_50_words(const Variable& x, std::int64_t h) {
    std::vector<std::int64_t> words;
    for (std::int64_t t = 0; t < x.dim(1); ++t) words.push_back(std::min<std::int64_t>(t, 49));
    return right_split(index_select(x, 1, IndexTensor(words)), h);
}

Variable split_drops_an_axis_of_1(const Variable& x, std::int64_t h) {
    const Variable heads = right_split(x, h);
    return heads.dim(3) == 1 ? squeeze(heads, 3) : heads;
}

// Merges into as many heads as were split last.
std::int64_t h_of_last_split = 1;

Variable split_notes_h(const Variable& x, std::int64_t h) {
    h_of_last_split = h;
    return right_split(x, h);
}

Variable merge_by_noted_h(const Variable& x) {
    const Variable by_words = contiguous(transpose(x, 1, 2));
    return reshape(by_words, {x.dim(0), x.dim(2), h_of_last_split * x.dim(3)});
}

// Gives back what was split last, if it has the right shape.
Variable last_split;

Variable split_keeps_x(const Variable& x, std::int64_t h) {
    last_split = x;
    return right_split(x, h);
}

Variable merge_gives_what_was_kept(const Variable& x) {
    const Variable merged = right_merge(x);
    return last_split.shape() == merged.shape() ? last_split : merged;
}

// A single head of one text, or of single words, loses an axis more than that of the heads.
Variable merge_squeezes_one_head(const Variable& x) {
    return x.dim(1) == 1 ? squeeze(x) : right_merge(x);
}

Variable split_squeezes_text_and_head(const Variable& x, std::int64_t h) {
    const Variable heads = right_split(x, h);
    return x.dim(0) == 1 && h == 1 ? squeeze(heads, 0) : heads;
}

// Right for eight heads.
Variable split_starts_again_at_8(const Variable& x, std::int64_t h) {
    const std::vector<Variable> parts = chunk(x, h, -1);
    std::vector<Variable> heads;
    for (std::size_t n = 0; n < parts.size(); ++n) heads.push_back(parts[n % 8]);
    return stack(heads, 1);
}

// Right: each column goes to its place by a product with a unit matrix.
Variable split_by_unit_matrix(const Variable& x, std::int64_t h) {
    const std::int64_t d = x.dim(2) / h;
    const Tensor rows = tensor::reshape(tensor::eye(h * d), {h, d, h * d});
    return matmul(unsqueeze(x, 1), Variable(tensor::transpose(rows)));
}

// Begins with ones and takes them away again, which rounds.
Variable merge_onto_ones(const Variable& x) {
    const Variable ones(tensor::ones({x.dim(0), x.dim(2), x.dim(1) * x.dim(3)}));
    return ones + right_merge(x) - 1;
}

Variable split_of_one_word_by_value(const Variable& x, std::int64_t h) {
    return x.dim(1) == 1 ? right_split(x.detach(), h) : right_split(x, h);
}

Variable merge_onto_zeros(const Variable& x) {
    const std::int64_t d = x.dim(3);
    const Shape whole{x.dim(0), x.dim(2), x.dim(1) * d};
    Variable merged(tensor::zeros(whole));
    for (std::int64_t n = 0; n < x.dim(1); ++n) {
        merged = merged + embed_slice(select(x, 1, n), whole, 2, n * d, 1);
    }
    return merged;
}

Answer answer(const std::string& what, const SplitHeads& split, const MergeHeads& merge,
              const std::vector<std::string>& names = {}) {
    return {what, [=] { return judge_09_1({split, merge}); }, names};
}

}  // namespace

Answers answers_09_1() {
    Answers answers;
    answers.number = "09.1";
    answers.slipping = slipping(judge_09_1);
    answers.wrong = {
        answer("split is a view alone", split_by_view_alone, right_merge, {"mha.split-no-T"}),
        answer("merge is a view alone", right_split, merge_by_view_alone, {"mha.merge-no-T"}),
        answer("both are views alone, so that x comes back", split_by_view_alone,
               merge_by_view_alone, {"mha.both-no-T"}),
        answer("a head is every h-th column", split_every_hth, right_merge, {"mha.strided-split"}),
        answer("both with every h-th column, so that x comes back", split_every_hth,
               merge_every_hth, {"mha.strided-split", "mha.strided-merge"}),
        answer("merge puts the heads' features in turns", right_split, merge_every_hth,
               {"mha.strided-merge"}),
        answer("h heads of d are d heads of h", split_takes_h_for_d, right_merge),
        answer("split is cut off the graph", split_of_value, right_merge, {"train.detached"}),
        answer("merge is cut off the graph", right_split, merge_of_value, {"train.merge-detached"}),
        answer("only head 0 has a gradient", split_learns_in_head_0, right_merge),
        answer("every text is the first", split_first_text, right_merge),
        answer("head 0 has the last columns, and x comes back", split_from_the_last,
               merge_from_the_last, {"mha.reversed", "mha.merge-reversed"}),
        answer("a single head is not transposed", split_leaves_one_head, right_merge),
        answer("h of the first call is kept", split_keeps_first_h, right_merge),
        answer("merge joins the first and the last head", right_split, merge_two_heads),
        answer("x is overwritten by the heads", split_in_place, right_merge),
        answer("a batch of one text loses its axis in merge", right_split, merge_squeezes),
        answer("the first numbers of a shape are kept", split_of_its_first_numbers, right_merge),
        answer("merge writes to its input", right_split, merge_in_place),
        answer("only head 0 has a gradient in merge", right_split, merge_learns_in_head_0),
        answer("merge guesses which axis is the words'", right_split, merge_guesses_axes),
        answer("words from 50 on are taken for word 49", split_for_50_words, right_merge),
        answer("heads of one number lose their axis", split_drops_an_axis_of_1, right_merge),
        answer("merge takes h from the last split", split_notes_h, merge_by_noted_h),
        answer("merge gives back what was split last", split_keeps_x, merge_gives_what_was_kept),
        answer("merge drops all axes of 1 with a single head", right_split,
               merge_squeezes_one_head),
        answer("split drops the axis of one text with a single head", split_squeezes_text_and_head,
               right_merge),
        answer("head 8 is head 0 again", split_starts_again_at_8, right_merge),
        answer("merge adds to ones and takes them away", right_split, merge_onto_ones),
        answer("a single word is cut off the graph", split_of_one_word_by_value, right_merge),
    };
    answers.right = {
        answer("head by head", split_by_columns, merge_by_columns),
        answer("the words' axis goes last and comes back", split_on_its_side, merge_on_its_side),
        answer("split by columns, merge by transpose", split_by_columns, right_merge),
        answer("columns chosen by a unit matrix", split_by_unit_matrix, right_merge),
        answer("merge adds to zeros", right_split, merge_onto_zeros),
    };
    return answers;
}
