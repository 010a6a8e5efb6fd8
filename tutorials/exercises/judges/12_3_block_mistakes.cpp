#include "tutorials/exercises/judges/12_3_block_mistakes.h"

#include "tutorials/exercises/judges/common_steps.h"

#include "autograd/ops/arithmetic.h"

#include <utility>

namespace exercise {

using heed::Variable;

namespace {

// One sublayer with its norm. What a mistake's id says it does in both halves, or in this one.
struct Half {
    BlockParts::Part sublayer, norm;
    std::string name;
    Slips slips;

    bool slip(const std::string& id) const { return slips(id) || slips(id + "@" + name); }
    Variable stream(const Variable& x) const {
        return slip("block.residual-detached") ? x.detach() : x;
    }

    Variable pre_norm(const Variable& x, const Variable& added) const {
        if (slip("block.norm-found")) return stream(added) + norm(sublayer(x));
        const Variable normed = slip("block.no-norm") ? x : norm(x);
        const Variable found = sublayer(normed);
        if (slip("block.no-residual")) return found;
        return stream(slip("block.residual-normed") ? normed : added) + found;
    }
    Variable post_norm(const Variable& x, const Variable& added) const {
        const Variable found = sublayer(x);
        if (slip("block.norm-found")) return stream(added) + norm(found);
        if (slip("block.norm-apart")) return norm(stream(added)) + found;
        const Variable sum = slip("block.no-residual") ? found : stream(added) + found;
        return slip("block.no-norm") ? sum : norm(sum);
    }
};

Variable walk(BlockParts parts, const Variable& x, bool before, const Slips& slip) {
    if (slip("ln.pre-post")) before = !before;
    const bool exchanged = slip("block.halves-swapped");
    if (exchanged || slip("block.sublayers-swapped")) {
        std::swap(parts.attention, parts.feed_forward);
    }
    if (exchanged != slip("block.norms-swapped")) std::swap(parts.norm1, parts.norm2);
    if (slip("block.one-norm")) parts.norm2 = parts.norm1;
    if (slip("block.parallel")) {
        const Variable found = parts.attention(parts.norm1(x));
        return x + found + parts.feed_forward(parts.norm2(x));
    }
    const Half first{parts.attention, parts.norm1, "attention", slip};
    const Half second{parts.feed_forward, parts.norm2, "feed_forward", slip};
    const auto through = [&](const Half& half, const Variable& in, const Variable& added) {
        return before ? half.pre_norm(in, added) : half.post_norm(in, added);
    };
    const Variable middle = through(first, x, x);
    return through(second, middle, slip("block.residual-of-x") ? x : middle);
}

const char* const draw_it = "Draw the stream as a line from x to y, and the parts beside it.";

std::vector<Mistake> of_order() {
    return {
        {"block.halves-swapped",
         "feed-forward with its norm came before attention with its norm",
         {"Which sublayer does the input meet first?", "Look at the order of your lines."}},
        {"block.sublayers-swapped",
         "attention and feed-forward had changed places, and the norms had not",
         {"Which sublayer does the input meet first, and which norm is its own?",
          "Look at the order of your lines."}},
        {"block.norms-swapped",
         "norm1 and norm2 had changed places",
         {"Which norm belongs to which sublayer?", "Look at the numbers of your norms."}},
        {"block.one-norm",
         "norm1 was used for both sublayers, and norm2 for neither",
         {"How often is each norm called?", "Look at the numbers of your norms."}},
        {"block.residual-of-x",
         "the x at the very beginning was added a second time, in place of what attention's half "
         "gave",
         {"What came in for the second sublayer?", draw_it}},
    };
}

// In both halves.
std::vector<Mistake> of_halves() {
    return {
        {"block.no-residual",
         "the residual connection was missing",
         {"What is y if a sublayer finds nothing, that is zeros?", draw_it}},
        {"block.residual-detached",
         "no gradient passed through the residual connection",
         {"By how many ways does a gradient go from y to x?",
          "Look for value() and detach() in your code."}},
        {"block.no-norm",
         "the norm was left out",
         {"How often is each norm called?", "Look for norm1 and norm2."}},
        {"block.norm-found",
         "only what the sublayer found was normalized: x + norm(sublayer(x))",
         {"What is the norm given?", draw_it}},
    };
}

std::vector<Mistake> each_half(std::vector<Mistake> mistakes) {
    std::vector<Mistake> all;
    for (const Mistake& both : mistakes) {
        all.push_back(both);
        all.push_back({both.id + "@attention", both.says + ", in attention's half", both.hints});
        all.push_back(
            {both.id + "@feed_forward", both.says + ", in feed-forward's half", both.hints});
    }
    return all;
}

std::vector<Mistake> of_pre_norm() {
    const std::vector<Mistake> own = {
        {"ln.pre-post",
         "the norms stood where post-norm has them",
         {"Is the sum normalized, or what the sublayer is given?", draw_it}},
        {"block.parallel",
         "both sublayers were given x, and what they found was added at once",
         {"Does feed-forward know what attention found?", draw_it}},
    };
    const Mistake normed = {
        "block.residual-normed",
        "the normalized x was added and not x itself: norm(x) + sublayer(norm(x))",
        {"What runs on beside the sublayer: x, or norm(x)?", draw_it}};
    return joined(joined(own, of_order()), each_half(joined({normed}, of_halves())));
}

std::vector<Mistake> of_post_norm() {
    const std::vector<Mistake> own = {
        {"ln.pre-post",
         "the norms stood where pre-norm has them",
         {"Is the sum normalized, or what the sublayer is given?", draw_it}}};
    const Mistake apart = {"block.norm-apart",
                           "x was normalized by itself, and the sublayer's part was added after "
                           "that: norm(x) + sublayer(x)",
                           {"What is the norm given?", draw_it}};
    return joined(joined(own, of_order()), each_half(joined({apart}, of_halves())));
}

}  // namespace

BlockFunction block_walked(const std::string& name, const Slips& slip) {
    return [=](const BlockParts& parts, const Variable& x) {
        return walk(parts, x, name == "pre_norm", slip.in(name));
    };
}

std::vector<Mistake> block_mistakes() {
    return joined(made_in("pre_norm", of_pre_norm()), made_in("post_norm", of_post_norm()));
}

}  // namespace exercise
