// The walk of exercise 16.2, its mistakes, and two other ways to the same numbers.
#pragma once

#include "tutorials/exercises/judges/16_2_broken_classifier.h"

#include <vector>

namespace exercise::broken_classifier_walk {

ClassifierStages walked(const ClassifierOf002& model, const TextsOf002& texts, const Slips& slip);
std::vector<Mistake> mistakes();

ClassifierStages by_other_means(const ClassifierOf002& model, const TextsOf002& texts);
ClassifierStages text_by_text(const ClassifierOf002& model, const TextsOf002& texts);

}  // namespace exercise::broken_classifier_walk
