// Note 002's encoder and classifier, and note 004's: by their definitions, padding, first values.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <sstream>

using namespace heed;

namespace {
const TextEncoderConfig small{
    .vocab_size = 12, .limit = 9, .d_model = 8, .num_layers = 2, .num_heads = 2};
const MeanClassifierConfig small_mean{
    .vocab_size = 12, .limit = 9, .d_model = 8, .num_layers = 2, .num_heads = 2, .num_classes = 3};

bool same(const Variable& a, const Variable& b) { return tensor::same_bits(a.value(), b.value()); }

bool close(const Variable& a, const Variable& b) {
    return a.shape() == b.shape() && tensor::all_close(a.value(), b.value(), 1e-5, 1e-5);
}

void draw_all(Module& model, std::uint64_t seed) {
    Random random(seed);
    for (const ParameterMember& member : parameter_members(member_tree(model))) {
        init::normal(*member.parameter, random, 0, 0.5);
    }
}

}  // namespace

TEST_CASE("note 002's classifier returns a logit for each of its three labels", "[nn][models]") {
    Random random(1);
    const TextClassifier model({.vocab_size = 12}, 3, random);
    CHECK(model(IndexTensor({{5, 1, 2, 3, 4}})).shape() == Shape({1, 3}));  // the note's (1, 3)
    CHECK(model.encoder(IndexTensor({{5, 1, 2, 3, 4}})).shape() == Shape({1, 5, 64}));
}

TEST_CASE("the text classifier is its definition, written out", "[nn][models]") {
    Random random(1);
    TextClassifier model(small, 3, random);
    draw_all(model, 2);
    const IndexTensor ids({{0, 3, 4, 5}, {0, 7, 8, 9}});
    const TextEncoder& encoder = model.encoder;
    Variable x = index_select(encoder.embeddings.token_embeddings.weight, 0, ids) +
                 slice(encoder.embeddings.position_embeddings.weight, 0, 0, 4);
    CHECK(encoder.layer_norm.eps == 1e-12);
    x = encoder.layer_norm(x);
    for (const TransformerEncoderLayer& layer : encoder.layers.layers) {
        CHECK(layer.norm1.details() == "[8], eps=1e-05");
        x = x + layer.self_attn(layer.norm1(x));
        x = x + layer.feed_forward.W_2(gelu(layer.feed_forward.W_1(layer.norm2(x))));
    }
    CHECK(close(encoder(ids), (*encoder.layers.norm)(x)));  // erratum 002-6
    CHECK(close(model(ids), model.classifier(select((*encoder.layers.norm)(x), 1, 0))));

    TextEncoderConfig as_in_the_note = small;
    as_in_the_note.final_norm = false;
    CHECK_FALSE(TextEncoder(as_in_the_note, random).layers.norm.has_value());
}

TEST_CASE("the mean classifier is its definition, written out", "[nn][models]") {
    Random random(1);
    MeanClassifier model(small_mean, random);
    draw_all(model, 2);
    const IndexTensor ids({{0, 3, 4, 5}, {0, 7, 8, 9}});
    Variable x = index_select(model.embeddings.token_embeddings.weight, 0, ids) +
                 slice(model.embeddings.position_embeddings.weight, 0, 0, 4);
    for (const TransformerEncoderLayer& block : model.blocks.layers) {
        x = block.norm1(x + block.self_attn(x));
        x = block.norm2(x + block.feed_forward.W_2(relu(block.feed_forward.W_1(x))));
    }
    const Variable y = log_softmax(model.to_classes(mean(x, 1)), -1);
    CHECK(close(model(ids), y));
    CHECK_FALSE(model.blocks.norm.has_value());
    CHECK(tensor::all_close(tensor::sum(tensor::exp(model(ids).value()), -1), tensor::ones({2})));
    CHECK(close(model(ids.select(1)), select(y, 0, 1)));
}

TEST_CASE("padding changes no bit of what an encoder or a classifier returns", "[nn][models]") {
    Random random(1);
    TextClassifier first(small, 3, random);
    MeanClassifier all(small_mean, random);
    draw_all(first, 2);
    draw_all(all, 3);
    const IndexTensor ids({{1, 2, 3, 4, 5, 6}, {7, 8, 9, 0, 0, 0}, {4, 11, 11, 11, 11, 11}});
    const Mask padding = Mask::padding({6, 3, 1}, 6);
    const Variable logits = first(ids, padding), log_p = all(ids, padding);
    const Variable vectors = first.encoder(ids, padding);
    const std::vector<IndexTensor> alone = {IndexTensor({1, 2, 3, 4, 5, 6}), IndexTensor({7, 8, 9}),
                                            IndexTensor({4})};
    for (int i = 0; i < 3; ++i) {
        const IndexTensor& text = alone[static_cast<std::size_t>(i)];
        CHECK(same(first(text), select(logits, 0, i)));
        CHECK(same(all(text), select(log_p, 0, i)));
        CHECK(same(first.encoder(text), slice(select(vectors, 0, i), 0, 0, text.dim(0))));
    }
    // Without the mask, padding tokens are words like others: the mean of note 004.
    CHECK_FALSE(close(select(all(ids), 0, 1), select(log_p, 0, 1)));
    CHECK_FALSE(close(select(first(ids), 0, 1), select(logits, 0, 1)));
    // The same mask from a table of the tokens.
    const BoolTensor real = ids != IndexTensor({{0}});
    CHECK(real.shape() == Shape({3, 6}));
    CHECK(same(select(all(ids, Mask::allowing_keys(real)), 0, 1), select(log_p, 0, 1)));
    // A padding token gets no gradient.
    zero_grad(all);
    sum(all(ids, padding) * all(ids, padding)).backward();
    const Tensor G = all.embeddings.token_embeddings.weight.grad();
    CHECK(tensor::max(tensor::abs(tensor::select(G, 0, 11))).item() == 0);
    CHECK(tensor::max(tensor::abs(tensor::select(G, 0, 9))).item() > 0);
}

TEST_CASE("the text encoder begins with BERT's values, the mean classifier with PyTorch's",
          "[nn][models]") {
    Random random(1);
    TextClassifier bert({.vocab_size = 100}, 40, random);
    for (const ParameterMember& member : parameter_members(member_tree(bert))) {
        CAPTURE(member.name);
        const Tensor& x = member.parameter->value();
        const double largest = static_cast<double>(tensor::max(tensor::abs(x)).item());
        if (x.rank() == 2) {
            CHECK(largest <= 0.04000001);
            CHECK(largest > 0.035);
            // A normal distribution cut at two deviations has .88 of its deviation.
            CHECK(std::abs(std::sqrt(static_cast<double>(tensor::mean(x * x).item())) - 0.0176) <
                  0.001);
        } else {
            CHECK(largest == (member.name.ends_with("bias") ? 0 : 1));  // norms' weights are 1
        }
    }
    Random again(7), by_hand(7);
    const MeanClassifier model({.vocab_size = 20, .limit = 5, .d_model = 8, .num_layers = 1},
                               again);
    const TokenAndPositionEmbedding embeddings(20, 5, 8, by_hand);
    CHECK(same(model.embeddings.token_embeddings.weight, embeddings.token_embeddings.weight));
    const double bound = 1 / std::sqrt(8.0);
    CHECK(tensor::max(tensor::abs(model.to_classes.weight.value())).item() <=
          static_cast<Scalar>(bound));
}

TEST_CASE("dropout of an encoder draws in training only", "[nn][models]") {
    Random random(1);
    TextEncoderConfig config = small;
    config.dropout = 0.3;
    TextClassifier model(config, 3, random);
    MeanClassifierConfig mean_config = small_mean;
    mean_config.dropout = 0.3;
    MeanClassifier mean_model(mean_config, random);
    const IndexTensor ids({1, 2, 3});
    CHECK(parameters(model).size() + parameters(mean_model).size() > 0);  // none draws the same
    CHECK_FALSE(same(model(ids), model(ids)));
    CHECK_FALSE(same(mean_model(ids), mean_model(ids)));
    const EvalMode eval(model), mean_eval(mean_model);
    CHECK(same(model(ids), model(ids)));
    CHECK(same(mean_model(ids), mean_model(ids)));
}

TEST_CASE("both classifiers learn", "[nn][models]") {
    // Does token 1 stand before token 2?
    const IndexTensor ids({{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}});
    const IndexTensor labels({1, 0, 1, 0});
    Random random(1);
    TextClassifier first(small, 2, random);
    MeanClassifier all(small_mean, random);
    AdamW of_first(parameters(first), {.lr = 0.01}), of_all(parameters(all), {.lr = 0.01});
    for (int step = 0; step < 100; ++step) {
        of_first.zero_grad();
        cross_entropy(first(ids), labels).backward();
        of_first.step();
        of_all.zero_grad();
        cross_entropy(all(ids), labels).backward();  // log-probabilities are logits, too
        of_all.step();
    }
    CHECK(tensor::same_entries(tensor::argmax(first(ids).value(), -1), labels));
    CHECK(tensor::same_entries(tensor::argmax(all(ids).value(), -1), labels));
}

TEST_CASE("the configs of encoders print as one writes them", "[nn][models]") {
    std::ostringstream text, mean;
    text << complete(TextEncoderConfig{.dropout = 0.1});
    CHECK(text.str() == "TextEncoderConfig{\n"
                        "  .vocab_size = 256,\n"
                        "  .limit = 128,\n"
                        "  .d_model = 64,\n"
                        "  .num_layers = 2,\n"
                        "  .num_heads = 4,\n"
                        "  .d_hidden = 256,\n"
                        "  .dropout = 0.1,\n"
                        "  .embedding_eps = 1e-12,\n"
                        "  .final_norm = true,\n"
                        "}");
    mean << complete(MeanClassifierConfig{});
    CHECK(mean.str() == "MeanClassifierConfig{\n"
                        "  .vocab_size = 256,\n"
                        "  .limit = 128,\n"
                        "  .d_model = 64,\n"
                        "  .num_layers = 2,\n"
                        "  .num_heads = 4,\n"
                        "  .d_hidden = 256,\n"
                        "  .num_classes = 2,\n"
                        "  .dropout = 0,\n"
                        "}");
}

TEST_CASE("encoders and classifiers say what is wrong", "[nn][models]") {
    Random random(1);
    const auto text = [&](const TextEncoderConfig& config) {
        return message_of<std::invalid_argument>([&] { TextEncoder(config, random); });
    };
    CHECK(text({.vocab_size = 0}) == "TextEncoderConfig: vocab_size is 0; it must be at least 1");
    CHECK(text({.limit = 0}) == "TextEncoderConfig: limit is 0; it must be at least 1");
    CHECK(text({.d_model = 0}) == "TextEncoderConfig: d_model is 0; it must be at least 1");
    CHECK(text({.num_layers = 0}) == "TextEncoderConfig: num_layers is 0; it must be at least 1");
    CHECK(text({.num_heads = 0}) == "TextEncoderConfig: num_heads is 0; it must be at least 1");
    CHECK(text({.num_heads = 7}) == "TextEncoderConfig: d_model is 64 and num_heads is 7; d_model "
                                    "must be a multiple of num_heads");
    CHECK(message_of<std::invalid_argument>([&] { TextClassifier(small, 0, random); }) ==
          "TextClassifier: num_labels is 0; it must be at least 1");
    const auto mean = [&](const MeanClassifierConfig& config) {
        return message_of<std::invalid_argument>([&] { MeanClassifier(config, random); });
    };
    CHECK(mean({.limit = -1}) == "MeanClassifierConfig: limit is -1; it must be at least 1");
    CHECK(mean({.num_classes = 0}) ==
          "MeanClassifierConfig: num_classes is 0; it must be at least 1");
    CHECK(mean({.num_heads = 7}) == "MeanClassifierConfig: d_model is 64 and num_heads is 7; "
                                    "d_model must be a multiple of num_heads");

    const TextClassifier first(small, 3, random);
    const MeanClassifier all(small_mean, random);
    const IndexTensor long_ids(std::vector<std::int64_t>(10, 1));
    CHECK(
        message_of<ShapeError>([&] {
            first(long_ids);
        }).starts_with("TokenAndPositionEmbedding: ids [10] has 10 tokens; the token limit is 9"));
    CHECK(message_of<std::out_of_range>([&] {
              all(IndexTensor({12}));
          }).starts_with("Embedding: id 12 at [0] is out of range"));
    CHECK(message_of<ShapeError>([&] { first(IndexTensor()); }) ==
          "TextClassifier: ids have shape [0]; they must be [..., T] with at least one token, "
          "since the vector of the first is read");
    CHECK(message_of<ShapeError>([&] { all(IndexTensor()); }) ==
          "MeanClassifier: ids have shape [0]; they must be [..., T] with at least one token, to "
          "have a mean");
    CHECK(message_of<ShapeError>([&] {
              all(IndexTensor({{1, 2}}), Mask::causal(2));
          }) == "MeanClassifier: the mask has shape [2, 2] and ids have shape [1, 2]; for ids [B, "
                "T] it must be [B, 1, 1, T], as Mask::padding(lengths, T)");
    CHECK(message_of<ShapeError>([&] {
              all(IndexTensor({{1, 2}, {3, 4}}), Mask::padding({2, 1, 1}, 2));
          })
              .starts_with(
                  "MeanClassifier: the mask has shape [3, 1, 1, 2] and ids have shape [2, 2]"));
    CHECK(message_of<std::invalid_argument>([&] {
              all(IndexTensor({{1, 2}, {3, 4}}), Mask::padding({2, 0}, 2));
          }) == "MeanClassifier: text 1 of the batch is all padding, which has no mean");
}
