// The float library gives the same bits with every compiler, build type and instruction set. These
// hashes of the bits of results were recorded once; another hash means that something differs.
#include "tests/catch.h"

#include "nn/heed.h"

#include <cstring>

using namespace heed;

namespace {
// FNV-1a over the bits of all entries, in row-major order.
class Bits {
  public:
    void add(const Tensor& x) {
        for (const Scalar entry : x.to_vector()) {
            std::uint32_t word = 0;
            static_assert(sizeof(word) == sizeof(entry));
            std::memcpy(&word, &entry, sizeof(word));
            for (int byte = 0; byte < 4; ++byte) {
                sum_ ^= (word >> (8 * byte)) & 0xFF;
                sum_ *= 1099511628211u;
            }
        }
    }
    std::uint64_t sum() const { return sum_; }

  private:
    std::uint64_t sum_ = 14695981039346656037u;
};

// Numbers of every magnitude, from far below the smallest normal to far above the range of exp.
Tensor numbers_of_every_size(Random& random) {
    const Tensor size = tensor::uniform({1009}, random, -40, 40);
    const Tensor sign = tensor::sign(tensor::normal({1009}, random));
    return sign * tensor::pow(tensor::full({1009}, 2), size);
}

struct Network : Module {
    Linear first, second;
    LayerNorm norm;
    Dropout dropout;

    explicit Network(Random& random)
        : first(7, 13, random), second(13, 5, random), norm(13), dropout(0.25, random) {}

    Variable operator()(const Variable& x) const {
        const Variable hidden = norm(gelu(first(x)));  // [N, 13]
        return second(dropout(hidden));                // [N, 5]
    }

    void members(MemberVisitor& visit) override {
        visit("first", first);
        visit("norm", norm);
        visit("dropout", dropout);
        visit("second", second);
    }
};

}  // namespace

TEST_CASE("functions, products and reductions give the bits they always gave", "[nn][bits]") {
    Random random(11);
    const Tensor x = numbers_of_every_size(random);
    const Tensor y = tensor::normal({1009}, random, 0, 3);
    Bits bits;
    for (const Tensor& value :
         {tensor::exp(y), tensor::exp(x), tensor::log(tensor::abs(x)), tensor::sin(x),
          tensor::cos(x), tensor::tanh(x), tensor::erf(x), tensor::sigmoid(x), tensor::gelu(y),
          tensor::gelu_tanh(y), tensor::sqrt(tensor::abs(x)), tensor::pow(tensor::abs(x), y)}) {
        bits.add(value);
    }
    const Tensor A = tensor::normal({3, 37, 113}, random);
    const Tensor B = tensor::normal({113, 61}, random);
    bits.add(tensor::matmul(A, B));
    bits.add(tensor::softmax(A, -1));
    bits.add(tensor::log_softmax(A, 1));
    bits.add(tensor::logsumexp(A, 0));
    bits.add(tensor::sum(A, {0, 2}));
    bits.add(tensor::var(A, 1));
    CHECK(bits.sum() == 0x5d4ed5ee86dfd7eau);
}

TEST_CASE("twenty training steps end in the bits they always ended in", "[nn][bits]") {
    Random random(12);
    Network network(random);
    AdamW optimizer(parameters(network), {.lr = 0.01});
    const Variable x(tensor::normal({17, 7}, random));
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 17; ++i) labels.push_back(random.below(5));
    Bits bits;
    for (int step = 0; step < 20; ++step) {
        optimizer.zero_grad();
        const Variable loss = cross_entropy(network(x), IndexTensor(labels));
        loss.backward();
        clip_grad_norm(parameters(network), 1);
        optimizer.step();
        bits.add(loss.value());
    }
    for (const NamedParameter& each : parameters(network)) bits.add(each.parameter.value());
    CHECK(bits.sum() == 0xe06d7c1d1b09e29cu);
}

TEST_CASE("attention and its gradients give the bits they always gave", "[nn][bits]") {
    Random random(13);
    const Variable Q(tensor::normal({2, 3, 9, 4}, random), requires_grad);
    const Variable K(tensor::normal({2, 3, 11, 4}, random), requires_grad);
    const Variable V(tensor::normal({2, 3, 11, 5}, random), requires_grad);
    const Attention attention = scaled_dot_product_attention(Q, K, V, Mask::causal(9, 11));
    attention.output.backward({.upstream = tensor::normal({2, 3, 9, 5}, random)});
    Bits bits;
    for (const Tensor& value : {attention.output.value(), Q.grad(), K.grad(), V.grad()}) {
        bits.add(value);
    }
    CHECK(bits.sum() == 0x7b9bdf1a6b0c6302u);
}

// The loss after each step, and the parameters at the end.
std::uint64_t bits_of_training(AttentionLayer& layer, Random& random) {
    AdamW optimizer(parameters(layer), {.lr = 0.01});
    const Variable X(tensor::normal({2, 7, 6}, random));
    const Variable target(tensor::normal({2, 7, 6}, random));
    const Mask mask = Mask::causal(7) & Mask::padding({7, 4}, 7);
    Bits bits;
    for (int step = 0; step < 5; ++step) {
        optimizer.zero_grad();
        const Variable loss = mse_loss(layer(X, mask), target);
        loss.backward();
        optimizer.step();
        bits.add(loss.value());
    }
    for (const NamedParameter& each : parameters(layer)) bits.add(each.parameter.value());
    return bits.sum();
}

TEST_CASE("every score and the hard lookup give the bits they always gave", "[nn][bits]") {
    Random random(14);
    const Variable Q(tensor::normal({3, 5, 4}, random));
    const Variable K(tensor::normal({3, 6, 4}, random));
    const Variable V(tensor::normal({3, 6, 2}, random));
    const AdditiveScore additive(4, 4, 7, random);
    const BilinearScore bilinear(4, 4, random);
    const DotScore dot;
    const GaussianScore gaussian(0.7);
    const Score* const scores[] = {&dot, &additive, &bilinear, &gaussian};
    Bits bits;
    for (const Score* score : scores) {
        for (const double temperature : {1.0, 0.3, 0.0}) {
            bits.add(attend(*score, Q, K, V, {.temperature = temperature}).output.value());
        }
    }
    CHECK(bits.sum() == 0xf7f2d097666e48f3u);
}

TEST_CASE("multi-head attention trains to the bits it always had", "[nn][bits]") {
    Random random(15);
    MultiHeadAttention layer(6, 3, random, {.d_v = 4, .dropout = 0.1});
    CHECK(bits_of_training(layer, random) == 0x8c96067ea8e845edu);
}

namespace {
template <class Model>
std::uint64_t bits_of_learning(Model& model, const std::vector<NamedParameter>& all,
                               const std::function<Variable()>& loss_of) {
    AdamW optimizer(all, {.lr = 0.01});
    Bits bits;
    for (int step = 0; step < 3; ++step) {
        optimizer.zero_grad();
        const Variable loss = loss_of();
        loss.backward();
        optimizer.step();
        bits.add(loss.value());
    }
    for (const NamedParameter& each : parameters(model)) bits.add(each.parameter.value());
    return bits.sum();
}

// Three training steps, then what it says.
std::uint64_t bits_of(const GptConfig& config) {
    Random random(16);
    Gpt gpt(config, random);
    std::vector<std::int64_t> ids;
    for (int i = 0; i < 24; ++i) ids.push_back(random.below(config.vocab_size));
    const IndexTensor inputs(ids, {2, 12});
    Bits bits;
    const std::uint64_t learned =
        bits_of_learning(gpt, parameters(gpt), [&] { return cross_entropy(gpt(inputs), inputs); });
    const EvalMode eval(gpt);
    GptSteps steps(gpt);
    std::vector<Scalar> said;
    const std::vector<std::vector<std::int64_t>> texts =
        generate(steps, IndexTensor({1, 2}), random);
    for (const std::int64_t id : texts[0]) said.push_back(static_cast<Scalar>(id));
    bits.add(tensor::from_vector(said, {static_cast<std::int64_t>(said.size())}));
    return learned ^ bits.sum();
}

}  // namespace

TEST_CASE("GPTs with every kind of positions train and speak in the bits they always had",
          "[nn][bits]") {
    GptConfig config{.vocab_size = 11,
                     .limit = 20,
                     .d_model = 12,
                     .num_layers = 2,
                     .num_heads = 3,
                     .dropout = 0.1};
    const auto with = [&](PositionKind positions) {
        config.positions = positions;
        return bits_of(config);
    };
    CHECK(with(PositionKind::none) == 0x6c758a21f04dd036u);
    CHECK(with(PositionKind::learned) == 0x98989e4effcab3a4u);
    CHECK(with(PositionKind::sinusoidal) == 0x774166660696ba5fu);
    CHECK(with(PositionKind::rotary) == 0x602f43a5c1a6d2abu);
    CHECK(with(PositionKind::relative) == 0x8129fcdaf82af553u);
    CHECK(with(PositionKind::alibi) == 0x942ffdc64ba8168cu);
    CHECK(bits_of({.vocab_size = 11,
                   .limit = 20,
                   .d_model = 16,
                   .num_layers = 1,
                   .num_heads = 4,
                   .num_kv_heads = 2,
                   .positions = PositionKind::rotary,
                   .norm = NormKind::rms,
                   .activation = Activation::silu,
                   .gated = true,
                   .bias = false,
                   .tied_head = false,
                   .soft_cap = 5}) == 0xccfa83e945f0309du);
}

TEST_CASE("a transformer and the notes' classifiers train to the bits they always had",
          "[nn][bits]") {
    Random random(17);
    Transformer transformer({.d_model = 6,
                             .num_heads = 2,
                             .num_encoder_layers = 2,
                             .num_decoder_layers = 2,
                             .d_hidden = 8},
                            random, {.dropout = 0.1});
    const Variable X(tensor::normal({2, 5, 6}, random)), Y(tensor::normal({2, 4, 6}, random));
    const TransformerMasks masks{.source = Mask::padding({5, 3}, 5),
                                 .target = Mask::causal(4),
                                 .memory = Mask::padding({5, 3}, 5)};
    CHECK(bits_of_learning(transformer, parameters(transformer), [&] {
              return mse_loss(transformer(X, Y, masks), Y);
          }) == 0x1aa916d2593655c6u);

    std::vector<std::int64_t> ids;
    for (int i = 0; i < 10; ++i) ids.push_back(random.below(11));
    const IndexTensor texts(ids, {2, 5}), labels({0, 2});
    TextClassifier note_002(
        {.vocab_size = 11, .limit = 8, .d_model = 6, .num_layers = 2, .num_heads = 2}, 3, random);
    MeanClassifier note_004({.vocab_size = 11,
                             .limit = 8,
                             .d_model = 6,
                             .num_layers = 2,
                             .num_heads = 2,
                             .num_classes = 3},
                            random);
    const Mask padding = Mask::padding({5, 2}, 5);
    CHECK(bits_of_learning(note_002, parameters(note_002), [&] {
              return cross_entropy(note_002(texts, padding), labels);
          }) == 0x4a989c766d43cfb1u);
    CHECK(bits_of_learning(note_004, parameters(note_004), [&] {
              return cross_entropy(note_004(texts, padding), labels);
          }) == 0x0791f8d9380ef88cu);
}
