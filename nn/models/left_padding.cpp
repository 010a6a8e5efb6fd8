#include "left_padding.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The number of blocked keys before the first allowed one of a row.
std::int64_t padding_of(const char* model, const std::uint8_t* allowed, std::int64_t T,
                        std::int64_t b, const CallSite& site) {
    const std::int64_t padding = std::find(allowed, allowed + T, 1) - allowed;
    if (padding == T) {
        fail_argument(model, site, "the mask says that sequence ", b,
                      " is all padding; each must have a token");
    }
    if (std::find(allowed + padding, allowed + T, 0) != allowed + T) {
        fail_argument(model, site, "the mask says that sequence ", b,
                      " has padding after a token; it must be before all of them, since the next "
                      "token follows the last: Mask::left_padding(lengths, T)");
    }
    return padding;
}

}  // namespace

std::vector<std::int64_t> left_padding_of(const char* model, const IndexTensor& ids,
                                          const Mask& mask, const CallSite& site) {
    const Shape& shape = mask.shape();
    if (ids.rank() != 2 || shape.rank() != 4 || shape[0] != ids.dim(0) || shape[1] != 1 ||
        shape[2] != 1 || shape[3] != ids.dim(1)) {
        fail_shape(model, site, "ids have shape ", ids.shape(), " and the mask ", shape,
                   "; for texts of different lengths they must be [B, T] and [B, 1, 1, T], such as "
                   "Mask::left_padding(lengths, T)");
    }
    const std::int64_t B = ids.dim(0), T = ids.dim(1);
    std::vector<std::int64_t> padding;
    for (std::int64_t b = 0; b < B && T > 0; ++b) {
        padding.push_back(padding_of(model, mask.allowed().data() + b * T, T, b, site));
    }
    const bool none = std::count(padding.begin(), padding.end(), 0) == std::ssize(padding);
    return none ? std::vector<std::int64_t>() : padding;
}

Variable placed_after_padding(const AnyPositions& positions, const Variable& x, std::int64_t first,
                              const std::vector<std::int64_t>& padding, const CallSite& site) {
    if (!positions.are_given()) return x;
    const auto [least, most] = std::minmax_element(padding.begin(), padding.end());
    const std::int64_t T = x.dim(-2), begin = std::max(first - *most, std::int64_t{0});
    const std::int64_t end = std::max(first + T - *least, begin);
    std::vector<std::int64_t> places;  // of each token, counted from `begin`
    for (const std::int64_t its : padding) {
        for (std::int64_t t = first; t < first + T; ++t) {
            places.push_back(std::max(t - its, begin) - begin);
        }
    }
    const Variable nothing(tensor::zeros(Shape({end - begin, x.dim(-1)}, site), site));
    const Variable rows = positions.added_to(nothing, begin, site);  // [end - begin, d]
    const Variable own = index_select(rows, 0, IndexTensor(places));
    return x + reshape(own, x.shape());  // [B, T, d]
}

Mask causal_after_padding(const std::vector<std::int64_t>& padding, std::int64_t T,
                          std::int64_t T_k, const CallSite& site) {
    const Mask causal = Mask::causal(T, T_k, site);
    if (padding.empty()) return causal;
    std::vector<std::int64_t> lengths;
    for (const std::int64_t its : padding) lengths.push_back(T_k - its);
    return causal & Mask::left_padding(lengths, T_k, site);
}

}}  // namespace heed
