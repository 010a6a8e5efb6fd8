#include "tutorials/exercises/judges/11_2_nothing_to_find.h"

namespace exercise {

namespace {

std::vector<Mistake> mistakes_of_scores() {
    const std::string print = "Print the scores of one list with a match, the zero key's too.";
    return {
        {"sink.no-half",
         "an item that does not match scored as high as the zero key",
         {"Which score has an item that does not match, and which the zero key?", print}},
        {"sink.rest-as-found",
         "the zero key got the score of an item that matches",
         {"What is the product of any query with a key of zeros?", print}},
        {"sink.scaled",
         "the scores were divided by the root of the number of markers",
         {"Is there a scale in this head's score?", print}},
        {"sink.one-sharpness",
         "the first sharpness was used for all",
         {"Do your four lists of numbers depend on the sharpness?", print}},
        {"sink.other-place",
         "the weight of the first item was measured, and not that of the zero key",
         {"At which place did you put the zero key?", "Print a row of weights."}},
        {"sink.last-item",
         "the weight of the last item was measured, and not that of the zero key",
         {"At which place did you put the zero key, and how long is a row?",
          "Print a row of weights."}},
        {"sink.the-others",
         "the weight on all items together was measured, and not that on the zero key",
         {"Does the weight at rest rise or fall if nothing is found?", "Print a row of weights."}},
    };
}

std::vector<Mistake> mistakes_of_means() {
    const std::string few = "Measure three lists, one of them with a match, and count.";
    const std::string norm = "Print the output of one list, and its norm.";
    return {
        {"sink.divided-by-B",
         "each sum was divided by the number of all lists",
         {"How many lists does the mean go over?", few}},
        {"sink.all-lists",
         "every mean went over all lists, with a match or not",
         {"Which lists does each of the four means go over?", few}},
        {"sink.swapped",
         "the lists with a match and those without had changed places",
         {"Which lists does each of the four means go over?", few}},
        {"sink.rest-exchanged",
         "rest_if_found and rest_if_none had changed places",
         {"In which lists should the weight at rest be larger?", few}},
        {"sink.first-item-decides",
         "a list counted as found only if its first item matches",
         {"How do you know that a list has a match?", few}},
        {"sink.one-match",
         "only lists with exactly one match counted as found",
         {"What does a list with two matches count as?", few}},
        {"sink.noise-if-found",
         "the noise was measured in the lists with a match",
         {"In which lists is the output noise?", few}},
        {"sink.squared", "the norm was not rooted", {"What is the norm of (3, 4)?", norm}},
        {"sink.norm-of-mean",
         "the norm was taken of the mean output, and not the mean of the norms",
         {"Do outputs of opposite signs cancel in your mean?", norm}},
        {"sink.rms",
         "the norm was divided by the root of d_v",
         {"What is the norm of (3, 4)?", norm}},
        {"sink.renormalised",
         "the noise with a zero key was computed as without one: the weights on the items still "
         "sum "
         "to 1",
         {"What do the weights on the items sum to, if there is a place to rest?", norm}},
        {"sink.noise-exchanged",
         "the noise with a zero key and that without had changed places",
         {"Which of the two should be smaller?", norm}},
    };
}

}  // namespace

std::vector<Mistake> nothing_to_find_mistakes() {
    std::vector<Mistake> all = mistakes_of_scores();
    for (const Mistake& mistake : mistakes_of_means()) all.push_back(mistake);
    return all;
}

}  // namespace exercise
