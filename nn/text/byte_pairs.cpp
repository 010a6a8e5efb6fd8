#include "byte_pairs.h"

#include <algorithm>
#include <functional>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// A letter or what it has become; the neighbours that are left.
struct Symbol {
    std::int64_t id;
    std::size_t before, after;
};

// A pair that could be merged: its rank, and where its left symbol is.
using Candidate = std::pair<std::size_t, std::size_t>;

}  // namespace

BytePairs::BytePairs(const std::vector<Merge>& merges) : merges_(merges) {
    int bits = 1;
    while ((std::size_t(1) << bits) < 2 * merges_.size()) ++bits;
    shift_ = 64 - bits;
    ranks_.assign(std::size_t(1) << bits, none);
    for (std::size_t rank = 0; rank < merges_.size(); ++rank) {
        std::size_t& its = ranks_[slot(merges_[rank].left, merges_[rank].right)];
        if (its == none) its = rank;
    }
}

// Where the pair is, or could be put.
std::size_t BytePairs::slot(std::int64_t left, std::int64_t right) const {
    const std::uint64_t key =
        static_cast<std::uint64_t>(left) << 32 ^ static_cast<std::uint64_t>(right);
    std::size_t at = static_cast<std::size_t>(key * 0x9E3779B97F4A7C15u >> shift_);
    for (; ranks_[at] != none; at = (at + 1) & (ranks_.size() - 1)) {
        const Merge& merge = merges_[ranks_[at]];
        if (merge.left == left && merge.right == right) break;
    }
    return at;
}

std::size_t BytePairs::find(std::int64_t left, std::int64_t right) const {
    return ranks_[slot(left, right)];
}

void BytePairs::merge(std::vector<std::int64_t>& ids) const {
    std::vector<Symbol> symbols(ids.size());
    std::vector<Candidate> heap;
    const auto consider = [&](std::size_t at) {
        const std::size_t after = symbols[at].after;
        if (after == none) return;
        const std::size_t rank = find(symbols[at].id, symbols[after].id);
        if (rank == none) return;
        heap.emplace_back(rank, at);
        std::push_heap(heap.begin(), heap.end(), std::greater<Candidate>());
    };
    for (std::size_t i = 0; i < ids.size(); ++i) {
        symbols[i] = {ids[i], i == 0 ? none : i - 1, i + 1 < ids.size() ? i + 1 : none};
    }
    for (std::size_t i = 0; i < ids.size(); ++i) consider(i);
    constexpr std::int64_t gone = -1;
    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), std::greater<Candidate>());
        const auto [rank, at] = heap.back();
        heap.pop_back();
        Symbol& left = symbols[at];
        const Merge& merge = merges_[rank];
        // An earlier merge may have taken one of the two.
        if (left.id != merge.left || left.after == none) continue;
        Symbol& right = symbols[left.after];
        if (right.id != merge.right) continue;
        left.id = merge.both;
        right.id = gone;
        left.after = right.after;
        if (left.after != none) symbols[left.after].before = at;
        if (left.before != none) consider(left.before);
        consider(at);
    }
    ids.clear();
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (symbols[i].id != gone) ids.push_back(symbols[i].id);
    }
}

}}  // namespace heed
