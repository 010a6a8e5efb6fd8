#include "key_value_cache.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"

#include <algorithm>

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
    fail_shape("KeyValueCache", site, what, " have shape ", more.shape(), ", those so far ", before,
               "; all axes but the second-to-last, the tokens, must be equal");
}

}  // namespace

KeyValueCache::Kept::Kept(const Kept& other)
    : so_far(other.so_far.requires_grad() ? other.so_far
                                          : Variable(tensor::clone(other.so_far.value()))) {}

KeyValueCache::Kept& KeyValueCache::Kept::operator=(const Kept& other) {
    if (this != &other) *this = Kept(other);
    return *this;
}

void KeyValueCache::Kept::append(const Variable& more, std::int64_t length) {
    if (length == 0) {
        so_far = more;
        return;
    }
    if (so_far.requires_grad() || more.requires_grad()) {
        room = Tensor();
        so_far = concatenate({so_far, more}, -2);
        return;
    }
    const std::int64_t longer = length + more.dim(-2);
    if (room.rank() != more.rank() || room.dim(-2) < longer) {
        const std::int64_t capacity = std::max(2 * length, longer);
        room = Tensor::uninitialized(with_length(more.shape(), capacity));
        Tensor begin = tensor::slice(room, -2, 0, length);
        tensor::overwrite(begin, so_far.value());
    }
    Tensor end = tensor::slice(room, -2, length, longer);
    tensor::overwrite(end, more.value());
    so_far = Variable(tensor::slice(room, -2, 0, longer));
}

KeysAndValues KeyValueCache::append(const KeysAndValues& more, CallSite site) {
    const Scope scope("KeyValueCache", site);
    if (more.K.rank() < 2 || more.V.rank() < 2 || more.K.dim(-2) != more.V.dim(-2)) {
        fail_shape("KeyValueCache", site, "the keys have shape ", more.K.shape(), ", the values ",
                   more.V.shape(), "; both must be [..., T, d], with one value for each key");
    }
    if (length_ > 0) {
        check_appended("the keys", K_.so_far, more.K, site);
        check_appended("the values", V_.so_far, more.V, site);
    }
    K_.append(more.K, length_);
    V_.append(more.V, length_);
    length_ += more.K.dim(-2);
    return {K_.so_far, V_.so_far};
}

void KeyValueCache::truncate(std::int64_t length, CallSite site) {
    if (length < 0 || length > length_) {
        fail_range("KeyValueCache", site, "the first ", length,
                   " tokens are to be kept; there are ", length_);
    }
    if (length == length_) return;
    length_ = length;
    K_.so_far = slice(K_.so_far, -2, 0, length, 1, site);
    V_.so_far = slice(V_.so_far, -2, 0, length, 1, site);
}

void KeyValueCache::keep_sequences(const IndexTensor& sequences, CallSite site) {
    if (length_ == 0) return;
    if (K_.so_far.rank() < 3 || V_.so_far.rank() < 3) {
        fail_shape("KeyValueCache", site, "the keys have shape ", K_.so_far.shape(),
                   "; there is no axis of sequences");
    }
    for (Kept* kept : {&K_, &V_}) {
        kept->so_far = index_select(kept->so_far, 0, sequences, site);
        kept->room = Tensor();
    }
}

}}  // namespace heed
