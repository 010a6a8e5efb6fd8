// The error of long sums, against the same sums in long double: of every reduction, product and
// gradient that is a sum, for numbers that are hard to add. It may not grow with the length but for
// a logarithm. `heed_tests "[.accuracy]"` prints the table of autograd/README.md, and
// accuracy_of_pytorch.py the same for PyTorch.
#include "nn/heed.h"

#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

using namespace heed;
using Exact = long double;

namespace {
constexpr double eps = static_cast<double>(std::numeric_limits<Scalar>::epsilon());

using Numbers = std::vector<Scalar>;

enum class Kind { constant, positive, mixed, sorted, one_huge };

Numbers draw(std::int64_t n, Kind kind) {
    Random random(7);
    Numbers x(static_cast<std::size_t>(n));
    for (Scalar& entry : x) {
        if (kind == Kind::constant) entry = Scalar(0.1);
        if (kind == Kind::mixed) entry = Scalar(random.normal());
        if (kind == Kind::positive || kind == Kind::sorted || kind == Kind::one_huge) {
            entry = Scalar(random.uniform());
        }
    }
    if (kind == Kind::sorted) std::sort(x.begin(), x.end());
    if (kind == Kind::one_huge) x[x.size() / 3] = Scalar(n);
    return x;
}

// n numbers as a tensor of the given shape, and another n.
Tensor tensor_of(const Numbers& x, const Shape& shape) { return tensor::from_vector(x, shape); }
Tensor row_of(const Numbers& x) { return tensor_of(x, {static_cast<std::int64_t>(x.size())}); }
Tensor others(const Shape& shape) {
    Random random(8);
    return tensor::uniform(shape, random);
}

// Σ of term(i), its error in a result, and how large the terms are: the error is given in epsilons
// of Σ |term|, the size of what was added.
struct Sum {
    Exact value = 0, size = 0;

    void add(Exact term) {
        value += term;
        size += std::fabs(term);
    }
    double error_of(Scalar result) const {
        return static_cast<double>(std::fabs(static_cast<Exact>(result) - value) / size) / eps;
    }
};

Sum sum_of(const Numbers& x) {
    Sum sum;
    for (const Scalar entry : x) sum.add(static_cast<Exact>(entry));
    return sum;
}

Sum product_of(const Numbers& x, const Tensor& y) {
    Sum sum;
    const Numbers other = y.to_vector();
    for (std::size_t i = 0; i < x.size(); ++i) sum.add(static_cast<Exact>(x[i]) * other[i]);
    return sum;
}

Sum scaled(Sum sum, Exact factor) { return {sum.value * factor, sum.size * std::fabs(factor)}; }

Exact n_of(const Numbers& x) { return static_cast<Exact>(x.size()); }
std::int64_t length(const Numbers& x) { return static_cast<std::int64_t>(x.size()); }

// How wrong something that is computed from n numbers is, in epsilons.
using Error = double (*)(const Numbers& x);

double of_gradient(const Variable& y, const Variable& x, const Tensor& G, std::int64_t entry,
                   const Sum& expected) {
    const Variable gradient = grad(y, x, {.upstream = Variable(G)});
    return expected.error_of(gradient.value().to_vector()[static_cast<std::size_t>(entry)]);
}

Variable zeros(const Shape& shape) { return Variable(tensor::zeros(shape), requires_grad); }

double sum(const Numbers& x) { return sum_of(x).error_of(tensor::sum(row_of(x)).item()); }

double mean(const Numbers& x) {
    return scaled(sum_of(x), 1 / n_of(x)).error_of(tensor::mean(row_of(x)).item());
}

double sum_of_columns(const Numbers& x) {
    const Tensor columns = tensor::expand(tensor_of(x, {length(x), 1}), {length(x), 3});
    return sum_of(x).error_of(tensor::sum(columns, 0)(1));
}

double sum_of_two_axes(const Numbers& x) {
    const Tensor pairs = tensor_of(x, {length(x) / 10, 5, 2});
    const Numbers sums = tensor::sum(pairs, {0, 2}).to_vector();
    double worst = 0;
    for (std::size_t j = 0; j < 5; ++j) {
        Sum sum;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (i / 2 % 5 == j) sum.add(static_cast<Exact>(x[i]));
        }
        worst = std::max(worst, sum.error_of(sums[j]));
    }
    return worst;
}

// Σ (x - μ)²/n; the size of what is added is x².
double var(const Numbers& x) {
    const Exact mu = sum_of(x).value / n_of(x);
    Sum variance;
    for (const Scalar entry : x) {
        const Exact deviation = static_cast<Exact>(entry) - mu;
        variance.value += deviation * deviation / n_of(x);
        variance.size += static_cast<Exact>(entry) * static_cast<Exact>(entry) / n_of(x);
    }
    return variance.error_of(tensor::var(row_of(x), {0}, 0).item());
}

Exact largest(const Numbers& x) {
    return static_cast<Exact>(*std::max_element(x.begin(), x.end()));
}

Sum exponentials(const Numbers& x) {
    Sum sum;
    const Exact most = largest(x);
    for (const Scalar entry : x) sum.add(std::exp(static_cast<Exact>(entry) - most));
    return sum;
}

// Σ exp(x - max), of which every weight is a share.
double softmax(const Numbers& x) {
    const Numbers weights = tensor::softmax(row_of(x), 0).to_vector();
    const std::size_t at = x.size() / 2;
    Sum expected;
    expected.add(std::exp(static_cast<Exact>(x[at]) - largest(x)) / exponentials(x).value);
    return weights[at] < std::numeric_limits<Scalar>::min() ? 0 : expected.error_of(weights[at]);
}

double logsumexp(const Numbers& x) {
    Sum expected;
    expected.add(largest(x) + std::log(exponentials(x).value));
    return expected.error_of(tensor::logsumexp(row_of(x), 0).item());
}

double cross_entropy_over_rows(const Numbers& x) {
    const Tensor column = tensor_of(x, {length(x), 1});
    const Tensor logits = tensor::concatenate({column, tensor::zeros({length(x), 1})}, 1);
    const IndexTensor targets(std::vector<std::int64_t>(x.size(), 0));
    Sum loss;
    for (const Scalar entry : x) {
        loss.add(std::log1p(std::exp(-static_cast<Exact>(entry))) / n_of(x));
    }
    return loss.error_of(cross_entropy(Variable(logits), targets).value().item());
}

// The last entry of a row of layer norm, times √(Σ x²/n) for its size.
double layer_norm(const Numbers& x) {
    Random random(1);
    const LayerNorm norm(length(x));
    const Scalar y = norm(Variable(row_of(x))).value().to_vector().back();
    const Exact mu = sum_of(x).value / n_of(x);
    Exact variance = 0, squares = 0;
    for (const Scalar entry : x) {
        const Exact deviation = static_cast<Exact>(entry) - mu;
        variance += deviation * deviation / n_of(x);
        squares += static_cast<Exact>(entry) * static_cast<Exact>(entry) / n_of(x);
    }
    const Exact sigma = std::sqrt(variance + Exact(1e-5));
    return Sum{(static_cast<Exact>(x.back()) - mu) / sigma, std::sqrt(squares) / sigma}.error_of(y);
}

double layer_norm_weight_gradient(const Numbers& x) {
    // Rows (x, -x) have x̂ = ±x/√(x² + eps).
    const Tensor column = tensor_of(x, {length(x), 1});
    const Variable X(tensor::concatenate({column, -column}, 1), requires_grad);
    const LayerNorm norm(2);
    const Tensor G = tensor::ones({length(x), 2});
    Sum expected;
    for (const Scalar entry : x) {
        const Exact e = static_cast<Exact>(entry);
        expected.add(e / std::sqrt(e * e + Exact(1e-5)));
    }
    return of_gradient(norm(X), norm.weight, G, 0, expected);
}

double rms_norm(const Numbers& x) {
    const RMSNorm norm(length(x));
    const Scalar y = norm(Variable(row_of(x))).value().to_vector()[0];
    Exact squares = 0;
    for (const Scalar entry : x) squares += static_cast<Exact>(entry) * static_cast<Exact>(entry);
    Sum expected;
    expected.add(static_cast<Exact>(x[0]) /
                 std::sqrt(squares / n_of(x) + static_cast<Exact>(norm.eps)));
    return expected.error_of(y);
}

double clipped_norm(const Numbers& x) {
    Parameter weight(tensor::zeros({length(x)}));
    heed::sum(weight * Variable(row_of(x))).backward();
    Sum squares;
    for (const Scalar entry : x) squares.add(static_cast<Exact>(entry) * static_cast<Exact>(entry));
    const double norm = clip_grad_norm({NamedParameter(weight)}, 1e30);
    const Exact expected = std::sqrt(squares.value);
    return static_cast<double>(std::fabs(static_cast<Exact>(norm) - expected) / expected) / eps;
}

double dot(const Numbers& x) {
    const Tensor y = others({length(x)});
    return product_of(x, y).error_of(tensor::matmul(row_of(x), y).item());
}

double matrix_product(const Numbers& x) {
    const Tensor A = tensor::expand(tensor_of(x, {1, length(x)}), {40, length(x)});
    const Tensor column = others({length(x), 1});
    const Tensor B = tensor::expand(column, {length(x), 40});
    return product_of(x, column).error_of(tensor::matmul(A, B)(17, 33));
}

double weight_gradient(const Numbers& x) {
    Random random(1);
    const Linear linear(2, 3, random);
    const Tensor column = tensor_of(x, {length(x), 1}), G = others({length(x), 1});
    const Variable X(tensor::expand(column, {length(x), 2}));
    return of_gradient(linear(X), linear.weight, tensor::expand(G, {length(x), 3}), 5,
                       product_of(x, G));
}

double bias_gradient(const Numbers& x) {
    const Variable bias = zeros({3});
    const Tensor G = tensor::expand(tensor_of(x, {length(x), 1}), {length(x), 3});
    return of_gradient(zeros({length(x), 3}) + bias, bias, G, 2, sum_of(x));
}

double embedding_gradient(const Numbers& x) {
    Random random(1);
    const Embedding embedding(3, 2, random);
    const IndexTensor ids(std::vector<std::int64_t>(x.size(), 1));
    const Tensor G = tensor::expand(tensor_of(x, {length(x), 1}), {length(x), 2});
    return of_gradient(embedding(ids), embedding.weight, G, 3, sum_of(x));
}

double gather_gradient(const Numbers& x) {
    const Variable table = zeros({3});
    const IndexTensor index(std::vector<std::int64_t>(x.size(), 2));
    return of_gradient(gather(table, 0, index), table, row_of(x), 2, sum_of(x));
}

double running_sum(const Numbers& x) {
    return sum_of(x).error_of(tensor::cumsum(row_of(x), 0).to_vector().back());
}

// One query that attends to n keys: Σ_j w_j·v_j, with equal weights.
double attention_over_keys(const Numbers& x) {
    const Tensor Q = tensor::zeros({1, 1}), K = tensor::zeros({length(x), 1});
    const Tensor V = tensor_of(x, {length(x), 1});
    const Variable output = fused_attention(Variable(Q), Variable(K), Variable(V));
    return scaled(sum_of(x), 1 / n_of(x)).error_of(output.value().item());
}

// n queries that attend to one key: dV = Σ_i g_i.
double attention_over_queries(const Numbers& x) {
    const Variable V(tensor::ones({1, 1}), requires_grad);
    const Variable output = fused_attention(Variable(tensor::zeros({length(x), 1})),
                                            Variable(tensor::zeros({1, 1})), V);
    return of_gradient(output, V, tensor_of(x, {length(x), 1}), 0, sum_of(x));
}

struct Row {
    const char* name;
    Error error;
    double limit;                       // epsilons
    bool needs_spread = false;          // of equal numbers nothing is left
    std::int64_t longest = 10'000'000;  // in the table: more would take minutes
};

// A chain of at most 16 additions, and a logarithm of pairs
constexpr double sums = 4;
// A chain of at most 384 additions, and more of blocks: equal numbers are rounded in one direction.
constexpr double chains = 60;

const Row rows[] = {
    {"sum", sum, sums},
    {"sum of columns", sum_of_columns, sums},
    {"sum over two axes", sum_of_two_axes, sums},
    {"mean", mean, sums},
    {"variance", var, sums},
    {"softmax", softmax, sums},
    {"logsumexp", logsumexp, sums},
    {"cross-entropy, mean over rows", cross_entropy_over_rows, sums},
    {"layer norm", layer_norm, sums, true},
    {"layer norm, gradient of its weight", layer_norm_weight_gradient, sums},
    {"RMS norm", rms_norm, sums},
    {"norm of all gradients", clipped_norm, sums},
    {"running sum", running_sum, sums},
    {"gradient of a bias", bias_gradient, sums},
    {"gradient of an embedding", embedding_gradient, chains},
    {"gradient of gather", gather_gradient, chains},
    {"dot product", dot, chains},
    {"matrix product", matrix_product, chains},
    {"gradient of a weight", weight_gradient, chains},
    {"attention, over keys", attention_over_keys, chains, false, 1'000'000},
    {"attention, over queries", attention_over_queries, chains, false, 1'000'000},
};

const Kind all_kinds[] = {Kind::constant, Kind::positive, Kind::mixed, Kind::sorted,
                          Kind::one_huge};

double worst_error(const Row& row, std::int64_t n) {
    double worst = 0;
    for (const Kind kind : all_kinds) {
        if (row.needs_spread && kind == Kind::constant) continue;
        worst = std::max(worst, row.error(draw(n, kind)));
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
