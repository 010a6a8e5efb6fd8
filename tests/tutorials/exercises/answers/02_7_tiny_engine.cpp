// Answers to 02.7.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_02.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "nn/heed.h"

using namespace exercise;

namespace {
using Place = std::size_t;

struct Entry {
    double value;
    std::vector<Place> inputs;
    std::vector<double> local;
    double grad = 0;
};
using Tape = std::vector<Entry>;

using Record = void (*)(Tape& tape, const Instruction& step);
using Backward = void (*)(Tape& tape, Place output);

void record(Tape& tape, const Instruction& step) {
    if (step.operation == 'x') return tape.push_back({step.value, {}, {}});
    const double a = tape[step.a].value, b = tape[step.b].value;
    if (step.operation == '+') tape.push_back({a + b, {step.a, step.b}, {1, 1}});
    if (step.operation == '-') tape.push_back({a - b, {step.a, step.b}, {1, -1}});
    if (step.operation == '*') tape.push_back({a * b, {step.a, step.b}, {b, a}});
}

std::vector<double> leaf_gradients(const Program& program, int passes, Backward backward,
                                   Record recorded) {
    Tape tape;
    for (const Instruction& step : program) recorded(tape, step);
    for (int pass = 0; pass < passes; ++pass) backward(tape, program.size() - 1);
    std::vector<double> gradients;
    for (const Entry& entry : tape) {
        if (entry.inputs.empty()) gradients.push_back(entry.grad);
    }
    return gradients;
}

void forget_last_pass(Tape& tape) {
    for (Entry& entry : tape) {
        if (!entry.inputs.empty()) entry.grad = 0;
    }
}

void start(Tape& tape, Place output) {
    forget_last_pass(tape);
    tape[output].grad += 1;
}

void add_to_inputs(Tape& tape, const Entry& entry) {
    for (Place k = 0; k < entry.inputs.size(); ++k) {
        tape[entry.inputs[k]].grad += entry.grad * entry.local[k];
    }
}

void from_the_end(Tape& tape, Place output) {
    for (Place i = output + 1; i-- > 0;) add_to_inputs(tape, tape[i]);
}

void mended(Tape& tape, Place output) {
    start(tape, output);
    from_the_end(tape, output);
}

enum class Handing { assigns, adds };

void hand_on(Tape& tape, Place i, std::vector<bool>& done, Handing how) {
    if (done[i]) return;
    done[i] = true;
    for (Place k = 0; k < tape[i].inputs.size(); ++k) {
        Entry& input = tape[tape[i].inputs[k]];
        if (how == Handing::assigns) input.grad = 0;
        input.grad += tape[i].grad * tape[i].local[k];
        hand_on(tape, tape[i].inputs[k], done, how);
    }
}

void as_it_was(Tape& tape, Place output) {
    tape[output].grad = 1;
    std::vector<bool> done(tape.size(), false);
    hand_on(tape, output, done, Handing::assigns);
}

void only_adds(Tape& tape, Place output) {
    tape[output].grad = 1;
    std::vector<bool> done(tape.size(), false);
    hand_on(tape, output, done, Handing::adds);
}

void depth_first_order(Tape& tape, Place output) {
    start(tape, output);
    std::vector<bool> done(tape.size(), false);
    hand_on(tape, output, done, Handing::adds);
}

void keeps_the_last_pass(Tape& tape, Place output) {
    tape[output].grad = tape[output].inputs.empty() ? tape[output].grad + 1 : 1;
    from_the_end(tape, output);
}

void forgets_leaves_too(Tape& tape, Place output) {
    for (Entry& entry : tape) entry.grad = 0;
    tape[output].grad = 1;
    from_the_end(tape, output);
}

void order_only(Tape& tape, Place output) {
    forget_last_pass(tape);
    tape[output].grad = 1;
    for (Place i = output + 1; i-- > 0;) {
        for (Place k = 0; k < tape[i].inputs.size(); ++k) {
            tape[tape[i].inputs[k]].grad = tape[i].grad * tape[i].local[k];
        }
    }
}

void leaf_as_output_is_set(Tape& tape, Place output) {
    forget_last_pass(tape);
    tape[output].grad = 1;
    from_the_end(tape, output);
}

void leaves_come_first(Tape& tape, Place output) {
    Place first = 0;
    while (first < tape.size() && tape[first].inputs.empty()) ++first;
    for (Place i = first; i < tape.size(); ++i) tape[i].grad = 0;
    tape[output].grad += 1;
    from_the_end(tape, output);
}

void forgets_what_the_output_uses(Tape& tape, Place output) {
    for (Place input : tape[output].inputs) {
        if (!tape[input].inputs.empty()) tape[input].grad = 0;
    }
    tape[output].grad = tape[output].inputs.empty() ? tape[output].grad + 1 : 1;
    from_the_end(tape, output);
}

void breadth_first(Tape& tape, Place output) {
    start(tape, output);
    std::vector<bool> seen(tape.size(), false);
    std::vector<Place> queue = {output};
    for (Place i = 0; i < queue.size(); ++i) {
        add_to_inputs(tape, tape[queue[i]]);
        for (Place input : tape[queue[i]].inputs) {
            if (!seen[input]) queue.push_back(input);
            seen[input] = true;
        }
    }
}

// Counts the users of an entry among all entries, also those that the output was not made from.
void waits_for_unused_entries(Tape& tape, Place output) {
    start(tape, output);
    std::vector<int> users(tape.size(), 0);
    for (const Entry& entry : tape) {
        for (Place input : entry.inputs) ++users[input];
    }
    std::vector<Place> ready = {output};
    for (Place i = 0; i < ready.size(); ++i) {
        add_to_inputs(tape, tape[ready[i]]);
        for (Place input : tape[ready[i]].inputs) {
            if (--users[input] == 0) ready.push_back(input);
        }
    }
}

void twice_the_first_part(Tape& tape, Place output) {
    start(tape, output);
    for (Place i = output + 1; i-- > 0;) {
        const Entry& entry = tape[i];
        if (entry.inputs.empty() || entry.inputs[0] != entry.inputs[1]) {
            add_to_inputs(tape, entry);
        } else {
            tape[entry.inputs[0]].grad += 2 * entry.grad * entry.local[0];
        }
    }
}

void one_part_for_a_twin(Tape& tape, Place output) {
    start(tape, output);
    for (Place i = output + 1; i-- > 0;) {
        const Entry& entry = tape[i];
        for (Place k = 0; k < entry.inputs.size(); ++k) {
            if (k == 1 && entry.inputs[0] == entry.inputs[1]) continue;
            tape[entry.inputs[k]].grad += entry.grad * entry.local[k];
        }
    }
}

void nothing_for_a_zero(Tape& tape, Place output) {
    start(tape, output);
    for (Place i = output + 1; i-- > 0;) {
        for (Place k = 0; k < tape[i].inputs.size(); ++k) {
            Entry& input = tape[tape[i].inputs[k]];
            if (input.value != 0) input.grad += tape[i].grad * tape[i].local[k];
        }
    }
}

// The parts of each entry are collected first. The 0 makes their sum an int.
void sum_of_parts_is_an_int(Tape& tape, Place output) {
    std::vector<std::vector<double>> parts(tape.size());
    forget_last_pass(tape);
    parts[output].push_back(1);
    for (Place i = output + 1; i-- > 0;) {
        tape[i].grad += std::accumulate(parts[i].begin(), parts[i].end(), 0);
        for (Place k = 0; k < tape[i].inputs.size(); ++k) {
            parts[tape[i].inputs[k]].push_back(tape[i].grad * tape[i].local[k]);
        }
    }
}

void ten_entries_at_most(Tape& tape, Place output) {
    std::array<double, 10> grads = {};
    if (output < grads.size()) grads[output] = 1;
    for (Place i = std::min(output + 1, grads.size()); i-- > 0;) {
        for (Place k = 0; k < tape[i].inputs.size(); ++k) {
            grads[tape[i].inputs[k]] += grads[i] * tape[i].local[k];
        }
        tape[i].grad = grads[i] + (tape[i].inputs.empty() ? tape[i].grad : 0);
    }
}

void output_starts_with_one_more(Tape& tape, Place output) {
    tape[output].grad += 1;
    from_the_end(tape, output);
}

void the_output_only_is_cleared(Tape& tape, Place output) {
    tape[output].grad = 1;
    from_the_end(tape, output);
}

// Cleans up behind itself, but begins at the last entry that has inputs.
void from_the_last_with_inputs(Tape& tape, Place output) {
    while (output > 0 && tape[output].inputs.empty()) --output;
    start(tape, output);
    from_the_end(tape, output);
}

void the_larger_part_wins(Tape& tape, Place output) {
    start(tape, output);
    for (Place i = output + 1; i-- > 0;) {
        for (Place k = 0; k < tape[i].inputs.size(); ++k) {
            Entry& input = tape[tape[i].inputs[k]];
            const double part = tape[i].grad * tape[i].local[k];
            input.grad = input.inputs.empty() ? input.grad + part : std::max(input.grad, part);
        }
    }
}

void second_pass_doubles(Tape& tape, Place output) {
    std::vector<double> before;
    for (const Entry& entry : tape) before.push_back(entry.grad);
    for (Entry& entry : tape) entry.grad = 0;
    tape[output].grad = 1;
    from_the_end(tape, output);
    for (Place i = 0; i < tape.size(); ++i) {
        if (tape[i].inputs.empty() && before[i] != 0) tape[i].grad = 2 * before[i];
    }
}

void an_unused_leaf_gets_1(Tape& tape, Place output) {
    start(tape, output);
    for (Place i = output + 1; i-- > 0;) {
        if (tape[i].grad == 0 && tape[i].inputs.empty()) tape[i].grad = 1;
        add_to_inputs(tape, tape[i]);
    }
}

void gradients_in_float(Tape& tape, Place output) {
    start(tape, output);
    for (Place i = output + 1; i-- > 0;) {
        for (Place k = 0; k < tape[i].inputs.size(); ++k) {
            double& grad = tape[tape[i].inputs[k]].grad;
            grad = static_cast<float>(grad + tape[i].grad * tape[i].local[k]);
        }
    }
}

void up_to_an_entry_without_gradient(Tape& tape, Place output) {
    start(tape, output);
    for (Place i = output + 1; i-- > 0 && tape[i].grad != 0;) add_to_inputs(tape, tape[i]);
}

void nothing_from_a_zero(Tape& tape, Place output) {
    start(tape, output);
    for (Place i = output + 1; i-- > 0;) {
        if (tape[i].value != 0) add_to_inputs(tape, tape[i]);
    }
}

void no_negative_gradients_between(Tape& tape, Place output) {
    start(tape, output);
    for (Place i = output + 1; i-- > 0;) {
        if (!tape[i].inputs.empty()) tape[i].grad = std::max(tape[i].grad, 0.0);
        add_to_inputs(tape, tape[i]);
    }
}

void only_the_first_sixty(Tape& tape, Place output) {
    start(tape, output);
    int steps = 0;
    for (Place i = output + 1; i-- > 0 && steps < 60; ++steps) add_to_inputs(tape, tape[i]);
}

std::vector<double> right_gradients(const Program& program, int passes) {
    return leaf_gradients(program, passes, mended, record);
}

std::vector<double> three_passes_at_most(const Program& program, int passes) {
    return right_gradients(program, std::min(passes, 3));
}

std::vector<double> one_pass_at_least(const Program& program, int passes) {
    return right_gradients(program, std::max(passes, 1));
}

std::vector<double> cleared_before_the_second_pass(const Program& program, int passes) {
    Tape tape;
    for (const Instruction& step : program) record(tape, step);
    for (int pass = 0; pass < passes; ++pass) {
        if (pass == 1) forget_last_pass(tape);
        keeps_the_last_pass(tape, program.size() - 1);
    }
    std::vector<double> gradients;
    for (const Entry& entry : tape) {
        if (entry.inputs.empty()) gradients.push_back(entry.grad);
    }
    return gradients;
}

std::vector<double> without_unused_leaves(const Program& program, int passes) {
    std::vector<bool> used(program.size(), false);
    used.back() = true;
    for (const Instruction& step : program) {
        if (step.operation != 'x') used[step.a] = used[step.b] = true;
    }
    const std::vector<double> all = right_gradients(program, passes);
    std::vector<double> gradients;
    Place leaf = 0;
    for (Place i = 0; i < program.size(); ++i) {
        if (program[i].operation != 'x') continue;
        if (used[i]) gradients.push_back(all[leaf]);
        ++leaf;
    }
    return gradients;
}

// Leaves are looked up by their value.
std::vector<double> equal_leaves_are_one(const Program& program, int passes) {
    std::map<double, Place> first;
    Program merged = program;
    const auto leaf_or_entry = [&](Place i) {
        return program[i].operation == 'x' ? first.at(program[i].value) : i;
    };
    for (Place i = 0; i < program.size(); ++i) {
        if (program[i].operation == 'x') {
            first.try_emplace(program[i].value, i);
        } else {
            merged[i].a = leaf_or_entry(program[i].a);
            merged[i].b = leaf_or_entry(program[i].b);
        }
    }
    return right_gradients(merged, passes);
}

std::vector<double> one_pass_multiplied(const Program& program, int passes) {
    std::vector<double> gradients = right_gradients(program, 1);
    for (double& gradient : gradients) gradient *= passes;
    return gradients;
}

// An entry is cleared as soon as it has handed on.
void cleared_while_handing_on(Tape& tape, Place output) {
    tape[output].grad += 1;
    for (Place i = output + 1; i-- > 0;) {
        if (tape[i].inputs.empty()) continue;
        add_to_inputs(tape, tape[i]);
        tape[i].grad = 0;
    }
}

void start_as_last_time(Tape& tape, Place output) {
    const bool is_leaf = tape[output].inputs.empty();
    tape[output].grad = is_leaf ? tape[output].grad + 1 : 1;
}

void cleared_by_each_user(Tape& tape, Place output) {
    start_as_last_time(tape, output);
    for (Place i = output + 1; i-- > 0;) {
        for (const Place input : tape[i].inputs) {
            if (!tape[input].inputs.empty()) tape[input].grad = 0;
        }
        add_to_inputs(tape, tape[i]);
    }
}

void cleared_unless_the_value_is_0(Tape& tape, Place output) {
    for (Entry& entry : tape) {
        if (!entry.inputs.empty() && entry.value != 0) entry.grad = 0;
    }
    start_as_last_time(tape, output);
    from_the_end(tape, output);
}

// By the first of its users, and only if the output is made from that.
void cleared_by_the_first_user(Tape& tape, Place output) {
    std::vector<bool> reached(tape.size(), false);
    reached[output] = true;
    start_as_last_time(tape, output);
    for (Place i = output + 1; i-- > 0;) {
        if (!reached[i]) continue;
        for (const Place input : tape[i].inputs) {
            if (!reached[input] && !tape[input].inputs.empty()) tape[input].grad = 0;
            reached[input] = true;
        }
        add_to_inputs(tape, tape[i]);
    }
}

void along_every_path(Tape& tape, Place i, double slope) {
    if (tape[i].inputs.empty()) tape[i].grad += slope;
    for (Place k = 0; k < tape[i].inputs.size(); ++k) {
        along_every_path(tape, tape[i].inputs[k], slope * tape[i].local[k]);
    }
}

void path_by_path(Tape& tape, Place output) { along_every_path(tape, output, 1); }

void sign_of_minus_lost(Tape& tape, const Instruction& step) {
    record(tape, step);
    if (step.operation == '-') tape.back().local = {1, 1};
}

void product_keeps_own_factor(Tape& tape, const Instruction& step) {
    record(tape, step);
    if (step.operation == '*') std::swap(tape.back().local[0], tape.back().local[1]);
}

// Forward: d(entry)/d(leaf) for one leaf after another, no backward pass at all.
std::vector<double> leaf_by_leaf(const Program& program, int passes) {
    Tape tape;
    for (const Instruction& step : program) record(tape, step);
    std::vector<double> gradients;
    for (Place leaf = 0; leaf < tape.size(); ++leaf) {
        if (!tape[leaf].inputs.empty()) continue;
        std::vector<double> slope(tape.size(), 0);
        for (Place i = 0; i < tape.size(); ++i) {
            slope[i] = i == leaf ? 1 : 0;
            for (Place k = 0; k < tape[i].inputs.size(); ++k) {
                slope[i] += tape[i].local[k] * slope[tape[i].inputs[k]];
            }
        }
        gradients.push_back(passes * slope.back());
    }
    return gradients;
}

// A pass has gradients of its own, and the leaves are added up at its end.
void grads_beside_the_tape(Tape& tape, Place output) {
    std::vector<double> grads(tape.size(), 0);
    grads[output] = 1;
    for (Place i = output; i > 0; --i) {
        for (Place k = 0; k < tape[i].inputs.size(); ++k) {
            grads[tape[i].inputs[k]] += grads[i] * tape[i].local[k];
        }
    }
    for (Place i = 0; i < tape.size(); ++i) {
        tape[i].grad = tape[i].inputs.empty() ? tape[i].grad + grads[i] : grads[i];
    }
}

std::vector<double> by_the_library(const Program& program, int passes) {
    using namespace heed;
    std::vector<Variable> tape, leaves;
    for (const Instruction& step : program) {
        if (step.operation == 'x') {
            tape.emplace_back(tensor::of(step.value), requires_grad);
            leaves.push_back(tape.back());
        }
        if (step.operation == '+') tape.push_back(tape[step.a] + tape[step.b]);
        if (step.operation == '-') tape.push_back(tape[step.a] - tape[step.b]);
        if (step.operation == '*') tape.push_back(tape[step.a] * tape[step.b]);
    }
    for (int pass = 0; pass < passes; ++pass) tape.back().backward({.retain_graph = true});
    std::vector<double> gradients;
    for (const Variable& one : leaves) {
        gradients.push_back(one.has_grad() ? one.grad().item() : 0);
    }
    return gradients;
}

using Names = std::vector<std::string>;

Answer answer(const std::string& what, Backward backward, const Names& names = {},
              Record recorded = record) {
    const TinyEngine engine = [=](const Program& program, int passes) {
        return leaf_gradients(program, passes, backward, recorded);
    };
    return {what, [engine] { return judge_02_7(engine); }, names};
}

Answer engine(const std::string& what, const TinyEngine& engine, const Names& names = {}) {
    return {what, [engine] { return judge_02_7(engine); }, names};
}

}  // namespace

Answers answers_02_7() {
    Answers answers;
    answers.number = "02.7";
    answers.slipping = slipping(judge_02_7);
    answers.wrong = {
        answer("as it was", as_it_was, {"ag.overwrite", "ag.no-topo"}),
        answer("adds, in the old order, and keeps the last pass", only_adds,
               {"ag.no-topo", "ag.no-zero"}),
        answer("depth first", depth_first_order, {"ag.no-topo"}),
        answer("breadth first", breadth_first),
        answer("entries between leaves and output keep the last pass", keeps_the_last_pass,
               {"ag.no-zero"}),
        answer("leaves lose the last pass too", forgets_leaves_too, {"ag.leaves-zeroed"}),
        answer("in order, but assigns", order_only, {"ag.overwrite"}),
        answer("a leaf as output is set to 1 in each pass", leaf_as_output_is_set,
               {"ag.output-set"}),
        answer("a leaf behind other entries loses the last pass", leaves_come_first),
        answer("only the output's inputs lose the last pass", forgets_what_the_output_uses),
        answer("waits for users that the output does not need", waits_for_unused_entries),
        answer("an input used twice gets the first part twice", twice_the_first_part),
        answer("an input used twice in one entry gets one part", one_part_for_a_twin),
        answer("an entry of value 0 gets nothing", nothing_for_a_zero),
        answer("parts are summed as integers", sum_of_parts_is_an_int),
        answer("ten entries at most", ten_entries_at_most),
        answer("1 more for the output in each pass", output_starts_with_one_more),
        answer("only the output is cleared, a leaf too", the_output_only_is_cleared,
               {"ag.no-zero", "ag.output-set"}),
        answer("begins at the last entry that is no leaf", from_the_last_with_inputs),
        answer("the larger contribution stays", the_larger_part_wins),
        answer("a pass doubles what there is", second_pass_doubles),
        answer("entries are cleared by each that uses them", cleared_by_each_user),
        answer("entries are cleared unless their value is 0", cleared_unless_the_value_is_0),
        answer("a leaf without users gets 1", an_unused_leaf_gets_1),
        answer("gradients are floats", gradients_in_float),
        answer("ends at an entry without gradient", up_to_an_entry_without_gradient),
        answer("an entry of value 0 hands nothing on", nothing_from_a_zero),
        answer("no gradient between leaves and output is negative", no_negative_gradients_between),
        answer("sixty entries from the end", only_the_first_sixty),
        engine("three passes at most", three_passes_at_most),
        engine("one pass at least", one_pass_at_least),
        engine("the last pass is forgotten before the second only", cleared_before_the_second_pass),
        engine("leaves that nothing uses are left out", without_unused_leaves),
        engine("leaves of the same value are one", equal_leaves_are_one),
        answer("new: minus has lost its sign", mended, {"ag.sub-sign"}, sign_of_minus_lost),
        answer("new: factors of a product mixed up", mended, {"ag.mul-own"},
               product_keeps_own_factor),
    };
    answers.right = {
        answer("gradients of a pass beside the tape", grads_beside_the_tape),
        engine("forward, leaf by leaf", leaf_by_leaf),
        engine("one pass, multiplied", one_pass_multiplied),
        answer("entries are cleared while they hand on", cleared_while_handing_on),
        answer("entries are cleared by the first that uses them", cleared_by_the_first_user),
        answer("the products of slopes along every path", path_by_path),
        engine("by the library", by_the_library),
    };
    return answers;
}
