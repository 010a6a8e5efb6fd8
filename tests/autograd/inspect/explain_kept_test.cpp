// How long a gradient can be explained, when what is kept is freed, and the message after that.
#include "autograd/inspect/explain_debugger.h"
#include "autograd/inspect/keep.h"
#include "autograd/node.h"
#include "autograd/record.h"
#include "nn/heed.h"
#include "tests/autograd/gradients.h"
#include "tests/autograd/inspect/explained.h"
#include "tests/autograd/inspect/what_is_said.h"
#include "tests/catch.h"

using namespace heed;

namespace {
// y = x² with a derivative that is right but cannot be differentiated.
struct ClosedSquare final : Operation {
    Tensor x;

    explicit ClosedSquare(const Tensor& X) : x(X) {}
    const char* name() const override { return "closed_square"; }
    Tensor forward(const Inputs& in, const CallSite&) const override { return in[0] * in[0]; }

    Variable gradient(int, const Variable& G) const override { return Variable(2 * x * G.value()); }
};

Variable closed_square(const Variable& x) {
    return record<ClosedSquare>({&x}, CallSite::here(), x.value());
}

}  // namespace

TEST_CASE("retain_graph is enough while the output exists, except for the measured slope",
          "[autograd][explain]") {
    Variable x = leaf({3}, 16);
    {
        const Variable loss = sum(x * x);
        loss.backward({.retain_graph = true});
        const Explanation said = explain(x, {0});
        CHECK(adds_up(said, x, {0}));
        CHECK_THAT(said.not_measured, Contains("were not kept; put KeepGraph keep;"));
        sum(3 * x).backward();
        const Explanation both = explain(x, {0});
        CHECK(both.exact);
        CHECK(both.passes[1].remark == "its graph was freed");
        CHECK(both.passes[1].value == 3);
        CHECK_THAT(both.text(),
                   Contains("added 3; how it came about is not known: its graph was freed"));
        CHECK(both.not_measured == "the graph of a part of it is gone");
    }
    CHECK_THAT(what_is_said([&] { explain(x, {0}); }),
               Contains("the backward pass that gave this gradient cannot be repeated"));
}

TEST_CASE("a gradient that was there before is mentioned", "[autograd][explain]") {
    Variable x = leaf({2}, 17);
    x.set_grad(tensor::of({5, 7}));
    const Variable loss = sum(x);
    loss.backward({.retain_graph = true});
    const Explanation said = explain(x, {1});
    CHECK(said.exact);
    CHECK(*said.before == 7);
    CHECK(said.value == 8);
    CHECK_THAT(said.text(), Contains("7 was there before"));

    // The slope would be that of the part alone.
    const KeepGraph keep;
    Variable y = leaf({2}, 17);
    y.set_grad(tensor::of({5, 7}));
    sum(y).backward();
    CHECK_FALSE(explain(y, {1}).measured);
    CHECK(explain(y, {1}).not_measured == "the graph of a part of it is gone");
}

TEST_CASE("a leaf that was frozen since its gradient came is explained", "[autograd][explain]") {
    const KeepGraph keep;
    Variable x = leaf({2}, 31);
    sum(x * x).backward();
    x.set_requires_grad(false);
    const Explanation said = explain(x, {1});
    CHECK(adds_up(said, x, {1}));
    CHECK(said.passes[0].remark == "");
    CHECK(said.passes[0].contributions.size() == 2);
}

TEST_CASE("many calls are kept, and their sum is still exact", "[autograd][explain]") {
    const KeepGraph keep;
    Variable x = leaf({2}, 18);
    for (int i = 0; i < 100; ++i) sum(x * x * (0.1 * i)).backward();
    const Explanation said = explain(x, {1});
    CHECK(said.before);
    CHECK(said.passes.size() == 64);
    CHECK(said.passes.front().remark == "its output is gone, and the graph with it");
    CHECK(said.passes.back().remark == "");
    CHECK(said.exact);
}

TEST_CASE("kept graphs are freed by zero_grad(), and at the end of KeepGraph",
          "[autograd][explain]") {
    Variable x = leaf({2}, 19);
    std::weak_ptr<Node> first, second;
    {
        const KeepGraph keep;
        {
            const Variable loss = sum(x * x);
            first = loss.node();
            loss.backward();
        }
        CHECK_FALSE(first.expired());
        x.zero_grad();
        CHECK(first.expired());
        const Variable loss = sum(x * x);
        second = loss.node();
        loss.backward();
    }
    CHECK(second.expired());
    {
        const KeepGraph keep;
        x.zero_grad();
        sum(x * x).backward();
        { const KeepGraph inner; }
        CHECK(adds_up(explain(x, {1}), x, {1}));  // the outer one still keeps it
        x.zero_grad();
    }
    const Variable loss = sum(x * x);
    loss.backward();
    CHECK(loss.node()->operation == nullptr);  // freed as usual
    CHECK(loss.node()->note == nullptr);
}

TEST_CASE("a user-defined operation needs only its derivative to be explained",
          "[autograd][explain]") {
    const KeepGraph keep;
    const Variable x = leaf({3}, 20);
    sum(closed_square(x)).backward();
    const Explanation said = explain(x, {1});
    CHECK(adds_up(said, x, {1}));
    const std::vector<ExplainedTerm>& terms = said.passes[0].contributions[0].terms;
    REQUIRE(terms.size() == 1);
    CHECK(terms[0].local == 2 * x(1));
    REQUIRE(said.measured);
    CHECK(__builtin_fabs(said.measured->value - 2 * static_cast<double>(x(1))) < 1e-3);
}

TEST_CASE("if each term costs a call, the number of calls is limited, and this is reported",
          "[autograd][explain]") {
    const KeepGraph keep;
    const Variable x = leaf({1500}, 25);
    sum(closed_square(x) * Variable(tensor::arange(1500))).backward();
    const ExplainedPass last = explain(x, {1499}).passes[0];
    CHECK(last.contributions[0].terms.size() == 1);
    CHECK(last.contributions[0].remark == "only for the 1024 largest of 1500 upstream gradients");
    const ExplainedPass second = explain(x, {1}).passes[0];  // its upstream gradient is too small
    CHECK(second.contributions[0].terms.empty());
    CHECK(second.contributions[0].value == 2 * x(1));
}

TEST_CASE("a gradient that was changed since is reported", "[autograd][explain]") {
    const KeepGraph keep;
    Variable x = leaf({2}, 21);
    sum(3 * x).backward();
    Tensor stored = x.grad();
    tensor::overwrite(stored, tensor::of({1, 2}));
    const Explanation said = explain(x, {1});
    CHECK_FALSE(said.exact);
    CHECK_THAT(said.text(), Contains("This makes 3, but 2 is stored: something was changed since"));

    const Variable zero = leaf({0, 0});
    sum(zero * 0).backward();
    CHECK(explain(zero, {1}).exact);
    Tensor its_gradient = zero.grad();
    tensor::overwrite(its_gradient, tensor::of({0, -0.0}));  // to the last bit
    CHECK(explain(zero, {0}).exact);
    CHECK_FALSE(explain(zero, {1}).exact);
}

TEST_CASE("the slope is not measured from values that were overwritten", "[autograd][explain]") {
    const KeepGraph keep;
    const Variable x = leaf({2}, 24);
    sum(x + 1).backward();
    Tensor values = x.value();
    tensor::overwrite(values, tensor::of(2));
    const Explanation said = explain(x, {1});
    CHECK(said.exact);
    CHECK_FALSE(said.measured);
    CHECK_THAT(said.not_measured, Contains("a value of shape [2], an input of add at"));
    CHECK_THAT(said.not_measured, Contains("has been overwritten since"));
}

TEST_CASE("what cannot be explained is an error with a message", "[autograd][explain]") {
    Variable x = leaf({2, 3}, 22);
    const std::string no_gradient = what_is_said([&] { explain(x, {0, 1}); });
    CHECK_THAT(no_gradient, Contains("explain: this value of shape [2, 3] has no gradient"));
    CHECK_THAT(no_gradient, Contains("{.of = loss}"));
    CHECK_THAT(no_gradient, Contains("explain_kept_test.cpp:"));

    const Variable loss = sum(x * x);
    loss.backward();
    CHECK_THAT(what_is_said([&] {
                   explain(x, {0, 1});
               }),
               Contains("was freed by backward(), or it was set by hand; put KeepGraph keep;"));
    CHECK_THAT(what_is_said([&] {
                   explain(x, {0, 1}, {.of = loss});
               }),
               Contains("the graph was freed by an earlier backward"));
    CHECK_THAT(what_is_said([&] { explain(Variable(tensor::of(1)), {}); }),
               Contains("is a constant, so nothing was recorded for it"));

    const KeepGraph keep;
    x.zero_grad();
    const Variable y = x * x;
    sum(y).backward();
    CHECK_THAT(what_is_said([&] { explain(x, {0}); }), Contains("explain: "));
    CHECK_THROWS_AS(explain(x, {0}), heed::ShapeError);
    CHECK_THROWS_AS(explain(x, {0, 3}), std::out_of_range);
    CHECK_THAT(what_is_said([&] {
                   explain(x, {0, 1}, {.of = y});
               }),
               Contains("explain: the output has shape [2, 3] and 6 entries"));

    Tensor values = x.value();
    tensor::overwrite(values, tensor::of(2));
    const std::string overwritten = what_is_said([&] { explain(x, {0, 1}); });
    CHECK_THAT(overwritten, Contains("was overwritten after it was recorded"));
    CHECK_THAT(overwritten, Contains("explain before its numbers are overwritten"));
}

TEST_CASE("a debugger asks by address and gets text", "[autograd][explain]") {
    const KeepGraph keep;
    const Variable x = leaf({2, 3}, 23);
    const Variable loss = sum(x * x);
    loss.backward();
    why_question = {&x, nullptr, 2, {1, 2}, 0, {}, "model.x", nullptr};
    CHECK_THAT(std::string(why_at_breakpoint()), Contains("The gradient of model.x[1, 2] is "));
    why_question.of = &loss;
    CHECK_THAT(std::string(why_at_breakpoint()),
               Contains("The derivative with respect to model.x[1, 2] is "));
    const Variable squares = x * x;
    why_question.of = &squares;
    CHECK_THAT(std::string(why_at_breakpoint()), Contains("the output has shape [2, 3]"));
    why_question.of_rank = 2;
    why_question.of_index[0] = 1;
    CHECK_THAT(std::string(why_at_breakpoint()),
               Contains("The derivative with respect to model.x[1, 2] is 0,"));
    why_question.of_index[1] = 2;
    const std::string twice = text("The derivative with respect to model.x[1, 2] is ", 2 * x(1, 2));
    CHECK_THAT(std::string(why_at_breakpoint()), Contains(twice));
    why_question.of_index[1] = 3;
    CHECK_THAT(std::string(why_at_breakpoint()), Contains("why: index 3 is out of range"));
    why_question.of = nullptr;
    why_question.index[1] = 9;
    CHECK_THAT(std::string(why_at_breakpoint()), Contains("explain: "));
}

TEST_CASE("KeepGraph changes nothing for the program: a freed graph is refused, and explained",
          "[autograd][explain]") {
    const Variable x = leaf({2}, 26);
    const Variable freed = sum(x * x);
    freed.backward();
    const std::string without = what_is_said([&] { freed.backward(); });

    const KeepGraph keep;
    const Variable y = leaf({2}, 26);
    const Variable loss = sum(y * y);
    loss.backward();
    const std::string with = what_is_said([&] { loss.backward(); });
    CHECK_THAT(with, Contains("backward: the graph was freed by an earlier backward, at sum at "));
    CHECK(with.substr(0, with.find(", at sum")) == without.substr(0, without.find(", at sum")));
    CHECK_THAT(what_is_said([&] { grad(loss, y, {.retain_graph = true}); }),
               Contains("was freed by an earlier backward"));
    CHECK(y.grad().to_vector() == x.grad().to_vector());  // added once
    CHECK(adds_up(explain(y, {1}), y, {1}));
    CHECK(explain(y, {1}, {.of = loss}).value == y.grad().at({1}));
    CHECK(explain(y, {1}).measured);

    const Variable retained = sum(y * y);
    retained.backward({.retain_graph = true});
    retained.backward();
    CHECK_THAT(what_is_said([&] { retained.backward(); }), Contains("was freed by an earlier"));
}

namespace {
// y = x with a formula whose derivative by the upstream gradient is too small by a part.
struct Leaky final : Operation {
    double lost;

    explicit Leaky(double part) : lost(part) {}
    const char* name() const override { return "leaky"; }
    Tensor forward(const Inputs& in, const CallSite&) const override { return in[0]; }
    Variable gradient(int, const Variable& G) const override {
        return G * (1 - lost) + Variable(G.value()) * lost;
    }
};

}  // namespace

TEST_CASE("local derivatives that do not reproduce the gradient are computed again one by one",
          "[autograd][explain]") {
    const KeepGraph keep;
    for (const double lost : {0.5, 0.01, sizeof(Scalar) == 4 ? 1e-3 : 1e-9}) {
        const Variable x = leaf({3}, 27);
        const Variable* const input = &x;
        sum(record<Leaky>({input}, CallSite::here(), lost)).backward();
        const ExplainedPart part = explain(x, {1}).passes[0].contributions[0];
        REQUIRE(part.terms.size() == 1);
        CHECK(__builtin_fabs(static_cast<double>(part.terms[0].local) - 1) < 0.1 * lost);
    }
}

TEST_CASE("rounding is no reason to compute local derivatives one by one", "[autograd][explain]") {
    const KeepGraph keep;
    const Variable x = leaf({1}, 28);
    const Variable many(random({5000}, 29));
    sum(x * many * Variable(random({5000}, 30))).backward();
    CHECK(explain(x, {0}).passes[0].contributions[0].remark == "");  // 5000 calls are too many
}
