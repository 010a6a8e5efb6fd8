// Lesson 02: a small tape of our own, and why the order of the backward pass matters (02.2).
#include "tutorials/02_autograd/parts.h"

#include "tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"

#include <iostream>
#include <string>
#include <vector>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

// A tape of our own: what was computed, from which inputs, and the local derivative for each input.
struct Entry {
    double value;
    std::vector<std::size_t> inputs;
    std::vector<double> local;  // d(value)/d(input)
    double grad = 0;
};
using Tape = std::vector<Entry>;

std::size_t leaf(Tape& tape, double value) {
    tape.push_back({value, {}, {}});
    return tape.size() - 1;
}

std::size_t plus(Tape& tape, std::size_t x, std::size_t y) {
    tape.push_back({tape[x].value + tape[y].value, {x, y}, {1, 1}});
    return tape.size() - 1;
}

std::size_t times(Tape& tape, std::size_t x, std::size_t y) {
    tape.push_back({tape[x].value * tape[y].value, {x, y}, {tape[y].value, tape[x].value}});
    return tape.size() - 1;
}

// Right, in reverse topological order: every entry is used only by later ones, so going from the
// last to the first, each gradient is complete before it is passed on.
void backward_in_order(Tape& tape, std::size_t output) {
    tape[output].grad = 1;
    for (std::size_t i = output + 1; i-- > 0;) {
        for (std::size_t k = 0; k < tape[i].inputs.size(); ++k) {
            tape[tape[i].inputs[k]].grad += tape[i].grad * tape[i].local[k];
        }
    }
}

// Wrong: passes on what an entry has so far, each time a contribution arrives.
void backward_at_once(Tape& tape, std::size_t i, double arriving) {
    tape[i].grad += arriving;
    for (std::size_t k = 0; k < tape[i].inputs.size(); ++k) {
        backward_at_once(tape, tape[i].inputs[k], tape[i].grad * tape[i].local[k]);
    }
}

// Also wrong: passes on each entry's gradient only once, when it is first reached.
void backward_first_come(Tape& tape, std::vector<bool>& done, std::size_t i) {
    if (done[i]) return;
    done[i] = true;
    for (std::size_t k = 0; k < tape[i].inputs.size(); ++k) {
        tape[tape[i].inputs[k]].grad += tape[i].grad * tape[i].local[k];
        backward_first_come(tape, done, tape[i].inputs[k]);
    }
}

struct ThreeWays {
    double in_order, at_once, first_come;
};

// d(output)/d(entry 0), in the right order and in the two wrong ones.
ThreeWays three_ways(const Tape& tape, std::size_t output) {
    Tape right = tape;
    backward_in_order(right, output);
    Tape wrong = tape;
    backward_at_once(wrong, output, 1);
    Tape also_wrong = tape;
    also_wrong[output].grad = 1;
    std::vector<bool> done(tape.size(), false);
    backward_first_come(also_wrong, done, output);
    return {right[0].grad, wrong[0].grad, also_wrong[0].grad};
}

void print_three_ways(const std::string& what, const ThreeWays& d, double measured) {
    std::cout << what << "\n  in reverse topological order  " << d.in_order
              << "\n  passed on at once             " << d.at_once << "   wrong"
              << "\n  passed on once, too early     " << d.first_come << "   wrong"
              << "\n  measured                      " << fixed(measured) << "\n";
}

double cube_and_fourth(double x) { return x * x * x + x * x * x * x; }

void order_matters() {
    section("02.2 Why the order matters");
    say("A tape records every step with its local derivatives. Going back, each entry passes its "
        "gradient on to its inputs, times the local derivative. An entry that is used twice "
        "receives two contributions, and must not pass anything on before both have arrived. The "
        "tape lists every entry after its inputs, which is called a topological order. So the "
        "backward pass goes through it in reverse topological order: each entry after all that "
        "use it.");
    Tape squares;  // b = a + a, c = b·b, so c = 4a² and dc/da = 8a
    const std::size_t a = leaf(squares, 3);
    const std::size_t b = plus(squares, a, a);
    const std::size_t c = times(squares, b, b);
    const ThreeWays of_squares = three_ways(squares, c);
    stop("02.2 two uses of one entry");
    const double h = 1e-5;
    const double measured_squares = (4 * (3 + h) * (3 + h) - 4 * (3 - h) * (3 - h)) / (2 * h);
    print_three_ways("b = a + a, c = b·b at a = 3: dc/da", of_squares, measured_squares);

    Tape diamond;  // p = x·x, q = x + p, y = p·q, so y = x³ + x⁴ and dy/dx = 3x² + 4x³
    const std::size_t x = leaf(diamond, 2);
    const std::size_t p = times(diamond, x, x);
    const std::size_t q = plus(diamond, x, p);
    const std::size_t y = times(diamond, p, q);
    const ThreeWays of_diamond = three_ways(diamond, y);
    const double above = cube_and_fourth(2 + h);
    const double below = cube_and_fourth(2 - h);
    const double measured_diamond = (above - below) / (2 * h);
    print_three_ways("\na diamond, p = x·x, q = x + p, y = p·q at x = 2: dy/dx", of_diamond,
                     measured_diamond);
    std::cout << "\n";
    check(of_squares.in_order == 24 && of_diamond.in_order == 44, "in this order, both are right");
    check(close(measured_squares, 24) && close(measured_diamond, 44), "the measured slopes agree");
    check(of_squares.at_once != 24 && of_squares.first_come != 24,
          "out of order, dc/da is wrong both times");
    check(of_diamond.at_once != 44 && of_diamond.first_come != 44,
          "and so is dy/dx of the diamond");
}
