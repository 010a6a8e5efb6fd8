// The heads of a batch, as tasks for a kernel: where each one's matrices begin, and what its
// queries may see.
#pragma once

#include "../kernels/kernels.h"
#include "../runtime/parallel.h"
#include "../views.h"
#include "attention.h"

#include <cstring>
#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// Where the entries of a batch begin, in row-major order.
inline std::vector<std::int64_t> beginnings(const Shape& shape, const Dims& strides,
                                            const Shape& batch) {
    const Dims steps = broadcast_strides(shape, strides, batch);
    std::vector<std::int64_t> offsets;
    for (std::int64_t i = 0; i < batch.numel(); ++i) {
        const Dims index = unravelled(i, batch);
        std::int64_t offset = 0;
        for (int axis = 0; axis < batch.rank(); ++axis) offset += index[axis] * steps[axis];
        offsets.push_back(offset);
    }
    return offsets;
}

inline std::vector<std::int64_t> beginnings(const Tensor& x, const Shape& batch) {
    return beginnings(x.shape().without_last(2), x.strides().without_last(2), batch);
}

inline kernels::Visible visible_in_row(const std::uint8_t* allowed, std::int64_t n) {
    if (n == 0) return {0, false};  // no bytes, and perhaps no memory for any
    const std::size_t length = static_cast<std::size_t>(n);
    const void* const first_blocked = std::memchr(allowed, 0, length);
    if (first_blocked == nullptr) return {n, false};
    const std::uint8_t* const blocked = static_cast<const std::uint8_t*>(first_blocked);
    const std::size_t rest = length - static_cast<std::size_t>(blocked - allowed);
    if (std::memchr(blocked, 1, rest) == nullptr) return {blocked - allowed, false};
    std::int64_t end = n;
    while (allowed[end - 1] == 0) --end;
    return {end, true};
}

// The matrices [..., rows, columns] of one operand, one for each head of a batch; its leading axes
// are broadcast to those of the batch.
class MatricesOfHeads {
  public:
    MatricesOfHeads(const Tensor& x, const Shape& batch)
        : data_(x.data()), row_(x.strides()[x.rank() - 2]), column_(x.strides()[x.rank() - 1]),
          begin_(beginnings(x, batch)) {}

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
    RowsOfHeads(Tensor& x, const Shape& batch) {
        if (!x.storage()) return;  // nothing is wanted
        data_ = x.writable_data();
        row_ = x.strides()[x.rank() - 2];
        begin_ = beginnings(x, batch);
    }

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
    VisibleToQueries(const std::optional<Mask>& mask, const Shape& batch, std::int64_t T_k) {
        if (!mask) return;
        const Shape slices = mask->shape().without_last(2);
        rows_ = mask->T_q();
        columns_ = mask->T_k();
        allowed_ = mask->allowed().data();
        visible_.resize(static_cast<std::size_t>(slices.numel() * rows_));
        parallel_for(slices.numel() * rows_, 64, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                kernels::Visible row = visible_in_row(allowed_ + i * columns_, columns_);
                if (columns_ == 1 && row.end == 1) row.end = T_k;  // one column for all keys
                visible_[static_cast<std::size_t>(i)] = row;
            }
        });
        slice_ = beginnings(slices, contiguous_strides(slices), batch);
    }

    // For the queries of one head, starting at `query`.
    void put_into(kernels::AttentionOperands& operands, std::int64_t head,
                  std::int64_t query) const {
        if (allowed_ == nullptr) return;
        operands.one_for_all = rows_ == 1;
        const std::int64_t row =
            slice_[static_cast<std::size_t>(head)] * rows_ + kernels::row_of_mask(operands, query);
        operands.visible = visible_.data() + row;
        operands.allowed = allowed_ + row * columns_;
    }

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
                   const std::optional<Mask>& mask, const ScoreOptions& options,
                   const Shape& batch_of_heads, const CallSite& site)
        : batch(batch_of_heads), T_q(Q.dim(-2)), T_k(K.dim(-2)), d_k(Q.dim(-1)), d_v(V.dim(-1)),
          divisor_(static_cast<Scalar>(divisor_of(options.scale, d_k))),
          soft_cap_(static_cast<Scalar>(options.soft_cap.value_or(0))), Q_(Q, batch), K_(K, batch),
          V_(V, batch), visible_(mask, batch, T_k) {
        if (!options.bias) return;
        const Shape scores = batch.followed_by({T_q, T_k});
        bias_.emplace(expand(*options.bias, scores, site), batch);
    }

    // Queries `begin` to `end` of one head, with scratch memory for a kernel.
    kernels::AttentionOperands of(std::int64_t head, std::int64_t begin, std::int64_t end,
                                  Scalar* scratch) const {
        kernels::AttentionOperands operands = {};
        operands.T_q = end - begin;
        operands.T_k = T_k;
        operands.d_k = d_k;
        operands.d_v = d_v;
        operands.divisor = divisor_;
        operands.soft_cap = soft_cap_;
        operands.Q = Q_.of(head);
        operands.Q.data += begin * operands.Q.row;
        operands.K = K_.of(head);
        operands.V = V_.of(head);
        if (bias_) operands.bias = bias_->of(head);
        if (bias_) operands.bias.data += begin * operands.bias.row;
        visible_.put_into(operands, head, begin);
        operands.scratch = scratch;
        return operands;
    }

    Shape batch;  // the axes of the heads
    std::int64_t T_q, T_k, d_k, d_v;

  private:
    Scalar divisor_, soft_cap_;
    MatricesOfHeads Q_, K_, V_;
    std::optional<MatricesOfHeads> bias_;
    VisibleToQueries visible_;
};

}}}  // namespace heed::tensor
