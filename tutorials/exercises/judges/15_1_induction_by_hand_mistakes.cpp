#include "tutorials/exercises/judges/15_1_induction_by_hand.h"

namespace exercise {

namespace {

std::vector<Mistake> first_layer_mistakes() {
    const std::string print = "Print Q·Kᵀ for T = 4: row i should be large in column i - 1.";
    return {
        {"ind.first-itself",
         "each token looked at itself in the first layer",
         {"Which place does row 2 of Q ask for?", print}},
        {"ind.first-two-back",
         "each token looked two places back in the first layer",
         {"Which place does row 2 of Q ask for?", print}},
        {"ind.first-to-0",
         "each token looked at token 0 in the first layer",
         {"Are the rows of your Q different?", print}},
        {"ind.first-next",
         "all scores that a token may see were equal, as when it asks for the one after it",
         {"Which places does the causal mask leave to token 2?", print}},
        {"ind.first-soft",
         "the scores were right, and only 1 and 0: too close for softmax to choose",
         {"What does softmax make of the scores 1, 0, 0, 0?", print}},
    };
}

std::vector<Mistake> second_layer_mistakes() {
    const std::string text = "Print Q·Kᵀ for the text \"s a b a c a\".";
    return {
        {"ind.itself",
         "each token looked at itself in the second layer",
         {"What does a token ask for, and what does a key say about its place?",
          "Is K made of `previous`? And does a match count for more than a late place? " + text}},
        {"ind.copied",
         "the weight went to the last token of the same kind before, and not to what followed it",
         {"\"a b ... a\": on which of the two does the last a put its weight?", text}},
        {"ind.two-after",
         "the weight went to the second place after a token like it, and not to the first",
         {"\"a b c ... a\": on which place does the last a put its weight?", text}},
        {"ind.oldest",
         "the first of several such places counted, not the last",
         {"What followed a in \"s a b a c a\", the last time?", text}},
        {"ind.all-alike",
         "all such places shared the weight",
         {"What followed a in \"s a b a c a\", the last time?", text}},
        {"ind.strictly-before",
         "what followed had to stand before the token itself: \"a a\" found nothing",
         {"Which place followed the first a in \"s a a\"?", "Is j = i possible in the contract?"}},
        {"ind.no-rest",
         "a token that had not occurred before spread its weight evenly",
         {"Where does a token rest that finds nothing?", text}},
        {"ind.rests-on-itself",
         "a token that had not occurred before looked at itself",
         {"Which score wins if nothing matches, and which should?", text}},
        {"ind.rests-on-1",
         "a token that had not occurred before rested on token 1",
         {"Where does a token rest that finds nothing?", text}},
        {"ind.always-rests",
         "token 0 won against every match",
         {"Which is larger for \"s a b a\": the score of a match, or that of resting?", text}},
        {"ind.roles-swapped",
         "a token asked for the last place that holds the token before it",
         {"Which of tokens and previous is the query, and which the key?", text}},
    };
}

}  // namespace

std::vector<Mistake> induction_mistakes() {
    std::vector<Mistake> all = first_layer_mistakes();
    for (const Mistake& mistake : second_layer_mistakes()) all.push_back(mistake);
    return all;
}

}  // namespace exercise
