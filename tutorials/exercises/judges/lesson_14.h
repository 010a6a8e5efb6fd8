// What the exercises of lesson 14 ask for.
#pragma once

#include "autograd/variable.h"
#include "nn/module.h"
#include "tensor/index_tensor.h"
#include "tensor/random.h"
#include "tensor/views.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace exercise {

// The target of a position that has none.
inline constexpr std::int64_t no_target = -100;

struct Windows {
    heed::IndexTensor inputs;   // [B, T]
    heed::IndexTensor targets;  // [B, T]
};

struct ShiftedTargets {
    std::function<Windows(const std::vector<heed::IndexTensor>& texts, std::int64_t T)> windows_of;
    std::function<heed::Variable(const heed::Variable& logits, const heed::IndexTensor& targets)>
        loss_of;
};
extern const Judge<ShiftedTargets> judge_14_1;

inline constexpr double pi = 3.141592653589793;

struct Schedule {
    double peak;          // the largest rate
    double floor;         // the rate at the end
    std::int64_t warmup;  // the step with the largest rate
    std::int64_t total;   // the step from which on the rate is `floor`
};

using LearningRate = std::function<double(std::int64_t step, const Schedule& schedule)>;
extern const Judge<LearningRate> judge_14_2;

struct SentenceKind {
    std::int64_t subjects;  // how many there are, each with a verb of its own
    std::int64_t T;
    std::uint64_t seed;  // decides which token is which word, and how likely each is

    std::int64_t V() const { return 2 * subjects + 3; }  // tokens are 0 ... V - 1
};

// A source of sentences: a subject, one or two words that say nothing, the subject's own verb,
// perhaps one such word more, a full stop. Who looks at the last token only cannot know which verb
// comes, nor whether it was there already.
class Sentences {
  public:
    explicit Sentences(const SentenceKind& kind);

    std::int64_t V() const { return kind_.V(); }
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
extern const Judge<TrainOn> judge_14_3;

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
TrainOn trained_by(void (*train)(Model&, Sentences&, heed::Random&)) {
    return trained_by(std::function<void(Model&, Sentences&, heed::Random&)>(train));
}

// The learner's predictions, in the order of the questions.
struct LossPredictions {
    std::function<double()> new_model, new_models_perplexity, uniform_pair, half_and_eighth,
        perplexity_of_these, certain_and_wrong, entropy_of_next_word, best_loss_on_sentences,
        softmax_twice;
    std::function<std::int64_t()> predictions_at_once;
};
extern const Judge<LossPredictions> judge_14_4;

}  // namespace exercise
