#include "tutorials/16_meaning.h"
#include "tutorials/support/lesson.h"
void lesson(const tutorial::Options& options) {
    heed::Random random(options.seed());
    const Trained trained = who_can_tell(random);
    weight_on_cue(trained, random);
    vectors_of_the_word(trained, random);
}
int main(int argc, char** argv) { return tutorial::run({"16_which_bar", "x"}, argc, argv, lesson); }
