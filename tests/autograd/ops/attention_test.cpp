// fused_attention of variables: its gradients against those of the operations it replaces, to the
// last bit, and against finite differences; second derivatives; hooks, anomalies and overwritten
// values.
#include "nn/heed.h"

#include "tests/autograd/gradients.h"
#include "tests/autograd/inspect/what_is_said.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>

using namespace heed;

namespace {
using Masked = std::optional<Mask>;

Variable written_out(const Variable& Q, const Variable& K, const Variable& V, const Masked& mask) {
    const double root = std::sqrt(static_cast<double>(Q.dim(-1)));
    const Variable scores = matmul(Q, transpose(K)) / root;
    const Variable allowed = mask ? masked_fill(scores, mask->blocked(), -infinity) : scores;
    return matmul(softmax(allowed, -1), V);
}

bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    bool equal = a.size() == b.size();
    for (std::size_t i = 0; i < a.size() && equal; ++i) equal = tensor::same_bits(a[i], b[i]);
    return equal;
}

Mask holes(const Shape& shape, std::uint64_t seed) {
    return Mask::allowing(random(shape, seed) > -0.7);
}

struct Operands {
    Variable Q, K, V;

    std::vector<Variable> list() const { return {Q, K, V}; }
};

Operands drawn(std::int64_t T_q, std::int64_t T_k, std::int64_t d_k, std::int64_t d_v) {
    return {leaf({2, 3, T_q, d_k}, 1), leaf({2, 3, T_k, d_k}, 2), leaf({2, 3, T_k, d_v}, 3)};
}

}  // namespace

TEST_CASE("fused attention has the gradients of the operations it replaces, bit for bit",
          "[autograd][attention]") {
    struct Sizes {
        std::int64_t T_q, T_k, d_k, d_v;
    };
    for (const Sizes& s : {Sizes{1, 1, 1, 1}, {5, 7, 3, 4}, {60, 50, 16, 5}, {100, 384, 7, 8}}) {
        INFO(s.T_q << " queries, " << s.T_k << " keys");
        const Operands x = drawn(s.T_q, s.T_k, s.d_k, s.d_v);
        const Tensor G = random({2, 3, s.T_q, s.d_v}, 4);
        for (const Masked& mask : {Masked(), Masked(Mask::causal(s.T_q, s.T_k)),
                                   Masked(Mask::padding({s.T_k, s.T_k / 2}, s.T_k)),
                                   Masked(holes({3, s.T_q, s.T_k}, 5))}) {
            const Variable fused = fused_attention(x.Q, x.K, x.V, mask);
            const Variable by_hand = written_out(x.Q, x.K, x.V, mask);
            CHECK(tensor::same_bits(fused.value(), by_hand.value()));
            CHECK(same(gradients(fused, x.list(), G), gradients(by_hand, x.list(), G)));
        }
    }
}

TEST_CASE("gradients with create_graph have the same bits", "[autograd][attention]") {
    const Operands x = drawn(20, 30, 5, 4);
    const Variable G(random({2, 3, 20, 4}, 6));
    for (const Masked& mask : {Masked(), Masked(holes({20, 30}, 7))}) {
        const Variable output = fused_attention(x.Q, x.K, x.V, mask);
        const std::vector<Tensor> in_tiles = gradients(output, x.list(), G.value());
        const GradOptions recorded{.create_graph = true, .upstream = G};
        std::vector<Tensor> written;
        for (const Variable& each : grad(output, x.list(), recorded)) {
            CHECK(each.requires_grad());
            written.push_back(each.value());
        }
        CHECK(same(in_tiles, written));
    }
}

TEST_CASE("above 384 keys the gradients differ in their last bits", "[autograd][attention]") {
    const Operands x = drawn(40, 700, 8, 8);
    const Tensor G = random({2, 3, 40, 8}, 8);
    const Variable fused = fused_attention(x.Q, x.K, x.V, Mask::causal(40, 700));
    const Variable by_hand = written_out(x.Q, x.K, x.V, Mask::causal(40, 700));
    const std::vector<Tensor> received = gradients(fused, x.list(), G);
    const std::vector<Tensor> expected = gradients(by_hand, x.list(), G);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(tensor::max_difference(received[i], expected[i]) < 2e-6);
        CHECK(tensor::max_difference(received[i], tensor::zeros_like(received[i])) > 0.1);
    }
    CHECK_FALSE(same(received, expected));
}

#ifdef HEED_DOUBLE
TEST_CASE("fused attention passes gradcheck in first and second order",
          "[autograd][gradcheck][attention]") {
    for (const Masked& mask : {Masked(), Masked(Mask::causal(3, 4)), Masked(holes({3, 4}, 9)),
                               Masked(Mask::padding({4, 0}, 4))}) {
        const CheckedFunction f = [&](const std::vector<Variable>& in) {
            return fused_attention(in[0], in[1], in[2], mask);
        };
        const std::vector<Tensor> inputs = {random({2, 2, 3, 2}, 10), random({2, 2, 4, 2}, 11),
                                            random({2, 2, 4, 3}, 12)};
        const GradcheckResult result = gradcheck(f, inputs, {.order = 2});
        INFO(result.text());
        CHECK(result.ok());
        CHECK(result.checked > 100);
    }
    // With two tiles of keys.
    const CheckedFunction f = [](const std::vector<Variable>& in) {
        return fused_attention(in[0], in[1], in[2], Mask::causal(2, 386));
    };
    const GradcheckResult result =
        gradcheck(f, {random({2, 1}, 13), random({386, 1}, 14), random({386, 1}, 15)});
    INFO(result.text());
    CHECK(result.ok());
}
#endif

TEST_CASE("one variable as queries, keys and values gets three gradients",
          "[autograd][attention]") {
    const Variable X = leaf({40, 6}, 16);
    const Tensor G = random({40, 6}, 17);
    const Operands each = {Variable(X.value(), requires_grad), Variable(X.value(), requires_grad),
                           Variable(X.value(), requires_grad)};
    const Tensor together = gradient(fused_attention(X, X, X), X, G);
    const std::vector<Tensor> parts =
        gradients(fused_attention(each.Q, each.K, each.V), each.list(), G);
    CHECK(close(together, parts[0] + parts[1] + parts[2]));
    for (const Tensor& part : parts) {
        CHECK(tensor::max_difference(part, tensor::zeros_like(part)) > 0.1);
    }
}

TEST_CASE("an operand that is a constant gets no gradient", "[autograd][attention]") {
    const Operands x = drawn(10, 12, 4, 3);
    const Tensor G = random({2, 3, 10, 3}, 18);
    const std::vector<Tensor> all = gradients(fused_attention(x.Q, x.K, x.V), x.list(), G);
    for (std::size_t i = 0; i < 3; ++i) {
        std::vector<Variable> some = {x.Q.detach(), x.K.detach(), x.V.detach()};
        some[i] = x.list()[i];
        const Variable output = fused_attention(some[0], some[1], some[2]);
        CHECK(tensor::same_bits(gradient(output, some[i], G), all[i]));
    }
    const Variable constant = fused_attention(x.Q.detach(), x.K.detach(), x.V.detach());
    CHECK_FALSE(constant.requires_grad());
    const NoGrad no_grad;
    CHECK_FALSE(fused_attention(x.Q, x.K, x.V).requires_grad());
}

TEST_CASE("graph, hooks and anomaly detection of fused attention", "[autograd][attention]") {
    const Operands x = drawn(4, 5, 3, 2);
    const int line = __LINE__ + 1;
    Variable output = fused_attention(x.Q, x.K, x.V, Mask::causal(4, 5));
    CHECK_THAT(graph_text(output), Contains("fused_attention [2, 3, 4, 2] at attention_test.cpp:" +
                                            std::to_string(line)));
    int calls = 0;
    output.register_hook([&calls](const Variable& G) {
        ++calls;
        return G * 2.0;
    });
    const Tensor G = random({2, 3, 4, 2}, 19);
    const Tensor twice = gradient(output, x.Q, G);
    CHECK(calls == 1);
    const Variable again = fused_attention(x.Q, x.K, x.V, Mask::causal(4, 5));
    CHECK(close(twice, gradient(again, x.Q, G * 2.0)));

    const double huge = sizeof(Scalar) == 4 ? 1e30 : 1e200;  // its square is infinite
    const Variable too_large(tensor::full({2, 3}, huge), requires_grad);
    const DetectAnomaly detect;
    CHECK_THROWS_WITH(fused_attention(too_large, too_large, too_large),
                      Contains("fused_attention: the first operation to produce NaN or infinity"));
}

TEST_CASE("fused attention notices that an operand or its output was overwritten",
          "[autograd][attention]") {
    const Tensor G = random({2, 3, 4, 2}, 20);
    for (int overwritten = 0; overwritten < 4; ++overwritten) {
        const Operands x = drawn(4, 5, 3, 2);
        const Variable output = fused_attention(x.Q, x.K, x.V);
        Tensor numbers = overwritten == 3 ? output.value()
                                          : x.list()[static_cast<std::size_t>(overwritten)].value();
        numbers.writable_data()[0] = 5;
        const std::string said = what_is_said([&] { output.backward({.upstream = G}); });
        CHECK_THAT(said, Contains("was overwritten after it was recorded"));
        CHECK_THAT(said, Contains("in the derivative of fused_attention"));
    }
}

TEST_CASE("fused attention of variables fails like that of tensors", "[autograd][attention]") {
    const Variable Q = leaf({4, 3}, 21), K = leaf({5, 3}, 22), V = leaf({5, 2}, 23);
    CHECK(message_of<ShapeError>([&] { fused_attention(Q, V, V); }) == message_of<ShapeError>([&] {
              tensor::fused_attention(Q.value(), V.value(), V.value());
          }));
    CHECK_THAT(message_of<ShapeError>([&] { fused_attention(Q, K, V, Mask::causal(5)); }),
               Contains("the mask must broadcast to the scores"));
}
