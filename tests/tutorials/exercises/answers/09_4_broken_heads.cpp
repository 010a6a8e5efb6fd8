// Answers to 09.4.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_09.h"

#include "autograd/ops.h"
#include "nn/attention/head_axes.h"
#include "tensor/ops.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace heed;
using namespace exercise;

namespace {
using Self = SelfAttentionOf004;

double root_of(std::int64_t n) { return std::sqrt(static_cast<double>(n)); }

struct Sizes {
    std::int64_t b, t, k, h, s;
};

// [b, t, h, s] -> [b·h, t, s]
Variable folded(const Variable& x) {
    return reshape(transpose(x, 1, 2), {x.dim(0) * x.dim(2), x.dim(1), x.dim(3)});
}

// As in the file: the folded queries are turned once more.
Variable queries_again(const Variable& queries) {
    return view(contiguous(transpose(queries, 1, 2)), queries.shape());
}

// The program in parts, each of which is mended unless it is replaced.
struct Program {
    using Fold = std::function<Variable(const Variable& own, const FoldedStages& so_far)>;
    using Dot = std::function<Variable(const FoldedStages&, const Sizes&)>;
    using Out = std::function<Variable(const Self&, const FoldedStages&, const Sizes&)>;

    Fold queries = [](const Variable& own, const FoldedStages&) { return folded(own); };
    Fold keys = queries;
    Fold values = queries;
    Dot dot = [](const FoldedStages& f, const Sizes& size) {
        const double root = std::sqrt(root_of(size.s));
        return matmul(f.queries / root, transpose(f.keys / root));
    };
    std::function<Variable(const Variable&)> weights = [](const Variable& scaled) {
        return softmax(scaled, 2);
    };
    Out out = [](const Self& self, const FoldedStages& f, const Sizes& size) {
        const Variable heads = view(matmul(f.weights, f.values), {size.b, size.h, size.t, size.s});
        const Variable side_by_side =
            view(contiguous(transpose(heads, 1, 2)), {size.b, size.t, size.k});
        return matmul(side_by_side, self.unifyheads) + self.unifyheads_b;
    };
    std::function<void(FoldedStages&, const Sizes&)> then = [](FoldedStages&, const Sizes&) {};

    FoldedStages operator()(const Self& self, const Variable& x) const {
        const std::int64_t k = x.dim(2), h = self.n_heads;
        const Sizes size{x.dim(0), x.dim(1), k, h, k / h};
        const Dims by_head{size.b, size.t, h, size.s};
        FoldedStages f;
        f.queries = queries(view(matmul(x, self.toqueries), by_head), f);
        f.keys = keys(view(matmul(x, self.tokeys), by_head), f);
        f.values = values(view(matmul(x, self.tovalues), by_head), f);
        f.dot = dot(f, size);
        f.weights = weights(f.dot);
        f.out = out(self, f, size);
        then(f, size);
        return f;
    }
};

using Slip = std::function<void(Program&)>;

// ----- faults of the file

void keys_from_queries(Program& p) {
    p.keys = [](const Variable&, const FoldedStages& f) { return queries_again(f.queries); };
}

void values_from_queries(Program& p) {
    p.values = [](const Variable&, const FoldedStages& f) { return queries_again(f.queries); };
}

// The root of each of the two, queries and keys.
Slip root(const std::function<double(const Sizes&)>& of) {
    return [=](Program& p) {
        p.dot = [=](const FoldedStages& f, const Sizes& size) {
            return matmul(f.queries / of(size), transpose(f.keys / of(size)));
        };
    };
}

double of_model(const Sizes& size) { return std::sqrt(root_of(size.k)); }
double of_head_once(const Sizes& size) { return root_of(size.s); }
double of_words(const Sizes& size) { return std::sqrt(root_of(size.t)); }
double of_number_of_heads(const Sizes& size) { return std::sqrt(root_of(size.h)); }
double whole(const Sizes& size) { return std::sqrt(std::floor(root_of(size.s))); }

// ----- mended wrongly

void turned_twice(Program& p) {
    p.keys = [](const Variable& own, const FoldedStages&) { return queries_again(folded(own)); };
}

void keys_are_queries(Program& p) {
    p.keys = [](const Variable&, const FoldedStages& f) { return f.queries; };
}

void values_are_keys(Program& p) {
    p.values = [](const Variable&, const FoldedStages& f) { return f.keys; };
}

void values_by_view_alone(Program& p) {
    p.values = [](const Variable& own, const FoldedStages&) {
        return view(own, {own.dim(0) * own.dim(2), own.dim(1), own.dim(3)});
    };
}

void keys_off_the_graph(Program& p) {
    p.keys = [](const Variable& own, const FoldedStages&) { return folded(own).detach(); };
}

void all_heads_before_texts(Program& p) {
    const auto fold = [](const Variable& own, const FoldedStages&) {
        return reshape(permute(own, {2, 0, 1, 3}),
                       {own.dim(0) * own.dim(2), own.dim(1), own.dim(3)});
    };
    p.queries = p.keys = p.values = fold;
    p.out = [](const Self& self, const FoldedStages& f, const Sizes& size) {
        const Variable heads = view(matmul(f.weights, f.values), {size.h, size.b, size.t, size.s});
        const Variable side_by_side =
            reshape(permute(heads, {1, 2, 0, 3}), {size.b, size.t, size.k});
        return matmul(side_by_side, self.unifyheads) + self.unifyheads_b;
    };
}

void only_queries_scaled(Program& p) {
    p.dot = [](const FoldedStages& f, const Sizes& size) {
        return matmul(f.queries / std::sqrt(root_of(size.s)), transpose(f.keys));
    };
}

// ----- new faults

void one_maximum_for_all(Program& p) {
    p.weights = [](const Variable& scaled) {
        const Variable powers = exp(scaled - tensor::max(scaled.value()));
        return powers / sum(powers, -1, keepdim);
    };
}

void softmax_over_queries(Program& p) {
    p.weights = [](const Variable& scaled) { return softmax(scaled, 1); };
}

void no_maximum(Program& p) {
    p.weights = [](const Variable& scaled) {
        const Variable powers = exp(scaled);
        return powers / sum(powers, -1, keepdim);
    };
}

void merged_by_view_alone(Program& p) {
    p.out = [](const Self& self, const FoldedStages& f, const Sizes& size) {
        const Variable heads = view(matmul(f.weights, f.values), {size.b, size.t, size.k});
        return matmul(heads, self.unifyheads) + self.unifyheads_b;
    };
}

void no_bias(Program& p) {
    p.out = [right = p.out](const Self& self, const FoldedStages& f, const Sizes& size) {
        return right(self, f, size) - self.unifyheads_b;
    };
}

void unifyheads_on_its_side(Program& p) {
    p.out = [right = p.out](const Self& self, const FoldedStages& f, const Sizes& size) {
        Self turned = self;
        turned.unifyheads = transpose(self.unifyheads);
        return right(turned, f, size);
    };
}

void scaled_queries_returned(Program& p) {
    p.then = [](FoldedStages& f, const Sizes& size) {
        f.queries = f.queries / std::sqrt(root_of(size.s));
        f.keys = f.keys / std::sqrt(root_of(size.s));
    };
}

void dot_before_scaling(Program& p) {
    p.then = [](FoldedStages& f, const Sizes& size) { f.dot = f.dot * root_of(size.s); };
}

void values_off_the_graph(Program& p) {
    p.values = [](const Variable& own, const FoldedStages&) { return folded(own).detach(); };
}

void unifyheads_off_the_graph(Program& p) {
    p.out = [right = p.out](const Self& self, const FoldedStages& f, const Sizes& size) {
        Self frozen = self;
        frozen.unifyheads = self.unifyheads.detach();
        return right(frozen, f, size);
    };
}

void maximum_from_0(Program& p) {
    p.weights = [](const Variable& scaled) {
        const Variable exponentials = exp(scaled - maximum(max(scaled, -1, keepdim), 0.0).detach());
        return exponentials / sum(exponentials, -1, keepdim);
    };
}

void sum_off_the_graph(Program& p) {
    p.weights = [](const Variable& scaled) {
        const Variable exponentials = exp(scaled - max(scaled, -1, keepdim).detach());
        return exponentials / sum(exponentials, -1, keepdim).detach();
    };
}

void keys_of_the_first_text(Program& p) {
    p.keys = [](const Variable& own, const FoldedStages&) {
        return folded(expand(slice(own, 0, 0, 1), own.shape()));
    };
}

void queries_kept(Program& p) {
    p.queries = [](const Variable& own, const FoldedStages&) {
        static Tensor kept = tensor::clone(own.value());
        return folded(kept.shape() == own.shape() ? own + (kept - own.value()) : own);
    };
}

// Sizes that are equal by chance.

void over_queries_if_as_many_as_matrices(Program& p) {
    p.weights = [](const Variable& dot) { return softmax(dot, dot.dim(0) == dot.dim(1) ? 1 : 2); };
}

void view_alone_if_h_is_t(Program& p) {
    p.out = [right = p.out](const Self& self, const FoldedStages& f, const Sizes& size) {
        if (size.h != size.t) return right(self, f, size);
        const Variable heads = reshape(matmul(f.weights, f.values), {size.b, size.t, size.k});
        return matmul(heads, self.unifyheads) + self.unifyheads_b;
    };
}

void keys_left_if_square(Program& p) {
    p.dot = [](const FoldedStages& f, const Sizes& size) {
        const Variable keys = size.t == size.s ? f.keys : transpose(f.keys);
        return matmul(f.queries, keys) / root_of(size.s);
    };
}

// Heads of a single number.

void single_numbers_as_constants(Program& p) {
    p.values = [](const Variable& own, const FoldedStages&) {
        return own.dim(3) == 1 ? folded(own).detach() : folded(own);
    };
}

void root_of_at_least_2(Program& p) {
    p.dot = [](const FoldedStages& f, const Sizes& size) {
        return matmul(f.queries, transpose(f.keys)) / root_of(std::max<std::int64_t>(size.s, 2));
    };
}

// The note's square root of a square root, in whole numbers.
void power_of_a_whole_quarter(Program& p) {
    p.dot = [](const FoldedStages& f, const Sizes& size) {
        const double root = std::pow(static_cast<double>(size.s), 1 / 4);
        return matmul(f.queries / root, transpose(f.keys / root));
    };
}

FoldedStages keys_frozen(const Self& self, const Variable& x) {
    Variable W = self.tokeys;
    const FoldedStages stages = Program()(self, x);
    if (W.requires_grad()) W.set_requires_grad(false);
    return stages;
}

// ----- right

void scaled_at_the_end(Program& p) {
    p.dot = [](const FoldedStages& f, const Sizes& size) {
        return matmul(f.queries, transpose(f.keys)) / root_of(size.s);
    };
}

FoldedStages by_nn(const Self& self, const Variable& x) {
    const auto fold = [&](const Variable& W) {
        return flatten(contiguous(split_heads(matmul(x, W), self.n_heads)), 0, 1);
    };
    FoldedStages f;
    f.queries = fold(self.toqueries);
    f.keys = fold(self.tokeys);
    f.values = fold(self.tovalues);
    f.dot = einsum("n q s, n k s -> n q k", f.queries / root_of(f.queries.dim(2)), f.keys);
    f.weights = exp(log_softmax(f.dot, -1));
    const Variable heads = matmul(f.weights, f.values);
    const Dims by_head{x.dim(0), self.n_heads, heads.dim(1), heads.dim(2)};
    f.out = matmul(merge_heads(view(heads, by_head)), self.unifyheads) + self.unifyheads_b;
    return f;
}

// ----- the lists

Answer answer(const std::string& what, const std::vector<Slip>& slips,
              const std::vector<std::string>& names = {}) {
    Program program;
    for (const Slip& slip : slips) slip(program);
    return {what, [=] { return judge_09_4(program); }, names};
}

FoldedStages with_flatten(const Self& self, const Variable& x) {
    const auto fold = [&](const Variable& y) {
        return flatten(contiguous(stack(chunk(y, self.n_heads, -1), 1)), 0, 1);
    };
    FoldedStages f;
    f.queries = fold(matmul(x, self.toqueries));
    f.keys = fold(matmul(x, self.tokeys));
    f.values = fold(matmul(x, self.tovalues));
    f.dot = matmul(f.queries, transpose(f.keys)) / root_of(f.keys.dim(2));
    f.weights = softmax(f.dot, -1);
    const Variable heads = matmul(f.weights, f.values);  // [b·h, t, s]
    const Variable by_batch = view(heads, {x.dim(0), self.n_heads, x.dim(1), heads.dim(2)});
    const Variable mixed =
        matmul(concatenate(chunk(by_batch, self.n_heads, 1), -1), unsqueeze(self.unifyheads, 0));
    f.out = view(mixed + self.unifyheads_b, x.shape());
    return f;
}

}  // namespace

Answers answers_09_4() {
    Answers answers;
    answers.number = "09.4";
    answers.slipping = slipping(judge_09_4);
    answers.wrong = {
        answer("nothing is mended", {keys_from_queries, values_from_queries, root(of_model)},
               {"hunt.as-it-was"}),
        answer("only the root is mended", {keys_from_queries, values_from_queries},
               {"hunt.keys-folded-again", "hunt.values-folded-again"}),
        answer("only the keys are mended", {values_from_queries, root(of_model)},
               {"hunt.values-folded-again", "att.scale-dmodel"}),
        answer("only the values are mended", {keys_from_queries, root(of_model)},
               {"hunt.keys-folded-again", "att.scale-dmodel"}),
        answer("the root is left", {root(of_model)}, {"att.scale-dmodel"}),
        answer("the values are left", {values_from_queries}, {"hunt.values-folded-again"}),
        answer("the keys are left", {keys_from_queries}, {"hunt.keys-folded-again"}),
        answer("keys are their own, but turned twice", {turned_twice},
               {"hunt.own-keys-folded-twice"}),
        answer("keys are the queries, turned once", {keys_are_queries}, {"mha.k-uses-Wq"}),
        answer("values are the keys", {values_are_keys}, {"mha.v-uses-Wk"}),
        answer("values by a view alone", {values_by_view_alone}),
        answer("keys are cut off the graph", {keys_off_the_graph}),
        answer("heads are folded before the texts", {all_heads_before_texts}),
        answer("√s for each of the two", {root(of_head_once)}, {"att.scale-dk"}),
        answer("the root of the number of words", {root(of_words)}, {"att.scale-T"}),
        answer("the root of the number of heads", {root(of_number_of_heads)}),
        answer("√s is a whole number", {root(whole)}),
        answer("only the queries are scaled", {only_queries_scaled}, {"hunt.root-once"}),
        answer("softmax over the queries", {softmax_over_queries}, {"sm.cols"}),
        answer("softmax without a maximum", {no_maximum}, {"sm.no-max"}),
        answer("one maximum for all rows", {one_maximum_for_all}, {"sm.global-max"}),
        answer("the heads are merged by a view alone", {merged_by_view_alone}, {"mha.merge-no-T"}),
        answer("the bias is taken away", {no_bias}),
        answer("unifyheads is on its side", {unifyheads_on_its_side}),
        answer("queries and keys are returned scaled", {scaled_queries_returned}),
        answer("dot is returned before scaling", {dot_before_scaling}),
        answer("values are cut off the graph", {values_off_the_graph}),
        answer("unifyheads learns nothing", {unifyheads_off_the_graph}),
        answer("the maximum begins at 0", {maximum_from_0}),
        answer("the sum is cut off the graph", {sum_off_the_graph}),
        answer("every text has the keys of the first", {keys_of_the_first_text}),
        answer("the first queries are kept", {queries_kept}),
        answer("over the queries if t = b·h", {over_queries_if_as_many_as_matrices}),
        answer("merged by a view alone if h = t", {view_alone_if_h_is_t}),
        answer("keys are not transposed if t = s", {keys_left_if_square}),
        answer("values are constants if s is 1", {single_numbers_as_constants}),
        answer("the root of 2 if s is 1", {root_of_at_least_2}),
        answer("s to the power 1 / 4, which is 0", {power_of_a_whole_quarter}, {"att.no-scale"}),
        {"tokeys is frozen", [] { return judge_09_4(keys_frozen); }},
    };
    answers.right = {
        answer("mended", {}),
        answer("dot is scaled at its end", {scaled_at_the_end}),
        {"by nn's head axes and einsum", [] { return judge_09_4(by_nn); }},
        {"with flatten, scaled once", [] { return judge_09_4(with_flatten); }},
    };
    return answers;
}
