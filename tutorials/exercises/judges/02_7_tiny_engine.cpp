#include "tutorials/exercises/judges/02_7_tiny_engine.h"

#include "tutorials/exercises/judges/common_steps.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/variable.h"

#include <sstream>

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

void backward(Tape& tape, const Slips& slip) {
    for (Entry& one : tape) {
        if (slip("ag.leaves-zeroed") || (!one.is_leaf && !slip("ag.no-zero"))) one.grad = 0;
    }
    tape.back().grad = 1;
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

struct Input {
    std::string name;
    Program program;
};

std::vector<Input> inputs() {
    return {
        {"d = a·b - c",
         {{'x', 3, 0, 0}, {'x', -2, 0, 0}, {'x', 5, 0, 0}, {'*', 0, 0, 1}, {'-', 0, 3, 2}}},
        {"b = a + a, c = b·b", {{'x', 3, 0, 0}, {'+', 0, 0, 0}, {'*', 0, 1, 1}}},
        {"the diamond p = x·x, q = x + p, y = p·q",
         {{'x', 2, 0, 0}, {'*', 0, 0, 0}, {'+', 0, 0, 1}, {'*', 0, 1, 2}}},
        {"u = w·x, v = u - w, y = v·u - x·v",
         {{'x', 1.5, 0, 0},
          {'x', -0.7, 0, 0},
          {'*', 0, 0, 1},
          {'-', 0, 2, 0},
          {'*', 0, 3, 2},
          {'*', 0, 1, 3},
          {'-', 0, 4, 5}}},
    };
}

Tensor as_tensor(const std::vector<double>& gradients) {
    const std::vector<Scalar> entries(gradients.begin(), gradients.end());
    return tensor::from_vector(entries, {static_cast<std::int64_t>(entries.size())});
}

Steps steps(const TinyEngine& f, const Program& program) {
    return {[=] {
                return Stages{{"what the leaves get", as_tensor(f(program, 1))}};
            },
            [=] {
                return Stages{{"what two passes add up to", as_tensor(f(program, 2))}};
            }};
}

TinyEngine slipping(const Slips& slip) {
    return [=](const Program& program, int passes) { return gradients_of(program, passes, slip); };
}

Case on(const Input& in, const TinyEngine& f) {
    return in_order(
        in.name, [=](const Slips& slip) { return steps(slipping(slip), in.program); },
        steps(f, in.program));
}

// Fifteen additions of an entry to itself: there are 2^15 paths from the output to the leaf.
std::string doubled(const TinyEngine& f) {
    Program program = {{'x', 1, 0, 0}};
    for (std::size_t i = 0; i < 15; ++i) program.push_back({'+', 0, i, i});
    const double slope = f(program, 1).at(0);
    if (slope == 32768) return "";
    std::ostringstream said;
    said << "An entry added to itself, 15 times over, has slope " << slope
         << " and not 2^15 = 32768.";
    return said.str();
}

std::vector<Mistake> mistakes() {
    return {
        {"ag.overwrite",
         "what arrives at an entry wrote over what had arrived before",
         {"b = a + a: how many parts does the gradient of a have?",
          "Watch tape[0].grad in hand_on: does it ever forget?"}},
        {"ag.no-topo",
         "an entry handed its gradient on when it was first reached, before all of it had arrived",
         {"In the diamond, which entries use p, and when has p heard from both?",
          "Stop in hand_on at i = 1 and look at tape[1].grad; will more come?"}},
        {"ag.at-once",
         "an entry handed on all it had each time something arrived, so that the first part went "
         "on twice",
         {"How often may an entry hand on?", "Stop in hand_on and count the calls for each i."}},
        {"ag.no-zero",
         "a second pass began with what the first had left in the entries between",
         {"Whose grad should outlive a pass, and whose not?",
          "Look at tape[1].grad when the second backward begins."}},
        {"ag.leaves-zeroed",
         "each pass forgot what the one before had given to the leaves",
         {"Whose grad should outlive a pass, and whose not?",
          "Look at tape[0].grad when the second backward begins."}},
        {"ag.no-upstream",
         "each entry handed on its local slopes alone",
         {"Which two numbers does the chain rule multiply?", "Look at what is added to grad."}},
        {"ag.one-input",
         "only the first input of each entry heard of it",
         {"How many inputs has a product?", "How often does the loop over k turn?"}},
        {"ag.mul-own",
         "each factor of a product got itself as the slope",
         {"If a moves by h, by how much does a·b move?", "Look at local in times."}},
        {"ag.sub-sign",
         "the second input of a difference got the slope +1",
         {"If b grows, does a - b grow?", "Look at local in minus."}},
    };
}

}  // namespace

Exercise tiny_engine(const TinyEngine& f) {
    Exercise exercise;
    exercise.number = "02.7";
    exercise.title = "A tiny engine that is wrong";
    for (const Input& in : inputs()) exercise.cases.push_back(on(in, f));
    exercise.laws = {{"slopes multiply along the way", [=] { return doubled(f); }}};
    exercise.mistakes = mistakes();
    exercise.hints = {
        "Which of the three promises in the file's head does b = a + a, c = b·b break first?",
        "Stop in hand_on and write tape[0].grad and tape[1].grad down after every change",
        "grad += upstream·local, in an order in which all users of an entry come before it; what "
        "is no leaf begins each pass with 0",
        "for (std::size_t i = output + 1; i-- > 0;) hand_on(i), where hand_on adds to each input "
        "and calls nobody; before it, entry.grad = 0 where entry.inputs is not empty"};
    return exercise;
}

Trials tiny_engine_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return tiny_engine(slipping(slip)); };
    trials.right["by the library"] = [] {
        return tiny_engine([](const Program& program, int passes) {
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
            for (const Variable& one : leaves) gradients.push_back(one.grad().item());
            return gradients;
        });
    };
    return trials;
}

}  // namespace exercise
