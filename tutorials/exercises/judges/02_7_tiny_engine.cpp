#include "tutorials/exercises/judges/lesson_02.h"
#include "tutorials/exercises/judging/kit.h"
#include "tutorials/exercises/judging/steps.h"

using namespace heed;

namespace exercise {
namespace {
struct Entry {
    bool is_leaf;
    double value;
    std::vector<std::size_t> inputs;
    std::vector<double> local;
    double grad = 0;
};
using Tape = std::vector<Entry>;

Entry entry(const Instruction& step, const Tape& tape, const Slips& slip) {
    if (step.operation == 'x') return {true, step.value, {}, {}};
    const double a = tape[step.a].value;
    const double b = tape[step.b].value;
    const std::vector<std::size_t> inputs = {step.a, step.b};
    if (step.operation == '+') return {false, a + b, inputs, {1, 1}};
    if (step.operation == '-') {
        return {false, a - b, inputs, {1, slip("ag.sub-sign") ? 1.0 : -1.0}};
    }
    if (slip("ag.mul-own")) return {false, a * b, inputs, {a, b}};
    return {false, a * b, inputs, {b, a}};
}

void arrive(Entry& input, double part, const Slips& slip) {
    input.grad = slip("ag.overwrite") ? part : input.grad + part;
}

void first_come(Tape& tape, std::size_t i, std::vector<bool>& done, const Slips& slip) {
    if (done[i]) return;
    done[i] = true;
    for (std::size_t k = 0; k < tape[i].inputs.size(); ++k) {
        arrive(tape[tape[i].inputs[k]], tape[i].grad * tape[i].local[k], slip);
        first_come(tape, tape[i].inputs[k], done, slip);
    }
}

void at_once(Tape& tape, std::size_t i, const Slips& slip) {
    for (std::size_t k = 0; k < tape[i].inputs.size(); ++k) {
        arrive(tape[tape[i].inputs[k]], tape[i].grad * tape[i].local[k], slip);
        at_once(tape, tape[i].inputs[k], slip);
    }
}

void in_order_of_tape(Tape& tape, const Slips& slip) {
    for (std::size_t i = tape.size(); i-- > 0;) {
        if (slip("ag.one-input") && tape[i].inputs.size() == 2) tape[i].inputs.pop_back();
        for (std::size_t k = 0; k < tape[i].inputs.size(); ++k) {
            const double upstream = slip("ag.no-upstream") ? 1 : tape[i].grad;
            arrive(tape[tape[i].inputs[k]], upstream * tape[i].local[k], slip);
        }
    }
}

// The output begins with 1; if it is a leaf, that is added to what it had.
void begin(Tape& tape, const Slips& slip) {
    for (Entry& one : tape) {
        if (slip("ag.leaves-zeroed") || (!one.is_leaf && !slip("ag.no-zero"))) one.grad = 0;
    }
    Entry& output = tape.back();
    if (!output.is_leaf || slip("ag.output-set")) output.grad = 0;
    arrive(output, 1, slip);
}

void backward(Tape& tape, const Slips& slip) {
    begin(tape, slip);
    if (slip("ag.no-topo")) {
        std::vector<bool> done(tape.size(), false);
        first_come(tape, tape.size() - 1, done, slip);
    } else if (slip("ag.at-once")) {
        at_once(tape, tape.size() - 1, slip);
    } else {
        in_order_of_tape(tape, slip);
    }
}

std::vector<double> gradients_of(const Program& program, int passes, const Slips& slip) {
    Tape tape;
    for (const Instruction& step : program) tape.push_back(entry(step, tape, slip));
    for (int pass = 0; pass < passes; ++pass) backward(tape, slip);
    std::vector<double> gradients;
    for (const Entry& one : tape) {
        if (one.is_leaf) gradients.push_back(one.grad);
    }
    return gradients;
}

TinyEngine slipping(const Slips& slip) {
    return [=](const Program& program, int passes) { return gradients_of(program, passes, slip); };
}

std::vector<Mistake> mistakes() {
    return {
        {"ag.overwrite", "each contribution to a gradient replaced the one before it",
         "b = a + a: how many contributions has the gradient of a?",
         "Watch tape[0].grad in hand_on: what happens to the first one?",
         "grad += upstream·local, and for the output grad += 1",
         "tape[input].grad += tape[i].grad * tape[i].local[k] in hand_on, and tape[output].grad += "
         "1 in backward"},
        {"ag.no-topo",
         "an entry handed its gradient on as soon as it was reached, before it was complete",
         "In the diamond, which entries use p, and has p heard from both?",
         "Stop in hand_on at i = 1 and look at tape[1].grad: will it still change?",
         "an entry hands on after all that use it; these are all behind it on the tape",
         "for (std::size_t i = output + 1; i-- > 0;) hand_on(i) in backward, where hand_on adds to "
         "the inputs of i and calls nothing"},
        {"ag.at-once",
         "an entry handed on all it had each time something arrived, so that the first "
         "contribution was handed on twice",
         "How often may an entry hand on its gradient?",
         "Stop in hand_on and count the calls for each i."},
        {"ag.no-zero",
         "a second pass began with the gradients that the first had left in the entries that are "
         "no leaves",
         "Whose grad must outlive a pass, and whose not?",
         "Look at tape[1].grad when the second backward begins.",
         "each entry that is no leaf begins a pass with 0",
         "for (Entry& entry : tape), entry.grad = 0 where entry.inputs is not empty, before the "
         "output gets its 1"},
        {"ag.leaves-zeroed", "each pass erased what the one before had given to the leaves",
         "Whose grad must outlive a pass, and whose not?",
         "Look at tape[0].grad when the second backward begins."},
        {"ag.output-set",
         "the grad of the output was set to 1 in each pass, even where the output is a leaf",
         "What is d(output)/d(leaf), if the leaf is the output?",
         "Look at the first line of backward that writes a grad: what if it is that of a leaf?"},
        {"ag.no-upstream", "each entry handed on its local slopes alone",
         "Which two numbers does the chain rule multiply?", "Look at what is added to grad."},
        {"ag.one-input", "only the first input of each entry got anything",
         "How many inputs has a product?", "How often does the loop over k run?"},
        {"ag.mul-own", "each factor of a product had its own value as the slope",
         "If a moves by h, by how much does a·b move?", "Look at local in times."},
        {"ag.sub-sign", "the second input of a difference had the slope +1",
         "If b grows, does a - b grow?", "Look at local in minus."},
    };
}

// An entry added to itself, 15 times over: there are 2^15 paths from the output to the leaf.
Program doubled() {
    Program program = {{'x', 1, 0, 0}};
    for (std::size_t i = 0; i < 15; ++i) program.push_back({'+', 0, i, i});
    return program;
}

// a + b - b + b - b …: 100 entries in a row.
Program chain() {
    Program program = {{'x', 0.5, 0, 0}, {'x', -1, 0, 0}, {'+', 0, 0, 1}};
    for (std::size_t i = 2; i < 100; ++i) program.push_back({i % 3 == 0 ? '-' : '+', 0, i, 1});
    return program;
}

Inputs<Program> inputs() {
    const Program diamond = {{'x', 2, 0, 0}, {'*', 0, 0, 0}, {'+', 0, 0, 1}, {'*', 0, 1, 2}};
    return {
        {"b = a + a, c = b·b", {{'x', 3, 0, 0}, {'+', 0, 0, 0}, {'*', 0, 1, 1}}},
        {"d = a·b - c",
         {{'x', 3, 0, 0}, {'x', -2, 0, 0}, {'x', 5, 0, 0}, {'*', 0, 0, 1}, {'-', 0, 3, 2}}},
        {"the diamond p = x·x, q = x + p, y = p·q", diamond},
        {"u = w·x, v = u - w, y = v·u - x·v",
         {{'x', 1.5, 0, 0},
          {'x', -0.7, 0, 0},
          {'*', 0, 0, 1},
          {'-', 0, 2, 0},
          {'*', 0, 3, 2},
          {'*', 0, 1, 3},
          {'-', 0, 4, 5}}},
        {"y = (a - b)·c + z·a + (a - a)·c, where a - b, a - a and z are 0",
         {{'x', 2, 0, 0},
          {'x', 2, 0, 0},
          {'x', 1.5, 0, 0},
          {'x', 0, 0, 0},
          {'-', 0, 0, 1},
          {'*', 0, 4, 2},
          {'*', 0, 3, 0},
          {'+', 0, 5, 6},
          {'-', 0, 0, 0},
          {'*', 0, 8, 2},
          {'+', 0, 7, 9}}},
        {"a leaf that is made last, y = (a·b - a)·c",
         {{'x', 0.3, 0, 0},
          {'x', 1.7, 0, 0},
          {'*', 0, 0, 1},
          {'-', 0, 2, 0},
          {'x', -2.5, 0, 0},
          {'*', 0, 3, 4}}},
        {"entries that the output is not made from",
         {{'x', 1.2, 0, 0},
          {'x', 0.4, 0, 0},
          {'*', 0, 0, 1},
          {'x', 7, 0, 0},
          {'*', 0, 2, 3},
          {'+', 0, 2, 0},
          {'-', 0, 5, 4},
          {'*', 0, 5, 2}}},
        {"b·a + (b + a·a)·a, with b made from a",
         {{'x', -0.6, 0, 0},
          {'-', 0, 0, 0},
          {'+', 0, 1, 0},
          {'*', 0, 0, 0},
          {'+', 0, 2, 3},
          {'*', 0, 4, 0},
          {'*', 0, 2, 0},
          {'+', 0, 6, 5}}},
        {"a leaf alone", {{'x', 6, 0, 0}}},
        {"a leaf that is the output, behind x·x",
         {{'x', 3, 0, 0}, {'*', 0, 0, 0}, {'x', 0.2, 0, 0}}},
        {"a leaf that is never used, y = x·x", {{'x', 2, 0, 0}, {'x', 5, 0, 0}, {'*', 0, 0, 0}}},
        {"y = x·u - x·v, with u = 100000001 and v = 100000000",
         {{'x', 3, 0, 0},
          {'x', 1e8 + 1, 0, 0},
          {'x', 1e8, 0, 0},
          {'*', 0, 0, 1},
          {'*', 0, 0, 2},
          {'-', 0, 3, 4}}},
        {"an entry added to itself, 15 times over", doubled()},
        {"a chain of 100 entries", chain()},
        {"the diamond once more", diamond},
    };
}

Cases<TinyEngine> cases() {
    const auto after = [](const std::string& name, int passes) {
        return [=](const TinyEngine& f, const Program& program) {
            return Stages{{name, numbers(f(program, passes))}};
        };
    };
    const Steps<TinyEngine, Program> steps = {
        after("the gradient of the leaves", 1), after("their gradient after two passes", 2),
        after("their gradient after three passes", 3), after("their gradient after five passes", 5),
        after("their gradient before any pass", 0)};
    return on_each<TinyEngine>(in_order(steps, slipping({})), inputs());
}

Rules<TinyEngine> rules() {
    return {
        .number = "02.7",
        .title = "A tiny engine that is wrong",
        .reference = slipping,
        .cases = cases(),
        .mistakes = mistakes(),
        .hints =
            {"What are the gradients of a and b in b = a + a, c = b·b, worked out by hand?",
             "Stop in hand_on and write down tape[0].grad and tape[1].grad after every change",
             "first one pass of b = a + a: do both contributions count? Then the diamond: is the "
             "gradient of p complete when p hands it on? Then two passes: what is left of the "
             "first?",
             "where b = a + a is wrong, hand_on assigns; where the diamond is wrong, the order is; "
             "where two passes are wrong, some grad should have been 0 before, or should not"},
    };
}

}  // namespace

const Judge<TinyEngine> judge_02_7(rules);

}  // namespace exercise
