#include "tutorials/exercises/judges/05_4_online_softmax_mistakes.h"

namespace exercise {

namespace {

std::vector<Mistake> in_the_maximum() {
    const std::string print = "Print largest before and after each block.";
    return {
        {"os.block-max",
         "largest was the maximum of the newest block, not of all scores so far",
         {"The first block has a 5, the second at most a 2: what is largest?", print}},
        {"os.max-0",
         "largest began at 0, so that it never fell below",
         {"What is the maximum of -900 and -901?", print}},
        {"os.min",
         "the smallest score of each row was taken",
         {"Which power may overflow?", print}},
        {"os.whole-max",
         "all rows got the maximum of the whole block",
         {"What is left of a row 100000 below another?", "Look at the shape of your maximum."}},
        {"os.old-max",
         "the powers of the new block were shifted by the maximum from before it",
         {"With which maximum do the sums begin after this block?", print}},
        {"os.no-max",
         "nothing was subtracted from the scores",
         {"What is exp(1000)?", "Look at what exp is given."}},
        {"os.empty-block",
         "-∞ was subtracted from -∞ in a row that had seen nothing else",
         {"What is -∞ - (-∞)?", "Look at the maximum of a row of only -∞."}},
    };
}

std::vector<Mistake> in_the_sums() {
    const std::string paper = "Scores 2, then 5, in blocks of one, with values 1 and 0: what is "
                              "the total after each?";
    const std::string rescale = "If largest rises from 2 to 5, are the old sums still right?";
    return {
        {"os.no-rescale",
         "the sums so far were left as they are when largest rose",
         {rescale, paper}},
        {"os.total-not-rescaled",
         "weighted was rescaled when largest rose, total was not",
         {rescale, paper}},
        {"os.weighted-not-rescaled",
         "total was rescaled when largest rose, weighted was not",
         {rescale, paper}},
        {"os.factor-inverted",
         "the sums so far got the factor exp(new - old), not exp(old - new)",
         {"If largest rises, do the old sums become smaller or larger?", paper}},
        {"os.forgets",
         "the sums of the earlier blocks were dropped",
         {"What of the first block is left after the second?", paper}},
        {"os.mean",
         "the mean of a block's powers was added to total, not their sum",
         {"Does a block of 10 keys weigh as much as one of 2?", paper}},
        {"os.block-softmax",
         "each block had a softmax of its own before its values were summed",
         {"When is it known by what to divide?", paper}},
        {"os.divided",
         "weighted was divided by total after each block",
         {"If the division comes now, what does the next block add to?", paper}},
    };
}

std::vector<Mistake> in_the_pass() {
    const std::string seven = "With 7 keys in blocks of 3: which keys are in which block?";
    return {
        {"os.drop-last",
         "a last, shorter block was left out",
         {seven, "Up to where does your loop run?"}},
        {"os.one-block", "all keys made one block", {seven, "Where do you use size?"}},
        {"os.first-block",
         "only the first block was added",
         {seven, "How often does your loop run?"}},
        {"os.same-values",
         "every block got the values of the first",
         {"Which values belong to scores 3, 4 and 5?", "Look at both slices."}},
        {"os.starts-anew",
         "each block began with nothing carried, so that only the last one counts",
         {"Where do you call nothing_yet?", "Print total after every block."}},
        {"os.mean-of-blocks",
         "the blocks were attended to one by one, and their outputs averaged",
         {"A block's scores are all far below another's: how much should it count?",
          "Print total after every block."}},
        {"os.start-0",
         "largest was 0 before the first block, not -∞",
         {"Are there rows whose maximum is below 0?", "What does your first add get?"}},
        {"os.no-division",
         "weighted was returned without the division by total",
         {"What must the weights of a query sum to?", "Look at your last line."}},
        {"os.empty-row",
         "0 was divided by 0 in a row of only -∞",
         {"What is total in a row of only -∞?", "Look at your last line."}},
    };
}

}  // namespace

std::vector<Mistake> online_mistakes() {
    std::vector<Mistake> all = in_the_maximum();
    for (const auto& list : {in_the_sums(), in_the_pass()}) {
        all.insert(all.end(), list.begin(), list.end());
    }
    return all;
}

}  // namespace exercise
