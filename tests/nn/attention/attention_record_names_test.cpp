// The names of recorded attention calls: the layer's name in the model, at any depth.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/attention/attention_models.h"

using namespace heed;
using namespace models;

namespace {
// A user's own layer, with or without a scope of its own. Without one, its calls are those of the
// layer around it.
struct Own : Module {
    explicit Own(bool scope) : with_scope(scope) {}
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const {
        if (!with_scope) return scaled_dot_product_attention(x, x, x).output;
        const LayerScope scope(*this, "Own", site);
        return scaled_dot_product_attention(x, x, x).output;
    }
    void members(MemberVisitor&) override {}

    bool with_scope;
};

}  // namespace

TEST_CASE("a record has the name its layer has in the model", "[nn][record]") {
    const Model model(2);
    RecordAttention recording(model);
    model(input());
    CHECK(names(recording) == "blocks.0.attention blocks.1.attention list.heads.0 list.heads.1 ");
    model(input());
    CHECK(recording.records().size() == 8);

    Random random(3);
    const Sequential sequential{Linear(6, 6, random), Block(random), Own(true), Own(false)};
    RecordAttention another(sequential);
    sequential(input());
    CHECK(names(another) == "1.attention 2 Sequential ");
    // The first recording saw all that, but does not know those layers.
    CHECK(recording.records().size() == 11);
    CHECK(recording.records()[8].name == "MultiHeadAttention");
    CHECK(recording.records()[9].name == "Own");
}

TEST_CASE("names if the model is the layer itself, or if none is given", "[nn][record]") {
    Random random(4);
    const MultiHeadAttention layer(6, 2, random);
    const Heads list(random);
    {
        RecordAttention recording(layer);
        layer(input());
        CHECK(names(recording) == "MultiHeadAttention ");
    }
    {
        RecordAttention recording(list);
        list(input());
        CHECK(names(recording) == "heads.0 heads.1 ");
    }
    RecordAttention recording;
    list(input());
    const Variable x = input();
    dot_product_attention(x, x, x);
    attend(GaussianScore(), x, x, x);
    CHECK(names(recording) == "AttentionHead AttentionHead dot_product_attention attend ");
    // A copy of a layer is another layer.
    RecordAttention of_layer(layer);
    const Block block(random);
    block(x);
    CHECK(names(of_layer) == "MultiHeadAttention ");
}

TEST_CASE("a layer without a name adds nothing to the names inside it", "[nn][record]") {
    struct Outer : Module {
        Own unknown{true};  // not visited, so it has no name
        Own known{true};
        Variable operator()(const Variable& x, CallSite site = CallSite::here()) const {
            const LayerScope scope(*this, "Outer", site);
            return known(unknown(x));
        }
        void members(MemberVisitor& visit) override { visit("known", known); }
    };
    const Sequential model{Outer()};
    RecordAttention recording(model);
    model(input());
    CHECK(names(recording) == "0 0.known ");

    // What comes after an inner layer belongs to the outer one again.
    struct After : Module {
        Own inner{true};
        Variable operator()(const Variable& x, CallSite site = CallSite::here()) const {
            const LayerScope scope(*this, "After", site);
            const Variable y = inner(x);
            return scaled_dot_product_attention(y, y, y).output;
        }
        void members(MemberVisitor& visit) override { visit("inner", inner); }
    };
    const Sequential two{After()};
    RecordAttention of_both(two);
    two(input());
    CHECK(names(of_both) == "0.inner 0 ");
}

TEST_CASE("a recording may be limited to one layer and the layers in it", "[nn][record]") {
    const Model model(11);
    RecordAttention one(model, "blocks.1");
    RecordAttention exact(model, "blocks.10.attention");
    RecordAttention list(model, "list");
    RecordAttention head(model, "list.heads.1");
    const Variable x = input();
    model(x);
    scaled_dot_product_attention(x, x, x);
    CHECK(names(one) == "blocks.1.attention ");
    CHECK(names(exact) == "blocks.10.attention ");
    CHECK(names(list) == "list.heads.0 list.heads.1 ");
    CHECK(names(head) == "list.heads.1 ");
    const Model small(1);
    CHECK(message_of<std::invalid_argument>([&] { RecordAttention(small, "blocks.1"); }) ==
          "RecordAttention: the Model has no layer 'blocks.1'; its layers are: 'blocks.0', "
          "'blocks.0.attention', 'blocks.0.attention.W_Q', 'blocks.0.attention.W_K', "
          "'blocks.0.attention.W_V', 'blocks.0.attention.W_O', 'blocks.0.attention.dropout', "
          "'blocks.0.after', 'list', 'list.heads.0', 'list.heads.0.W_Q', 'list.heads.0.W_K', "
          "'list.heads.0.W_V', 'list.heads.0.dropout', 'list.heads.1', 'list.heads.1.W_Q', "
          "'list.heads.1.W_K', 'list.heads.1.W_V', 'list.heads.1.dropout'");
    const Own plain(true);
    CHECK_THAT(message_of<std::invalid_argument>([&] { RecordAttention(plain, "attention"); }),
               Contains("has no layer 'attention'; its layers are: none"));
}

TEST_CASE("a name that was not recorded is an error that lists the others", "[nn][record]") {
    const Model model(1);
    RecordAttention recording(model);
    CHECK(message_of<std::out_of_range>([&] { recording.at("list"); }) ==
          "RecordAttention: no attention of 'list' was recorded; those recorded are: none");
    model(input());
    CHECK(message_of<std::out_of_range>([&] { recording.at("list"); }) ==
          "RecordAttention: no attention of 'list' was recorded; those recorded are: "
          "'blocks.0.attention', 'list.heads.0', 'list.heads.1'");
    CHECK(recording.at("list.heads.1").name == "list.heads.1");
    model(Variable(drawn({1, 3, 6}, 5)));
    CHECK(message_of<std::invalid_argument>([&] { recording.at("list.heads.1"); }) ==
          "RecordAttention: 'list.heads.1' attended 2 times: ask for one of 'list.heads.1#1' to "
          "'list.heads.1#2'");
    CHECK(recording.at("list.heads.1#1").weights.shape() == Shape{2, 4, 4});
    CHECK(recording.at("list.heads.1#2").weights.shape() == Shape{1, 3, 3});
    CHECK(message_of<std::out_of_range>([&] {
              recording.at("list.heads.1#3");
          }).find("'list.heads.0#2', 'list.heads.1#2'") != std::string::npos);
}

TEST_CASE("a layer that attends twice has two records, numbered", "[nn][record]") {
    struct Twice : Module {
        explicit Twice(Random& random) : attention(6, 2, random) {}
        Variable operator()(const Variable& x) const { return attention(x + attention(x)); }
        void members(MemberVisitor& visit) override { visit("attention", attention); }

        MultiHeadAttention attention;
    };
    Random random(8);
    const Twice layer(random);
    RecordAttention recording(layer);
    layer(input());
    REQUIRE(recording.records().size() == 2);
    CHECK(recording.at("attention#1").full_name() == "attention#1");
    const AttentionRecord second = recording.at("attention#2");
    CHECK(second.call == 2);
    const Variable first = layer.attention(input());
    CHECK(tensor::same_bits(recording.at("attention#3").weights,
                            recording.at("attention#1").weights));
    const Attention again = layer.attention.with_weights(input() + first);
    CHECK(tensor::same_bits(second.weights, again.weights.value()));
    // Five numbers for each of 2·4 queries' and keys' 3 features, and for 2·2·4·4 weights.
    const AttentionRecord& one = recording.records()[0];
    const std::int64_t numbers = 3 * one.Q.numel() + 2 * one.weights.numel();
    CHECK(recording.bytes() == 4 * numbers * static_cast<std::int64_t>(sizeof(Scalar)));
}

TEST_CASE("an attention layer in a Sequential is recorded under its index", "[nn][record]") {
    Random random(6);
    const MultiHeadAttention attention(6, 3, random);
    const Sequential network{Linear(4, 6, random), attention, Linear(6, 2, random)};
    const Variable X(drawn({2, 5, 4}, 7));
    RecordAttention recording(network);
    const Variable y = network(X);
    const Variable inner = attention(network.at<Linear>(0)(X));
    CHECK(tensor::same_bits(y.value(), network.at<Linear>(2)(inner).value()));
    CHECK(recording.records().size() == 2);
    CHECK(recording.at("1").weights.shape() == Shape{2, 3, 5, 5});
    CHECK(recording.records()[1].name == "MultiHeadAttention");
}
