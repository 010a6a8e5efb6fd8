#include "sequence_pairs.h"

#include "../../tensor/errors.h"
#include "../argument_checks.h"
#include "batches.h"

#include <algorithm>
#include <numeric>

namespace heed { inline namespace HEED_PRECISION {
namespace {
void check_padding(const char* name, std::int64_t padding_id, const CallSite& site) {
    if (padding_id >= 0) return;
    fail_argument(name, site, "padding_id is ", padding_id, "; it must be at least 0");
}

void check_ranks(const char* name, const char* what, const std::vector<IndexTensor>& sequences,
                 const CallSite& site) {
    for (std::size_t b = 0; b < sequences.size(); ++b) {
        if (sequences[b].rank() == 1) continue;
        fail_shape(name, site, what, " ", b, " has shape ", sequences[b].shape(),
                   "; each must be token ids [T]");
    }
}

}  // namespace

TokenBatch pad_sequences(const std::vector<IndexTensor>& sequences, std::int64_t padding_id,
                         CallSite site) {
    return pad_sequences(sequences, padding_id, PaddingSide::right, site);
}

TokenBatch pad_sequences(const std::vector<IndexTensor>& sequences, std::int64_t padding_id,
                         PaddingSide side, CallSite site) {
    check_enum("pad_sequences", "side", side, PaddingSide::left, site);
    if (sequences.empty()) fail_argument("pad_sequences", site, "there are no sequences");
    check_padding("pad_sequences", padding_id, site);
    check_ranks("pad_sequences", "sequence", sequences, site);
    std::vector<std::int64_t> lengths;
    for (const IndexTensor& sequence : sequences) lengths.push_back(sequence.numel());
    const std::int64_t T = *std::max_element(lengths.begin(), lengths.end());
    std::vector<std::int64_t> table;
    for (const IndexTensor& sequence : sequences) {
        const auto begin = table.insert(table.end(), static_cast<std::size_t>(T), padding_id);
        const std::int64_t first = side == PaddingSide::left ? T - sequence.numel() : 0;
        std::copy_n(sequence.data(), sequence.numel(), begin + first);
    }
    const std::int64_t B = static_cast<std::int64_t>(sequences.size());
    return TokenBatch{IndexTensor(table, Shape{B, T}, site), lengths, side};
}

SequencePairs::SequencePairs(const std::vector<IndexTensor>& sources,
                             const std::vector<IndexTensor>& targets, std::int64_t padding_id,
                             CallSite site)
    : sources_(sources), targets_(targets), padding_id_(padding_id) {
    if (sources.empty() || sources.size() != targets.size()) {
        fail_argument("SequencePairs", site, "there are ", sources.size(), " sources and ",
                      targets.size(),
                      " targets; there must be one target for each source, and at least one");
    }
    check_padding("SequencePairs", padding_id, site);
    check_ranks("SequencePairs", "source", sources, site);
    check_ranks("SequencePairs", "target", targets, site);
}

std::vector<std::int64_t> SequencePairs::examples() const {
    std::vector<std::int64_t> all(sources_.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

PairBatch SequencePairs::batch(const std::vector<std::int64_t>& examples, CallSite site) const {
    check_examples("SequencePairs", examples, size(), site);
    std::vector<IndexTensor> sources, targets;
    for (const std::int64_t example : examples) {
        sources.push_back(sources_[static_cast<std::size_t>(example)]);
        targets.push_back(targets_[static_cast<std::size_t>(example)]);
    }
    return {pad_sequences(sources, padding_id_, site), pad_sequences(targets, padding_id_, site)};
}

}}  // namespace heed
