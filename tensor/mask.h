// Mask: which keys each query may attend to.
// PyTorch has two opposite conventions: in scaled_dot_product_attention a boolean mask is true
// where a query may attend, in nn.MultiheadAttention it is true where it may not (as in its
// key_padding_mask). So a Mask is never just "true": its functions say what it allows or blocks.
#pragma once

#include "bool_tensor.h"

namespace heed { inline namespace HEED_PRECISION {

// Shape [..., T_q, T_k]; the axes before the last two broadcast over batch and heads.
class Mask {
  public:
    // The right operand of &, which carries the caller's line for errors.
    struct Operand {
        Operand(const Mask& x, CallSite caller = CallSite::here()) : mask(x), site(caller) {}

        const Mask& mask;
        CallSite site;
    };

    // Query i may attend to keys j ≤ i + (T_k - T_q): the last query sees every key.
    // [T_q, T_k]. Error: a negative size (ShapeError).
    static Mask causal(std::int64_t T_q, std::int64_t T_k, CallSite site = CallSite::here());
    static Mask causal(std::int64_t T, CallSite site = CallSite::here());
    // Causal, and only the last `window` of these keys: i + (T_k - T_q) - window < j (Beltagy et
    // al. 2020, "sliding window"). Errors: a negative size (ShapeError), a window below 1
    // (std::invalid_argument).
    static Mask sliding_window(std::int64_t T_q, std::int64_t T_k, std::int64_t window,
                               CallSite site = CallSite::here());
    // Sequence b of the batch has lengths[b] keys; the rest up to T is padding that no query may
    // attend to. [B, 1, 1, T] with B = lengths.size(): for scores [B, heads, T_q, T].
    // Errors: a length below 0 or above T, no lengths (std::invalid_argument).
    static Mask padding(const std::vector<std::int64_t>& lengths, std::int64_t T,
                        CallSite site = CallSite::here());
    // The same with the padding before each sequence, as a model has them that continues texts:
    // the keys of sequence b are the last lengths[b] of T.
    static Mask left_padding(const std::vector<std::int64_t>& lengths, std::int64_t T,
                             CallSite site = CallSite::here());
    static Mask all_allowed(std::int64_t T_q, std::int64_t T_k, CallSite site = CallSite::here());
    // From a table in which true means "may attend", or "may not". The layers refuse one of two
    // axes in a batch of as many sequences as it has rows: it could be [T_q, T_k] or [B, T_k],
    // which the functions below say. Error: rank < 2 (ShapeError).
    static Mask allowing(const BoolTensor& allowed, CallSite site = CallSite::here());
    static Mask blocking(const BoolTensor& blocked, CallSite site = CallSite::here());
    // From a table [..., T_q, T_k] of the pairs of a query and a key, for a batch of any size.
    static Mask allowing_pairs(const BoolTensor& allowed, CallSite site = CallSite::here());
    static Mask blocking_pairs(const BoolTensor& blocked, CallSite site = CallSite::here());
    // From a table [B, T_k] of the keys of each sequence, like PyTorch's key_padding_mask (which is
    // true where a key is blocked). [B, 1, 1, T_k]. Error: another rank (ShapeError).
    static Mask allowing_keys(const BoolTensor& allowed, CallSite site = CallSite::here());
    static Mask blocking_keys(const BoolTensor& blocked, CallSite site = CallSite::here());

    const Shape& shape() const { return allowed_.shape(); }
    // Whether it, or a part of it, was made by allowing() or blocking() from a table of two axes.
    bool is_from_plain_table() const { return from_plain_table_; }
    std::int64_t T_q() const { return shape()[shape().rank() - 2]; }
    std::int64_t T_k() const { return shape()[shape().rank() - 1]; }

    // Whether query i may attend to key j. With axes before the last two, give the full index.
    // Errors: a wrong number of indices (ShapeError), one out of range (out_of_range).
    bool allows(std::int64_t i, std::int64_t j, CallSite site = CallSite::here()) const;
    bool allows(const Dims& index, CallSite site = CallSite::here()) const;
    const BoolTensor& allowed() const { return allowed_; }  // true where a query may attend
    BoolTensor blocked() const;                             // true where it may not

    // What both masks allow, with broadcasting. Error: shapes do not broadcast (ShapeError).
    Mask operator&(const Operand& other) const;
    bool operator==(const Mask& other) const;  // the same shape, and the same keys allowed

  private:
    explicit Mask(const BoolTensor& allowed, bool from_plain_table = false)
        : allowed_(allowed), from_plain_table_(from_plain_table) {}

    BoolTensor allowed_;
    bool from_plain_table_;
};

// A grid: a row for each query, a column for each key, "x" where it may attend, "·" where not.
std::ostream& operator<<(std::ostream& out, const Mask& mask);

}}  // namespace heed
