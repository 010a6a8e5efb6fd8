#include "tutorials/15_induction/repeats.h"

#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/training_run.h"

using namespace heed;

namespace {

Variable output_of(const MultiHeadAttention& layer, const Variable& x) {
    return layer(x, Mask::causal(T));
}

// `output` [B, T, d] with zeros at the positions that are knocked out.
Variable without_some(const Variable& output, const KnockedOut& without) {
    Tensor kept = tensor::ones({T, 1});
    Tensor zeros = tensor::slice(kept, 0, without.first, without.end);
    tensor::overwrite(zeros, tensor::zeros(zeros.shape()));
    return output * Variable(kept);
}

}  // namespace

Examples random_examples(std::int64_t B, Repeat repeat, Random& random) {
    std::vector<std::int64_t> ids, targets, begins;
    for (std::int64_t b = 0; b < B; ++b) {
        std::vector<std::int64_t> text = random.permutation(V);
        text.resize(static_cast<std::size_t>(n));
        begins.push_back(repeat == Repeat::from_any ? random.below(n) : 0);
        for (std::int64_t i = 0; i < n; ++i) {
            text.push_back(text[static_cast<std::size_t>((begins.back() + i) % n)]);
        }
        ids.insert(ids.end(), text.begin(), text.begin() + T);
        targets.insert(targets.end(), text.begin() + n + 1, text.end());
    }
    return {IndexTensor(ids, {B, T}), IndexTensor(targets, {B, T - n}), begins};
}

Repeater::Repeater(int num_layers, Random& random)
    : tokens(V, d, random), positions(T, d, random), words(d, 1, random), to_logits(d, V, random) {
    for (int i = 0; i < num_layers; ++i) layers.emplace_back(d, 1, random);
}

Repeater::Seen Repeater::operator()(const IndexTensor& ids,
                                    const std::optional<KnockedOut>& without) const {
    const auto kept = [&](const Variable& output, KnockedOut::Which which) {
        return without && without->which == which ? without_some(output, *without) : output;
    };
    Seen seen;
    const Variable E = tokens(ids);      // [B, T, d]
    Variable x = positions.added_to(E);  // [B, T, d]
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Attention attended = layers[i].with_weights(x, Mask::causal(T));
        seen.weights.push_back(tensor::squeeze(attended.weights.value(), 1));
        x = x + kept(attended.output, i == 0 ? KnockedOut::layer_0 : KnockedOut::layer_1);
        if (i == 0) x = x + kept(output_of(words, E), KnockedOut::layer_0_words);
    }
    seen.logits = slice(to_logits(x), 1, n);
    return seen;
}

void Repeater::members(MemberVisitor& visit) {
    visit("tokens", tokens);
    visit("positions", positions);
    visit("layers", layers);
    visit("words", words);
    visit("to_logits", to_logits);
}

Measured measured(const Repeater& model, const Examples& examples,
                  const std::optional<KnockedOut>& without) {
    const NoGrad no_grad;
    const Repeater::Seen seen = model(examples.ids, without);
    const std::vector<Tensor>& weights = seen.weights;
    const BoolTensor right = tensor::argmax(seen.logits.value(), -1) == examples.targets;
    const std::int64_t B = examples.ids.dim(0);
    double previous = 0, induction = 0;
    std::int64_t asked = 0;  // tokens of the second half that something followed in the first
    for (std::int64_t b = 0; b < B; ++b) {
        for (std::int64_t t = 1; t < n; ++t) previous += weights[0](b, t, t - 1);
        for (std::int64_t t = n; weights.size() > 1 && t < T; ++t) {
            const std::int64_t occurred = (examples.begins[static_cast<std::size_t>(b)] + t) % n;
            if (occurred == n - 1) continue;
            induction += weights[1](b, t, occurred + 1);
            ++asked;
        }
    }
    return {cross_entropy(seen.logits, examples.targets).item(),
            static_cast<double>(right.count()) / static_cast<double>(right.numel()),
            previous / static_cast<double>(B * (n - 1)),
            asked > 0 ? induction / static_cast<double>(asked) : 0};
}

Trained trained(const std::string& name, int num_layers, Repeat repeat, const Examples& tests,
                Random& random) {
    const FastKernels fast;  // also in a Debug build, where this would take minutes
    Trained result = {Repeater(num_layers, random), {}};
    Repeater& model = result.model;
    Adam optimizer(parameters(model), {.lr = 1e-2});
    result.curve.push_back(measured(model, tests));
    int from = 0;
    for (const int to : steps_shown) {
        if (to == 0) continue;
        const std::string part = name + " to step " + std::to_string(to);
        for (tutorial::TrainingRun run(part, to - from, model, optimizer, random); run.next();) {
            const Examples examples = random_examples(64, repeat, random);
            const Variable loss = cross_entropy(model(examples.ids).logits, examples.targets);
            optimizer.zero_grad();
            loss.backward();
            optimizer.step();
            run.show(loss);
        }
        result.curve.push_back(measured(model, tests));
        from = to;
    }
    return result;
}
