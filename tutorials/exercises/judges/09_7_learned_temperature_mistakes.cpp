// The description of each slip in the walk of 09.7, and its hints.
#include "tutorials/exercises/judges/09_7_learned_temperature_mistakes.h"

namespace exercise {

namespace {

std::vector<Mistake> of_temperature() {
    const std::vector<std::string> axes = {"Which axis of the scores is the heads'?",
                                           "The shape of what you divide by."};
    const std::vector<std::string> way = {
        "Does a high temperature make a lookup softer or harder, and by how much?",
        "What you divide the scores by."};
    const std::vector<std::string> start = {"Which temperature changes nothing?",
                                            "The constructor."};
    return {
        {"temp.from-0", "the temperatures began at 0", start},
        {"temp.one-for-all",
         "there was one temperature for all heads",
         "How many heads learn a temperature?", "The shape of the parameter."},
        {"temp.frozen",
         "the temperature of a new layer was no parameter that learns",
         "Does the temperature require a gradient?", "The constructor."},
        {"temp.after",
         "the weights were divided by the temperature, and not the scores",
         "What do the rows of your weights sum to?", "Where the division is."},
        {"temp.unused",
         "the temperature was not used",
         "Where does the temperature come in?", "The line of the scores."},
        {"temp.per-text", "the heads' temperatures met the text axis", axes},
        {"temp.on-queries", "the heads' temperatures met the query axis", axes},
        {"temp.on-keys", "the heads' temperatures met the key axis, the last one", axes},
        {"temp.one-head", "all heads used the temperature of head 0", axes},
        {"temp.mean", "all heads used the mean of the temperatures", axes},
        {"temp.inverse", "the scores were multiplied by the temperature", way},
        {"temp.squared", "the scores were divided by the temperature twice", way},
        {"temp.under-root", "the scores were divided by the root of the temperature", way},
    };
}

std::vector<Mistake> of_attention() {
    const std::vector<std::string> scaled = {"What is ordinary attention?",
                                             "The number under your root."};
    const std::vector<std::string> graph = {"Which step is not recorded in the graph?",
                                            "Every use of .value(), .item() and .detach()."};
    const std::vector<std::string> which = {"Are the weights you return those of the output?",
                                            "The lines of weights and output."};
    return {
        {"att.no-scale", "the scores were not divided by √d_k as well", scaled},
        {"att.scale-dk", "the scores were divided by d_k, and not by its root", scaled},
        {"att.scale-dv", "the scores were divided by √d_v, and not by √d_k", scaled},
        {"att.scale-T", "the scores were divided by the root of the number of keys", scaled},
        {"sm.cols",
         "the softmax ran over the queries",
         "Among whom does one query share out its attention?", "The axis of your softmax."},
        {"sm.no-max",
         "exp was taken of the scores without subtracting the largest first",
         "What is exp(1000)?", "The case of large numbers: which step is the first with inf?"},
        {"temp.output-ordinary", "the output was that of temperature 1", which},
        {"temp.weights-ordinary", "the weights that you return were those of temperature 1", which},
        {"temp.detached", "the temperature was a constant, used through .value() or .detach()",
         graph},
        {"temp.keys-detached", "the keys were constants, used through .value() or .detach()",
         graph},
        {"temp.returned-detached", "the weights that you return were a constant", graph},
        {"train.weights-detached",
         "the weights were constants where they meet the values, so that only the values learn",
         graph},
    };
}

}  // namespace

std::vector<Mistake> temperature_mistakes() {
    std::vector<Mistake> all = of_temperature();
    const std::vector<Mistake> more = of_attention();
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace exercise
