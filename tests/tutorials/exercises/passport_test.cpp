// The passport on correct attention, on every known wrong one, and on none.
#include "tests/catch.h"
#include "tests/nn/attention/attention_mistakes.h"
#include "tutorials/exercises/passport/heed_adapter.h"

#include "autograd/ops.h"

#include <iostream>
#include <set>

using namespace passport;

namespace {
std::string verdict_on(const Passport& found, const std::string& law) {
    for (const Law& each : found.laws) {
        if (each.name.find(law) == std::string::npos) continue;
        return each.verdict == Verdict::holds    ? "holds"
               : each.verdict == Verdict::broken ? "broken"
                                                 : "not asked";
    }
    return "there is no such law";
}

// Attention by loops over the batch, with its derivative, which may contain a mistake.
struct Loops {
    Array weights, output;
};

bool allows(const Array& mask, int b, int i, int j) {
    return mask.numbers.empty() || mask(b, i, j) != 0;
}

Loops by_loops(const Array& Q, const Array& K, const Array& V, const Array& mask) {
    Loops found{Array(Q.batch, Q.length, K.length), Array(Q.batch, Q.length, V.width)};
    for (int b = 0; b < Q.batch; ++b) {
        for (int i = 0; i < Q.length; ++i) {
            std::vector<double> scores;
            double largest = -1e300, total = 0;
            for (int j = 0; j < K.length; ++j) {
                double score = 0;
                for (int c = 0; c < K.width; ++c) score += Q(b, i, c) * K(b, j, c);
                scores.push_back(score / std::sqrt(K.width));
                if (allows(mask, b, i, j)) largest = std::max(largest, scores.back());
            }
            for (int j = 0; j < K.length; ++j) {
                if (allows(mask, b, i, j)) total += std::exp(scores[j] - largest);
            }
            for (int j = 0; j < K.length; ++j) {
                if (!allows(mask, b, i, j)) continue;
                found.weights(b, i, j) = std::exp(scores[j] - largest) / total;
                for (int c = 0; c < V.width; ++c) {
                    found.output(b, i, c) += found.weights(b, i, j) * V(b, j, c);
                }
            }
        }
    }
    return found;
}

// dV = AᵀG, dA = GVᵀ, dS = A∘(dA - Σ A∘dA), dQ = dS·K/√d_k, dK = dSᵀ·Q/√d_k
Gradients backward(const Array& Q, const Array& K, const Array& V, const Array& mask,
                   const Array& G, const std::string& slip) {
    const Array A = by_loops(Q, K, V, mask).weights;
    const Array leaking = by_loops(Q, K, V, Array()).weights;
    Gradients found{Array(Q.batch, Q.length, Q.width), Array(K.batch, K.length, K.width),
                    Array(V.batch, V.length, V.width)};
    const double scale = slip == "attb.scale-lost" ? 1 : 1 / std::sqrt(K.width);
    const auto g = [&](int b, int i, int c) { return slip == "ag.no-upstream" ? 1 : G(b, i, c); };
    for (int b = 0; b < Q.batch; ++b) {
        for (int i = 0; i < Q.length; ++i) {
            std::vector<double> dA(K.length);
            double mean = 0;
            for (int j = 0; j < K.length; ++j) {
                for (int c = 0; c < V.width; ++c) {
                    dA[j] += g(b, i, c) * V(b, j, c);
                    found.dV(b, j, c) += A(b, i, j) * g(b, i, c);
                }
                mean += A(b, i, j) * dA[j];
            }
            if (slip == "smb.p-dy") mean = 0;
            for (int j = 0; j < K.length; ++j) {
                const double a = slip == "attb.mask-leak" ? leaking(b, i, j) : A(b, i, j);
                const double dS = slip == "smb.diag" ? a * (1 - a) * dA[j] : a * (dA[j] - mean);
                for (int c = 0; c < K.width; ++c) {
                    found.dQ(b, i, c) += dS * K(b, j, c) * scale;
                    const bool turned = slip == "attb.dK-noT" && K.length == Q.length;
                    found.dK(b, turned ? i : j, c) += dS * Q(b, turned ? j : i, c) * scale;
                }
            }
        }
    }
    return found;
}

Adapter loops_with(const std::string& slip) {
    Adapter adapter;
    adapter.output = [](const Array& Q, const Array& K, const Array& V, const Array& mask) {
        return by_loops(Q, K, V, mask).output;
    };
    adapter.weights = [](const Array& Q, const Array& K, const Array& V, const Array& mask) {
        return by_loops(Q, K, V, mask).weights;
    };
    adapter.gradients = [slip](const Array& Q, const Array& K, const Array& V, const Array& mask,
                               const Array& G) { return backward(Q, K, V, mask, G, slip); };
    return adapter;
}

// With an axis for heads, so that mistakes in batch and heads can be made.
heed::Attention with_a_head(const std::string& mistake, const heed::Variable& Q,
                            const heed::Variable& K, const heed::Variable& V,
                            const std::optional<heed::Mask>& mask) {
    std::optional<heed::Mask> spread = mask;
    if (mask && mask->shape().rank() == 3) {
        const heed::Shape& shape = mask->shape();
        spread = heed::Mask::allowing(mask->allowed().reshape({shape[0], 1, shape[1], shape[2]}));
    }
    const heed::Attention found = mistakes::wrong_attention(
        mistake, unsqueeze(Q, 1), unsqueeze(K, 1), unsqueeze(V, 1), spread);
    return {squeeze(found.output, 1), squeeze(found.weights, 1)};
}

Passport passport_with(const std::string& mistake) {
    const bool of_heads = mistake == "mask.one-head";
    return passport_of(
        adapter_of([=](const heed::Variable& Q, const heed::Variable& K, const heed::Variable& V,
                       const std::optional<heed::Mask>& mask) {
            return of_heads ? with_a_head(mistake, Q, K, V, mask)
                            : mistakes::wrong_attention(mistake, Q, K, V, mask);
        }));
}

}  // namespace

TEST_CASE("heed's attention keeps every law, and so does one by loops",
          "[tutorials][exercises][passport]") {
    const Adapter heeds =
        adapter_of([](const heed::Variable& Q, const heed::Variable& K, const heed::Variable& V,
                      const std::optional<heed::Mask>& mask) {
            return heed::scaled_dot_product_attention(Q, K, V, mask);
        });
    for (const Adapter& right : {heeds, loops_with("")}) {
        const Passport found = passport_of(right);
        INFO(found.page());
        CHECK(found.passed());
        CHECK(found.count(Verdict::holds) == 28);
        CHECK(found.laws.size() == 28);
        CHECK(found.id.empty());
        CHECK(found.page().find("laws: 28 hold, 0 broken, 0 not asked: passed") !=
              std::string::npos);
    }
}

TEST_CASE("every wrong attention breaks a law, and most are identified by name",
          "[tutorials][exercises][passport]") {
    const std::set<std::string> by_another_name = {"mask.fill-1", "mask.fill-1e-9"};
    // These can be made with many constants, so the exact numbers do not identify them.
    const std::set<std::string> unnamed = {"sm.exp-only", "sm.max-after", "mask.after-1e9"};
    std::vector<std::string> all = mistakes::of_softmax();
    for (const std::string& id : mistakes::of_attention()) all.push_back(id);
    int wrong = 0, named = 0;
    for (const std::string& id : all) {
        // One needs two heads; the other has its own test below.
        if (id == "mask.head-batch-order" || id == "mask.inplace") continue;
        const Passport found = passport_with(id);
        INFO(id << "\n" << found.page());
        ++wrong;
        named += found.id == id;
        CHECK_FALSE(found.passed());
        CHECK(found.count(Verdict::broken) > 0);
        if (unnamed.count(id) > 0) {
            CHECK(found.id.empty());
        } else if (by_another_name.count(id) > 0) {
            CHECK(found.id.rfind("mask.fill", 0) == 0);
        } else {
            CHECK(found.id == id);
        }
    }
    std::cout << "passport: " << wrong << " wrong attentions refused, " << named << " named\n";
    CHECK(wrong > 30);
}

TEST_CASE("a wrong derivative breaks only the laws of gradients, and is named",
          "[tutorials][exercises][passport]") {
    for (const std::string slip : {"attb.scale-lost", "attb.mask-leak", "attb.dK-noT", "smb.diag",
                                   "smb.p-dy", "ag.no-upstream"}) {
        const Passport found = passport_of(loops_with(slip));
        INFO(slip << "\n" << found.page());
        CHECK_FALSE(found.passed());
        CHECK(verdict_on(found, "the output is weights·V") == "holds");
        CHECK(found.id == slip);
    }
}

TEST_CASE("a law is not asked without the functions it needs, and asking none is no pass",
          "[tutorials][exercises][passport]") {
    const Passport nothing = passport_of({});
    CHECK(nothing.count(Verdict::not_asked) == 28);
    CHECK_FALSE(nothing.passed());
    CHECK(nothing.page().find("there is no function output") != std::string::npos);

    Adapter only_output = loops_with("");
    only_output.weights = nullptr;
    only_output.gradients = nullptr;
    Passport found = passport_of(only_output);
    INFO(found.page());
    CHECK(found.passed());
    CHECK(found.count(Verdict::not_asked) == 5);  // gradients only; weights come from the output
    CHECK(verdict_on(found, "each row sums to 1") == "holds");

    Adapter only_causal = loops_with("");
    only_causal.takes = [](const Array& mask) {
        return mask.numbers.size() == 50 && mask(0, 0, 1) == 0 && mask(0, 2, 1) == 1;
    };
    found = passport_of(only_causal);
    INFO(found.page());
    CHECK(found.passed());
    CHECK(verdict_on(found, "causal: the last word") == "holds");
    CHECK(verdict_on(found, "padding") == "not asked");
    CHECK(verdict_on(found, "keys and values in another order") == "not asked");
}

TEST_CASE("a law that an attention declines is not asked", "[tutorials][exercises][passport]") {
    Adapter of_itself = loops_with("");
    const auto output = of_itself.output;
    of_itself.weights = nullptr;
    of_itself.output = [output](Array& Q, Array& K, Array& V, Array& mask) {
        if (Q.length != K.length) throw NotAsked{"only self-attention"};
        return output(Q, K, V, mask);
    };
    Passport found = passport_of(of_itself);
    INFO(found.page());
    CHECK(found.passed());
    CHECK(verdict_on(found, "queries and keys, keys and values may differ") == "not asked");
    CHECK(found.page().find("only self-attention") != std::string::npos);

    Adapter of_nothing;
    of_nothing.output = [](Array&, Array&, Array&, Array&) -> Array { throw NotAsked{"no"}; };
    CHECK_FALSE(passport_of(of_nothing).passed());
}

TEST_CASE("gradients of another size are reported", "[tutorials][exercises][passport]") {
    Adapter turned = loops_with("");
    turned.gradients = [](const Array& Q, const Array& K, const Array& V, const Array&,
                          const Array&) {
        return Gradients{Q, Array(K.batch, K.width, K.length), V};
    };
    const Passport found = passport_of(turned);
    CHECK_FALSE(found.passed());
    CHECK(found.page().find("dK is 2 × 6 × 5 of 60 numbers, not 2 × 5 × 6") != std::string::npos);
}

TEST_CASE("the scale is checked against the one that the adapter declares",
          "[tutorials][exercises][passport]") {
    Adapter unscaled =
        adapter_of([](const heed::Variable& Q, const heed::Variable& K, const heed::Variable& V,
                      const std::optional<heed::Mask>& mask) {
            return heed::dot_product_attention(Q, K, V, mask);
        });
    Passport found = passport_of(unscaled);
    CHECK(found.id == "att.no-scale");
    CHECK(found.page().find("they are multiplied by 0.99") != std::string::npos);
    CHECK(found.page().find("(not at all); it should be 0.408") != std::string::npos);
    unscaled.scale = [](int) { return 1.0; };
    found = passport_of(unscaled);
    INFO(found.page());
    CHECK(found.passed());
}

TEST_CASE("an attention that keeps the mask of an earlier call is caught",
          "[tutorials][exercises][passport]") {
    Adapter keeping = loops_with("");
    Array kept;
    keeping.output = [&kept](const Array& Q, const Array& K, const Array& V, const Array& mask) {
        if (!mask.numbers.empty()) kept = mask;
        const bool fits =
            kept.length == Q.length && kept.width == K.length && kept.batch == Q.batch;
        return by_loops(Q, K, V, fits ? kept : mask).output;
    };
    const Passport found = passport_of(keeping);
    INFO(found.page());
    CHECK_FALSE(found.passed());
    CHECK(found.id == "mask.inplace");
}

TEST_CASE("an attention fails if it writes to its inputs, throws, or has another shape",
          "[tutorials][exercises][passport]") {
    Adapter writing = loops_with("");
    writing.output = [](Array& Q, Array& K, Array& V, Array& mask) {
        const Array output = by_loops(Q, K, V, mask).output;
        K.numbers[0] = 0;
        return output;
    };
    Passport found = passport_of(writing);
    INFO(found.page());
    CHECK(verdict_on(found, "inputs and mask stay") == "broken");
    CHECK(found.count(Verdict::broken) == 1);
    CHECK(found.page().find("K after the call and before: 0, not ") != std::string::npos);

    Adapter throwing = loops_with("");
    throwing.output = [](const Array&, const Array&, const Array&, const Array&) -> Array {
        throw std::runtime_error("not done yet");
    };
    found = passport_of(throwing);
    CHECK_FALSE(found.passed());
    CHECK(found.page().find("it threw: not done yet") != std::string::npos);

    Adapter turned = loops_with("");
    turned.weights = [](const Array& Q, const Array& K, const Array&, const Array&) {
        return Array(Q.batch, K.length, Q.length + 1);
    };
    found = passport_of(turned);
    CHECK_FALSE(found.passed());
    CHECK(found.page().find("weights is 2 × 5 × 6 of 60 numbers, not 2 × 5 × 5") !=
          std::string::npos);
}

TEST_CASE("NaN for a query that may attend to nothing is reported, but is no failure",
          "[tutorials][exercises][passport]") {
    Adapter as_pytorch = loops_with("");
    as_pytorch.gradients = nullptr;
    as_pytorch.weights = nullptr;
    as_pytorch.output = [](const Array& Q, const Array& K, const Array& V, const Array& mask) {
        Loops found = by_loops(Q, K, V, mask);
        for (int b = 0; b < Q.batch; ++b) {
            for (int i = 0; i < Q.length; ++i) {
                double total = 0;
                for (int j = 0; j < K.length; ++j) total += found.weights(b, i, j);
                for (int c = 0; c < V.width && total == 0; ++c) found.output(b, i, c) = NAN;
            }
        }
        return found.output;
    };
    const Passport found = passport_of(as_pytorch);
    INFO(found.page());
    CHECK(found.passed());
    CHECK(found.page().find("(NaN, as in PyTorch)") != std::string::npos);
}
