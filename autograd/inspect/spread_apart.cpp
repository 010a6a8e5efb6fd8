#include "spread_apart.h"

#include <algorithm>
#include <cstddef>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// Neighbours that touch and move as one.
struct Group {
    double sum, weight;
    std::size_t count;

    double mean() const { return sum / weight; }
};

}  // namespace

// With what lies before each subtracted, "at least apart" becomes "not falling": neighbours that
// would fall are joined at their mean, until none does.
std::vector<double> spread_apart(const std::vector<double>& wanted,
                                 const std::vector<double>& apart,
                                 const std::vector<double>& weights, double least, double most) {
    std::vector<double> before(wanted.size(), 0);
    for (std::size_t i = 1; i < wanted.size(); ++i) before[i] = before[i - 1] + apart[i];
    std::vector<Group> groups;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        groups.push_back({weights[i] * (wanted[i] - before[i]), weights[i], 1});
        while (groups.size() > 1 && groups[groups.size() - 2].mean() > groups.back().mean()) {
            const Group last = groups.back();
            groups.pop_back();
            groups.back().sum += last.sum;
            groups.back().weight += last.weight;
            groups.back().count += last.count;
        }
    }
    const double highest = wanted.empty() ? least : std::max(least, most - before.back());
    std::vector<double> places;
    for (const Group& group : groups) {
        const double place = std::clamp(group.mean(), least, highest);
        for (std::size_t i = 0; i < group.count; ++i)
            places.push_back(place + before[places.size()]);
    }
    return places;
}

}}  // namespace heed
