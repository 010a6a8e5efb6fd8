// Models with attention at several depths, for recordings.
#pragma once

#include "nn/heed.h"

#include <string>
#include <vector>

namespace models {

using namespace heed;

inline Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

inline Variable input() { return Variable(drawn({2, 4, 6}, 1)); }

struct Block : Module {
    explicit Block(Random& random) : attention(6, 2, random), after(6, 6, random) {}
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const {
        return after(x + attention(x, Mask::causal(x.dim(-2)), site));
    }
    void members(MemberVisitor& visit) override {
        visit("attention", attention);
        visit("after", after);
    }

    MultiHeadAttention attention;
    Linear after;
};

// Two heads as a list.
struct Heads : Module {
    explicit Heads(Random& random) {
        for (int n = 0; n < 2; ++n) heads.emplace_back(6, 3, random);
    }
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const {
        return concatenate({heads[0](x, site), heads[1](x, site)}, -1);
    }
    void members(MemberVisitor& visit) override { visit("heads", heads); }

    std::vector<AttentionHead> heads;
};

struct Model : Module {
    explicit Model(std::int64_t depth) : random(2), list(random) {
        for (std::int64_t i = 0; i < depth; ++i) blocks.emplace_back(random);
    }
    Variable operator()(Variable x, CallSite site = CallSite::here()) const {
        for (const Block& block : blocks) x = block(x, site);
        return list(x, site);
    }
    void members(MemberVisitor& visit) override {
        visit("blocks", blocks);
        visit("list", list);
    }

    Random random;
    std::vector<Block> blocks;
    Heads list;
};

// The names of all records, each followed by a space.
inline std::string names(const RecordAttention& recording) {
    std::string all;
    for (const AttentionRecord& record : recording.records()) all += record.name + " ";
    return all;
}

}  // namespace models
