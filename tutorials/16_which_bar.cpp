// 16 Which "bar"?: experiment
#include "heed/autograd/ops.h"
#include "heed/nn/attention/attention_record.h"
#include "heed/nn/losses.h"
#include "heed/nn/models/mean_classifier.h"
#include "heed/nn/models/text_classifier.h"
#include "heed/nn/optim/optimizers.h"
#include "heed/nn/optim/schedules.h"
#include "heed/nn/optim/clip_grad.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "heed/tensor/runtime/fast_kernels.h"
#include "tutorials/16_sentences.h"
#include "tutorials/support/lesson.h"

#include <chrono>
#include <iostream>

using namespace heed;

struct Bag : Module {
    Embedding tokens;
    Linear hidden, out;
    Bag(std::int64_t V, std::int64_t d, std::int64_t n, Random& random)
        : tokens(V, d, random), hidden(d, 4 * d, random), out(4 * d, n, random) {}
    Variable operator()(const IndexTensor& ids, const std::optional<Mask>& mask) const {
        const Tensor ones = tensor::ones({ids.dim(0), ids.dim(1), 1}); const Tensor real = tensor::masked_fill(ones, mask->blocked().reshape({ids.dim(0), ids.dim(1), 1}), 0);
        return out(relu(hidden(sum(tokens(ids) * Variable(real), 1))));
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("hidden", hidden);
        visit("out", out);
    }
};

template <class M>
Variable run(const M& m, const MeantBatch& b) {
    return m(b.text.ids, Mask::padding(b.text.lengths, b.text.ids.dim(1)));
}

template <class M>
double acc(const M& m, const MeantBatch& b, int which) {
    NoGrad no;
    const IndexTensor got = tensor::argmax(run(m, b).value(), -1);
    double right = 0, all = 0;
    for (std::size_t i = 0; i < b.sentences.size(); ++i) {
        if (which >= 0 && b.sentences[i].torn != (which == 1)) continue;
        all++;
        right += got((std::int64_t)i) == b.senses((std::int64_t)i);
    }
    return right / all;
}

template <class M>
void fit(const char* name, M& m, Random& random, int steps, double lr) {
    FastKernels fast;
    auto t0 = std::chrono::steady_clock::now();
    Adam o(parameters(m), {.lr = 1});
    const WarmupCosine schedule{.lr = lr, .floor = lr / 10, .warmup = 20, .steps = steps};
    for (int s = 1; s <= steps; ++s) {
        auto b = random_batch(32, random);
        auto loss = cross_entropy(run(m, b), b.senses);
        o.zero_grad();
        loss.backward();
        clip_grad_norm(o.parameters(), 1);
        o.set_lr(schedule(s));
        o.step();
        if (s % 100 == 0) std::cout << loss.item() << " ";
    }
    m.eval();
    auto t = random_batch(500, random), u = random_batch(500, random, Nouns::unseen);
    std::cout << name << " " << std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count() << " s: clear " << acc(m, t, 0) << " torn " << acc(m, t, 1)
              << " unseen " << acc(m, u, -1) << "\n";
}

int main(int argc, char** argv) {
    Random random(argc > 1 ? atoi(argv[1]) : 1);
    const int steps = argc > 2 ? atoi(argv[2]) : 400;
    const double lr = argc > 3 ? atof(argv[3]) : 3e-3;
    const std::int64_t V = (std::int64_t)meant_vocabulary().size(), n = (std::int64_t)all_senses().size();
    std::cout << V << " words " << n << " senses\n";
    TextClassifier cls({.vocab_size = V, .limit = 16, .d_model = 32, .num_layers = getenv("L")?atoi(getenv("L")):2, .num_heads = getenv("H")?atoi(getenv("H")):2, .dropout = getenv("P")?atof(getenv("P")):0.0}, n, random);
    fit("cls", cls, random, steps, lr);
    MeanClassifier mc({.vocab_size = V, .limit = 16, .d_model = 32, .num_layers = getenv("L")?atoi(getenv("L")):2, .num_heads = getenv("H")?atoi(getenv("H")):2, .num_classes = n}, random);
    fit("mean", mc, random, steps, lr);
    Bag bag(V, 32, n, random);
    fit("bag", bag, random, steps, lr);
    NoGrad no;
    auto t = random_batch(500, random);
    RecordAttention rec(cls);
    run(cls, t);
    for (const auto& r : rec.records()) {
        const Tensor& W = r.weights;
        for (int h = 0; h < W.dim(1); ++h) {
            double from_cls = 0, from_word = 0, clsw = 0;
            for (std::int64_t b = 0; b < 500; ++b) {
                const Meant& m = t.sentences[(std::size_t)b];
                from_cls += W(b, h, 0, m.cue);
                clsw += W(b, h, 0, m.word);
                from_word += W(b, h, m.word, m.cue);
            }
            std::cout << r.name << " head " << h << ": [CLS]->cue " << from_cls / 500 << " [CLS]->word " << clsw / 500 << " word->cue " << from_word / 500 << "\n";
        }
    }
}
