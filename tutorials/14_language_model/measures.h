// What lesson 14 measures of a language model.
#pragma once

#include "tutorials/14_language_model/models.h"

// The mean of -log P(next token), in nats.
double loss_of(const LanguageModel& model, const Texts& texts);

// The exponential of a loss in nats.
double perplexity(double nats);

// The part of P(is) + P(are) that is on the verb which agrees, the mean over torn_sentences().
double agreement_of(const LanguageModel& model);

// The mean probability of all tokens that the grammar never has after the token before.
double never_following(const LanguageModel& model, const Texts& texts);

// Texts from "the" to ".", or of 13 tokens: each token is drawn from what the model gives at the
// last position. (Each step reads the whole text again; lesson 19 avoids that.)
std::vector<std::vector<std::int64_t>> texts_by(const LanguageModel& model, std::int64_t count,
                                                heed::Random& random);
