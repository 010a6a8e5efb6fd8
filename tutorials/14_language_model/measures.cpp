#include "tutorials/14_language_model/measures.h"

#include "tensor/runtime/fast_kernels.h"

using namespace heed;

double loss_of(const LanguageModel& model, const Texts& texts) {
    const FastKernels fast;
    const NoGrad no_grad;
    return cross_entropy(model(texts.inputs), texts.targets).item();
}

double perplexity(double nats) { return tensor::exp(tensor::of({nats})).item(); }

double agreement_of(const LanguageModel& model) {
    const NoGrad no_grad;
    const Agreement torn = torn_sentences();
    const Tensor logits = tensor::select(model(torn.inputs).value(), 1, 4);  // [12, V]
    const IndexTensor both({id_of("is"), id_of("are")});
    const Tensor shares = tensor::softmax(tensor::index_select(logits, 1, both), -1);  // [12, 2]
    double sum = 0;
    for (std::size_t i = 0; i < torn.verbs.size(); ++i) {
        const std::int64_t verb = torn.verbs[i] == id_of("are");
        sum += static_cast<double>(shares(static_cast<std::int64_t>(i), verb));
    }
    return sum / static_cast<double>(torn.verbs.size());
}

double never_following(const LanguageModel& model, const Texts& texts) {
    const FastKernels fast;
    const NoGrad no_grad;
    const Tensor P = tensor::softmax(model(texts.inputs).value(), -1);          // [B, T, V]
    const Tensor never = tensor::index_select(never_after(), 0, texts.inputs);  // [B, T, V]
    const double positions = static_cast<double>(texts.inputs.numel());
    return static_cast<double>(tensor::sum(P * never).item()) / positions;
}

std::vector<std::vector<std::int64_t>> texts_by(const LanguageModel& model, std::int64_t count,
                                                Random& random) {
    const FastKernels fast;
    const NoGrad no_grad;
    const std::vector<std::int64_t> begin(static_cast<std::size_t>(count), id_of("the"));
    IndexTensor ids(begin, {count, 1});
    while (ids.dim(1) < 13) {
        const Tensor logits = tensor::select(model(ids).value(), 1, -1);  // [count, V]
        const IndexTensor next = tensor::multinomial(tensor::softmax(logits, -1), 1, random);
        ids = tensor::concatenate({ids, next}, 1);
    }
    std::vector<std::vector<std::int64_t>> texts;
    for (std::int64_t i = 0; i < count; ++i) {
        std::vector<std::int64_t> text;
        for (std::int64_t t = 0; t < ids.dim(1); ++t) {
            text.push_back(ids(i, t));
            if (text.back() == id_of(".")) break;
        }
        texts.push_back(text);
    }
    return texts;
}
