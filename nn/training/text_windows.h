// TextWindows: a long text as examples for a language model, which learns to predict the next token
// at every position at once.
//
//     const TextWindows windows(tokenizer.encode(text), 64);
//     for (const std::vector<std::int64_t>& examples :
//          shuffled_batches(windows.examples(), 32, random)) {
//         const TextBatch batch = windows.batch(examples);
//         const Variable loss = cross_entropy(model(batch.inputs), batch.targets);
#pragma once

#include "../../tensor/index_tensor.h"

#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct TextBatch {
    IndexTensor inputs;   // [B, T]
    IndexTensor targets;  // [B, T]: targets[b, t] is the token after inputs[b, t]
};

// Window i is the T + 1 tokens starting at i·stride: T inputs, and the same shifted by one as
// targets. Only complete windows count; up to `stride` tokens at the end are in none.
class TextWindows {
  public:
    // text [N] holds token ids. The default stride is T: windows follow each other, and each token
    // is a target once. With a stride of 1, every position begins a window. Errors: another rank
    // (ShapeError); T or stride below 1, fewer than T + 1 tokens (std::invalid_argument).
    TextWindows(const IndexTensor& text, std::int64_t T,
                std::optional<std::int64_t> stride = std::nullopt,
                CallSite site = CallSite::here());

    std::int64_t size() const;                   // the number of windows
    std::vector<std::int64_t> examples() const;  // 0 ... size - 1, as batches() takes them
    // Errors: no examples (std::invalid_argument), one outside 0 ... size - 1 (std::out_of_range).
    TextBatch batch(const std::vector<std::int64_t>& examples,
                    CallSite site = CallSite::here()) const;

  private:
    IndexTensor text_;
    std::int64_t T_;
    std::int64_t stride_;
};

}}  // namespace heed
