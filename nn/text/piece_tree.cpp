#include "piece_tree.h"

namespace heed { inline namespace HEED_PRECISION {

PieceTree::PieceTree(std::size_t bytes) : ids_{-1} {
    int bits = 1;
    while ((std::size_t(1) << bits) < 2 * bytes) ++bits;
    shift_ = 64 - bits;
    slots_.resize(std::size_t(1) << bits);
}

std::size_t PieceTree::slot(std::uint32_t from, char byte) const {
    const std::uint64_t step = std::uint64_t(from) << 8 | static_cast<unsigned char>(byte);
    std::size_t at = static_cast<std::size_t>(step * 0x9E3779B97F4A7C15u >> shift_);
    while (slots_[at].to != no_node && slots_[at].step != step) {
        at = (at + 1) & (slots_.size() - 1);
    }
    return at;
}

void PieceTree::add(std::string_view token, std::int64_t id) {
    std::uint32_t at = root;
    for (const char byte : token) {
        Slot& its = slots_[slot(at, byte)];
        if (its.to == no_node) {
            its = {std::uint64_t(at) << 8 | static_cast<unsigned char>(byte),
                   static_cast<std::uint32_t>(ids_.size())};
            ids_.push_back(-1);
        }
        at = its.to;
    }
    ids_[at] = id;
}

std::uint32_t PieceTree::node(std::string_view path) const {
    std::uint32_t at = root;
    for (const char byte : path) {
        at = slots_[slot(at, byte)].to;
        if (at == no_node) break;
    }
    return at;
}

PieceTree::Found PieceTree::longest(std::uint32_t from, std::string_view text) const {
    Found found;
    std::uint32_t at = from;
    for (std::size_t i = 0; i < text.size() && at != no_node; ++i) {
        at = slots_[slot(at, text[i])].to;
        if (at != no_node && ids_[at] >= 0) found = {ids_[at], i + 1};
    }
    return found;
}

}}  // namespace heed
