#include "tutorials/exercises/judges/12_3_block_mistakes.h"

#include "tutorials/exercises/judges/common_steps.h"

namespace exercise {

namespace {

const char* const draw_it = "Draw the stream as a line from x to y, and the parts beside it.";

std::vector<Mistake> of_order() {
    return {
        {"block.feed-forward-first",
         "feed-forward came before attention",
         {"Which sublayer does the input meet first?", "Look at the order of your lines."}},
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

std::vector<Mistake> block_mistakes() {
    return joined(made_in("pre_norm", of_pre_norm()), made_in("post_norm", of_post_norm()));
}

}  // namespace exercise
