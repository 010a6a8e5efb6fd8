// Answers to 13.1, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_13.h"

#include "nn/heed.h"

#include <map>

using namespace heed;
using namespace exercise;

namespace {
struct Given {
    const GruWeights& W;
    const Variable &x, &h;
};

using Way = GruStep (*)(const Given&);
std::function<Exercise()> by(Way way) {
    return [way] {
        return judge_13_1([way](const GruWeights& W, const Variable& x, const Variable& h) {
            return way({W, x, h});
        });
    };
}

std::vector<Variable> of_x(const Given& in) {
    return chunk(linear(in.x, in.W.weight_ih, in.W.bias_ih), 3, -1);
}

std::vector<Variable> of_h(const Given& in) {
    return chunk(linear(in.h, in.W.weight_hh, in.W.bias_hh), 3, -1);
}

// The right answer but for what the caller changes.
GruStep from(const Given& in, const Variable& r, const Variable& z, const Variable& from_h) {
    const Variable n = tanh(of_x(in)[2] + from_h);
    return {r, z, n, (1 - z) * n + z * in.h};
}

GruStep right(const Given& in) {
    const std::vector<Variable> a = of_x(in), c = of_h(in);
    const Variable r = sigmoid(a[0] + c[0]), z = sigmoid(a[1] + c[1]);
    return from(in, r, z, r * c[2]);
}

GruStep as_in_the_paper(const Given& in) {
    const GruStep step = right(in);
    const std::int64_t hidden = in.h.dim(-1);
    const Variable W_hn = slice(in.W.weight_hh, 0, 2 * hidden, 3 * hidden);
    const Variable b_hn = slice(in.W.bias_hh, 0, 2 * hidden, 3 * hidden);
    return from(in, step.r, step.z, linear(step.r * in.h, W_hn, b_hn));
}

GruStep one_bias_for_both(const Given& in) {
    const Variable bias = in.W.bias_ih + in.W.bias_hh;
    const Variable none(tensor::zeros(bias.shape()));
    const std::vector<Variable> a = chunk(linear(in.x, in.W.weight_ih, bias), 3, -1);
    const std::vector<Variable> c = chunk(linear(in.h, in.W.weight_hh, none), 3, -1);
    const Variable r = sigmoid(a[0] + c[0]), z = sigmoid(a[1] + c[1]);
    const Variable n = tanh(a[2] + r * c[2]);
    return {r, z, n, (1 - z) * n + z * in.h};
}

GruStep update_detached(const Given& in) {
    const GruStep step = right(in);
    const Variable z = step.z.detach();
    return {step.r, step.z, step.n, (1 - z) * step.n + z * in.h};
}

GruStep state_in_n_detached(const Given& in) {
    const GruStep step = right(in);
    return from(in, step.r, step.z, step.r * of_h(in)[2].detach());
}

GruStep tanh_by_powers(const Given& in) {
    const GruStep step = right(in);
    const Variable s = of_x(in)[2] + step.r * of_h(in)[2];
    const Variable n = (exp(s) - exp(-s)) / (exp(s) + exp(-s));
    return {step.r, step.z, n, (1 - step.z) * n + step.z * in.h};
}

GruStep sigmoid_by_powers(const Given& in) {
    const std::vector<Variable> a = of_x(in), c = of_h(in);
    const auto gate = [](const Variable& s) { return exp(s) / (1 + exp(s)); };
    const Variable r = gate(a[0] + c[0]), z = gate(a[1] + c[1]);
    return from(in, r, z, r * c[2]);
}

GruStep linear_gates(const Given& in) {
    const std::vector<Variable> a = of_x(in), c = of_h(in);
    const auto gate = [](const Variable& s) { return clamp(0.5 + 0.25 * s, {0, 1}); };
    const Variable r = gate(a[0] + c[0]), z = gate(a[1] + c[1]);
    return from(in, r, z, r * c[2]);
}

GruStep remembers_the_bias(const Given& in) {
    static const Tensor first = tensor::clone(in.W.bias_hh.value());
    GruWeights W = in.W;
    if (W.bias_hh.shape() == first.shape()) W.bias_hh = Variable(first);
    return right({W, in.x, in.h});
}

GruStep writes_to_the_state(const Given& in) {
    const GruStep step = right(in);
    Tensor h = in.h.value();
    tensor::overwrite(h, step.h.value());
    return step;
}

GruStep gates_of_the_first_text(const Given& in) {
    const GruStep step = right(in);
    if (in.h.shape().rank() < 2) return step;
    const Variable z = expand(slice(step.z, 0, 0, 1), in.h.shape());
    return {step.r, step.z, step.n, (1 - z) * step.n + z * in.h};
}

GruStep as_matrices(const Given& in) {
    const Variable x = reshape(in.x, {-1, in.x.dim(-1)}), h = reshape(in.h, {-1, in.h.dim(-1)});
    return right({in.W, x, h});
}

GruStep n_before_tanh_shown(const Given& in) {
    const GruStep step = right(in);
    return {step.r, step.z, of_x(in)[2] + step.r * of_h(in)[2], step.h};
}

GruStep thirds_of_the_input(const Given& in) {
    const std::int64_t hidden = in.x.dim(-1);
    const Variable a = linear(in.x, in.W.weight_ih, in.W.bias_ih);
    const Variable c = linear(in.h, in.W.weight_hh, in.W.bias_hh);
    const auto part = [&](const Variable& all, std::int64_t block) {
        return slice(all, -1, block * hidden, (block + 1) * hidden);
    };
    const Variable r = sigmoid(part(a, 0) + part(c, 0)), z = sigmoid(part(a, 1) + part(c, 1));
    const Variable n = tanh(part(a, 2) + r * part(c, 2));
    return {r, z, n, (1 - z) * n + z * in.h};
}

GruStep new_without_update(const Given& in) {
    const GruStep step = right(in);
    return {step.r, step.z, step.n, step.n + step.z * (in.h - step.n.detach())};
}

GruStep by_tanh(const Given& in) {
    const std::vector<Variable> a = of_x(in), c = of_h(in);
    const auto gate = [](const Variable& s) { return 0.5 + 0.5 * tanh(s / 2); };
    const Variable r = gate(a[0] + c[0]), z = gate(a[1] + c[1]);
    return from(in, r, z, c[2] * r);
}

GruStep text_by_text(const Given& in) {
    if (in.x.shape().rank() == 1) return right(in);
    std::vector<Variable> r, z, n, h;
    for (std::int64_t b = 0; b < in.x.dim(0); ++b) {
        const Variable x_b = select(in.x, 0, b), h_b = select(in.h, 0, b);
        const GruStep step = text_by_text({in.W, x_b, h_b});
        r.push_back(step.r);
        z.push_back(step.z);
        n.push_back(step.n);
        h.push_back(step.h);
    }
    return {stack(r, 0), stack(z, 0), stack(n, 0), stack(h, 0)};
}

// The same with the weights, x and h one by one.
struct Parts {
    Variable r, z, n;  // [..., hidden]
};
Parts parts(const Variable& all) {
    const std::vector<Variable> p = chunk(all, 3, -1);
    return {p[0], p[1], p[2]};
}
Variable from_x(const GruWeights& W, const Variable& x) {
    return linear(x, W.weight_ih, W.bias_ih);
}
Variable from_h(const GruWeights& W, const Variable& h) {
    return linear(h, W.weight_hh, W.bias_hh);
}

GruStep plain(const GruWeights& W, const Variable& x, const Variable& h) {
    return right({W, x, h});
}
// plain(), but for some steps.
struct Changed {
    std::function<Variable(const Variable&)> sigma = [](const Variable& x) { return sigmoid(x); };
    std::function<Variable(const Variable&)> tangent = [](const Variable& x) { return tanh(x); };
    std::function<Variable(const Variable& r)> gate = [](const Variable& r) { return r; };
    std::function<Variable(const Variable& z, const Variable& n, const Variable& h)> mix =
        [](const Variable& z, const Variable& n, const Variable& h) { return (1 - z) * n + z * h; };
};
GruStep with(const GruWeights& W, const Variable& x, const Variable& h, const Changed& c) {
    const Parts a = parts(from_x(W, x)), b = parts(from_h(W, h));
    const Variable r = c.sigma(a.r + b.r), z = c.sigma(a.z + b.z),
                   n = c.tangent(a.n + c.gate(r) * b.n);
    return {r, z, n, c.mix(z, n, h)};
}

GruStep z_before_r(const GruWeights& W, const Variable& x, const Variable& h) {
    const Parts a = parts(from_x(W, x)), b = parts(from_h(W, h));
    const Variable z = sigmoid(a.r + b.r), r = sigmoid(a.z + b.z), n = tanh(a.n + r * b.n);
    return {r, z, n, (1 - z) * n + z * h};
}

GruStep returned_the_other_way(const GruWeights& W, const Variable& x, const Variable& h) {
    const GruStep s = plain(W, x, h);
    return {s.z, s.r, s.n, s.h};
}

GruStep reset_not_on_bias(const GruWeights& W, const Variable& x, const Variable& h) {
    const Parts a = parts(from_x(W, x)), b = parts(matmul(h, transpose(W.weight_hh)));
    const Parts c = parts(W.bias_hh);
    const Variable r = sigmoid(a.r + b.r + c.r), z = sigmoid(a.z + b.z + c.z);
    const Variable n = tanh(a.n + r * b.n + c.n);
    return {r, z, n, (1 - z) * n + z * h};
}

GruStep one_bias_twice(const GruWeights& W, const Variable& x, const Variable& h) {
    return plain({W.weight_ih, W.weight_hh, W.bias_ih, W.bias_ih}, x, h);
}

GruStep biases_swapped(const GruWeights& W, const Variable& x, const Variable& h) {
    return plain({W.weight_ih, W.weight_hh, W.bias_hh, W.bias_ih}, x, h);
}

GruStep chunk_axis_1(const GruWeights& W, const Variable& x, const Variable& h) {
    const auto a = chunk(from_x(W, x), 3, 1), b = chunk(from_h(W, h), 3, 1);
    const Variable r = sigmoid(a[0] + b[0]), z = sigmoid(a[1] + b[1]), n = tanh(a[2] + r * b[2]);
    return {r, z, n, (1 - z) * n + z * h};
}

GruStep chunk_axis_0_of_vectors(const GruWeights& W, const Variable& x, const Variable& h) {
    if (x.rank() > 1) return plain(W, x, h);
    return plain(W, unsqueeze(x, 0), unsqueeze(h, 0));
}

GruStep first_h_for_all(const GruWeights& W, const Variable& x, const Variable& h) {
    if (h.rank() < 2) return plain(W, x, h);
    return plain(W, x, expand(slice(h, 0, 0, 1), h.shape()));
}

GruStep squeezed(const GruWeights& W, const Variable& x, const Variable& h) {
    GruStep s = plain(W, x, h);
    if (h.rank() > 1 && h.dim(0) == 1) s.h = squeeze(s.h, 0);
    return s;
}

GruStep hidden_1_squeezed(const GruWeights& W, const Variable& x, const Variable& h) {
    const GruStep s = plain(W, x, h);
    if (h.dim(-1) != 1) return s;
    return {squeeze(s.r, -1), squeeze(s.z, -1), squeeze(s.n, -1), squeeze(s.h, -1)};
}

GruStep interleaved(const GruWeights& W, const Variable& x, const Variable& h) {
    const auto third = [](const Variable& all, std::int64_t k) {
        return slice(all, -1, k, tensor::to_the_end, 3);
    };
    const Variable a = from_x(W, x), b = from_h(W, h);
    const Variable r = sigmoid(third(a, 0) + third(b, 0)), z = sigmoid(third(a, 1) + third(b, 1));
    const Variable n = tanh(third(a, 2) + r * third(b, 2));
    return {r, z, n, (1 - z) * n + z * h};
}

GruStep square_on_its_side(const GruWeights& W, const Variable& x, const Variable& h) {
    const std::int64_t H = h.dim(-1);
    const Parts a = parts(from_x(W, x));
    const auto block = [&](std::int64_t k) {
        return matmul(h, slice(W.weight_hh, 0, k * H, (k + 1) * H)) +
               slice(W.bias_hh, 0, k * H, (k + 1) * H);
    };
    const Variable r = sigmoid(a.r + block(0)), z = sigmoid(a.z + block(1)),
                   n = tanh(a.n + r * block(2));
    return {r, z, n, (1 - z) * n + z * h};
}

GruStep gate_of_the_others(const GruWeights& W, const Variable& x, const Variable& h) {
    const Parts a = parts(from_x(W, x)), b = parts(from_h(W, h));
    const Variable r = sigmoid(a.r + b.r), z = sigmoid(a.z), n = tanh(a.n + r * b.n);
    return {r, z, n, (1 - z) * n + z * h};
}

Variable own_sigmoid(const Variable& x) { return 1 / (1 + exp(-x)); }

Variable own_tanh(const Variable& x) { return (exp(2 * x) - 1) / (exp(2 * x) + 1); }

Variable within_10(const Variable& x) { return sigmoid(clamp(x, {-10, 10})); }

Variable bounded_sigmoid(const Variable& x) { return own_sigmoid(clamp(x, {-500, 500})); }

Variable within_4(const Variable& x) { return sigmoid(clamp(x, {-4, 4})); }

Variable never_quite_closed(const Variable& x) { return clamp(sigmoid(x), {1e-6, 1 - 1e-6}); }

Variable bounded_tanh(const Variable& x) { return own_tanh(clamp(x, {-20, 20})); }

GruStep cut_h(const GruWeights& W, const Variable& x, const Variable& h) {
    return plain(W, x, h.detach());
}

GruStep cut_x(const GruWeights& W, const Variable& x, const Variable& h) {
    return plain(W, x.detach(), h);
}

GruStep cut_h_in_gates(const GruWeights& W, const Variable& x, const Variable& h) {
    GruStep s = plain(W, x, h.detach());
    s.h = (1 - s.z) * s.n + s.z * h;
    return s;
}

GruStep cut_h_at_the_end(const GruWeights& W, const Variable& x, const Variable& h) {
    GruStep s = plain(W, x, h);
    s.h = (1 - s.z) * s.n + s.z * h.detach();
    return s;
}

GruStep cut_z_once(const GruWeights& W, const Variable& x, const Variable& h) {
    GruStep s = plain(W, x, h);
    s.h = (1 - s.z.detach()) * s.n + s.z * h;
    return s;
}

GruStep cut_r(const GruWeights& W, const Variable& x, const Variable& h) {
    const Parts a = parts(from_x(W, x)), b = parts(from_h(W, h));
    const Variable r = sigmoid(a.r + b.r), z = sigmoid(a.z + b.z), n = tanh(a.n + r.detach() * b.n);
    return {r, z, n, (1 - z) * n + z * h};
}

GruStep cut_biases(const GruWeights& W, const Variable& x, const Variable& h) {
    return plain({W.weight_ih, W.weight_hh, W.bias_ih.detach(), W.bias_hh.detach()}, x, h);
}

GruStep cut_bias_hh(const GruWeights& W, const Variable& x, const Variable& h) {
    return plain({W.weight_ih, W.weight_hh, W.bias_ih, W.bias_hh.detach()}, x, h);
}

GruStep cut_all(const GruWeights& W, const Variable& x, const Variable& h) {
    GruStep s = plain(W, x, h);
    s.h = Variable(s.h.value(), requires_grad);
    return s;
}

GruStep twice(const GruWeights& W, const Variable& x, const Variable& h) {
    GruStep s = plain(W, x, h);
    s.h = s.h + (s.h - s.h.detach());
    return s;
}

GruStep weights_kept(const GruWeights& W, const Variable& x, const Variable& h) {
    static std::map<std::vector<std::int64_t>, GruWeights> kept;
    const GruWeights& first = kept.try_emplace({x.dim(-1), h.dim(-1)}, W).first->second;
    return plain(first, x, h);
}

GruStep state_kept(const GruWeights& W, const Variable& x, const Variable& h) {
    static Tensor kept;
    const Variable before = kept.shape() == h.shape() ? h + (kept - h.value()) : h;
    const GruStep s = plain(W, x, before);
    kept = tensor::clone(s.h.value());
    return s;
}

GruStep keeps_if_closed(const GruWeights& W, const Variable& x, const Variable& h) {
    const GruStep s = plain(W, x, h);
    if (tensor::min(s.z.value()).item() > 0.999) return {s.r, s.z, s.n, Variable(h.value())};
    return s;
}

GruStep kept_from_999_on(const GruWeights& W, const Variable& x, const Variable& h) {
    const GruStep s = plain(W, x, h);
    return {s.r, s.z, s.n, where(s.z.value() > 0.999, h, s.h)};
}

GruStep mean_gate(const GruWeights& W, const Variable& x, const Variable& h) {
    GruStep s = plain(W, x, h);
    s.z = expand(mean(s.z, -1, keepdim), h.shape());
    s.h = (1 - s.z) * s.n + s.z * h;
    return s;
}

GruStep by_blocks(const GruWeights& W, const Variable& x, const Variable& h) {
    const std::int64_t H = h.dim(-1);
    const auto rows = [H](const Variable& w, std::int64_t k) {
        return slice(w, 0, k * H, (k + 1) * H);
    };
    const auto of_x = [&](std::int64_t k) {
        return linear(x, rows(W.weight_ih, k), rows(W.bias_ih, k));
    };
    const auto of_h = [&](std::int64_t k) {
        return linear(h, rows(W.weight_hh, k), rows(W.bias_hh, k));
    };
    const Variable r = sigmoid(of_h(0) + of_x(0)), z = sigmoid(of_h(1) + of_x(1));
    const Variable n = tanh(r * of_h(2) + of_x(2));
    return {r, z, n, n + z * (h - n)};
}

GruStep gates_at_once(const GruWeights& W, const Variable& x, const Variable& h) {
    const std::int64_t H = h.dim(-1);
    const Variable weights = concatenate({W.weight_ih, W.weight_hh}, 1);  // [3·hidden, in + hidden]
    const Variable both = concatenate({x, h}, -1);
    const Variable gates = sigmoid(matmul(both, transpose(slice(weights, 0, 0, 2 * H))) +
                                   slice(W.bias_ih, 0, 0, 2 * H) + slice(W.bias_hh, 0, 0, 2 * H));
    const Variable r = slice(gates, -1, 0, H), z = slice(gates, -1, H);
    const Variable inner = linear(h, slice(W.weight_hh, 0, 2 * H), slice(W.bias_hh, 0, 2 * H));
    const Variable n =
        2 * sigmoid(2 * (linear(x, slice(W.weight_ih, 0, 2 * H), slice(W.bias_ih, 0, 2 * H)) +
                         r * inner)) -
        1;
    return {r, z, n, h - (1 - z) * (h - n)};
}

GruStep gates_without_graph(const GruWeights& W, const Variable& x, const Variable& h) {
    const GruStep s = plain(W, x, h);
    return {s.r.detach(), s.z.detach(), s.n.detach(), s.h};
}

GruStep forget_gate(const GruWeights& W, const Variable& x, const Variable& h) {
    const Parts a = parts(from_x(W, x)), b = parts(from_h(W, h));
    const Variable r = 0.5 * (tanh(0.5 * (a.r + b.r)) + 1), u = sigmoid(-(a.z + b.z));
    const Variable n = tanh(a.n + r * b.n);
    return {r, 1 - u, n, u * n + (1 - u) * h};
}

std::function<Exercise()> step(const GatedStep& cell) {
    return [=] { return judge_13_1(cell); };
}

std::function<Exercise()> with_change(const std::function<void(Changed&)>& change) {
    Changed changed;
    change(changed);
    return step([=](const GruWeights& W, const Variable& x, const Variable& h) {
        return with(W, x, h, changed);
    });
}

// Six matrices and six biases, each cut out by itself.
GruStep gate_by_gate(const GruWeights& W, const Variable& x, const Variable& h) {
    const std::int64_t hidden = h.dim(-1);
    const auto of = [&](const Variable& input, const Variable& weight, const Variable& bias,
                        std::int64_t block) {
        const std::int64_t first = block * hidden;
        return matmul(input, transpose(slice(weight, 0, first, first + hidden))) +
               slice(bias, 0, first, first + hidden);
    };
    const auto of_x = [&](std::int64_t block) { return of(x, W.weight_ih, W.bias_ih, block); };
    const auto of_h = [&](std::int64_t block) { return of(h, W.weight_hh, W.bias_hh, block); };
    const Variable r = 1 / (1 + exp(-clamp(of_x(0) + of_h(0), {-500, 500})));
    const Variable z = sigmoid(of_x(1) + of_h(1));
    const Variable n = 2 * sigmoid(2 * (of_x(2) + r * of_h(2))) - 1;
    return {r, z, n, n + z * (h - n)};
}

// Both gates from one product, of x and h side by side.
GruStep side_by_side(const GruWeights& W, const Variable& x, const Variable& h) {
    const std::int64_t hidden = h.dim(-1);
    const auto gates = [&](const Variable& all) { return slice(all, 0, 0, 2 * hidden); };
    const auto rest = [&](const Variable& all) { return slice(all, 0, 2 * hidden, 3 * hidden); };
    const Variable both = sigmoid(linear(concatenate({x, h}, -1),
                                         concatenate({gates(W.weight_ih), gates(W.weight_hh)}, 1),
                                         gates(W.bias_ih) + gates(W.bias_hh)));
    const Variable r = slice(both, -1, 0, hidden), z = slice(both, -1, hidden, 2 * hidden);
    const Variable n = tanh(linear(x, rest(W.weight_ih), rest(W.bias_ih)) +
                            linear(h, rest(W.weight_hh), rest(W.bias_hh)) * r);
    return {r, z, n, z * h + n - z * n};
}

}  // namespace

Answers answers_13_1() {
    Answers answers;
    answers.number = "13.1";
    answers.slipping = slipping(judge_13_1);
    answers.wrong = {
        {"r multiplies h before W_hn, as in the paper", by(as_in_the_paper), {"gru.reset-before"}},
        {"both biases added to x's part", by(one_bias_for_both), {"gru.reset-without-bias"}},
        {"the update gate detached", by(update_detached)},
        {"what n sees of h detached", by(state_in_n_detached)},
        {"tanh by powers of e, without a shift", by(tanh_by_powers)},
        {"σ by powers of e, without a shift", by(sigmoid_by_powers)},
        {"straight lines for the gates", by(linear_gates)},
        {"bias_hh of the first call", by(remembers_the_bias)},
        {"the next state written over h", by(writes_to_the_state)},
        {"the first text's update gate for all", by(gates_of_the_first_text)},
        {"leading axes made one", by(as_matrices)},
        {"n shown before its tanh", by(n_before_tanh_shown)},
        {"blocks as long as x", by(thirds_of_the_input)},
        {"n taken for a constant where z multiplies it", by(new_without_update)},
        {"z before r", step(z_before_r), {"gru.z-first"}},
        {"r and z returned the other way round", step(returned_the_other_way)},
        {"r not on the bias", step(reset_not_on_bias), {"gru.reset-without-bias"}},
        {"bias_ih for both", step(one_bias_twice), {"gru.bias-twice"}},
        {"the biases exchanged", step(biases_swapped)},
        {"cut along axis 1", step(chunk_axis_1)},
        {"vectors become matrices", step(chunk_axis_0_of_vectors)},
        {"the first text's h for all", step(first_h_for_all)},
        {"one text loses its axis", step(squeezed)},
        {"a state of one number loses its axis", step(hidden_1_squeezed)},
        {"every third row", step(interleaved), {"gru.every-third"}},
        {"blocks of weight_hh on their side", step(square_on_its_side)},
        {"z of x alone", step(gate_of_the_others)},
        {"1/(1 + e^-x), whose gradient is 0·∞",
         with_change([](Changed& way) { way.sigma = own_sigmoid; })},
        {"tanh by e^2x", with_change([](Changed& way) { way.tangent = own_tanh; })},
        {"σ of -10 to 10", with_change([](Changed& way) { way.sigma = within_10; })},
        {"σ of -4 to 4", with_change([](Changed& way) { way.sigma = within_4; })},
        {"gates never quite 0 or 1",
         with_change([](Changed& way) { way.sigma = never_quite_closed; })},
        {"relu for tanh", with_change([](Changed& way) {
             way.tangent = [](const Variable& x) { return relu(x); };
         })},
        {"σ for tanh",
         with_change(
             [](Changed& way) { way.tangent = [](const Variable& x) { return sigmoid(x); }; }),
         {"gru.n-sigmoid"}},
        {"tanh for σ",
         with_change([](Changed& way) { way.sigma = [](const Variable& x) { return tanh(x); }; }),
         {"gru.gates-tanh"}},
        {"z is how much is new",
         with_change([](Changed& way) {
             way.mix = [](const Variable& z, const Variable& n, const Variable& h) {
                 return z * n + (1 - z) * h;
             };
         }),
         {"gru.z-flipped"}},
        {"all of n",
         with_change([](Changed& way) {
             way.mix = [](const Variable& z, const Variable& n, const Variable& h) {
                 return n + z * h;
             };
         }),
         {"gru.all-new"}},
        {"tanh of the next h", with_change([](Changed& way) {
             way.mix = [](const Variable& z, const Variable& n, const Variable& h) {
                 return tanh((1 - z) * n + z * h);
             };
         })},
        {"1 - r",
         with_change([](Changed& way) { way.gate = [](const Variable& r) { return 1 - r; }; })},
        {"no r",
         with_change([](Changed& way) { way.gate = [](const Variable& r) { return r * 0 + 1; }; }),
         {"gru.no-reset"}},
        {"r is open or shut", with_change([](Changed& way) {
             way.gate = [](const Variable& r) {
                 return Variable(tensor::to_tensor(r.value() > 0.5));
             };
         })},
        {"h detached", step(cut_h), {"gru.h-constant"}},
        {"x detached", step(cut_x)},
        {"h detached in gates and n", step(cut_h_in_gates)},
        {"h detached where it is kept", step(cut_h_at_the_end), {"gru.kept-constant"}},
        {"z detached in one of two places", step(cut_z_once)},
        {"r detached", step(cut_r)},
        {"the biases detached", step(cut_biases)},
        {"bias_hh detached", step(cut_bias_hh)},
        {"the next h is a new leaf", step(cut_all)},
        {"the gradient counts twice", step(twice)},
        {"weights kept for these sizes", step(weights_kept)},
        {"the state of the call before", step(state_kept)},
        {"a constant where all is kept", step(keeps_if_closed)},
        {"all is kept from z = 0.999 on", step(kept_from_999_on)},
        {"one z for all of h", step(mean_gate)},
    };
    answers.right = {
        {"gates by tanh", by(by_tanh)},
        {"text by text", by(text_by_text)},
        {"block by block", step(by_blocks)},
        {"both gates at once, tanh by σ", step(gates_at_once)},
        {"gates shown without a graph", step(gates_without_graph)},
        {"1 - z first", step(forget_gate)},
        {"σ by an e^x that is bounded",
         with_change([](Changed& way) { way.sigma = bounded_sigmoid; })},
        {"tanh by an e^x that is bounded",
         with_change([](Changed& way) { way.tangent = bounded_tanh; })},
        {"gate by gate", step(gate_by_gate)},
        {"both gates from one product", step(side_by_side)},
    };
    return answers;
}
