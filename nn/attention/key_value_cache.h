// KeyValueCache: the keys and values of the tokens so far, so that generating the next one does not
// compute them again.
#pragma once

#include "../../autograd/variable.h"
#include "../../tensor/index_tensor.h"

#include <memory>

namespace heed { inline namespace HEED_PRECISION {

struct KeysAndValues {
    Variable K, V;  // [..., T, d_k], [..., T, d_v]
};

// Of one attention layer; MultiHeadAttention::with_past() fills it. It is a value: what all() and
// append() returned stays as it is, a copy continues on its own, and a call that fails changes
// nothing. A copy is cheap, since entries are shared until one of the two differs.
class KeyValueCache {
  public:
    std::int64_t length() const { return K_.length(); }  // in tokens

    // Appends those of T further tokens, and returns all. The first call fixes the other axes.
    // Errors (ShapeError): other leading axes or features than before; unequal numbers of keys and
    // values.
    KeysAndValues append(const KeysAndValues& more, CallSite site = CallSite::here());
    // The same, of several heads: [..., h, T, d_k] and [..., h, T, d_v]. Also error: no axis h.
    KeysAndValues append_heads(const KeysAndValues& more, CallSite site = CallSite::here());
    KeysAndValues all() const { return {K_.so_far, V_.so_far}; }  // empty variables without tokens

    // Keeps the first `length` tokens, as when several texts begin alike. Error: it is negative, or
    // there are fewer (std::out_of_range).
    void truncate(std::int64_t length, CallSite site = CallSite::here());
    // Keeps these sequences of the batch (the first axis), in this order and perhaps several times,
    // as beam search does; without tokens there is nothing to keep. Errors: there is no such
    // sequence (std::out_of_range); no axis of sequences before that of heads or tokens
    // (ShapeError).
    void keep_sequences(const IndexTensor& sequences, CallSite site = CallSite::here());

  private:
    struct Buffer;
    // Keys or values. Constants lie in a buffer with room for more, which copies share: each place
    // is written once, by the first that appends there. What is recorded is concatenated instead.
    struct Kept {
        Variable so_far;  // [..., T, d]
        std::shared_ptr<Buffer> buffer;

        std::int64_t length() const { return so_far.rank() < 2 ? 0 : so_far.dim(-2); }
        Kept with(const Variable& more) const;
    };

    Kept K_, V_;
    bool has_heads_ = false;
};

}}  // namespace heed
