// Lesson 18, sections 18.5 and 18.6: what has to wait for what, and how a translation is searched.
#pragma once

#include "tutorials/18_translation/model.h"

void dependent_steps(const Figure1& model, heed::Random& random);
void search(const Figure1& model, heed::Random& random);
