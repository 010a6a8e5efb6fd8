// A training loop with all that nn/training/ and nn/optim/ have for one.
#include "nn/heed.h"
#include "tests/catch.h"

using namespace heed;

namespace {
// Predicts the next token from the tokens so far, those of the present word above all.
struct LanguageModel : Module {
    TokenAndPositionEmbedding embedding;
    MultiHeadAttention attention;
    LayerNorm norm;
    Dropout dropout;
    Linear head;

    explicit LanguageModel(Random& random)
        : embedding(6, 8, 16, random), attention(16, 2, random), norm(16), dropout(0.1, random),
          head(16, 6, random) {}
    Variable operator()(const IndexTensor& ids) const {
        const Variable X = embedding(ids);                          // [B, T, 16]
        const Variable A = attention(X, Mask::causal(ids.dim(1)));  // [B, T, 16]
        const Variable logits = head(dropout(norm(X + A)));         // [B, T, 6]
        return logits;
    }
    void members(MemberVisitor& visit) override {
        visit("embedding", embedding);
        visit("attention", attention);
        visit("norm", norm);
        visit("dropout", dropout);
        visit("head", head);
    }
};

double held_out_loss(LanguageModel& model, const TextWindows& windows) {
    const EvalMode eval(model);
    double sum = 0;
    for (const std::vector<std::int64_t>& examples : batches(windows.examples(), 16)) {
        const TextBatch batch = windows.batch(examples);
        const Variable loss =
            cross_entropy(model(batch.inputs), batch.targets, {.reduction = Reduction::sum});
        sum += loss.item();
    }
    return sum / static_cast<double>(8 * windows.size());
}

struct Result {
    double before, after, smoothed;
};

Result train(std::uint64_t seed) {
    Random random(seed);
    const std::vector<std::int64_t> words[] = {{0, 1, 2}, {3, 4, 5}};
    std::vector<std::int64_t> tokens;  // words in random order: a word's beginning has 1 bit
    for (int n = 0; n < 300; ++n) {
        const std::vector<std::int64_t>& word = words[random.below(2)];
        tokens.insert(tokens.end(), word.begin(), word.end());
    }
    const Split<IndexTensor> text = hold_out(IndexTensor(tokens), 0.2);
    const TextWindows training(text.training, 8), held_out(text.held_out, 8);

    LanguageModel model(random);
    AdamW optimizer(decay_groups(model), {.lr = 1, .weight_decay = 0.01});
    const WarmupCosine schedule{.lr = 1e-2, .floor = 1e-3, .warmup = 10, .steps = 120};
    ExponentialAverage average(0.9);
    Result result{};
    result.before = held_out_loss(model, held_out);
    std::int64_t step = 0;
    while (step < schedule.steps) {
        const std::vector<std::vector<std::int64_t>> epoch =
            shuffled_batches(training.examples(), 15, random, LastBatch::drop);
        for (const std::vector<std::int64_t>& examples : epoch) {
            ++step;
            const TextBatch batch = training.batch(examples);
            const Variable loss = cross_entropy(model(batch.inputs), batch.targets);
            check_finite_loss(loss.item(), step);
            optimizer.zero_grad();
            loss.backward();
            clip_grad_norm(optimizer.parameters(), 1);
            optimizer.set_lr(schedule(step));
            optimizer.step();
            average.add(loss.item());
        }
    }
    result.after = held_out_loss(model, held_out);
    result.smoothed = average.value();
    CHECK(model.training());
    CHECK(step == 120);
    return result;
}

}  // namespace

TEST_CASE("a training loop comes close to the entropy of its source", "[nn][training]") {
    const double entropy = 0.6931472 / 3;  // log 2 at every third token
    const Result result = train(1);
    INFO("before " << result.before << ", after " << result.after << ", smoothed "
                   << result.smoothed);
    CHECK(result.before > 1.5);  // log 6 is 1.79
    CHECK(result.after > entropy - 0.03);
    CHECK(result.after < entropy + 0.1);
    CHECK(result.smoothed < entropy + 0.15);
    CHECK(train(1).after == result.after);
}
