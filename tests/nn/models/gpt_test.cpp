// Gpt: its logits by its definition, what it may see, its cache, its first values, what it refuses.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace heed;

namespace {
const std::vector<PositionKind> all_kinds = {PositionKind::none,       PositionKind::learned,
                                             PositionKind::sinusoidal, PositionKind::rotary,
                                             PositionKind::relative,   PositionKind::alibi};

IndexTensor drawn_ids(const Shape& shape, std::int64_t vocab_size, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < shape.numel(); ++i) ids.push_back(random.below(vocab_size));
    return IndexTensor(ids, shape);
}

GptConfig tiny(PositionKind positions) {
    return {.vocab_size = 11,
            .limit = 20,
            .d_model = 8,
            .num_layers = 2,
            .num_heads = 2,
            .positions = positions};
}

// Weights large enough that every part of the model matters, and biases that are not 0.
void draw_all(Gpt& model, std::uint64_t seed) {
    Random random(seed);
    for (const ParameterMember& member : parameter_members(member_tree(model))) {
        init::normal(*member.parameter, random, 0, 0.4);
    }
}

bool same(const Tensor& a, const Tensor& b) { return tensor::same_bits(a, b); }

double deviation(const Variable& x) {
    return std::sqrt(static_cast<double>(tensor::mean((x * x).value()).item()));
}

}  // namespace

TEST_CASE("a GPT is its definition, written out", "[nn][gpt]") {
    Random random(1);
    Gpt model(tiny(PositionKind::learned), random);
    draw_all(model, 2);
    const IndexTensor ids = drawn_ids({2, 5}, 11, 3);
    Variable x = index_select(model.tokens.weight, 0, ids);  // [2, 5, 8]
    StateDict state = state_dict(model);
    x = x + slice(Variable(state.at("positions.weight")), 0, 0, 5);
    for (const GptBlock& block : model.blocks) {
        const std::string name = &block == &model.blocks[0] ? "blocks.0." : "blocks.1.";
        LayerNorm norm1(8), norm2(8);
        norm1.weight = Parameter(state.at(name + "norm1.weight"));
        norm1.bias = Parameter(state.at(name + "norm1.bias"));
        norm2.weight = Parameter(state.at(name + "norm2.weight"));
        norm2.bias = Parameter(state.at(name + "norm2.bias"));
        x = x + block.attention(norm1(x), Mask::causal(5));
        const Variable hidden = gelu_tanh(block.feed_forward.W_1(norm2(x)));
        x = x + block.feed_forward.W_2(hidden);
    }
    LayerNorm norm(8);
    norm.weight = Parameter(state.at("norm.weight"));
    norm.bias = Parameter(state.at("norm.bias"));
    const Variable logits = matmul(norm(x), transpose(model.tokens.weight));
    CHECK(model(ids).shape() == Shape({2, 5, 11}));
    CHECK(tensor::all_close(model(ids).value(), logits.value(), 1e-5, 1e-5));
    CHECK(same(model(ids.select(1)).value(), tensor::select(model(ids).value(), 0, 1)));
}

TEST_CASE("a GPT sees what was before, and where, unless it has no positions", "[nn][gpt]") {
    for (const PositionKind kind : all_kinds) {
        CAPTURE(name_of(kind));
        Random random(1);
        Gpt model(tiny(kind), random);
        draw_all(model, 2);
        const Tensor before = model(IndexTensor({3, 1, 4, 1, 5, 9})).value();
        const Tensor after = model(IndexTensor({3, 1, 4, 1, 5, 2})).value();
        CHECK(same(tensor::slice(before, 0, 0, 5), tensor::slice(after, 0, 0, 5)));
        CHECK_FALSE(same(before, after));
        const Tensor other_past = model(IndexTensor({7, 1, 4, 1, 5, 9})).value();
        CHECK(tensor::max_difference(tensor::select(before, 0, 5),
                                     tensor::select(other_past, 0, 5)) > 1e-3);
        // In one block, the last token sees the others as a set, unless it is told their places.
        GptConfig config = tiny(kind);
        config.num_layers = 1;
        Gpt one(config, random);
        draw_all(one, 3);
        const Tensor forth = tensor::select(one(IndexTensor({3, 1, 4, 5})).value(), 0, 3);
        const Tensor back = tensor::select(one(IndexTensor({4, 1, 3, 5})).value(), 0, 3);
        const double difference = tensor::max_difference(forth, back);
        if (kind == PositionKind::none) CHECK(difference < 1e-5);
        if (kind != PositionKind::none) CHECK(difference > 1e-3);
    }
}

TEST_CASE("a GPT with a cache gives the bits of the whole, with all positions",
          "[nn][gpt][cache]") {
    const NoGrad no_grad;
    for (const PositionKind kind : all_kinds) {
        CAPTURE(name_of(kind));
        GptConfig config = tiny(kind);
        config.limit = 390;
        config.num_heads = 4;
        config.num_kv_heads = kind == PositionKind::relative ? 1 : 2;
        if (kind == PositionKind::rotary) config.rotary.pairs = RotatedPairs::neighbours;
        if (kind == PositionKind::alibi) config.soft_cap = 3;
        Random random(1);
        Gpt model(config, random);
        draw_all(model, 2);
        const IndexTensor ids = drawn_ids({2, 390}, 11, 3);
        const Tensor all = model(ids).value();
        for (const std::int64_t chunk : {1, 2, 7}) {
            CAPTURE(chunk);
            GptCache cache, same_cache;
            for (std::int64_t first = 0; first < 390;) {
                // 378 at once, then a few at a time, across the length of 384.
                const std::int64_t T =
                    first == 0 ? 378 : std::min<std::int64_t>(chunk, 390 - first);
                const Tensor some =
                    model.with_past(tensor::slice(ids, 1, first, first + T), cache).value();
                CHECK(same(some, tensor::slice(all, 1, first, first + T)));
                const Tensor next =
                    model.next_logits(tensor::slice(ids, 1, first, first + T), same_cache).value();
                CHECK(same(next, tensor::select(all, 1, first + T - 1)));
                first += T;
            }
            CHECK(cache.length() == 390);
            CHECK(same_cache.length() == 390);
        }
        // A text as long as it is so far, computed anew.
        GptCache cache;
        for (std::int64_t T = 1; T <= 390; ++T) {
            const Tensor last = model.with_past(tensor::slice(ids, 1, T - 1, T), cache).value();
            if (T > 3 && (T < 382 || T > 387)) continue;
            const Tensor anew = model(tensor::slice(ids, 1, 0, T)).value();
            CHECK(same(last, tensor::slice(anew, 1, T - 1, T)));
        }
    }
}

TEST_CASE("a GPT's cache is cut, copied, and put in another order", "[nn][gpt][cache]") {
    const NoGrad no_grad;
    Random random(1);
    Gpt model(tiny(PositionKind::rotary), random);
    draw_all(model, 2);
    const IndexTensor ids({{1, 2, 3, 4}, {5, 6, 7, 8}});
    GptCache cache;
    CHECK(cache.length() == 0);
    model.with_past(ids, cache);
    GptCache copy = cache;
    cache.truncate(2);
    CHECK(cache.length() == 2);
    CHECK(copy.length() == 4);
    cache.keep_sequences(IndexTensor({1, 1, 0}));
    const Tensor y = model.with_past(IndexTensor({{9}, {7}, {3}}), cache).value();  // [3, 1, 11]
    const Tensor whole = model(IndexTensor({{5, 6, 9}, {5, 6, 7}, {1, 2, 3}})).value();
    CHECK(same(y, tensor::slice(whole, 1, 2, 3)));
    const Tensor z = model.with_past(IndexTensor({{9}, {10}}), copy).value();
    CHECK(same(z, tensor::slice(model(IndexTensor({{1, 2, 3, 4, 9}, {5, 6, 7, 8, 10}})).value(), 1,
                                4, 5)));
}

TEST_CASE("a GPT with its cache can be learned through", "[nn][gpt][cache]") {
    Random random(1);
    Gpt model(tiny(PositionKind::learned), random);
    draw_all(model, 2);
    const IndexTensor ids({1, 2, 3, 4});
    sum(model(ids) * model(ids)).backward();
    const Tensor whole = tensor::clone(model.tokens.weight.grad());
    zero_grad(model);
    GptCache cache;
    const Variable a = model.with_past(IndexTensor({1, 2, 3}), cache);
    const Variable b = model.with_past(IndexTensor({4}), cache);
    (sum(a * a) + sum(b * b)).backward();
    CHECK(tensor::all_close(model.tokens.weight.grad(), whole, 1e-3, 1e-4));
}

TEST_CASE("a GPT begins with the published values", "[nn][gpt]") {
    Random random(1);
    GptConfig config{.vocab_size = 50, .d_model = 128, .num_layers = 8, .gated = true};
    const Gpt model(config, random);
    CHECK(std::abs(deviation(model.tokens.weight) - 0.02) < 0.001);
    for (const GptBlock& block : model.blocks) {
        CHECK(std::abs(deviation(block.attention.W_Q.weight) - 0.02) < 0.001);
        CHECK(std::abs(deviation(block.attention.W_K.weight) - 0.02) < 0.001);
        CHECK(std::abs(deviation(block.attention.W_V.weight) - 0.02) < 0.001);
        CHECK(std::abs(deviation(block.feed_forward.W_1.weight) - 0.02) < 0.001);
        CHECK(std::abs(deviation(block.feed_forward.W_gate->weight) - 0.02) < 0.001);
        CHECK(std::abs(deviation(block.attention.W_O.weight) - 0.005) < 0.0003);     // 0.02/√16
        CHECK(std::abs(deviation(block.feed_forward.W_2.weight) - 0.005) < 0.0003);  // 0.02/√16
        CHECK(deviation(block.attention.W_O.bias) == 0);
        CHECK(deviation(block.feed_forward.W_2.bias) == 0);
    }
    config.tied_head = false;
    CHECK(std::abs(deviation(Gpt(config, random).head.weight) - 0.02) < 0.001);
    const StateDict state = state_dict(model);
    CHECK(std::abs(deviation(Variable(state.at("positions.weight"))) - 0.02) < 0.001);
    // So that the first loss is nearly that of guessing.
    const IndexTensor ids = drawn_ids({4, 65}, 50, 3);
    const Variable loss =
        cross_entropy(model(tensor::slice(ids, 1, 0, 64)), tensor::slice(ids, 1, 1, 65));
    CHECK(std::abs(static_cast<double>(loss.item()) - std::log(50.0)) < 0.1);
}

TEST_CASE("a GPT has as many parameters as those that are published", "[nn][gpt]") {
    Random random(1);
    const GptConfig small{
        .vocab_size = 100, .limit = 30, .d_model = 12, .num_layers = 3, .num_heads = 3};
    // A block: norms 4·12, attention 4·(12·12 + 12), feed-forward 2·4·12·12 + 5·12.
    const std::int64_t block = 48 + 624 + 1212;
    CHECK(count_parameters(Gpt(small, random)) == 1200 + 360 + 3 * block + 24);
    GptConfig untied = small;
    untied.tied_head = false;
    CHECK(count_parameters(Gpt(untied, random)) == 1200 + 360 + 3 * block + 24 + 1200);
    const GptConfig llama{.vocab_size = 100,
                          .limit = 30,
                          .d_model = 12,
                          .num_layers = 3,
                          .num_heads = 3,
                          .num_kv_heads = 1,
                          .d_hidden = 20,
                          .positions = PositionKind::rotary,
                          .norm = NormKind::rms,
                          .activation = Activation::silu,
                          .gated = true,
                          .bias = false,
                          .tied_head = false};
    // A block: norms 2·12, W_Q and W_O 2·12·12, W_K and W_V 2·12·4, feed-forward 3·12·20.
    CHECK(count_parameters(Gpt(llama, random)) == 2 * 1200 + 3 * (24 + 288 + 96 + 720) + 12);
    Gpt model(llama, random);
    CHECK(parameters(model).size() == 2 + 1 + 3 * 9);
    CHECK(model(IndexTensor({1, 2})).shape() == Shape({2, 100}));
}

TEST_CASE("a copied GPT has its own parameters, and its head is tied as before", "[nn][gpt]") {
    Random random(1);
    Gpt model(tiny(PositionKind::relative), random);
    Gpt copy = model;
    const Tensor before = model(IndexTensor({1, 2, 3})).value();
    CHECK(same(copy(IndexTensor({1, 2, 3})).value(), before));
    init::normal(copy.head.weight, random, 0, 1);
    CHECK(same(copy.head.weight.value(), copy.tokens.weight.value()));
    CHECK(same(model(IndexTensor({1, 2, 3})).value(), before));
    CHECK(parameters(copy).size() == parameters(model).size());

    untie(model.head.weight);  // whatever its config says
    init::normal(model.head.weight, random, 0, 1);
    const Gpt untied = model;
    CHECK(same(untied.head.weight.value(), model.head.weight.value()));
    CHECK_FALSE(untied.head.weight.node() == untied.tokens.weight.node());
    copy = model;
    CHECK(same(copy.head.weight.value(), model.head.weight.value()));
    Linear other(8, 11, random, no_bias);
    tie(model.head.weight, other.weight);
    CHECK_THROWS_AS(parameters(copy = model), std::invalid_argument);
}

TEST_CASE("an assigned GPT has the sizes, the numbers and the tie of the source", "[nn][gpt]") {
    const IndexTensor ids({1, 2, 3});
    for (int i = 0; i < 16; ++i) {
        const bool source_tied = i % 2, target_tied = i / 2 % 2, moves = i / 4 % 2, wider = i / 8;
        INFO("source tied " << source_tied << ", target tied " << target_tied << ", moves " << moves
                            << ", wider " << wider);
        Random random(1);
        GptConfig config = tiny(PositionKind::relative), other = config;
        config.tied_head = source_tied;
        other.tied_head = target_tied;
        if (wider) other.d_model *= 2;
        Gpt source(config, random), target(other, random);
        const Tensor expected = source(ids).value();
        const Gpt before = source;
        const Variable handle = target.tokens.weight;
        if (moves) {
            target = std::move(source);
        } else {
            target = source;
        }
        CHECK(same(target(ids).value(), expected));
        CHECK((target.head.weight.node() == target.tokens.weight.node()) == source_tied);
        CHECK(parameters(target).size() == parameters(source = before).size());
        CHECK(target.tokens.weight.node() != source.tokens.weight.node());
        if (!moves && !wider) CHECK(handle.node() == target.tokens.weight.node());
        init::zeros(source.tokens.weight);
        init::zeros(source.head.weight);
        CHECK(same(target(ids).value(), expected));
    }
}

TEST_CASE("a GPT drops out in training only, and its dropout layers draw differently",
          "[nn][gpt]") {
    GptConfig config = tiny(PositionKind::learned);
    config.dropout = 0.5;
    Random random(1);
    Gpt model(config, random);
    const IndexTensor ids({1, 2, 3, 4});
    CHECK(parameters(model).size() > 0);  // refuses layers that would draw the same
    CHECK_FALSE(same(model(ids).value(), model(ids).value()));
    const EvalMode eval(model);
    CHECK(same(model(ids).value(), model(ids).value()));
}

TEST_CASE("a GPT learns a text by heart", "[nn][gpt]") {
    Random random(1);
    Gpt model({.vocab_size = 5, .limit = 8, .d_model = 16, .num_layers = 1, .num_heads = 2},
              random);
    const IndexTensor ids({0, 1, 2, 1, 3, 1, 4}), targets({1, 2, 1, 3, 1, 4, 0});
    AdamW optimizer(parameters(model), {.lr = 0.01});
    for (int step = 0; step < 150; ++step) {
        const Variable loss = cross_entropy(model(ids), targets);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
    CHECK(tensor::same_entries(tensor::argmax(model(ids).value(), -1), targets));
}

TEST_CASE("what a GPT does is recorded under its layers' names", "[nn][gpt]") {
    Random random(1);
    const Gpt model(tiny(PositionKind::alibi), random);
    const IndexTensor ids({1, 2, 3});
    std::vector<std::string> names;
    {
        const ForwardHook hook(model, [&](const LayerCall& call) { names.push_back(call.name); });
        GptCache cache;
        model.with_past(ids, cache);
    }
    CHECK(std::find(names.begin(), names.end(), "blocks.1.attention") != names.end());
    CHECK(std::find(names.begin(), names.end(), "blocks.0.norm1") != names.end());
    CHECK(names.back() == "");
    const RecordAttention recording(model);
    model(ids);
    REQUIRE(recording.records().size() == 2);
    CHECK(recording.at("blocks.1.attention").weights.shape() == Shape({2, 3, 3}));
    GptCache cache;
    model.with_past(ids, cache);
    model.with_past(IndexTensor({4}), cache);
    CHECK(recording.at("blocks.1.attention#3").weights.shape() == Shape({2, 1, 4}));
}

TEST_CASE("what a GPT's config says reaches its layers", "[nn][gpt]") {
    Random random(1);
    GptConfig config = tiny(PositionKind::rotary);
    config.rotary.base = 500;
    config.soft_cap = 7;
    config.norm_eps = 0.5;
    config.dropout = 0.25;
    config.activation = Activation::silu;
    const Gpt model(config, random);
    const GptBlock& block = model.blocks[1];
    CHECK(block.attention.soft_cap == 7);
    CHECK(block.attention.dropout.p() == 0.25);
    CHECK(block.dropout1.p() == 0.25);
    CHECK(block.dropout2.p() == 0.25);
    CHECK(model.dropout.p() == 0.25);
    CHECK(block.feed_forward.dropout.p() == 0);
    CHECK(block.feed_forward.details() == "silu");
    const Variable x(tensor::ones({2, 4}));
    CHECK(same(block.attention.positions.turned(x, 3).value(),
               RotaryPositions(4, {.base = 500}).turned(x, 3).value()));
    std::ostringstream printed;
    printed << model;
    CHECK(printed.str().find("eps=0.5") != std::string::npos);
    CHECK(printed.str().find("eps=1e-05") == std::string::npos);
    GptConfig rms = config;
    rms.norm = NormKind::rms;
    std::ostringstream with_rms;
    with_rms << Gpt(rms, random);
    CHECK_THAT(with_rms.str(), Contains("eps=0.5") && !Contains("eps=1e-05"));
    config.positions = PositionKind::relative;
    config.rotary = {};
    Gpt biased(config, random);
    const std::string table = "blocks.1.attention.positions.weight";
    for (const NamedParameter& named : parameters(biased)) {
        if (named.name == table) CHECK(named.parameter.shape() == Shape{2, 2 * 20 - 1});
    }
    CHECK(state_dict(biased).contains(table));
    config.bias = false;
    config.tied_head = false;
    Gpt without(config, random);
    for (const NamedParameter& named : parameters(without)) {
        CHECK_FALSE(named.name.ends_with("bias"));
    }
}

TEST_CASE("a GPT of no tokens returns no logits", "[nn][gpt]") {
    Random random(1);
    const Gpt model(tiny(PositionKind::learned), random);
    CHECK(model(IndexTensor()).shape() == Shape({0, 11}));
    CHECK(model(IndexTensor({}, Shape({0, 3}))).shape() == Shape({0, 3, 11}));
    CHECK(model(IndexTensor({4})).shape() == Shape({1, 11}));
    GptCache cache;
    CHECK(model.next_logits(IndexTensor({4}), cache).shape() == Shape({11}));
    CHECK(message_of<ShapeError>([&] { model.next_logits(IndexTensor(), cache); }) ==
          "Gpt: ids have shape [0]; next_logits needs at least one token, [..., T] with T at least "
          "1");
    CHECK(cache.length() == 1);
}

#ifdef HEED_DOUBLE
TEST_CASE("a GPT's derivatives are right", "[nn][gradcheck]") {
    for (const PositionKind kind :
         {PositionKind::learned, PositionKind::rotary, PositionKind::relative}) {
        CAPTURE(name_of(kind));
        Random random(1);
        Gpt model({.vocab_size = 3,
                   .limit = 4,
                   .d_model = 4,
                   .num_layers = 1,
                   .num_heads = 2,
                   .num_kv_heads = 1,
                   .d_hidden = 3,
                   .positions = kind,
                   .soft_cap = 5},
                  random);
        draw_all(model, 2);
        std::vector<Tensor> inputs;
        for (const NamedParameter& named : parameters(model)) {
            inputs.push_back(tensor::clone(named.parameter.value()));
        }
        const auto f = [&](const std::vector<Variable>& in) {
            Gpt copy = model;
            replace_parameters(copy, in);
            return copy(IndexTensor({{0, 2, 1}, {1, 1, 0}}));
        };
        const GradcheckResult result = gradcheck(f, inputs);
        CHECK(result.checked > 0);
        CHECK((result.ok() ? "" : result.text()) == "");
    }
}
#endif

TEST_CASE("a GPT's config prints as one writes it", "[nn][gpt]") {
    std::ostringstream out;
    Random random(1);
    GptConfig config{
        .num_heads = 8, .d_hidden = 100, .positions = PositionKind::rotary, .soft_cap = 30};
    out << Gpt(config, random).config();
    CHECK(out.str() ==
          "GptConfig{\n"
          "  .vocab_size = 256,\n"
          "  .limit = 128,\n"
          "  .d_model = 64,\n"
          "  .num_layers = 2,\n"
          "  .num_heads = 8,\n"
          "  .num_kv_heads = 8,\n"
          "  .d_hidden = 100,\n"
          "  .positions = PositionKind::rotary,\n"
          "  .rotary = {.base = 10000, .pairs = RotatedPairs::halves, .d_rotated = 0},\n"
          "  .norm = NormKind::layer,\n"
          "  .norm_eps = 1e-05,\n"
          "  .activation = Activation::gelu_tanh,\n"
          "  .gated = false,\n"
          "  .bias = true,\n"
          "  .dropout = 0,\n"
          "  .tied_head = true,\n"
          "  .soft_cap = 30,\n"
          "}");
    config.rotary.scaling.factor = 2;
    CHECK(text(config).find(".d_rotated = 0, .scaling = {.factor = 2, .original_limit = 0, "
                            ".few_turns = 1, .many_turns = 4}},\n") != std::string::npos);
}

TEST_CASE("a GPT says what is wrong", "[nn][gpt]") {
    Random random(1);
    const auto refused = [&](const GptConfig& config) {
        return message_of<std::invalid_argument>([&] { Gpt(config, random); });
    };
    CHECK(refused({.vocab_size = 0}) == "GptConfig: vocab_size is 0; it must be at least 1");
    CHECK(refused({.limit = 0}) == "GptConfig: limit is 0; it must be at least 1");
    CHECK(refused({.d_model = -1}) == "GptConfig: d_model is -1; it must be at least 1");
    CHECK(refused({.num_layers = 0}) == "GptConfig: num_layers is 0; it must be at least 1");
    CHECK(complete(GptConfig{.num_layers = 1'000'000}).num_layers == 1'000'000);
    CHECK(refused({.num_layers = std::int64_t{1} << 60}) ==
          "GptConfig: num_layers is 1152921504606846976; it must be at most 1000000");
    CHECK(refused({.num_heads = 0}) == "GptConfig: num_heads is 0; it must be at least 1");
    CHECK(refused({.num_kv_heads = -1}) == "GptConfig: num_kv_heads is -1; it must be at least 1");
    CHECK(refused({.d_hidden = -4}) == "GptConfig: d_hidden is -4; it must be at least 1");
    CHECK(refused({.num_heads = 5}) ==
          "GptConfig: d_model is 64 and num_heads is 5; d_model must be a multiple of num_heads");
    CHECK(refused({.num_heads = 4, .num_kv_heads = 3}) ==
          "GptConfig: num_heads is 4 and num_kv_heads is 3; num_heads must be a multiple of "
          "num_kv_heads");
    CHECK(refused({.d_model = std::int64_t(1) << 62, .num_heads = 1}) ==
          "GptConfig: d_model is 4611686018427387904; 4·d_model does not fit in 64 bits");
    CHECK(refused({.rotary = {.limit = 7}}) ==
          "GptConfig: rotary.limit is 7; the limit of all kinds of positions is `limit`, here 128");
    CHECK(refused({.dropout = 1}).starts_with("Dropout: p is 1"));
    CHECK(refused({.norm_eps = -1}).starts_with("LayerNorm: eps is -1"));

    const Gpt model(tiny(PositionKind::rotary), random);
    CHECK(message_of<std::out_of_range>([&] {
              model(drawn_ids({1, 21}, 11, 1));
          }) == "Gpt: position 20 is past the limit: there are 20 positions, numbered 0 to 19; "
                "shorten the text, or make the layer with a larger limit");
    CHECK(message_of<std::out_of_range>([&] {
              model(IndexTensor({1, 11}));
          }) == "Gpt: id 11 at [1] is out of range: there are 11 tokens, numbered 0 to 10");
    CHECK(model(IndexTensor({3}, Shape({1, 1, 1, 1, 1, 1}))).shape() ==
          Shape({1, 1, 1, 1, 1, 1, 11}));
    CHECK(message_of<ShapeError>([&] { model(IndexTensor({3}).select(0)); }) ==
          "Gpt: ids have shape []; they must be [..., T], with at most 6 axes, since vectors and "
          "heads add two");
    CHECK(message_of<ShapeError>([&] {
              model(IndexTensor({3}, Shape({1, 1, 1, 1, 1, 1, 1})));
          })
              .starts_with("Gpt: ids have shape [1, 1, 1, 1, 1, 1, 1]; they must be [..., T], with "
                           "at most 6"));
    GptCache cache;
    model.with_past(drawn_ids({2, 19}, 11, 1), cache);
    CHECK(message_of<std::out_of_range>([&] {
              model.with_past(IndexTensor({{1, 2}, {3, 4}}), cache);
          }).starts_with("Gpt: position 20 is past the limit: there are 20 positions"));
    CHECK(cache.length() == 19);
    const std::string of_others =
        "; for further tokens [..., T] they must be [..., h, T, d_head], for the same sequences";
    CHECK(message_of<ShapeError>([&] {
              model.with_past(drawn_ids({3, 1}, 11, 1), cache);
          }) == "Gpt: ids have shape [3, 1] and the keys in the cache [2, 2, 19, 4]" + of_others);
    CHECK(message_of<ShapeError>([&] { model.with_past(IndexTensor({1}), cache); }) ==
          "Gpt: ids have shape [1] and the keys in the cache [2, 2, 19, 4]" + of_others);
    CHECK(cache.length() == 19);
    cache.blocks.pop_back();
    CHECK(message_of<std::invalid_argument>([&] {
              model.with_past(IndexTensor({{1}, {2}}), cache);
          }) == "Gpt: the cache is of a model with 1 blocks, but this one has 2; begin each text "
                "with a new GptCache");
}
