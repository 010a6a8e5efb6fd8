#include "batches.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops/index.h"
#include "../argument_checks.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
std::vector<std::vector<std::int64_t>> cut(const std::vector<std::int64_t>& examples,
                                           std::int64_t batch_size, LastBatch last) {
    const std::int64_t n = static_cast<std::int64_t>(examples.size());
    std::vector<std::vector<std::int64_t>> parts;
    for (std::int64_t begin = 0; begin < n;) {
        const std::int64_t size =
            std::min(batch_size, n - begin);  // begin + batch_size may overflow
        if (size < batch_size && last == LastBatch::drop) break;
        parts.emplace_back(examples.begin() + begin, examples.begin() + begin + size);
        begin += size;
    }
    return parts;
}

std::int64_t count_held_out(const char* things, std::int64_t n, double fraction,
                            const CallSite& site) {
    if (n < 2) {
        fail_argument("hold_out", site, "there are ", n, " ", things,
                      "; at least 2 are needed for a split");
    }
    if (!(fraction > 0 && fraction < 1)) {
        fail_argument("hold_out", site, "fraction is ", fraction,
                      "; it must be above 0 and below 1");
    }
    const std::int64_t rounded = static_cast<std::int64_t>(fraction * static_cast<double>(n) + 0.5);
    return std::clamp<std::int64_t>(rounded, 1, n - 1);
}

}  // namespace

void check_batches(const char* name, std::int64_t n, std::int64_t batch_size, LastBatch last,
                   const CallSite& site) {
    if (n == 0) fail_argument(name, site, "there are no examples");
    check_sizes(name, {{"batch_size", batch_size}}, site);
    check_enum(name, "the last batch", last, LastBatch::drop, site);
    if (last == LastBatch::drop && batch_size > n) {
        fail_argument(name, site, "batch_size is ", batch_size, " and there are ", n,
                      " examples, so with LastBatch::drop there is no batch; make it smaller, "
                      "or keep the last one");
    }
}

std::vector<std::vector<std::int64_t>> batches(const std::vector<std::int64_t>& examples,
                                               std::int64_t batch_size, LastBatch last,
                                               CallSite site) {
    const std::int64_t n = static_cast<std::int64_t>(examples.size());
    check_batches("batches", n, batch_size, last, site);
    return cut(examples, batch_size, last);
}

std::vector<std::vector<std::int64_t>> shuffled_batches(const std::vector<std::int64_t>& examples,
                                                        std::int64_t batch_size, Random& random,
                                                        LastBatch last, CallSite site) {
    const std::int64_t n = static_cast<std::int64_t>(examples.size());
    check_batches("shuffled_batches", n, batch_size, last, site);
    std::vector<std::int64_t> shuffled;
    for (std::int64_t i : random.permutation(n)) {
        shuffled.push_back(examples[static_cast<std::size_t>(i)]);
    }
    return cut(shuffled, batch_size, last);
}

Split<std::vector<std::int64_t>> hold_out(const std::vector<std::int64_t>& examples,
                                          double fraction, Random& random, CallSite site) {
    const std::int64_t n = static_cast<std::int64_t>(examples.size());
    const std::int64_t count = count_held_out("examples", n, fraction, site);
    const std::vector<std::int64_t> order = random.permutation(n);
    std::vector<bool> is_held_out(examples.size());
    for (std::int64_t k = 0; k < count; ++k) {
        is_held_out[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = true;
    }
    Split<std::vector<std::int64_t>> split;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        (is_held_out[i] ? split.held_out : split.training).push_back(examples[i]);
    }
    return split;
}

Split<IndexTensor> hold_out(const IndexTensor& text, double fraction, CallSite site) {
    if (text.rank() != 1) {
        fail_shape("hold_out", site,
                   heed::text("the text has shape ", text.shape(), "; it must be token ids [N]"));
    }
    const std::int64_t n = text.numel();
    const std::int64_t begin = n - count_held_out("tokens", n, fraction, site);
    return {tensor::slice(text, 0, 0, begin), tensor::slice(text, 0, begin)};
}

void check_examples(const char* data, const std::vector<std::int64_t>& examples, std::int64_t size,
                    const CallSite& site) {
    if (examples.empty()) fail_argument(data, site, "the batch has no examples");
    for (const std::int64_t example : examples) {
        if (example >= 0 && example < size) continue;
        fail_range(data, site, "there is no example ", example, "; ", numbered(size, "examples"));
    }
}

}}  // namespace heed
