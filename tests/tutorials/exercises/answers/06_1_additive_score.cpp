// Answers to 06.1.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_06.h"

#include "nn/heed.h"

#include <cmath>
#include <vector>

using namespace heed;
using namespace exercise;

namespace {
// What the layers share: the members, right as they are here, and the steps of a score.
struct Base : Module {
    Base(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random,
         Bias of_W = no_bias, Bias of_v = no_bias)
        : W(d_q, d_hidden, random, of_W), U(d_k, d_hidden, random, no_bias),
          v(d_hidden, 1, random, of_v) {}

    void members(MemberVisitor& visit) override {
        visit("W", W);
        visit("U", U);
        visit("v", v);
    }
    // q [..., T_q, d_hidden], k [..., T_k, d_hidden]
    static Variable pairs(const Variable& q, const Variable& k) {
        return unsqueeze(q, -2) + unsqueeze(k, -3);
    }
    Variable sums(const Variable& Q, const Variable& K) const { return pairs(W(Q), U(K)); }
    Variable last(const Variable& hidden) const { return squeeze(v(hidden), -1); }
    Variable score(const Variable& Q, const Variable& K) const { return last(tanh(sums(Q, K))); }

    Linear W, U, v;
};

// Here the constructor or the list of members is at fault.
struct BiasInW : Base {
    BiasInW(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random)
        : Base(d_q, d_k, d_hidden, random, Bias::yes) {}
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }
};

struct BiasInV : Base {
    BiasInV(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random)
        : Base(d_q, d_k, d_hidden, random, no_bias, Bias::yes) {}
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }
};

struct FrozenV : Base {
    FrozenV(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random)
        : Base(d_q, d_k, d_hidden, random) {
        set_requires_grad(v, false);
    }
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }
};

struct OwnSeed : Base {
    OwnSeed(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random&)
        : Base(d_q, d_k, d_hidden, seeded()) {}
    static Random& seeded() {
        static Random random(0);
        random = Random(0);
        return random;
    }
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }
};

struct CopiedGenerator : Base {
    CopiedGenerator(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random random)
        : Base(d_q, d_k, d_hidden, random) {}
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }
};

struct TiedIfEqual : Base {
    TiedIfEqual(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random)
        : Base(d_q, d_k, d_hidden, random) {
        if (d_q == d_k) tie(U.weight, W.weight);
    }
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }
};

struct HiddenIsDk : Base {
    HiddenIsDk(std::int64_t d_q, std::int64_t d_k, std::int64_t, Random& random)
        : Base(d_q, d_k, d_k, random) {}
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }
};

// Begins without an opinion.
struct ZeroV : Base {
    ZeroV(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random)
        : Base(d_q, d_k, d_hidden, random) {
        init::zeros(v.weight);
    }
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }
};

struct TransposedOnce : Base {
    TransposedOnce(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random)
        : Base(d_q, d_k, d_hidden, random),
          W_T(tensor::clone(tensor::transpose(W.weight.value()))) {}
    Variable operator()(const Variable& Q, const Variable& K) const {
        return last(tanh(pairs(matmul(Q, Variable(W_T)), U(K))));
    }

    Tensor W_T;
};

struct NamesSwapped : Base {
    using Base::Base;
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }
    void members(MemberVisitor& visit) override {
        visit("W", U);
        visit("U", W);
        visit("v", v);
    }
};

struct VLeftOut : Base {
    using Base::Base;
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }
    void members(MemberVisitor& visit) override {
        visit("W", W);
        visit("U", U);
        visit.leave_out(v);
    }
};

struct OrderVUW : Base {
    using Base::Base;
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }
    void members(MemberVisitor& visit) override {
        visit("v", v);
        visit("U", U);
        visit("W", W);
    }
};

// Layers with the right members, whose score is a function of the layer and its two inputs.
using Score = Variable (*)(const Base& layer, const Variable& Q, const Variable& K);

Variable by_sigmoid(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.last(sigmoid(layer.sums(Q, K)));
}

Variable tanh_of_half(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.last(sigmoid(layer.sums(Q, K)) * 2.0 - 1.0);
}

Variable tanh_clamped(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.last(clamp(layer.sums(Q, K), {-1, 1}));
}

Variable tanh_of_the_score(const Base& layer, const Variable& Q, const Variable& K) {
    return tanh(layer.last(layer.sums(Q, K)));
}

Variable difference(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.last(tanh(Base::pairs(layer.W(Q), -layer.U(K))));
}

Variable product(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.last(tanh(unsqueeze(layer.W(Q), -2) * unsqueeze(layer.U(K), -3)));
}

Variable tanh_of_each(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.last(Base::pairs(tanh(layer.W(Q)), tanh(layer.U(K))));
}

Variable scaled(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.score(Q, K) / std::sqrt(static_cast<double>(layer.v.weight.dim(1)));
}

Variable keys_detached(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.last(tanh(Base::pairs(layer.W(Q), layer.U(K).detach())));
}

Variable query_input_detached(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.score(Q.detach(), K);
}

Variable v_detached(const Base& layer, const Variable& Q, const Variable& K) {
    return squeeze(matmul(tanh(layer.sums(Q, K)), transpose(layer.v.weight.detach())), -1);
}

Variable W_detached(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.last(tanh(Base::pairs(matmul(Q, transpose(layer.W.weight.detach())), layer.U(K))));
}

// The same number, with twice the gradient.
Variable queries_count_twice(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.score(Q + Q - Q.detach(), K);
}

Variable keys_kept(const Base& layer, const Variable& Q, const Variable& K) {
    static Tensor kept;
    if (kept.shape() != K.shape()) kept = tensor::clone(K.value());
    return layer.score(Q, K - K.detach() + Variable(kept));
}

Variable ones_squeezed(const Base& layer, const Variable& Q, const Variable& K) {
    return squeeze(layer.v(tanh(layer.sums(Q, K))));
}

Variable matrices_only(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.last(tanh(unsqueeze(layer.W(Q), 1) + unsqueeze(layer.U(K), 0)));
}

Variable one_leading_axis_at_most(const Base& layer, const Variable& Q, const Variable& K) {
    if (Q.rank() < 4) return layer.score(Q, K);
    const Variable q = flatten(Q, 0, Q.rank() - 3), k = flatten(K, 0, K.rank() - 3);
    return layer.score(q, k);
}

Variable keys_of_the_first_text(const Base& layer, const Variable& Q, const Variable& K) {
    if (K.rank() < 3) return layer.score(Q, K);
    return layer.score(Q, slice(K, 0, 0, 1));
}

Variable transposed_if_square(const Base& layer, const Variable& Q, const Variable& K) {
    const Variable s = layer.score(Q, K);
    return s.dim(-1) == s.dim(-2) ? transpose(s) : s;
}

Variable fifty_hidden_units(const Base& layer, const Variable& Q, const Variable& K) {
    const Variable hidden = tanh(slice(layer.sums(Q, K), -1, 0, 50));
    return squeeze(matmul(hidden, transpose(slice(layer.v.weight, 1, 0, 50))), -1);
}

Variable written_into_v(const Base& layer, const Variable& Q, const Variable& K) {
    Tensor weight = layer.v.weight.value();
    const double length = std::sqrt(tensor::sum(weight * weight).item());
    if (length > 0 && std::abs(length - 1) > 1e-6) tensor::overwrite(weight, weight / length);
    return layer.score(Q, K);
}

Variable pair_by_pair(const Base& layer, const Variable& Q, const Variable& K) {
    std::vector<Variable> rows;
    for (const Variable& q : unbind(layer.W(Q), -2)) {
        std::vector<Variable> entries;
        for (const Variable& k : unbind(layer.U(K), -2)) {
            entries.push_back(sum(tanh(q + k) * squeeze(layer.v.weight, 0), -1));
        }
        rows.push_back(stack(entries, -1));
    }
    return stack(rows, -2);
}

Variable tanh_by_powers(const Base& layer, const Variable& Q, const Variable& K) {
    const Variable power = exp(layer.sums(Q, K) * 2.0);
    return layer.last((power - 1.0) / (power + 1.0));
}

Variable tanh_by_a_fraction(const Base& layer, const Variable& Q, const Variable& K) {
    const Variable x = layer.sums(Q, K);
    return layer.last(x * (x * x + 15.0) / (x * x * 6.0 + 15.0));
}

Variable gradient_of_the_last_key(const Base& layer, const Variable& Q, const Variable& K) {
    std::vector<Variable> columns;
    for (std::int64_t j = 0; j < K.dim(-2); ++j) {
        const Variable q = layer.W(j + 1 < K.dim(-2) ? Q.detach() : Q);
        columns.push_back(layer.v(tanh(q + layer.U(slice(K, -2, j, j + 1)))));
    }
    return concatenate(columns, -1);
}

Variable no_gradient_in_evaluation(const Base& layer, const Variable& Q, const Variable& K) {
    const Variable scores = layer.score(Q, K);
    return layer.training() ? scores : scores.detach();
}

Variable at_most_3(const Base& layer, const Variable& Q, const Variable& K) {
    const double most = tensor::sum(tensor::abs(layer.v.weight.value())).item();
    const Variable scores = layer.score(Q, K);
    return most > 3 ? scores * (3 / most) : scores;
}

// tanh(x) = ±(1 - exp(-2|x|))/(1 + exp(-2|x|)), with the sign of x
Variable tanh_by_falling_powers(const Base& layer, const Variable& Q, const Variable& K) {
    const Variable x = layer.sums(Q, K);
    const Variable power = exp(abs(x) * -2.0);
    return layer.last((1.0 - power) / (1.0 + power) * Variable(tensor::sign(x.value())));
}

Variable queries_after_64_count_as_0(const Base& layer, const Variable& Q, const Variable& K) {
    const Variable q = layer.W(Q);
    const Variable first = slice(q, -2, 0, 64), rest = slice(q, -2, 64) * 0.0;
    return layer.last(tanh(Base::pairs(concatenate({first, rest}, -2), layer.U(K))));
}

// tanh(x) = 2·sigmoid(2x) - 1
Variable tanh_by_sigmoid(const Base& layer, const Variable& Q, const Variable& K) {
    return layer.last(sigmoid(layer.sums(Q, K) * 2.0) * 2.0 - 1.0);
}

// W·q + U·k is one product, of [W U] and the two vectors joined.
Variable of_joined_pairs(const Base& layer, const Variable& Q, const Variable& K) {
    const Shape pairs = Q.shape().without_last(1).followed_by({K.dim(-2)});
    const Variable q = expand(unsqueeze(Q, -2), pairs.followed_by({Q.dim(-1)}));
    const Variable k = expand(unsqueeze(K, -3), pairs.followed_by({K.dim(-1)}));
    const Variable WU = concatenate({layer.W.weight, layer.U.weight}, 1);
    return layer.last(tanh(matmul(concatenate({q, k}, -1), transpose(WU))));
}

Variable no_graph_for_constants(const Base& layer, const Variable& Q, const Variable& K) {
    const GradMode mode(Q.requires_grad() && K.requires_grad());
    return layer.score(Q, K);
}

Variable one_matrix_for_own_keys(const Base& layer, const Variable& Q, const Variable& K) {
    if (!Q.value().shares_storage_with(K.value())) return layer.score(Q, K);
    return layer.last(tanh(layer.pairs(layer.W(Q), layer.W(K))));
}

template <Score score_of>
struct Layer : Base {
    using Base::Base;
    Variable operator()(const Variable& Q, const Variable& K) const {
        return score_of(*this, Q, K);
    }
};

struct AsInNn : Module {
    AsInNn(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random)
        : score(d_q, d_k, d_hidden, random) {}
    void members(MemberVisitor& visit) override {
        visit("W", score.W_q);
        visit("U", score.W_k);
        visit("v", score.v);
    }
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }

    AdditiveScore score;
};

template <class Its>
Answer layer(const std::string& what, const std::vector<std::string>& names = {}) {
    return {what, [] { return judge_06_1(score_layer<Its>()); }, names};
}

template <Score score_of>
Answer scored(const std::string& what, const std::vector<std::string>& names = {}) {
    return layer<Layer<score_of>>(what, names);
}

}  // namespace

Answers answers_06_1() {
    Answers answers;
    answers.number = "06.1";
    answers.slipping = slipping(judge_06_1);
    answers.wrong = {
        layer<BiasInW>("W has a bias"),
        layer<BiasInV>("v has a bias"),
        layer<FrozenV>("v is frozen", {"add.detached-v"}),
        layer<OwnSeed>("the numbers are not from `random`"),
        layer<TiedIfEqual>("U is W where d_q = d_k"),
        layer<HiddenIsDk>("d_hidden is d_k"),
        layer<ZeroV>("v begins at 0"),
        layer<TransposedOnce>("W is transposed once, when the layer is made"),
        layer<NamesSwapped>("W is visited as U, and U as W"),
        layer<VLeftOut>("v is left out of the members"),
        scored<by_sigmoid>("sigmoid for tanh", {"add.sigmoid"}),
        scored<tanh_of_half>("2·sigmoid(x) - 1, which is tanh(x/2)", {"add.tanh-half"}),
        scored<tanh_clamped>("bounded by ±1, without tanh"),
        scored<tanh_of_the_score>("tanh behind v", {"add.tanh-outside"}),
        scored<difference>("the key is subtracted", {"add.minus"}),
        scored<product>("query and key are multiplied", {"add.times"}),
        scored<tanh_of_each>("tanh of query and key apart", {"add.tanh-each"}),
        scored<scaled>("divided by √d_hidden", {"add.scaled"}),
        scored<keys_detached>("no gradient for K and U", {"add.detached-keys"}),
        scored<query_input_detached>("no gradient for Q, though one for W", {"add.detached-Q"}),
        scored<v_detached>("no gradient for v", {"add.detached-v"}),
        scored<W_detached>("no gradient for W, though one for Q", {"add.detached-W"}),
        scored<queries_count_twice>("the gradient of Q is twice as large"),
        scored<keys_kept>("the first keys of a shape are kept"),
        scored<ones_squeezed>("all axes of length 1 are dropped"),
        scored<matrices_only>("new axes in places that fit matrices only"),
        scored<one_leading_axis_at_most>("two leading axes become one"),
        scored<keys_of_the_first_text>("the keys of the first text serve all"),
        scored<transposed_if_square>("transposed where T_q = T_k"),
        scored<fifty_hidden_units>("the first 50 hidden units only"),
        scored<written_into_v>("v is shortened to length 1 in place"),
        layer<CopiedGenerator>("a copy of `random`, which stays where it was"),
        scored<queries_after_64_count_as_0>("queries after the 64th count as 0"),
        scored<tanh_by_powers>("tanh from exp(2x), which overflows"),
        scored<tanh_by_a_fraction>("a fraction close to tanh"),
        scored<gradient_of_the_last_key>("the gradient of Q is that of the last key"),
        scored<no_gradient_in_evaluation>("no gradient in evaluation mode"),
        scored<at_most_3>("scores are scaled where Σ|v| exceeds 3"),
        scored<no_graph_for_constants>("no gradient for the weights if Q or K needs none"),
        scored<one_matrix_for_own_keys>("W is used for both where Q is K"),
    };
    answers.right = {
        layer<OrderVUW>("members visited from v to W"),
        scored<pair_by_pair>("pair by pair"),
        scored<tanh_by_sigmoid>("tanh from a sigmoid"),
        scored<of_joined_pairs>("one product with W and U joined"),
        scored<tanh_by_falling_powers>("tanh from exp(-2|x|)"),
        layer<AsInNn>("by nn"),
    };
    return answers;
}
