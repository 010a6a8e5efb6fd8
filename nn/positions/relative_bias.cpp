#include "relative_bias.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../../tensor/room.h"
#include "../argument_checks.h"
#include "../running.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {

RelativeBias::RelativeBias(std::int64_t num_heads, std::int64_t farthest, CallSite site) {
    if (num_heads < 1 || farthest < 0) {
        fail_argument("RelativeBias", site, "num_heads is ", num_heads, " and farthest is ",
                      farthest, "; num_heads must be at least 1, and farthest at least 0");
    }
    if (farthest > INT64_MAX / 2) {
        fail_argument("RelativeBias", site, "farthest is ", farthest,
                      "; 2·farthest + 1 does not fit in 64 bits");
    }
    weight = Parameter(tensor::zeros(Shape({num_heads, 2 * farthest + 1}, site), site), "weight");
}

std::optional<Variable> RelativeBias::bias(std::int64_t T_q, std::int64_t T_k, std::int64_t first,
                                           CallSite site) const {
    check_parameter("RelativeBias", "weight", weight, 2, site);
    if (weight.dim(1) % 2 == 0) {
        fail_shape("RelativeBias", site, "the weight has shape ", weight.shape(),
                   "; it must be [h, 2·farthest + 1], with distance 0 in the middle");
    }
    check_first("RelativeBias", first, T_q, site);
    const Running layer(*this, "RelativeBias", {}, site);
    const Shape shape({T_q, T_k}, site);
    // of weight, for each query and key
    std::vector<std::int64_t> columns = room_for<std::int64_t>("RelativeBias", shape, site);
    for (std::int64_t i = first; i < first + T_q; ++i) {
        for (std::int64_t j = 0; j < T_k; ++j) {
            columns.push_back(std::clamp(j - i, -farthest(), farthest()) + farthest());
        }
    }
    const IndexTensor distances(columns, shape);
    const Variable by_head = index_select(weight, 1, distances);  // [h, T_q, T_k]
    return layer.gives(by_head);
}

std::string RelativeBias::details() const {
    return text("num_heads=", weight.dim(0), ", farthest=", farthest());
}

namespace {
// 2^(-8/n), 2^(-16/n), ..., 2^-8
std::vector<double> geometric_slopes(std::int64_t n) {
    std::vector<double> slopes = tensor::geometric_frequencies(n, 256);
    slopes.erase(slopes.begin());
    slopes.push_back(1.0 / 256);
    return slopes;
}

// Heads beyond a power of two get the slopes between those, as in the paper's published code.
std::vector<double> slopes_of(std::int64_t num_heads) {
    std::int64_t power = 1;
    while (2 * power <= num_heads) power *= 2;
    std::vector<double> slopes = geometric_slopes(power);
    const std::vector<double> finer = geometric_slopes(2 * power);
    for (std::size_t i = 0; static_cast<std::int64_t>(slopes.size()) < num_heads; i += 2) {
        slopes.push_back(finer[i]);
    }
    return slopes;
}

}  // namespace

Alibi::Alibi(std::int64_t num_heads, CallSite site) {
    check_number_of("Alibi", "num_heads", num_heads, site);
    slopes = slopes_of(num_heads);
}

std::optional<Variable> Alibi::bias(std::int64_t T_q, std::int64_t T_k, std::int64_t first,
                                    CallSite site) const {
    check_first("Alibi", first, T_q, site);
    if (slopes.empty()) fail_argument("Alibi", site, "there are no slopes; each head needs one");
    for (const double slope : slopes) {
        if (__builtin_isfinite(slope)) continue;
        fail_argument("Alibi", site, "a slope is ", slope, "; each must be finite");
    }
    const Running layer(*this, "Alibi", {}, site);
    const std::int64_t h = static_cast<std::int64_t>(slopes.size());
    Tensor falling = Tensor::uninitialized(Shape({h, T_q, T_k}, site), site);
    Scalar* to = falling.writable_data();
    for (const double slope : slopes) {
        for (std::int64_t i = first; i < first + T_q; ++i) {
            for (std::int64_t j = 0; j < T_k; ++j) {
                *to++ = static_cast<Scalar>(slope * static_cast<double>(j < i ? j - i : i - j));
            }
        }
    }
    return layer.gives(Variable(falling));
}

std::string Alibi::details() const { return text("num_heads=", slopes.size()); }

}}  // namespace heed
