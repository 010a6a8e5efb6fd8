// A lesson that runs on a user's own attention: which attention is used, and how its claims report
// it.
#include "tests/catch.h"

#include "autograd/ops.h"
#include "nn/attention/attention.h"
#include "tensor/ops.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/own_attention.h"

#include <iostream>
#include <sstream>
#include <stdexcept>

using namespace heed;

namespace {
const Tensor Q = tensor::of({{0.3, -1.2}, {0.7, 0.4}});

Attention off_by(double error, const Variable& q, const Variable& k, const Variable& v) {
    const Attention right = scaled_dot_product_attention(q, k, v);
    return {right.output + error, right.weights};
}

Attention attend_nearly(const Variable& q, const Variable& k, const Variable& v,
                        const std::optional<Mask>&) {
    return off_by(2e-6, q, k, v);
}

Attention attend_wrongly(const Variable& q, const Variable& k, const Variable& v,
                         const std::optional<Mask>&) {
    return off_by(0.01, q, k, v);
}

OwnAttention::Function nearly() { return attend_nearly; }
OwnAttention::Function wrongly() { return attend_wrongly; }
OwnAttention::Function not_yet() { throw std::runtime_error("not done yet"); }

void lesson(const tutorial::Options&) {
    const Variable X(Q);
    const Variable weights = softmax(matmul(X, transpose(X)) / __builtin_sqrt(2), -1);
    const Attention by_hand{matmul(weights, X), weights};
    tutorial::check(tutorial::same(scaled_dot_product_attention(X, X, X), by_hand), "the same");
    tutorial::check(tutorial::same(by_hand, by_hand), "as it was");
    tutorial::check(!tutorial::same(by_hand.output, by_hand.weights), "not the same");
}

struct Run {
    int code;
    std::string out, errors;
};

Run run_on(tutorial::OwnAttentionMaker maker) {
    std::ostringstream out, errors;
    std::streambuf* const cout = std::cout.rdbuf(out.rdbuf());
    std::streambuf* const cerr = std::cerr.rdbuf(errors.rdbuf());
    char name[] = "prog";
    char* argv[] = {name, nullptr};
    tutorial::lessons_run_on(maker, "mine.cpp");
    const int code = tutorial::run({"prog", "subject"}, 1, argv, lesson);
    tutorial::lessons_run_on(nullptr, "");
    std::cout.rdbuf(cout);
    std::cerr.rdbuf(cerr);
    return {code, out.str(), errors.str()};
}

// The exit code counts the claims of the whole program, and other tests here make false ones.
bool begins_with(const std::string& text, const std::string& beginning) {
    return text.rfind(beginning, 0) == 0;
}

}  // namespace

TEST_CASE("a user's attention within the tolerance counts as the same, and the lesson says so",
          "[tutorials][own]") {
    const Run found = run_on(nearly);
    CHECK(found.out == "  checked: the same (yours: within 0.00001, not to the last bit)\n"
                       "  checked: as it was\n"
                       "  checked: not the same\n");
    CHECK(begins_with(found.errors, "(nn attends by your own attention: mine.cpp)\n"));
}

TEST_CASE("without a user's attention, nothing is reported and the comparison is bit by bit",
          "[tutorials][own]") {
    const Run found = run_on(nullptr);
    CHECK(found.out == "  checked: the same\n  checked: as it was\n  checked: not the same\n");
    CHECK(found.errors.find("your own") == std::string::npos);
    CHECK_FALSE(tutorial::same(Q, Q + 2e-6));
}

TEST_CASE("a wrong user attention makes claims false, and one that throws ends the lesson",
          "[tutorials][own]") {
    Run found = run_on(wrongly);
    CHECK(begins_with(found.out, "  FALSE: the same\n  checked: as it was\n"));
    CHECK(found.code == 1);
    CHECK(found.errors.find("found false") != std::string::npos);
    CHECK(OwnAttention::in_use() == nullptr);
    found = run_on(not_yet);
    CHECK(found.code == 2);
    CHECK(found.errors.find("prog: not done yet") != std::string::npos);
    CHECK(found.out.empty());
}

TEST_CASE("rows are counted as different bit by bit, even with a user's attention",
          "[tutorials][own]") {
    tutorial::lessons_run_on(nearly, "mine.cpp");
    CHECK(tutorial::same(Q, Q + 2e-6));
    CHECK_FALSE(tutorial::same(Q, Q + 1e-3));
    CHECK_FALSE(tutorial::same(Q, tensor::zeros({2, 3})));
    CHECK(tutorial::rows_that_differ(Q, Q + 2e-6) == 2);
    CHECK(tutorial::took_close_for_same());
    CHECK_FALSE(tutorial::took_close_for_same());
    tutorial::lessons_run_on(nullptr, "");
}
