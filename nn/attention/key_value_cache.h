// KeyValueCache: the keys and values of the tokens so far, so that generating the next one does not
// compute them again.
#pragma once

#include "../../autograd/variable.h"
#include "../../tensor/index_tensor.h"

namespace heed { inline namespace HEED_PRECISION {

struct KeysAndValues {
    Variable K, V;  // [..., T, d_k], [..., T, d_v]
};

// Of one attention layer. MultiHeadAttention::with_past() fills it. A copy continues on its own.
class KeyValueCache {
  public:
    std::int64_t length() const { return length_; }  // in tokens

    // Appends those of T further tokens, and returns all. What the first call brings says the other
    // axes. Errors (ShapeError): other leading axes or features than before; unequal numbers of
    // keys and values.
    KeysAndValues append(const KeysAndValues& more, CallSite site = CallSite::here());
    KeysAndValues all() const { return {K_.so_far, V_.so_far}; }  // empty variables without tokens

    // Keeps the first `length` tokens, as when several texts begin alike. Error: there are fewer
    // (std::out_of_range).
    void truncate(std::int64_t length, CallSite site = CallSite::here());
    // Keeps these sequences of the batch (the first axis), in this order and perhaps several times,
    // as beam search does. Errors: there is no such sequence (std::out_of_range); there is no batch
    // (ShapeError).
    void keep_sequences(const IndexTensor& sequences, CallSite site = CallSite::here());

  private:
    // Keys or values. Constants lie in a buffer with room for more; what is recorded is
    // concatenated instead, since nothing may be overwritten that a derivative needs.
    struct Kept {
        Variable so_far;  // [..., T, d]
        Tensor room;      // [..., at least T, d]; empty where something is recorded

        Kept() = default;
        Kept(const Kept& other);  // with numbers of its own, since a room is written to
        Kept(Kept&&) = default;
        Kept& operator=(const Kept& other);
        Kept& operator=(Kept&&) = default;
        void append(const Variable& more, std::int64_t length);
    };

    Kept K_, V_;
    std::int64_t length_ = 0;
};

}}  // namespace heed
