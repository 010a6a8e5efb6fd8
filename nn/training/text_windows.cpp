#include "text_windows.h"

#include "../../tensor/errors.h"
#include "../argument_checks.h"
#include "batches.h"

#include <numeric>

namespace heed { inline namespace HEED_PRECISION {

TextWindows::TextWindows(const IndexTensor& text, std::int64_t T,
                         std::optional<std::int64_t> stride, CallSite site)
    : text_(text), T_(T), stride_(stride.value_or(T)) {
    if (text.rank() != 1) {
        fail_shape("TextWindows", site, "the text has shape ", text.shape(),
                   "; it must be token ids [N]");
    }
    check_sizes("TextWindows", {{"T", T}, {"stride", stride_}}, site);
    if (text.numel() <= T) {
        fail_argument("TextWindows", site, "the text has ", text.numel(),
                      " tokens; a window of T = ", T,
                      " needs one more than T, since the targets are shifted by one");
    }
}

std::int64_t TextWindows::size() const { return (text_.numel() - T_ - 1) / stride_ + 1; }

std::vector<std::int64_t> TextWindows::examples() const {
    std::vector<std::int64_t> all(static_cast<std::size_t>(size()));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

TextBatch TextWindows::batch(const std::vector<std::int64_t>& examples, CallSite site) const {
    check_examples("TextWindows", examples, size(), site);
    std::vector<std::int64_t> inputs, targets;
    for (const std::int64_t example : examples) {
        const std::int64_t* const first = text_.data() + example * stride_;
        inputs.insert(inputs.end(), first, first + T_);
        targets.insert(targets.end(), first + 1, first + T_ + 1);
    }
    const Shape shape = {static_cast<std::int64_t>(examples.size()), T_};
    return {IndexTensor(inputs, shape, site), IndexTensor(targets, shape, site)};
}

}}  // namespace heed
