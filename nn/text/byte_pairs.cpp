#include "byte_pairs.h"

#include <algorithm>
#include <functional>

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr std::int64_t gone = -1;  // the id of a symbol that was merged into the one before it

std::uint64_t pair_of(std::int64_t left, std::int64_t right) {
    return static_cast<std::uint64_t>(left) << 32 ^ static_cast<std::uint64_t>(right);
}

using Later = std::greater<std::pair<std::size_t, std::size_t>>;

}  // namespace

BytePairs::BytePairs(const std::vector<Merge>& merges) : merges_(merges) {
    int bits = 1;
    while ((std::size_t(1) << bits) < 2 * merges_.size()) ++bits;
    shift_ = 64 - bits;
    slots_.assign(std::size_t(1) << bits, {0, none});
    for (std::size_t rank = 0; rank < merges_.size(); ++rank) {
        const std::uint64_t pair = pair_of(merges_[rank].left, merges_[rank].right);
        Slot& its = slots_[slot(pair)];
        if (its.rank == none) its = {pair, rank};
    }
}

std::size_t BytePairs::slot(std::uint64_t pair) const {
    std::size_t at = static_cast<std::size_t>(pair * 0x9E3779B97F4A7C15u >> shift_);
    while (slots_[at].rank != none && slots_[at].pair != pair) {
        at = (at + 1) & (slots_.size() - 1);
    }
    return at;
}

void BytePairs::merge(Workspace& work, std::vector<std::int64_t>& ids) const {
    const std::vector<std::int64_t>& letters = work.letters;
    std::vector<Workspace::Symbol>& symbols = work.symbols;
    std::vector<std::pair<std::size_t, std::size_t>>& heap = work.heap;
    symbols.clear();
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const std::size_t after = i + 1 < letters.size() ? i + 1 : none;
        symbols.push_back({letters[i], i == 0 ? none : i - 1, after});
    }
    const auto consider = [&](std::size_t at) {
        const std::size_t after = symbols[at].after;
        if (after == none) return;
        const std::size_t rank = slots_[slot(pair_of(symbols[at].id, symbols[after].id))].rank;
        if (rank == none) return;
        heap.emplace_back(rank, at);
        std::push_heap(heap.begin(), heap.end(), Later());
    };
    for (std::size_t i = 0; i < symbols.size(); ++i) consider(i);
    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), Later());
        const auto [rank, at] = heap.back();
        heap.pop_back();
        const Merge& merge = merges_[rank];
        Workspace::Symbol& left = symbols[at];
        // Another merge may have taken one of the two meanwhile.
        if (left.id != merge.left || left.after == none) continue;
        Workspace::Symbol& right = symbols[left.after];
        if (right.id != merge.right) continue;
        left.id = merge.both;
        right.id = gone;
        left.after = right.after;
        if (left.after != none) symbols[left.after].before = at;
        if (left.before != none) consider(left.before);
        consider(at);
    }
    for (const Workspace::Symbol& symbol : symbols) {
        if (symbol.id != gone) ids.push_back(symbol.id);
    }
}

}}  // namespace heed
