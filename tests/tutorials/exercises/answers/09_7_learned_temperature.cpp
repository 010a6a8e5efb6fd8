// Answers to 09.7.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_09.h"

#include "nn/heed.h"

#include <cmath>

using namespace heed;
using namespace exercise;

namespace {
double root(std::int64_t n) { return std::sqrt(static_cast<double>(n)); }

using Attend = HeadsAndWeights (*)(const Variable& temperature, const Variable& Q,
                                   const Variable& K, const Variable& V);

template <Attend attend>
struct Layer : Module {
    explicit Layer(std::int64_t num_heads) : temperature(tensor::ones({num_heads})) {}
    HeadsAndWeights operator()(const Variable& Q, const Variable& K, const Variable& V) const {
        return attend(temperature, Q, K, V);
    }
    void members(MemberVisitor& visit) override { visit("temperature", temperature); }

    Parameter temperature;  // [h]
};

Variable for_scores(const Variable& temperature) {
    return reshape(temperature, {temperature.dim(0), 1, 1});
}

Variable scaled(const Variable& Q, const Variable& K) {
    return matmul(Q, transpose(K)) / root(Q.dim(-1));
}

// softmax(q·k / (√d_k · τ_n))
Variable weights_of(const Variable& temperature, const Variable& Q, const Variable& K) {
    return softmax(scaled(Q, K) / for_scores(temperature), -1);
}

HeadsAndWeights with(const Variable& weights, const Variable& V) {
    return {weights, matmul(weights, V)};
}

HeadsAndWeights right(const Variable& temperature, const Variable& Q, const Variable& K,
                      const Variable& V) {
    return with(weights_of(temperature, Q, K), V);
}

// ----- other temperatures

template <Variable (*changed)(const Variable& temperature)>
HeadsAndWeights for_temperature(const Variable& temperature, const Variable& Q, const Variable& K,
                                const Variable& V) {
    return right(changed(temperature), Q, K, V);
}

Variable inverse(const Variable& temperature) { return 1 / temperature; }
Variable power_of_e(const Variable& temperature) { return exp(temperature - 1); }
Variable square_root(const Variable& temperature) { return sqrt(temperature); }
Variable off_the_graph(const Variable& temperature) { return temperature.detach(); }
Variable not_below_a_tenth(const Variable& temperature) { return maximum(temperature, 0.1); }
Variable not_above_10(const Variable& temperature) { return minimum(temperature, 10.0); }
Variable not_below_a_billionth(const Variable& temperature) { return maximum(temperature, 1e-9); }
Variable a_trace_more(const Variable& temperature) { return temperature + 1e-12; }
// Nothing to divide by, and nothing to learn either.
Variable constant_if_all_are_1(const Variable& temperature) {
    const Tensor ones = tensor::ones(temperature.shape());
    return tensor::all_close(temperature.value(), ones) ? Variable(ones) : temperature;
}
Variable a_little_more(const Variable& temperature) { return temperature + 1e-3; }
Variable the_mean(const Variable& temperature) {
    return expand(mean(temperature, 0, keepdim), temperature.shape());
}
Variable of_head_0(const Variable& temperature) {
    return expand(slice(temperature, 0, 0, 1), temperature.shape());
}
Variable from_the_last(const Variable& temperature) { return flip(temperature, {0}); }
Variable last_learns_nothing(const Variable& temperature) {
    const std::int64_t h = temperature.dim(0);
    if (h == 1) return temperature;
    const Variable last = slice(temperature, 0, h - 1).detach();
    return concatenate({slice(temperature, 0, 0, h - 1), last}, 0);
}
Variable of_the_first_call(const Variable& temperature) {
    static Tensor kept = tensor::clone(temperature.value());
    if (!(kept.shape() == temperature.shape())) return temperature;
    return temperature + (kept - temperature.value());
}

// ----- other scores and weights

using T = const Variable&;

HeadsAndWeights along_the_queries(T temperature, T Q, T K, T V) {
    const Variable column = view(temperature, {temperature.dim(0), 1});
    return with(softmax(scaled(Q, K) / column, -1), V);
}

HeadsAndWeights by_d_v(T temperature, T Q, T K, T V) {
    const Variable scores = matmul(Q, transpose(K)) / root(V.dim(-1));
    return with(softmax(scores / for_scores(temperature), -1), V);
}

HeadsAndWeights by_number_of_keys(T temperature, T Q, T K, T V) {
    const Variable scores = matmul(Q, transpose(K)) / root(K.dim(-2));
    return with(softmax(scores / for_scores(temperature), -1), V);
}

HeadsAndWeights unscaled(T temperature, T Q, T K, T V) {
    return with(softmax(matmul(Q, transpose(K)) / for_scores(temperature), -1), V);
}

HeadsAndWeights no_maximum(T temperature, T Q, T K, T V) {
    const Variable powers = exp(scaled(Q, K) / for_scores(temperature));
    return with(powers / sum(powers, -1, keepdim), V);
}

HeadsAndWeights maximum_from_0(T temperature, T Q, T K, T V) {
    const Variable scores = scaled(Q, K) / for_scores(temperature);
    const Variable powers = exp(scores - maximum(max(scores, -1, keepdim), 0.0).detach());
    return with(powers / sum(powers, -1, keepdim), V);
}

HeadsAndWeights maximum_before_division(T temperature, T Q, T K, T V) {
    const Variable scores = scaled(Q, K);
    const Variable powers =
        exp(scores / for_scores(temperature) - max(scores, -1, keepdim).detach());
    return with(powers / sum(powers, -1, keepdim), V);
}

HeadsAndWeights powers_of_weights(T temperature, T Q, T K, T V) {
    return with(pow(softmax(scaled(Q, K), -1), 1 / for_scores(temperature)), V);
}

HeadsAndWeights over_queries(T temperature, T Q, T K, T V) {
    return with(softmax(scaled(Q, K) / for_scores(temperature), -2), V);
}

HeadsAndWeights causal(T temperature, T Q, T K, T V) {
    const Variable scores = scaled(Q, K) / for_scores(temperature);
    const Mask mask = Mask::causal(Q.dim(-2), K.dim(-2));
    return with(softmax(masked_fill(scores, mask.blocked(), -infinity), -1), V);
}

// ----- one of the two results, or one of the inputs

HeadsAndWeights ordinary_output(T temperature, T Q, T K, T V) {
    return {weights_of(temperature, Q, K), matmul(softmax(scaled(Q, K), -1), V)};
}

HeadsAndWeights ordinary_weights(T temperature, T Q, T K, T V) {
    return {softmax(scaled(Q, K), -1), right(temperature, Q, K, V).output};
}

HeadsAndWeights returned_weights_off_the_graph(T temperature, T Q, T K, T V) {
    const HeadsAndWeights both = right(temperature, Q, K, V);
    return {both.weights.detach(), both.output};
}

HeadsAndWeights output_of_constant_weights(T temperature, T Q, T K, T V) {
    const Variable weights = weights_of(temperature, Q, K);
    return {weights, matmul(weights.detach(), V)};
}

HeadsAndWeights keys_off_the_graph(T temperature, T Q, T K, T V) {
    return right(temperature, Q, K.detach(), V);
}

HeadsAndWeights values_of_head_0(T temperature, T Q, T K, T V) {
    return right(temperature, Q, K, slice(V, 1, 0, 1));
}

HeadsAndWeights keys_of_first_text(T temperature, T Q, T K, T V) {
    return right(temperature, Q, slice(K, 0, 0, 1), V);
}

HeadsAndWeights no_axis_for_one_head(T temperature, T Q, T K, T V) {
    const HeadsAndWeights both = right(temperature, Q, K, V);
    if (Q.dim(1) > 1) return both;
    return {squeeze(both.weights, 1), squeeze(both.output, 1)};
}

HeadsAndWeights temperature_for_values_too(T temperature, T Q, T K, T V) {
    return right(temperature, Q, K, V / for_scores(temperature));
}

HeadsAndWeights values_off_the_graph(T temperature, T Q, T K, T V) {
    return right(temperature, Q, K, V.detach());
}

HeadsAndWeights weights_of_constant_temperature(T temperature, T Q, T K, T V) {
    return {weights_of(temperature.detach(), Q, K), right(temperature, Q, K, V).output};
}

HeadsAndWeights temperature_changed(T temperature, T Q, T K, T V) {
    const HeadsAndWeights both = right(temperature, Q, K, V);
    Tensor room = temperature.value();
    room.writable_data()[0] = 1;
    return both;
}

HeadsAndWeights sum_off_the_graph(T temperature, T Q, T K, T V) {
    const Variable scores = scaled(Q, K) / for_scores(temperature);
    const Variable exponentials = exp(scores - max(scores, -1, keepdim).detach());
    return with(exponentials / sum(exponentials, -1, keepdim).detach(), V);
}

HeadsAndWeights scores_up_to_1000(T temperature, T Q, T K, T V) {
    const Variable scores = scaled(Q, K) / for_scores(temperature);
    return with(softmax(minimum(maximum(scores, -1000.0), 1000.0), -1), V);
}

HeadsAndWeights output_of_first_text(T temperature, T Q, T K, T V) {
    const HeadsAndWeights both = right(temperature, Q, K, V);
    return {both.weights, expand(slice(both.output, 0, 0, 1), both.output.shape())};
}

HeadsAndWeights no_axis_for_one_query(T temperature, T Q, T K, T V) {
    HeadsAndWeights result = right(temperature, Q, K, V);
    if (Q.dim(0) == 1 && Q.dim(2) == 1) result.output = squeeze(result.output, 0);
    return result;
}

HeadsAndWeights value_itself_for_one_key(T temperature, T Q, T K, T V) {
    const HeadsAndWeights both = right(temperature, Q, K, V);
    return K.dim(2) == 1 ? HeadsAndWeights{both.weights, V} : both;
}

HeadsAndWeights best_key_alone_below_a_thousandth(T temperature, T Q, T K, T V) {
    const Variable scores = scaled(Q, K);
    const Tensor best =
        tensor::to_tensor(scores.value() == tensor::max(scores.value(), -1, keepdim));
    const Variable column = for_scores(temperature);
    const Variable weights = softmax(scores / column, -1);
    return with(where(column.value() < 1e-3, Variable(best), weights), V);
}

HeadsAndWeights keys_left_if_square(T temperature, T Q, T K, T V) {
    if (K.dim(2) != K.dim(3)) return right(temperature, Q, K, V);
    const Variable scores = matmul(Q, K) / root(Q.dim(-1));
    return with(softmax(scores / for_scores(temperature), -1), V);
}

// The logarithms of the weights differ as the scores do, but they lie near log(1/T_k), beside which
// tiny differences are lost.
HeadsAndWeights logarithms_divided(T temperature, T Q, T K, T V) {
    const Variable logarithms = log_softmax(scaled(Q, K), -1);
    return with(softmax(logarithms / for_scores(temperature), -1), V);
}

// ----- other parameters

template <class Start>
struct StartsAt : Layer<right> {
    explicit StartsAt(std::int64_t num_heads) : Layer(num_heads) { Start()(temperature); }
};

struct Zeros {
    void operator()(Parameter& temperature) const {
        temperature = Parameter(tensor::zeros(temperature.shape()));
    }
};

struct OneForEachHead {  // 1, 2, 3, ...
    void operator()(Parameter& temperature) const {
        temperature = Parameter(tensor::arange(1, static_cast<double>(temperature.dim(0)) + 1));
    }
};

struct Frozen {
    void operator()(Parameter& temperature) const { temperature.set_requires_grad(false); }
};

// ----- right

HeadsAndWeights through_exp_of_log(T temperature, T Q, T K, T V) {
    return with(softmax(scaled(Q, K) * for_scores(exp(-log(temperature))), -1), V);
}

HeadsAndWeights shifted_before_division(T temperature, T Q, T K, T V) {
    const Variable scores = scaled(Q, K);
    const Variable lower = scores - tensor::max(scores.value(), -1, keepdim);
    const Variable exponentials = exp(lower / for_scores(temperature));
    return with(exponentials / sum(exponentials, -1, keepdim), V);
}

HeadsAndWeights colder_queries(T temperature, T Q, T K, T V) {
    const Variable divided = Q / (for_scores(temperature) * root(K.dim(3)));
    return with(exp(log_softmax(matmul(divided, transpose(K)), -1)), V);
}

HeadsAndWeights head_by_head(T temperature, T Q, T K, T V) {
    std::vector<Variable> weights, outputs;
    for (std::int64_t n = 0; n < Q.dim(1); ++n) {
        const Variable divisor = select(temperature, 0, n) * root(Q.dim(3));
        const Variable products = matmul(select(Q, 1, n), transpose(select(K, 1, n)));
        weights.push_back(softmax(products / divisor, -1));
        outputs.push_back(matmul(weights.back(), select(V, 1, n)));
    }
    return {stack(weights, 1), stack(outputs, 1)};
}

HeadsAndWeights by_einsum(T temperature, T Q, T K, T V) {
    const Variable scores =
        einsum("b h q d, b h k d, h -> b h q k", Q, K, 1 / (temperature * root(Q.dim(-1))));
    const Variable weights = softmax(scores, 3);
    return {weights, einsum("b h q k, b h k v -> b h q v", weights, V)};
}

// ----- the lists

template <class L>
Answer answer(const std::string& what, const std::vector<std::string>& names = {}) {
    return {what, [] { return judge_09_7(temperature_layer<L>()); }, names};
}

template <Variable (*changed)(const Variable& temperature)>
Answer other_temperature(const std::string& what, const std::vector<std::string>& names = {}) {
    return answer<Layer<for_temperature<changed>>>(what, names);
}

std::vector<Answer> wrong_temperatures() {
    return {
        other_temperature<inverse>("scores are multiplied by it", {"temp.inverse"}),
        other_temperature<power_of_e>("e^(τ - 1)"),
        other_temperature<square_root>("τ is below the root with d_k", {"temp.under-root"}),
        other_temperature<off_the_graph>("the temperature is cut off the graph", {"temp.detached"}),
        other_temperature<not_below_a_tenth>("never below 0.1"),
        other_temperature<not_above_10>("never above 10"),
        other_temperature<a_little_more>("τ + 0.001"),
        other_temperature<not_below_a_billionth>("never below 1e-9"),
        other_temperature<a_trace_more>("τ + 1e-12"),
        other_temperature<constant_if_all_are_1>("temperatures of 1 are constants"),
        other_temperature<the_mean>("all heads have the mean", {"temp.mean"}),
        other_temperature<of_head_0>("all heads have that of head 0", {"temp.one-head"}),
        other_temperature<from_the_last>("the heads' order is turned round"),
        other_temperature<last_learns_nothing>("the last head's has no gradient"),
        other_temperature<of_the_first_call>("the first temperature is kept"),
        answer<StartsAt<Zeros>>("begins with zeros", {"temp.from-0"}),
        answer<StartsAt<OneForEachHead>>("begins with 1, 2, 3"),
        answer<StartsAt<Frozen>>("a new layer's temperature is frozen", {"temp.frozen"}),
    };
}

std::vector<Answer> wrong_attention() {
    return {
        answer<Layer<along_the_queries>>("the temperature is broadcast along the queries",
                                         {"temp.on-queries"}),
        answer<Layer<by_d_v>>("√d_v", {"att.scale-dv"}),
        answer<Layer<by_number_of_keys>>("√T_k", {"att.scale-T"}),
        answer<Layer<unscaled>>("no root", {"att.no-scale"}),
        answer<Layer<no_maximum>>("softmax without a maximum", {"sm.no-max"}),
        answer<Layer<maximum_from_0>>("the maximum begins at 0"),
        answer<Layer<maximum_before_division>>("the maximum is that before dividing by τ"),
        answer<Layer<powers_of_weights>>("weights^(1/τ), whose sum is not 1"),
        answer<Layer<over_queries>>("softmax over the queries", {"sm.cols"}),
        answer<Layer<causal>>("causal"),
        answer<Layer<ordinary_output>>("the output is that of τ = 1", {"temp.output-ordinary"}),
        answer<Layer<ordinary_weights>>("the weights returned are those of τ = 1",
                                        {"temp.weights-ordinary"}),
        answer<Layer<returned_weights_off_the_graph>>("weights are returned without a graph",
                                                      {"temp.returned-detached"}),
        answer<Layer<output_of_constant_weights>>("the output learns by the values alone",
                                                  {"train.weights-detached"}),
        answer<Layer<keys_off_the_graph>>("keys are cut off the graph", {"temp.keys-detached"}),
        answer<Layer<values_of_head_0>>("all heads have the values of head 0"),
        answer<Layer<keys_of_first_text>>("every text has the keys of the first"),
        answer<Layer<no_axis_for_one_head>>("a single head has no axis"),
        answer<Layer<values_off_the_graph>>("values are cut off the graph"),
        answer<Layer<weights_of_constant_temperature>>("the weights' temperature is a constant"),
        answer<Layer<temperature_changed>>("the temperature is changed"),
        answer<Layer<sum_off_the_graph>>("the sum is cut off the graph"),
        answer<Layer<scores_up_to_1000>>("scores are clipped at 1000"),
        answer<Layer<output_of_first_text>>("every text has the output of the first"),
        answer<Layer<temperature_for_values_too>>("values are divided too"),
        answer<Layer<no_axis_for_one_query>>("a single query of one text loses an axis"),
        answer<Layer<value_itself_for_one_key>>("one key: its value once, for all queries"),
        answer<Layer<best_key_alone_below_a_thousandth>>("the best key alone below τ = 0.001"),
        answer<Layer<keys_left_if_square>>("K is not transposed if it is square"),
        answer<Layer<logarithms_divided>>("the logarithms of the weights are divided"),
    };
}

HeadsAndWeights cooled_queries_by_head(T temperature, T Q, T K, T V) {
    std::vector<Variable> weights, outputs;
    for (std::int64_t n = 0; n < temperature.dim(0); ++n) {
        const Variable cooled = select(Q, 1, n) / (select(temperature, 0, n) * root(Q.dim(-1)));
        weights.push_back(softmax(matmul(cooled, transpose(select(K, 1, n))), -1));
        outputs.push_back(matmul(weights.back(), select(V, 1, n)));
    }
    return {stack(weights, 1), stack(outputs, 1)};
}

}  // namespace

Answers answers_09_7() {
    Answers answers;
    answers.number = "09.7";
    answers.slipping = slipping(judge_09_7);
    for (const std::vector<Answer>& some : {wrong_temperatures(), wrong_attention()}) {
        answers.wrong.insert(answers.wrong.end(), some.begin(), some.end());
    }
    answers.right = {
        answer<Layer<colder_queries>>("queries are divided"),
        answer<Layer<head_by_head>>("head by head"),
        answer<Layer<by_einsum>>("by einsum"),
        answer<Layer<through_exp_of_log>>("times e^(-log τ)"),
        answer<Layer<shifted_before_division>>("the maximum is subtracted before dividing by τ"),
        answer<Layer<cooled_queries_by_head>>("head by head, the queries divided"),
    };
    return answers;
}
