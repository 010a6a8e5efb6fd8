#include "tutorials/exercises/judges/11_1_known_jobs_walk.h"

#include "tensor/factories.h"
#include "tensor/ops.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

using namespace heed;

namespace exercise {

namespace {

using LooksAt = std::function<Places(std::int64_t row)>;

Tensor by_rows(std::int64_t rows, std::int64_t T, const LooksAt& looks_at) {
    std::vector<Scalar> all(static_cast<std::size_t>(rows * T), 0);
    for (std::int64_t row = 0; row < rows; ++row) {
        const Places places = looks_at(row);
        for (const std::int64_t j : places) {
            all[static_cast<std::size_t>(row * T + j)] = 1 / static_cast<Scalar>(places.size());
        }
    }
    return tensor::from_vector(all, {rows, T});
}

// What becomes of scores that are 1 where a row should look, and 0 elsewhere.
Tensor not_sharp(const Tensor& weights) {
    return tensor::softmax(tensor::to_tensor(weights == tensor::max(weights, -1, keepdim)), -1);
}

}  // namespace

Tensor first_weights(std::int64_t T, const Slips& slip) {
    const Tensor weights = by_rows(T, T, [&](std::int64_t row) -> Places {
        if (slip("job.first-itself")) return {row};
        if (slip("job.first-is-last")) return {T - 1};
        if (slip("job.first-evenly")) return up_to(T - 1);
        return {0};
    });
    return slip("job.first-not-sharp") ? not_sharp(weights) : weights;
}

Tensor previous_weights(std::int64_t T, const Slips& slip) {
    const std::int64_t back = slip("job.next")              ? -1
                              : slip("job.previous-itself") ? 0
                              : slip("job.two-back")        ? 2
                                                            : 1;
    const Tensor weights = by_rows(T, T, [&](std::int64_t row) -> Places {
        const std::int64_t place = row - back;
        if (place >= 0 && place < T) return {place};
        if (slip("job.previous-wraps")) return {T - 1};
        if (slip("job.previous-0-itself")) return {row};
        return up_to(T - 1);
    });
    return slip("job.previous-not-sharp") ? not_sharp(weights) : weights;
}

Tensor same_weights(const IndexTensor& ids, const Slips& slip) {
    const std::int64_t T = ids.dim(0);
    const std::int64_t* const kinds = ids.data();
    const bool others = slip("job.same-others");
    const Tensor weights = by_rows(T, T, [&](std::int64_t row) -> Places {
        if (slip("job.same-is-itself")) return {row};
        Places found;
        for (std::int64_t j = 0; j < T; ++j) {
            if (kinds[j] == kinds[row] && !(others && j == row)) found.push_back(j);
        }
        if (found.empty()) return {row};
        if (slip("job.same-first")) return {found.front()};
        return found;
    });
    return slip("job.same-not-sharp") ? not_sharp(weights) : weights;
}

std::int64_t misfit(std::int64_t u, std::int64_t v, std::int64_t V, const Slips& slip) {
    const std::int64_t above = u - v;
    if (slip("job.sort-below")) return above <= 0 ? -above : V + above;
    if (slip("job.sort-nearest")) return std::abs(above);
    if (slip("job.sort-largest")) return V - u;
    if (slip("job.sort-exactly")) return above == 0 ? 0 : 1;
    if (slip("job.sort-above") && above == 0) return V;
    if (above >= 0) return above;
    if (slip("job.sort-evenly")) return V;
    if (slip("job.sort-starts-again")) return V + u;
    return V - above;
}

Tensor sorted_weights(const IndexTensor& ids, std::int64_t V, const Slips& slip) {
    const std::int64_t T = ids.dim(0);
    return by_rows(V, T, [&](std::int64_t v) {
        std::vector<std::int64_t> fits;
        for (std::int64_t j = 0; j < T; ++j) fits.push_back(misfit(ids(j), v, V, slip));
        const std::int64_t best = *std::min_element(fits.begin(), fits.end());
        Places found;
        for (std::int64_t j = 0; j < T; ++j) {
            if (fits[static_cast<std::size_t>(j)] == best) found.push_back(j);
        }
        if (slip("job.sort-one-of-equals")) found.resize(1);
        return found;
    });
}

}  // namespace exercise
