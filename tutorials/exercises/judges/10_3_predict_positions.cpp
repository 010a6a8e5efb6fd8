#include "tutorials/exercises/judges/10_3_predict_positions.h"

#include "tutorials/exercises/judges/10_3_predict_positions_mistakes.h"
#include "tutorials/exercises/judges/common_steps.h"

#include "nn/positions/learned_positions.h"
#include "nn/positions/relative_bias.h"
#include "nn/positions/rotary_positions.h"
#include "tensor/factories.h"

#include <algorithm>

using namespace heed;

namespace exercise {

namespace {

constexpr std::int64_t d = 32, h = 4, d_head = 8, limit = 50, T = 16, farthest = 8, T_q = 10;

std::int64_t of_the_table(const Slips& slip) {
    if (slip("pos.a-number-each")) return limit;
    if (slip("pos.trained-rows-only")) return T * d;
    if (slip("pos.table-of-each-head")) return h * limit * d;
    if (slip("pos.table-of-a-head")) return limit * d_head;
    if (slip("pos.table-of-pairs")) return limit * limit;
    Random random(1);
    return LearnedPositions(limit, d, random).weight.numel();
}

std::int64_t rows_never_trained(const Slips& slip) {
    if (slip("pos.all-trained")) return 0;
    if (slip("pos.counts-the-trained")) return T;
    if (slip("pos.one-row-off")) return limit - T - 1;
    if (slip("pos.numbers-for-rows")) return (limit - T) * d;
    return limit - T;
}

std::int64_t of_sinusoids_and_rotary(const Slips& slip) {
    if (slip("pos.frequencies-learned")) return d / 2 + d_head / 2;
    if (slip("pos.angles-learned")) return d_head / 2;
    if (slip("pos.waves-learned")) return d / 2;
    if (slip("pos.sinusoids-are-a-table")) return T * d;
    if (slip("pos.a-matrix-turns")) return d_head * d_head;
    return 0;
}

std::int64_t of_the_bias(const Slips& slip) {
    if (slip("pos.heads-share")) return 2 * farthest + 1;
    if (slip("pos.one-direction")) return h * (farthest + 1);
    if (slip("pos.no-distance-0")) return h * 2 * farthest;
    if (slip("pos.eight-numbers")) return h * farthest;
    if (slip("pos.all-pairs")) return h * T * T;
    if (slip("pos.all-distances")) return h * (2 * T - 1);
    return RelativeBias(h, farthest).weight.numel();
}

Shape shape_of_bias(const Slips& slip) {
    if (slip("pos.no-heads")) return {3, 5};
    if (slip("pos.by-distance")) return {h, 2 * farthest + 1};
    if (slip("pos.keys-first")) return {h, 5, 3};
    if (slip("pos.heads-last")) return {3, 5, h};
    if (slip("pos.bias-of-vectors")) return {5, d};
    return RelativeBias(h, farthest).bias(3, 5)->shape();
}

Shape shape_of_turned(const Slips& slip) {
    if (slip("pos.sine-and-cosine-beside")) return {2, h, T_q, 2 * d_head};
    if (slip("pos.pairs-apart")) return {2, h, T_q, d_head / 2, 2};
    if (slip("pos.turned-into-scores")) return {2, h, T_q, T_q};
    if (slip("pos.one-angle-of-a-pair")) return {2, h, T_q, d_head / 2};
    const Variable queries(tensor::zeros({2, h, T_q, d_head}));
    return RotaryPositions(d_head).turned(queries).shape();
}

std::int64_t keys_with_the_last_number(const Slips& slip) {
    if (slip("pos.only-that-far")) return 1;
    if (slip("pos.nothing-that-far")) return 0;
    if (slip("pos.only-further")) return 20 - farthest;
    if (slip("pos.all-keys")) return 21;
    if (slip("pos.the-near-ones")) return farthest;
    if (slip("pos.the-near-ones-and-itself")) return farthest + 1;
    return 20 - farthest + 1;
}

PositionPredictions slipping(const Slips& slip) {
    return {[=] { return of_the_table(slip); },
            [=] { return rows_never_trained(slip); },
            [=] { return of_sinusoids_and_rotary(slip); },
            [=] { return of_the_bias(slip); },
            [=] { return shape_of_bias(slip); },
            [=] { return shape_of_turned(slip); },
            [=] { return keys_with_the_last_number(slip); },
            [=] { return kinds_that_take_100_tokens(slip); },
            [=] { return kinds_blind_to_order(slip); },
            [=] { return kinds_with_the_same_score(slip); },
            [=] { return kinds_that_find_it(slip); }};
}

// A 1 for each kind that is in the list, however often; the last is for what is none of the five.
using exercise::answer;

Stages answer(const std::string& question, const Kinds& kinds) {
    std::vector<std::int64_t> in(6, 0);
    for (const Kind kind : kinds) {
        const auto place = static_cast<std::size_t>(kind);
        in[std::min<std::size_t>(place, 5)] = 1;
    }
    return {{question, numbers(in)}};
}

Steps steps(const PositionPredictions& all) {
    return {
        [=] { return answer("the count for the table", all.of_the_table()); },
        [=] { return answer("the number of rows", all.rows_never_trained()); },
        [=] { return answer("the count for sinusoids and rotary", all.of_sinusoids_and_rotary()); },
        [=] { return answer("the count for the bias", all.of_the_bias()); },
        [=] { return answer("the shape of the bias", all.shape_of_bias()); },
        [=] { return answer("the shape of the turned queries", all.shape_of_turned()); },
        [=] { return answer("the number of keys", all.keys_with_the_last_number()); },
        [=] { return answer("the list for 100 tokens", all.take_100_tokens()); },
        [=] { return answer("the list for another order", all.blind_to_order()); },
        [=] { return answer("the list for 1000 places on", all.same_score_further_on()); },
        [=] { return answer("the list for texts of 64", all.find_it_in_long_texts()); },
    };
}

// Hints for the questions of one kind.
std::vector<Hole> holes() {
    const std::vector<std::string> of_counts = {
        "What shape has that which is learned?", "Lessons 10.2 to 10.5, a section for each kind",
        "P has a row for each position; a bias has an entry for each head and distance; of a "
        "formula, count what training changes",
        "parameters(positions) lists them, for LearnedPositions(50, 32, random) or others of "
        "nn/positions"};
    const std::vector<std::string> of_shapes = {
        "What is it added to, or what does it turn?", "Lessons 10.4 and 10.5 print such a result",
        "A bias has a number for each score, and each head has its own; a turned point is still a "
        "point",
        "Print RelativeBias(4, 8).bias(3, 5)->shape(), and the shape of turned(queries)"};
    const std::vector<std::string> of_keys = {
        "Which number does a key get that is further away than 8?", "The first lines of the file",
        "The distance j - i is limited to -8 on one side and 8 on the other",
        "Write the distances of keys 0 to 20 in a row, and the limited ones below them"};
    std::vector<Hole> all = {{"keys_with_the_last_number", {"the number of keys"}, of_keys}};
    for (const std::string question :
         {"of_the_table", "rows_never_trained", "of_sinusoids_and_rotary", "of_the_bias"}) {
        all.push_back({question, {}, of_counts});
    }
    all[1].stages = {"the count for the table", "the number of rows",
                     "the count for sinusoids and rotary", "the count for the bias"};
    all.push_back({"shape_of_bias", {"the shape of the bias"}, of_shapes});
    all.push_back({"shape_of_turned", {"the shape of the turned queries"}, of_shapes});
    return all;
}

}  // namespace

Exercise predict_positions(const PositionPredictions& predictions) {
    Exercise exercise;
    exercise.number = "10.3";
    exercise.title = "Which positions go on";
    exercise.secret = true;
    exercise.cases = {in_order(
        "your predictions", [](const Slips& slip) { return steps(slipping(slip)); },
        steps(predictions))};
    exercise.mistakes = predict_positions_mistakes();
    exercise.hints = {
        "Where does this kind enter: in the vectors, in queries and keys, or in the scores?",
        "Lesson 10 has a section on each kind, and 10.7 compares all five",
        "x + P[t]; x + PE[t]; q·k/√d_k + bias[j - i]; (R^i·q)·(R^j·k)",
        "parameters(positions) lists what is learned, and added_to, turned and bias of "
        "nn/positions show their results for any length"};
    exercise.holes = holes();
    return exercise;
}

Trials predict_positions_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return predict_positions(slipping(slip)); };
    trials.right["worked out on paper"] = [] {
        PositionPredictions all = slipping({});
        all.of_the_table = [] { return 1600; };
        all.rows_never_trained = [] { return 34; };
        all.of_sinusoids_and_rotary = [] { return 0; };
        all.of_the_bias = [] { return 68; };
        all.shape_of_bias = [] { return Shape({4, 3, 5}); };
        all.shape_of_turned = [] { return Shape({2, 4, 10, 8}); };
        all.keys_with_the_last_number = [] { return 13; };
        return predict_positions(all);
    };
    trials.right["lists in another order, a kind twice"] = [] {
        PositionPredictions all = slipping({});
        all.take_100_tokens = [] {
            return Kinds{Kind::rotary, Kind::bias, Kind::sinusoids, Kind::none, Kind::bias};
        };
        all.blind_to_order = [] { return Kinds{Kind::none, Kind::none}; };
        all.find_it_in_long_texts = [] { return Kinds{Kind::rotary, Kind::bias}; };
        return predict_positions(all);
    };
    return trials;
}

}  // namespace exercise
