// Judges exercise 14.3.
#pragma once

#include "nn/module.h"
#include "tensor/index_tensor.h"
#include "tensor/random.h"
#include "tensor/views.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace exercise {

struct SentenceKind {
    std::int64_t subjects;  // how many there are, each with a verb of its own
    std::int64_t T;
    std::uint64_t seed;  // decides which token is which word, and how likely each is
};

// A source of sentences: a subject, one or two words that say nothing, the subject's own verb,
// perhaps one such word more, a full stop. Who looks at the last token only cannot know which verb
// comes, nor whether it was there already.
class Sentences {
  public:
    explicit Sentences(const SentenceKind& kind);

    std::int64_t V() const;  // tokens are 0 ... V - 1
    std::int64_t T() const { return kind_.T; }
    // B new texts [B, T + 1], each from the beginning of a sentence on.
    heed::IndexTensor texts(std::int64_t B);

  private:
    SentenceKind kind_;
    heed::Random random_;
};

// A model before and after its training.
struct TrainedModel {
    struct Parameter {
        std::string name;
        heed::Tensor before;
        heed::Variable now;
    };

    std::function<heed::Variable(const heed::IndexTensor& ids)> logits;
    heed::Tensor first_logits;  // of 2 texts, before the training
    std::vector<Parameter> parameters;
};

using TrainOn =
    std::function<TrainedModel(Sentences& sentences, const heed::IndexTensor& two_texts)>;

Exercise tiny_language_model(const TrainOn& answer);
Trials tiny_language_model_trials();

// For a model constructed with (V, T, random) and a function that trains it.
template <class Model>
TrainOn trained_by(const std::function<void(Model&, Sentences&, heed::Random&)>& train) {
    return [train](Sentences& sentences, const heed::IndexTensor& two_texts) {
        heed::Random random(3);
        const auto model = std::make_shared<Model>(sentences.V(), sentences.T(), random);
        TrainedModel trained;
        for (const heed::NamedParameter& one : heed::parameters(*model)) {
            trained.parameters.push_back(
                {one.name, heed::tensor::clone(one.parameter.value()), one.parameter});
        }
        trained.first_logits = heed::tensor::clone((*model)(two_texts).value());
        train(*model, sentences, random);
        model->eval();
        trained.logits = [model](const heed::IndexTensor& ids) -> heed::Variable {
            return (*model)(ids);
        };
        return trained;
    };
}

template <class Model>
Exercise tiny_language_model(void (*train)(Model&, Sentences&, heed::Random&)) {
    return tiny_language_model(trained_by<Model>(train));
}

}  // namespace exercise
