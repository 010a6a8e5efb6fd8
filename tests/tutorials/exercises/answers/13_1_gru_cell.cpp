// Answers to 13.1, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/13_1_gru_cell.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/views.h"

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_13_1();
}

namespace {

struct Given {
    const GruWeights& W;
    const Variable &x, &h;
};

using Way = GruStep (*)(const Given&);
std::function<Exercise()> by(Way way) {
    return [way] {
        return gru_cell([way](const GruWeights& W, const Variable& x, const Variable& h) {
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

}  // namespace

Answers exercise::answers_13_1() {
    Answers answers;
    answers.number = "13.1";
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
    };
    answers.right = {{"gates by tanh", by(by_tanh)}, {"text by text", by(text_by_text)}};
    return answers;
}
