// 18.2 Catch the masks of a decoder                          catch · 20 minutes · about 2 lines
//
// A translator has three attentions, and each has its mask: the encoder must not see the padding of
// the source, the decoder must not see the future, and cross-attention must not see the padding of
// the source either. In each of 21 impostors one mask is wrong: it is missing, or it is that of
// another attention, of another text or of another length, or it is one place off. You write the
// translations on which they and the correct translator are run: one layer, one head, no positions.
// An impostor is caught if a number that it gives for a token of a target (not for padding) differs
// from the correct y by more than 0.005·(1 + |y|). Which lengths and which tokens catch all?
// Lesson 18.2. (Hiding the future, but not the padding of the target, is no mistake. Why?)
//
// 1 to 4 translations, each a source and a target of 1 to 5 tokens, which are ids from 0 to 9. The
// shorter ones are padded at the end, up to the longest of their side, with token 0. You may use 0
// as a word, too: what is padding is told by the lengths alone.
#include "tutorials/exercises/judges/lesson_18.h"

exercise::Translations translations() {
    // begin stub, stop in translations
    //     return {.source = {{1, 2}}, .target = {{1, 2}}};  // one text and its translation
    // begin solution
    return {.source = {{3, 0, 5, 1}, {2, 4}}, .target = {{1, 2}, {5, 0, 3}}};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_18_2(translations), argc, argv);
}
