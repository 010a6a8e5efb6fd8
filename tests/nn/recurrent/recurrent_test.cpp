// GRU and LSTM beside their cells, texts of different lengths, and what they refuse.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <sstream>

using namespace heed;

namespace {
bool same(const Variable& a, const Variable& b) { return tensor::same_bits(a.value(), b.value()); }

Variable row(const Variable& X, std::int64_t b) { return select(X, 0, b); }

}  // namespace

TEST_CASE("a recurrent layer takes the steps of its cell", "[nn][recurrent]") {
    Random random(1);
    const GRU gru(3, 4, random);
    GruCell gru_cell(3, 4, random);
    gru_cell.weights = gru.weights[0];
    const LSTM lstm(3, 4, random);
    LstmCell lstm_cell(3, 4, random);
    lstm_cell.weights = lstm.weights[0];
    const Variable X(tensor::normal({2, 5, 3}, random));
    Variable h(tensor::zeros({2, 4}));
    LstmState state{Variable(tensor::zeros({2, 4})), Variable(tensor::zeros({2, 4}))};
    const GruResult by_gru = gru(X);
    const LstmResult by_lstm = lstm(X);
    for (std::int64_t t = 0; t < 5; ++t) {
        const Variable x = select(X, 1, t);  // [2, 3]
        h = gru_cell(x, h);
        state = lstm_cell(x, state);
        CHECK(same(h, select(by_gru.output, 1, t)));
        CHECK(same(state.h, select(by_lstm.output, 1, t)));
    }
    CHECK(same(h, row(by_gru.h, 0)));
    CHECK(same(state.h, row(by_lstm.state.h, 0)));
    CHECK(same(state.c, row(by_lstm.state.c, 0)));
}

TEST_CASE("padding changes no bit of a shorter text", "[nn][recurrent]") {
    Random random(2);
    const RecurrentOptions options{.num_layers = 2, .bidirectional = true};
    const GRU gru(3, 4, random, options);
    const LSTM lstm(3, 4, random, options);
    const Variable X(tensor::normal({3, 6, 3}, random));
    const std::vector<std::int64_t> lengths = {4, 6, 1};
    const GruResult padded = gru(X, lengths);
    const LstmResult padded_lstm = lstm(X, lengths);
    for (std::int64_t b = 0; b < 3; ++b) {
        const std::int64_t T = lengths[static_cast<std::size_t>(b)];
        const Variable alone = slice(slice(X, 0, b, b + 1), 1, 0, T);  // [1, T, 3]
        const GruResult one = gru(alone);
        const LstmResult one_lstm = lstm(alone);
        CHECK(same(slice(row(padded.output, b), 0, 0, T), row(one.output, 0)));
        CHECK(same(slice(row(padded_lstm.output, b), 0, 0, T), row(one_lstm.output, 0)));
        CHECK(tensor::sum(tensor::abs(slice(row(padded.output, b), 0, T).value())).item() == 0);
        for (std::int64_t i = 0; i < 4; ++i) {  // layers and directions
            CHECK(same(row(row(padded.h, i), b), row(row(one.h, i), 0)));
            CHECK(same(row(row(padded_lstm.state.c, i), b), row(row(one_lstm.state.c, i), 0)));
        }
    }
}

TEST_CASE("a text may be read in two parts", "[nn][recurrent]") {
    Random random(3);
    const GRU gru(3, 4, random, {.num_layers = 2});
    const LSTM lstm(3, 4, random, {.num_layers = 2});
    const Variable X(tensor::normal({2, 5, 3}, random));
    const Variable begin = slice(X, 1, 0, 2), rest = slice(X, 1, 2);
    CHECK(same(gru(rest, {}, gru(begin).h).h, gru(X).h));
    CHECK(same(lstm(rest, {}, lstm(begin).state).state.c, lstm(X).state.c));
}

TEST_CASE("texts need no batch, and may have several leading axes", "[nn][recurrent]") {
    Random random(4);
    const GRU gru(3, 4, random);
    const Variable X(tensor::normal({2, 3, 5, 3}, random));
    const GruResult all = gru(X);
    CHECK(all.output.shape() == Shape{2, 3, 5, 4});
    CHECK(all.h.shape() == Shape{1, 2, 3, 4});
    const GruResult one = gru(row(row(X, 1), 2));  // [5, 3]
    CHECK(one.h.shape() == Shape{1, 4});
    CHECK(same(one.output, row(row(all.output, 1), 2)));
}

TEST_CASE("dropout of recurrent layers is between layers", "[nn][recurrent]") {
    Random random(6);
    GRU one(3, 4, random, {.dropout = 0.5});
    GRU two(3, 4, random, {.num_layers = 2, .dropout = 0.5});
    const Variable X(tensor::normal({2, 5, 3}, random));
    CHECK(same(one(X).output, one(X).output));
    CHECK_FALSE(same(two(X).output, two(X).output));
    CHECK(same(row(two(X).h, 0), row(two(X).h, 0)));  // the first layer's
    two.eval();
    CHECK(same(two(X).output, two(X).output));
}

TEST_CASE("recurrent layers begin uniformly between -1/√hidden and 1/√hidden", "[nn][recurrent]") {
    Random random(9);
    LSTM lstm(3, 25, random, {.num_layers = 2, .bidirectional = true});
    for (const NamedParameter& each : parameters(lstm)) {
        INFO(each.name);
        const Tensor size = tensor::abs(each.parameter.value());
        CHECK(static_cast<double>(tensor::max(size).item()) <= 0.2 + 1e-7);
        CHECK(static_cast<double>(tensor::max(size).item()) > 0.19);
        CHECK(static_cast<double>(tensor::mean(size).item()) == Approx(0.1).margin(0.02));
    }
}

TEST_CASE("recurrent layers print what they are and have PyTorch's names", "[nn][recurrent]") {
    Random random(7);
    GRU gru(3, 4, random, {.num_layers = 2, .bidirectional = true});
    std::vector<std::string> names;
    for (const NamedParameter& each : parameters(gru)) names.push_back(each.name);
    CHECK(names.size() == 16);
    CHECK(names[0] == "weight_ih_l0");
    CHECK(names[7] == "bias_hh_l0_reverse");
    CHECK(names[8] == "weight_ih_l1");
    std::ostringstream said;
    said << gru;
    CHECK_THAT(said.str(), Contains("GRU(3, 4, num_layers=2, bidirectional=true"));
    said << LSTM(3, 4, random, {.bias = false, .dropout = 0.5});
    CHECK_THAT(said.str(), Contains("LSTM(3, 4, bias=false, dropout=0.5"));
    said << LstmCell(3, 4, random);
    CHECK_THAT(said.str(), Contains("LstmCell(3, 4)"));
}

TEST_CASE("weights of a recurrent layer that are changed count, or are refused",
          "[nn][recurrent]") {
    Random random(8);
    GRU gru(3, 3, random, {.num_layers = 2, .bidirectional = true});
    const GRU one(3, 3, random), two(3, 3, random);
    const Variable X(tensor::normal({2, 5, 3}, random));
    gru = one;  // with its one direction
    CHECK(gru.directions() == 1);
    CHECK(same(gru(X).output, one(X).output));
    gru.weights.push_back(two.weights[0]);  // a second layer
    const GruResult both = gru(X);
    CHECK(same(both.output, two(one(X).output).output));
    CHECK(both.h.shape() == Shape{2, 2, 3});
    CHECK(gru.details() == "3, 3, num_layers=2");
    CHECK(parameters(gru)[4].name == "weight_ih_l1");
    gru.weights.clear();
    CHECK(gru.details() == "no weights");
    CHECK(message_of<std::invalid_argument>([&] { gru(X); }) ==
          "GRU: there are 0 weights; each layer has 1, one for each direction, and there must be "
          "at least one layer");
    LSTM lstm(3, 4, random, {.bidirectional = true});
    lstm.weights.push_back(lstm.weights[0]);
    CHECK(message_of<std::invalid_argument>([&] { lstm(X); }) ==
          "LSTM: there are 3 weights; each layer has 2, one for each direction, and there must be "
          "at least one layer");
    lstm.weights.push_back(lstm.weights[0]);
    CHECK(message_of<ShapeError>([&] { lstm(X); }) ==
          "LSTM: weights[2] has in = 3 and hidden = 4; to match those before it, these must be 8 "
          "and 4");
    const LSTM taken = std::move(lstm);
    CHECK_THAT(message_of<std::invalid_argument>([&] { lstm(X); }),
               Contains("there are 0 weights"));
    const LstmCell cell(3, 4, random);
    LstmCell copy = cell;
    copy.weights.weight_hh = Parameter(tensor::zeros({12, 4}));
    CHECK(message_of<ShapeError>([&] {
              copy(X, {Variable(tensor::zeros({2, 5, 4})), {}});
          }) ==
          "LstmCell: the parameter 'weight_hh' has shape [12, 4]; it must be [4·hidden, hidden]");
}

TEST_CASE("recurrent layers say what does not fit", "[nn][recurrent][errors]") {
    Random random(8);
    const auto argument = [](const auto& call) {
        return message_of<std::invalid_argument>([&] { call(); });
    };
    const auto shape = [](const auto& call) { return message_of<ShapeError>([&] { call(); }); };
    CHECK(argument([&] { GRU(0, 4, random); }) ==
          "GRU: in is 0 and hidden is 4; both must be at least 1");
    CHECK(argument([&] { LSTM(3, 4, random, {.num_layers = 0}); }) ==
          "LSTM: num_layers is 0; it must be at least 1");
    CHECK(argument([&] { LstmCell(3, -1, random); }) ==
          "LstmCell: in is 3 and hidden is -1; both must be at least 1");
    CHECK_THAT(argument([&] { GRU(3, 4, random, {.dropout = 1}); }), Contains("p is 1"));

    const GRU gru(3, 4, random);
    const Variable X(tensor::zeros({2, 5, 3}));
    CHECK(shape([&] {
              gru(Variable(tensor::zeros({2, 5, 4})));
          }) == "GRU: X has shape [2, 5, 4]; it must be [..., T, 3] with at least one token");
    CHECK(shape([&] {
              gru(Variable(tensor::zeros({2, 0, 3})));
          }) == "GRU: X has shape [2, 0, 3]; it must be [..., T, 3] with at least one token");
    CHECK(argument([&] {
              gru(X, {5, 5, 5});
          }) == "GRU: there are 3 lengths and X has shape [2, 5, 3]; it must be [B, T, 3], with "
                "one length for each text");
    CHECK(argument([&] {
              gru(Variable(tensor::zeros({2, 2, 5, 3})), {5, 5});
          }).starts_with("GRU: there are 2 lengths and X has shape [2, 2, 5, 3]; it must be"));
    CHECK(argument([&] {
              gru(X, {5, 6});
          }) == "GRU: the length of text 1 is 6; it must be between 1 and T = 5");
    CHECK(argument([&] {
              gru(X, {0, 5});
          }) == "GRU: the length of text 0 is 0; it must be between 1 and T = 5");
    CHECK(shape([&] {
              gru(X, {}, Variable(tensor::zeros({2, 4})));
          }) ==
          "GRU: h has shape [2, 4]; for this X it must be [1, 2, 4], a vector for each layer and "
          "direction");
    const LSTM lstm(3, 4, random);
    const LstmState wrong{Variable(tensor::zeros({1, 2, 4})), Variable(tensor::zeros({1, 2, 3}))};
    CHECK(shape([&] { lstm(X, {}, wrong); }) ==
          "LSTM: c has shape [1, 2, 3]; for this X it must be [1, 2, 4], a vector for each layer "
          "and direction");
    const LstmState wrong_h{wrong.c, wrong.h};
    CHECK(shape([&] { lstm(X, {}, wrong_h); }).starts_with("LSTM: h has shape [1, 2, 3]; for"));
    const LstmCell lstm_cell(3, 4, random);
    const Variable x(tensor::zeros({2, 3})), four(tensor::zeros({2, 4}));
    CHECK(shape([&] {
              lstm_cell(x, {four, x});
          }) == "LstmCell: c has shape [2, 3]; for this x it must be [2, 4]");
    CHECK(shape([&] {
              lstm_cell(x, {x, four});
          }) == "LstmCell: h has shape [2, 3]; for this x it must be [2, 4]");
    const GruCell cell(3, 4, random);
    CHECK(shape([&] { cell(X, X); }) ==
          "GruCell: h has shape [2, 5, 3]; for this x it must be [2, 5, 4]");
    CHECK(shape([&] { cell(Variable(tensor::zeros({4})), X); }) ==
          "GruCell: x has shape [4]; it must be [..., 3]");
}
