#include "matmul.h"

#include "../../tensor/ops/matmul.h"
#include "../record.h"
#include "views.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// C = A·B                                                  G = ∂L/∂C
// If one matrix is broadcast over a batch, the engine sums its gradient over the batch.
struct Matmul : Operation {
    Saved A, B;

    Matmul(const Variable& a, const Variable& b)
        : A(a, b.requires_grad()), B(b, a.requires_grad()) {}
    const char* name() const override { return "matmul"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::matmul(in[0], in[1], site);
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return matmul(G, transpose(B));  // ∂L/∂A = G·Bᵀ
        return matmul(transpose(A), G);                  // ∂L/∂B = Aᵀ·G
    }
};

// The rows of all matrices of a batch as one matrix: [..., i, k] as [n, k].
Variable rows(const Variable& X) {
    if (X.rank() == 2) return X;
    return flatten(X, 0, -2);
}

// C = A·B with one matrix B for a batch of A. ∂L/∂B is one product over the rows of the whole
// batch, rather than a sum of one product per matrix.
struct MatmulOfBatch final : Matmul {
    using Matmul::Matmul;

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return matmul(G, transpose(B));  // ∂L/∂A = G·Bᵀ
        return matmul(transpose(rows(A)), rows(G));  // ∂L/∂B = Aᵀ·G, the rows in one matrix
    }
};

// C = A·B where A or B is a vector, treated as a matrix of one row or one column.
struct MatmulOfVector final : Matmul {
    bool A_is_vector, B_is_vector;

    MatmulOfVector(const Variable& a, const Variable& b)
        : Matmul(a, b), A_is_vector(a.rank() == 1), B_is_vector(b.rank() == 1) {}

    Variable gradient(int input, const Variable& G) const override {
        return input == 0 ? for_A(as_matrix(G)) : for_B(as_matrix(G));
    }

    // ∂L/∂A = G·Bᵀ; for a vector A, the engine sums [..., 1, k] to [k]
    Variable for_A(const Variable& G) const {
        const Variable B_matrix = B_is_vector ? unsqueeze(B, -1) : B;
        return matmul(G, transpose(B_matrix));
    }

    // ∂L/∂B = Aᵀ·G
    Variable for_B(const Variable& G) const {
        const Variable A_matrix = A_is_vector ? unsqueeze(A, 0) : A;
        if (!B_is_vector) return matmul(transpose(A_matrix), G);
        return squeeze(matmul(transpose(rows(A_matrix)), rows(G)), -1);
    }

    // C lacks the row axis of a vector A and the column axis of a vector B; this gives them to G.
    Variable as_matrix(const Variable& G) const {
        const Variable with_column = B_is_vector ? unsqueeze(G, -1) : G;
        return A_is_vector ? unsqueeze(with_column, -2) : with_column;
    }
};
}  // namespace

Variable matmul(const Variable& A, const Variable& B, CallSite site) {
    if (A.rank() == 1 || B.rank() == 1) return record<MatmulOfVector>({&A, &B}, site, A, B);
    if (A.rank() > 2 && B.rank() == 2) return record<MatmulOfBatch>({&A, &B}, site, A, B);
    return record<Matmul>({&A, &B}, site, A, B);
}

namespace {
// y = x·Wᵀ + b                                             G = ∂L/∂y
struct LinearMap final : Operation {
    Saved x, W;

    LinearMap(const Variable& X, const Variable& weight)
        : x(X, weight.requires_grad()), W(weight, X.requires_grad()) {}
    const char* name() const override { return "linear"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::linear(in[0], in[1], in[2], site);
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return matmul(G, W);  // ∂L/∂x = G·W
        if (input == 2) return G;  // ∂L/∂b = Σ G over the rows, which the engine adds up
        return matmul(transpose(as_rows(G)), as_rows(x));  // ∂L/∂W = Gᵀ·x
    }

    static Variable as_rows(const Variable& X) { return X.rank() == 1 ? unsqueeze(X, 0) : rows(X); }
};
}  // namespace

Variable linear(const Variable& x, const Variable& W, const Variable& b, CallSite site) {
    return record<LinearMap>({&x, &W, &b}, site, x, W);
}

}}  // namespace heed
