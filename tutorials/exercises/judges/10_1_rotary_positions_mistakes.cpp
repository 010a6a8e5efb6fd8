#include "tutorials/exercises/judges/10_1_rotary_positions.h"

namespace exercise {

namespace {

std::vector<Mistake> angle_mistakes() {
    const std::string theta = "Print θ for d = 8: 1, 0.1, 0.01, 0.001.";
    const std::string rows = "Print your angles for d = 2, where θ is 1: they are the positions.";
    return {
        {"pe.pair-over-d",
         "the exponent was i/d and not 2i/d",
         {"By how much slower is the last pair than the first?", theta}},
        {"pe.column-for-pair",
         "i counted features and not pairs in 2i/d",
         {"Which i has the second pair: 1 or 2?", theta}},
        {"pe.last-is-base",
         "the exponents reached 1 at the last pair",
         {"What is 2i/d for the last pair?", theta}},
        {"pe.mul",
         "pairs turned faster and faster: 10000^(+2i/d)",
         {"Which pair is the second hand of the clock?", theta}},
        {"pe.base1000", "the base was 1000", {"Which number is raised to a power?", theta}},
        {"rot.all-alike",
         "every pair turned at the rate of the first",
         {"Does your angle depend on i?", theta}},
        {"pe.degrees",
         "the angles were converted as if they were given in degrees",
         {"What is the angle of pair 0 at position 1?", rows}},
        {"rot.no-first",
         "the positions began at 0 whatever `first` is",
         {"At which position is row 0?", rows}},
        {"rot.from-1",
         "the positions were one too large",
         {"What is the angle of row 0 if first is 0?", rows}},
        {"rot.times-first",
         "`first` was multiplied with t, not added",
         {"At which position is row 0 if first is 3, and at which is row 1?", rows}},
        {"rot.ends-at-first",
         "`first` was the end and not the beginning",
         {"How many rows are there, and where does row 0 stand?", rows}},
    };
}

std::vector<Mistake> pair_mistakes() {
    const std::string numbers = "Turn the row 1, 2, 3, 4 at position 1 and print it.";
    return {
        {"rot.halves",
         "feature i was paired with feature i + d/2",
         {"Which feature is turned together with feature 0?", numbers}},
        {"rot.joined-as-halves",
         "neighbours turned together, but all first features stood before all second ones "
         "afterwards",
         {"Where does the second feature of pair 0 belong?", numbers}},
        {"rot.clockwise",
         "the points were turned clockwise",
         {"Where does (1, 0) go in a quarter turn from the first axis to the second?", numbers}},
        {"rot.mirrored",
         "the second feature had its two terms with the wrong signs: a reflection, no rotation",
         {"What does an angle of 0 do to a point?", numbers}},
        {"rot.both-plus",
         "both features were sums, a·cos + b·sin and a·sin + b·cos",
         {"Is the point as far from the origin as before?", numbers}},
        {"rot.reused",
         "the second feature was computed from the first one after its turn",
         {"Which x does the second line of your rotation read?", numbers}},
        {"rot.sin-for-cos",
         "sine and cosine were exchanged",
         {"What does an angle of 0 do to a point?", numbers}},
        {"rot.one-of-a-pair",
         "the second feature of each pair was left as it was",
         {"How many features does a rotation change?", numbers}},
        {"rot.added",
         "sines and cosines were added to the features, as sinusoidal positions are",
         {"Is a vector of zeros still zero after a turn?", numbers}},
    };
}

std::vector<Mistake> row_mistakes() {
    const std::string rows = "Turn ones of shape [2, 3, 2] and print them: both texts must agree.";
    return {
        {"rot.texts-for-positions",
         "the position was the index of the axis before T",
         {"Which axis is T, counted from the end?", rows}},
        {"rot.runs-on",
         "positions were counted on from one text, or head, to the next",
         {"At which position does the second text begin?", rows}},
        {"rot.turned-from-0",
         "`turned` began at position 0 whatever `first` is",
         {"What does `turned` do with `first`?", "The call of angles in `turned`."}},
        {"rot.one-angle",
         "every row was turned as the first one",
         {"Do two rows of ones stay equal?", rows}},
        {"train.detached",
         "the numbers were taken out of the graph, so that no gradient reaches x",
         {"Does the graph know that the result was made from x?",
          "Look for value() or detach() on the way from x."}},
        {"rot.sin-detached",
         "the terms with the sine were computed outside the graph",
         {"How many times does x occur in your rotation, and is it a variable each time?",
          "Look for value() or detach() on the way from x."}},
    };
}

}  // namespace

std::vector<Mistake> rotary_mistakes() {
    std::vector<Mistake> all = angle_mistakes();
    for (const Mistake& mistake : pair_mistakes()) all.push_back(mistake);
    for (const Mistake& mistake : row_mistakes()) all.push_back(mistake);
    return all;
}

}  // namespace exercise
