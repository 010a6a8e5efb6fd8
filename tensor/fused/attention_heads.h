// The heads of a batch, as tasks for a kernel: where each one's matrices begin, and what its
// queries may see.
#pragma once

#include "../kernels/kernels.h"
#include "attention.h"

#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// The matrices [..., rows, columns] of one operand, one for each head of a batch; its leading axes
// are broadcast to those of the batch.
class MatricesOfHeads {
  public:
    MatricesOfHeads(const Tensor& x, const Shape& batch);
    kernels::Matrix of(std::int64_t head) const {
        return {data_ + begin_[static_cast<std::size_t>(head)], row_, column_};
    }

  private:
    const Scalar* data_;
    std::int64_t row_, column_;
    std::vector<std::int64_t> begin_;
};

// The same for writing; without data if nothing is written.
class RowsOfHeads {
  public:
    RowsOfHeads() = default;
    RowsOfHeads(Tensor& x, const Shape& batch);
    kernels::Rows of(std::int64_t head) const {
        return {data_ ? data_ + begin_[static_cast<std::size_t>(head)] : nullptr, row_};
    }

  private:
    Scalar* data_ = nullptr;
    std::int64_t row_ = 0;
    std::vector<std::int64_t> begin_;
};

// What each query may see, found once for all heads that share a mask.
class VisibleToQueries {
  public:
    VisibleToQueries(const std::optional<Mask>& mask, const Shape& batch, std::int64_t T_k);
    // For the queries of one head, starting at `query`.
    void put_into(kernels::AttentionOperands& operands, std::int64_t head,
                  std::int64_t query) const;

  private:
    std::int64_t rows_ = 0, columns_ = 0;  // of each slice of the mask
    const std::uint8_t* allowed_ = nullptr;
    std::vector<kernels::Visible> visible_;
    std::vector<std::int64_t> slice_;  // of the mask, for each head
};

// All heads of a batch. The tensors must outlive it.
class AttentionHeads {
  public:
    AttentionHeads(const Tensor& Q, const Tensor& K, const Tensor& V,
                   const std::optional<Mask>& mask, const ScoreOptions& options, const Shape& batch,
                   const CallSite& site);
    // Queries `begin` to `end` of one head, with scratch memory for a kernel.
    kernels::AttentionOperands of(std::int64_t head, std::int64_t begin, std::int64_t end,
                                  Scalar* scratch) const;

    Shape batch;  // the axes of the heads
    std::int64_t T_q, T_k, d_k, d_v;

  private:
    Scalar divisor_, soft_cap_;
    MatricesOfHeads Q_, K_, V_;
    std::optional<MatricesOfHeads> bias_;
    VisibleToQueries visible_;
};

}}}  // namespace heed::tensor
