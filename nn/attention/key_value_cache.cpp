#include "key_value_cache.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace {
Shape with_length(const Shape& shape, std::int64_t length) {
    return shape.with(shape.rank() - 2, length);
}

void check_appended(const char* what, const Variable& so_far, const Variable& more,
                    const CallSite& site) {
    const Shape& before = so_far.shape();
    if (more.rank() == before.rank() && with_length(more.shape(), 0) == with_length(before, 0)) {
        return;
    }
    fail_shape("KeyValueCache", site, what, " have shape ", more.shape(),
               " and those in the cache ", before,
               "; all axes but the second-to-last, the tokens, must be equal");
}

}  // namespace

struct KeyValueCache::Buffer {
    Tensor numbers;                     // [..., capacity, d]
    std::atomic<std::int64_t> written;  // tokens, which are never overwritten
    Scalar* entries;

    Buffer(const Tensor& begin, std::int64_t capacity)
        : numbers(Tensor::uninitialized(with_length(begin.shape(), capacity))),
          written(begin.dim(-2)) {
        Tensor first = tensor::slice(numbers, -2, 0, begin.dim(-2));
        tensor::overwrite(first, begin);
        entries = numbers.writable_data();
    }

    // Appends at `length`, unless another has done so or there is no room.
    bool append(const Tensor& more, std::int64_t length) {
        const std::int64_t T = more.dim(-2), capacity = numbers.dim(-2), d = numbers.dim(-1);
        if (length + T > capacity) return false;
        const Tensor rows = tensor::contiguous(more);
        if (!written.compare_exchange_strong(length, length + T)) return false;
        // No tensor shows these entries yet, so nothing that was handed out changes.
        for (std::int64_t i = 0; i < rows.numel(); i += T * d) {
            std::memcpy(entries + (i / T * capacity + length * d), rows.data() + i,
                        static_cast<std::size_t>(T * d) * sizeof(Scalar));
        }
        return true;
    }
};

KeyValueCache::Kept KeyValueCache::Kept::with(const Variable& more) const {
    const std::int64_t before = length(), longer = before + more.dim(-2);
    if (so_far.requires_grad() || more.requires_grad()) {
        if (before == 0) return {concatenate({more}, -2), nullptr};
        return {concatenate({so_far, more}, -2), nullptr};
    }
    std::shared_ptr<Buffer> target = buffer;
    if (before == 0) {
        target = std::make_shared<Buffer>(more.value(), longer);
    } else if (!target || !target->append(more.value(), before)) {
        target = std::make_shared<Buffer>(so_far.value(), std::max(2 * before, longer));
        target->append(more.value(), before);
    }
    return {Variable(tensor::slice(target->numbers, -2, 0, longer)), target};
}

KeysAndValues KeyValueCache::append(const KeysAndValues& more, CallSite site) {
    const Scope scope("KeyValueCache", site);
    if (more.K.rank() < 2 || more.V.rank() < 2 || more.K.dim(-2) != more.V.dim(-2)) {
        fail_shape("KeyValueCache", site, "the keys have shape ", more.K.shape(),
                   " and the values ", more.V.shape(),
                   "; both must be [..., T, d], with one value for each key");
    }
    if (length() > 0) {
        check_appended("the keys", K_.so_far, more.K, site);
        check_appended("the values", V_.so_far, more.V, site);
    }
    Kept K = K_.with(more.K), V = V_.with(more.V);
    K_ = std::move(K);
    V_ = std::move(V);
    return all();
}

KeysAndValues KeyValueCache::append_heads(const KeysAndValues& more, CallSite site) {
    if (more.K.rank() < 3 || more.V.rank() < 3) {
        fail_shape("KeyValueCache", site, "the keys have shape ", more.K.shape(),
                   " and the values ", more.V.shape(),
                   "; for several heads both must be [..., h, T, d]");
    }
    const KeysAndValues appended = append(more, site);
    has_heads_ = true;
    return appended;
}

void KeyValueCache::truncate(std::int64_t length, CallSite site) {
    if (length < 0 || length > this->length()) {
        fail_range("KeyValueCache", site, "cannot keep the first ", length, " tokens; there are ",
                   this->length());
    }
    if (length == this->length()) return;
    if (length == 0) return void(*this = KeyValueCache());
    Variable K = slice(K_.so_far, -2, 0, length, 1, site);
    V_.so_far = slice(V_.so_far, -2, 0, length, 1, site);
    K_.so_far = std::move(K);
}

void KeyValueCache::keep_sequences(const IndexTensor& sequences, CallSite site) {
    if (length() == 0) return;
    const int sequence_axes = has_heads_ ? 3 : 2;  // axes
    if (std::min(K_.so_far.rank(), V_.so_far.rank()) <= sequence_axes) {
        fail_shape("KeyValueCache", site, "the keys have shape ", K_.so_far.shape(),
                   "; there is no batch axis before ", has_heads_ ? "[h, T, d]" : "[T, d]");
    }
    Variable K = index_select(K_.so_far, 0, sequences, site);
    Variable V = index_select(V_.so_far, 0, sequences, site);
    K_ = {std::move(K), nullptr};
    V_ = {std::move(V), nullptr};
}

}}  // namespace heed
