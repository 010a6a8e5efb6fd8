// The error of long sums, against the same sums in long double: of every reduction, product and
// gradient that is a sum, for numbers that are hard to add. It may grow with the logarithm of the
// length, and no faster. `heed_tests "[.accuracy]"` prints the table of autograd/README.md, and
// accuracy_of_pytorch.py the same for PyTorch.
#include "nn/heed.h"

#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

using namespace heed;
using Exact = long double;

namespace {
constexpr double eps = static_cast<double>(std::numeric_limits<Scalar>::epsilon());

enum class Kind { constant, positive, mixed, sorted, one_huge };

std::vector<Scalar> draw(std::int64_t n, Kind kind) {
    Random random(7);
    std::vector<Scalar> x;
    for (std::int64_t i = 0; i < n; ++i) {
        const double entry = kind == Kind::mixed ? random.normal() : random.uniform();
        x.push_back(Scalar(kind == Kind::constant ? 0.1 : entry));
    }
    if (kind == Kind::sorted) std::sort(x.begin(), x.end());
    if (kind == Kind::one_huge) x[x.size() / 3] = Scalar(n);
    return x;
}

// n numbers, and n others that are uniform in [0, 1).
struct Numbers {
    std::vector<Exact> exact;
    std::int64_t n;
    Tensor row;             // [n]
    Tensor column, others;  // [n, 1]

    Numbers(std::int64_t count, Kind kind)
        : n(count), row(tensor::from_vector(draw(count, kind), {count})),
          column(tensor::view(row, {count, 1})) {
        for (const Scalar entry : row.to_vector()) exact.push_back(static_cast<Exact>(entry));
        Random random(8);
        others = tensor::uniform({count, 1}, random);
    }
    Tensor columns(std::int64_t count) const { return tensor::expand(column, {n, count}); }
    IndexTensor ids(std::int64_t id) const {
        return IndexTensor(std::vector<std::int64_t>(exact.size(), id));
    }
};

// A sum and its size, which is Σ |term|: the error of a result is given in epsilons of the size.
struct Sum {
    Exact value = 0, size = 0;

    double error_of(double result) const {
        return static_cast<double>(std::fabs(result - value) / size) / eps;
    }
    double error_of(const Tensor& result, std::int64_t entry = 0) const {
        return error_of(static_cast<double>(result.to_vector()[static_cast<std::size_t>(
            entry < 0 ? entry + result.numel() : entry)]));
    }
};

// Σ term(x)
template <class Term>
Sum sum_of(const Numbers& x, const Term& term) {
    Sum sum;
    for (const Exact entry : x.exact) {
        sum.value += term(entry);
        sum.size += std::fabs(term(entry));
    }
    return sum;
}
Sum sum_of(const Numbers& x) {
    return sum_of(x, [](Exact entry) { return entry; });
}
Sum mean_of(const Numbers& x) {
    return sum_of(x, [n = x.n](Exact entry) { return entry / n; });
}
Sum one_number(Exact value) { return {value, std::fabs(value)}; }

Sum product_of(const Numbers& x) {
    Sum sum;
    for (std::size_t i = 0; i < x.exact.size(); ++i) {
        const Exact term = x.exact[i] * x.others.data()[i];
        sum.value += term;
        sum.size += std::fabs(term);
    }
    return sum;
}

// Σ (x - μ)²/n, where x² is the size of a term; and Σ x²/n
Sum variance_of(const Numbers& x) {
    const Exact mu = mean_of(x).value;
    const auto squared = [&x](Exact entry) { return entry * entry / x.n; };
    return {sum_of(x, [&](Exact entry) { return squared(entry - mu); }).value,
            sum_of(x, squared).value};
}

Exact largest(const Numbers& x) { return *std::max_element(x.exact.begin(), x.exact.end()); }
Exact sum_of_exp(const Numbers& x) {
    return sum_of(x, [most = largest(x)](Exact entry) { return std::exp(entry - most); }).value;
}

double softmax_error(const Numbers& x) {
    const Exact weight = std::exp(x.exact[x.exact.size() / 2] - largest(x)) / sum_of_exp(x);
    const Tensor weights = tensor::softmax(x.row, 0);
    return weight < std::numeric_limits<Scalar>::min()
               ? 0
               : one_number(weight).error_of(weights, x.n / 2);
}

double cross_entropy_error(const Numbers& x) {
    const Tensor logits = tensor::concatenate({x.column, tensor::zeros({x.n, 1})}, 1);
    const Sum losses =
        sum_of(x, [n = x.n](Exact entry) { return std::log1p(std::exp(-entry)) / n; });
    return losses.error_of(cross_entropy(Variable(logits), x.ids(0)).value());
}

double layer_norm_error(const Numbers& x) {
    const Sum variance = variance_of(x);
    const Exact sigma = std::sqrt(variance.value + Exact(1e-5));
    const Sum last = {(x.exact.back() - mean_of(x).value) / sigma,
                      std::sqrt(variance.size) / sigma};
    return last.error_of(LayerNorm(x.n)(Variable(x.row)).value(), -1);
}

Variable zeros(const Shape& shape) { return Variable(tensor::zeros(shape), requires_grad); }

Tensor gradient(const Variable& y, const Variable& x, const Tensor& G) {
    return grad(y, x, {.upstream = Variable(G)}).value();
}

// Rows (x, -x) have x̂ = ±x/√(x² + eps).
double layer_norm_gradient_error(const Numbers& x) {
    const LayerNorm norm(2);
    const Variable X(tensor::concatenate({x.column, -x.column}, 1), requires_grad);
    const Sum x_hat =
        sum_of(x, [](Exact entry) { return entry / std::sqrt(entry * entry + Exact(1e-5)); });
    return x_hat.error_of(gradient(norm(X), norm.weight, tensor::ones({x.n, 2})));
}

double rms_norm_error(const Numbers& x) {
    const RMSNorm norm(x.n);
    const Exact rms = std::sqrt(variance_of(x).size + static_cast<Exact>(norm.eps));
    return one_number(x.exact[0] / rms).error_of(norm(Variable(x.row)).value());
}

double clipped_norm_error(const Numbers& x) {
    Parameter weight(tensor::zeros({x.n}));
    sum(weight * Variable(x.row)).backward();
    return one_number(std::sqrt(variance_of(x).size * x.n))
        .error_of(clip_grad_norm({NamedParameter(weight)}, 1e30));
}

double weight_gradient_error(const Numbers& x) {
    Random random(1);
    const Linear linear(2, 3, random);
    const Tensor G = tensor::expand(x.others, {x.n, 3});
    return product_of(x).error_of(gradient(linear(Variable(x.columns(2))), linear.weight, G), 5);
}

double bias_gradient_error(const Numbers& x) {
    const Variable bias = zeros({3});
    return sum_of(x).error_of(gradient(zeros({x.n, 3}) + bias, bias, x.columns(3)), 2);
}

double embedding_gradient_error(const Numbers& x) {
    Random random(1);
    const Embedding embedding(3, 2, random);
    return sum_of(x).error_of(gradient(embedding(x.ids(1)), embedding.weight, x.columns(2)), 3);
}

double gather_gradient_error(const Numbers& x) {
    const Variable table = zeros({3});
    return sum_of(x).error_of(gradient(gather(table, 0, x.ids(2)), table, x.row), 2);
}

// One query that attends to n keys alike: the mean of the values.
double attention_over_keys_error(const Numbers& x) {
    return mean_of(x).error_of(
        fused_attention(zeros({1, 1}), zeros({x.n, 1}), Variable(x.column)).value());
}

// n queries that attend to one key: dV = Σ g.
double attention_over_queries_error(const Numbers& x) {
    const Variable V = zeros({1, 1});
    const Variable output = fused_attention(zeros({x.n, 1}), zeros({1, 1}), V);
    return sum_of(x).error_of(gradient(output, V, x.column));
}

struct Row {
    const char* name;
    double (*error)(const Numbers& x);
    double limit;                       // epsilons
    bool needs_spread = false;          // of equal numbers nothing is left
    std::int64_t longest = 10'000'000;  // in the table: more would take minutes
};

// A chain of at most 16 additions, and a logarithm of pairs
constexpr double sums = 4;
// A chain of at most 384 additions, and more of blocks: equal numbers are rounded in one direction.
constexpr double chains = 60;

const Row rows[] = {
    {"sum", [](const Numbers& x) { return sum_of(x).error_of(tensor::sum(x.row)); }, sums},
    {"sum of columns",
     [](const Numbers& x) { return sum_of(x).error_of(tensor::sum(x.columns(3), 0), 1); }, sums},
    {"sum over two axes",
     [](const Numbers& x) {
         const Tensor pairs = tensor::view(x.row, {x.n / 2, 1, 2});
         return sum_of(x).error_of(tensor::sum(tensor::expand(pairs, {x.n / 2, 3, 2}), {0, 2}), 1);
     },
     sums},
    {"mean", [](const Numbers& x) { return mean_of(x).error_of(tensor::mean(x.row)); }, sums},
    {"variance",
     [](const Numbers& x) { return variance_of(x).error_of(tensor::var(x.row, {0}, 0)); }, sums},
    {"softmax", softmax_error, sums},
    {"logsumexp",
     [](const Numbers& x) {
         return one_number(largest(x) + std::log(sum_of_exp(x)))
             .error_of(tensor::logsumexp(x.row, 0));
     },
     sums},
    {"cross-entropy, mean over rows", cross_entropy_error, sums},
    {"layer norm", layer_norm_error, sums, true},
    {"layer norm, gradient of its weight", layer_norm_gradient_error, sums},
    {"RMS norm", rms_norm_error, sums},
    {"norm of all gradients", clipped_norm_error, sums},
    {"running sum",
     [](const Numbers& x) { return sum_of(x).error_of(tensor::cumsum(x.row, 0), -1); }, sums},
    {"gradient of a bias", bias_gradient_error, sums},
    {"gradient of an embedding", embedding_gradient_error, chains},
    {"gradient of gather", gather_gradient_error, chains},
    {"dot product",
     [](const Numbers& x) { return product_of(x).error_of(tensor::matmul(x.row, x.others)); },
     chains},
    {"matrix product",
     [](const Numbers& x) {
         const Tensor A = tensor::transpose(x.columns(40));
         return product_of(x).error_of(tensor::matmul(A, tensor::expand(x.others, {x.n, 40})), 999);
     },
     chains},
    {"gradient of a weight", weight_gradient_error, chains},
    {"attention, over keys", attention_over_keys_error, chains, false, 1'000'000},
    {"attention, over queries", attention_over_queries_error, chains, false, 1'000'000},
};

double worst_error(const Row& row, std::int64_t n) {
    double worst = 0;
    for (const Kind kind :
         {Kind::constant, Kind::positive, Kind::mixed, Kind::sorted, Kind::one_huge}) {
        if (row.needs_spread && kind == Kind::constant) continue;
        worst = std::max(worst, row.error(Numbers(n, kind)));
    }
    return worst;
}

}  // namespace

TEST_CASE("the error of a sum does not grow with its length", "[nn][accuracy]") {
    for (const Row& row : rows) {
        for (const std::int64_t n : {10, 1000, 100000}) {
            INFO(row.name << " of " << n);
            CHECK(worst_error(row, n) < row.limit);
        }
    }
}

TEST_CASE("the errors of sums, as a table", "[.accuracy]") {
    for (const Row& row : rows) {
        std::printf("%-36s", row.name);
        for (const std::int64_t n : {10, 1000, 100000, 1000000, 10000000}) {
            if (n <= row.longest) std::printf(" %8.1e", worst_error(row, n) * eps);
        }
        std::printf("\n");
    }
}
