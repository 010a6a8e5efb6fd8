// Lesson 18, sections 18.3 and 18.4: three translators without recurrence, trained, how well they
// translate longer sentences, and where one of them looks.
#pragma once

#include "tutorials/18_translation/model.h"

// The one that is best in long sentences.
Figure1 measured_translator(heed::Random& random);
