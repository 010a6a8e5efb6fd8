// 02.7 A tiny engine that is wrong                           hunt · 25 minutes · about 12 lines
//
// An autograd engine for single numbers, like the tape of lesson 02.2. It compiles, it runs, its
// values are right, and its gradients are wrong: there are three faults in it, one of them in two
// places. What it promises:
//   · backward(output) adds d(output)/d(leaf) to the grad of every leaf: an entry that is used
//     twice gets both contributions, and a leaf gets those of all passes;
//   · the output may be any entry, a leaf too: then each pass adds 1 to its grad;
//   · whatever one pass leaves in the other entries does not change what the next one adds;
//   · entries are only made from earlier ones; the output need not be made from all of them.
// Begin with b = a + a, c = b·b at a = 3 (dc/da = 24): stop in backward, and look at tape[0].grad
// after every change. The key d in the runner starts the debugger there.
#include "tutorials/exercises/judges/lesson_02.h"

using exercise::Instruction;
using exercise::Program;

struct Entry {
    double value;
    std::vector<std::size_t> inputs;
    std::vector<double> local;  // d(value)/d(input), for each input
    double grad = 0;
};

struct Engine {
    std::vector<Entry> tape;

    void leaf(double value) { tape.push_back({value, {}, {}}); }
    void plus(std::size_t a, std::size_t b) {
        tape.push_back({tape[a].value + tape[b].value, {a, b}, {1, 1}});
    }
    void minus(std::size_t a, std::size_t b) {
        tape.push_back({tape[a].value - tape[b].value, {a, b}, {1, -1}});
    }
    void times(std::size_t a, std::size_t b) {
        tape.push_back({tape[a].value * tape[b].value, {a, b}, {tape[b].value, tape[a].value}});
    }

    // begin stub, stop in Engine::backward
    //     // Passes the gradient of entry i on to its inputs, and from there to theirs.
    //     void hand_on(std::size_t i, std::vector<bool>& done) {
    //         if (done[i]) return;
    //         done[i] = true;
    //         for (std::size_t k = 0; k < tape[i].inputs.size(); ++k) {
    //             const std::size_t input = tape[i].inputs[k];
    //             tape[input].grad = tape[i].grad * tape[i].local[k];
    //             hand_on(input, done);
    //         }
    //     }
    //
    //     void backward(std::size_t output) {
    //         tape[output].grad = 1;
    //         std::vector<bool> done(tape.size(), false);
    //         hand_on(output, done);
    //     }
    // begin solution
    void hand_on(std::size_t i) {
        for (std::size_t k = 0; k < tape[i].inputs.size(); ++k) {
            tape[tape[i].inputs[k]].grad += tape[i].grad * tape[i].local[k];
        }
    }

    // Every entry is used only by later ones: going from last to first, each gradient is complete.
    void backward(std::size_t output) {
        for (Entry& entry : tape) {
            if (!entry.inputs.empty()) entry.grad = 0;
        }
        tape[output].grad += 1;
        for (std::size_t i = output + 1; i-- > 0;) hand_on(i);
    }
    // end
};

// What the judge calls; there is no fault here.
std::vector<double> leaf_gradients(const Program& program, int passes) {
    Engine engine;
    for (const Instruction& step : program) {
        if (step.operation == 'x') engine.leaf(step.value);
        if (step.operation == '+') engine.plus(step.a, step.b);
        if (step.operation == '-') engine.minus(step.a, step.b);
        if (step.operation == '*') engine.times(step.a, step.b);
    }
    for (int pass = 0; pass < passes; ++pass) engine.backward(program.size() - 1);
    std::vector<double> gradients;
    for (const Entry& entry : engine.tape) {
        if (entry.inputs.empty()) gradients.push_back(entry.grad);
    }
    return gradients;
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_02_7(leaf_gradients), argc, argv);
}
