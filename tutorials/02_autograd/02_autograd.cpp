// 02 Autograd: derivatives by hand, with a small tape of our own, and with the library, and how to
// check one.
#include "autograd/inspect/graph.h"
#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/02_autograd/parts.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

bool close(double a, double b) { return std::fabs(a - b) <= 1e-6 * (1 + std::fabs(b)); }

void by_hand() {
    section("02.1 A derivative by hand");
    say("Let $y = (a·b + c)²$. How does y change when a moves a little? Take three steps; the "
        "chain rule multiplies their derivatives:");
    tutorial::formula("u = a·b,  v = u + c,  y = v²\n"
                      "dy/da = dy/dv · dv/du · du/da = 2v · 1 · b");
    const double a = 2, b = -3, c = 10;
    const double u = a * b;
    const double v = u + c;
    const double y = v * v;
    const double dy_da = 2 * v * 1 * b;

    const double h = 1e-5;
    const double above = ((a + h) * b + c) * ((a + h) * b + c);
    const double below = ((a - h) * b + c) * ((a - h) * b + c);
    const double measured = (above - below) / (2 * h);
    tutorial::predict_number("$a = 2$, $b = -3$, $c = 10$. What is dy/da?", dy_da, 0,
                             "$v = 4$, so it is $2·4·b$.");
    stop("02.1 the chain rule");
    std::cout << "a = 2, b = -3, c = 10:  y = " << y << ", dy/da = " << dy_da << "\n";
    std::cout << "moving a by ±0.00001:   dy/da = " << fixed(measured) << "\n\n";
    check(close(measured, dy_da), "the chain rule gives the measured slope");
}

void the_graph() {
    section("02.3 The library's graph");
    say("A Variable holds a value and knows how it was made. The same diamond, recorded and "
        "printed from its end to its leaves, each operation with its line in this file:");
    Variable x(tensor::of(2), requires_grad);
    x.set_name("x");
    const Variable p = x * x;
    const Variable q = x + p;
    const Variable y = p * q;
    stop("02.3 before backward", {{"x", x}, {"p", p}, {"q", q}, {"y", y}});
    std::cout << graph_text(y) << "\n";
    draw_graphs(y);
    y.backward();
    stop("02.3 after backward", {{"x", x}, {"y", y}});
    std::cout << "y = " << y.item() << ", x.grad() = " << x.grad() << "\n\n";
    check(x.grad().item() == 44, "backward() gives the tape's 44");
}

void accumulation() {
    section("02.4 Gradients add up");
    say("backward() adds to .grad: a leaf that is used in several places gets the sum of what "
        "comes from each, and a second call of backward() adds to the first. That is why a "
        "training loop clears the gradients between steps.");
    Variable x(tensor::of({1, 2, 3}), requires_grad);
    const Variable first = sum(x * x);
    first.backward();
    std::cout << "after sum(x·x):                 x.grad() = " << x.grad() << "\n";
    const Variable second = sum(10 * x);
    second.backward();
    tutorial::predict_number("x.grad()[0] was 2, and $d(10·x)/dx = 10$. What is it now?",
                             x.grad()(0), 0, "The 10 is added to the 2.");
    stop("02.4 the second backward", {{"x", x}});
    std::cout << "then after sum(10·x) as well:   x.grad() = " << x.grad() << "\n";
    const bool both = tensor::same_bits(x.grad(), tensor::of({12, 14, 16}));
    x.zero_grad();
    sum(10 * x).backward();
    std::cout << "after zero_grad() and 10·x:     x.grad() = " << x.grad() << "\n\n";
    check(both, "the two calls add up to 2x + 10");
    check(tensor::same_bits(x.grad(), tensor::of({10, 10, 10})), "zero_grad() cleared them");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 02: autograd. To learn, a network must know how its loss changes with each of its "
        "numbers. One walk backwards over the computation gives that for all of them.");
    by_hand();                   // 02.1
    order_matters();             // 02.2, tape.cpp
    the_graph();                 // 02.3
    accumulation();              // 02.4
    matrix_derivative(random);   // 02.5, derivatives.cpp
    higher_derivatives();        // 02.6
    checking(random);            // 02.7
    softmax_derivative(random);  // 02.8
}

int main(int argc, char** argv) {
    return tutorial::run({"02_autograd", "Autograd: the chain rule, the order of the backward "
                                         "pass, accumulation, deriving and checking."},
                         argc, argv, lesson);
}
