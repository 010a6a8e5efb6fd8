// What can be seen of a trained model, whatever is inside: facts, each a small number, so that a
// mistake is recognised by them.
#pragma once

#include "tutorials/exercises/judges/14_3_tiny_language_model.h"

namespace exercise {

inline constexpr double margin = 0.2;  // below the best bigram, in nats

// Their names, in the order in which they are looked at.
namespace facts {
inline constexpr const char* shape = "the shape of the logits (0: the right one)";
inline constexpr const char* share = "the share of trained parameters";
inline constexpr const char* finite = "the logits that are not finite";
inline constexpr const char* again = "the logits of the same texts again (0: the same)";
inline constexpr const char* mixing = "other logits: [alone, by texts before, by texts after]";
inline constexpr const char* ahead = "what is seen ahead: [so many tokens, 1: and none before]";
inline constexpr const char* past = "what matters: [the last token, an earlier one]";
inline constexpr const char* shorter = "a shorter text's own logits (0: the same)";
inline constexpr const char* normal = "the softmax in the model (0: none)";
inline constexpr const char* place = "the place that is predicted (1: the next)";
inline constexpr const char* loss = "the side on which the loss lies (0: the right one)";
}  // namespace facts

struct Fact {
    Stage stage;
    std::string words;  // what is wrong, with numbers; empty if nothing is
};

// The facts of a model trained on such sentences, up to the first that is wrong.
std::vector<Fact> facts_of(const TrainOn& answer, const SentenceKind& kind);
// What they are with this mistake.
Stages facts_walk(const SentenceKind& kind, const Slips& slip);

}  // namespace exercise
