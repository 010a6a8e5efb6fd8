// 15.2 Catch the impostors of induction                      catch · 15 minutes · about 3 lines
//
// "a b c a" -> b. An induction head takes the token that ends the text, finds the last place where
// it stood before, and says what followed there. But a right answer does not prove that it was
// found that way (lesson 15.4): on "a b c a", always copying the token 2 places before the last one
// is right as well. Here are ten kinds of impostors. Write texts on which each is found out:
//     it copies the token k places before the last one, for some k from 0 (the last one) to 9;
//     it copies the token at a fixed place, from 0 to 9;
//     it says what most often followed the last token in this text; or in all your texts together
//     (of several as frequent, the one seen last; each text is counted after the others);
//     it says what followed the first place of that token, not the last;
//     its layers are off by one: it says what stood 2 places after; or 1 before;
//     it asks for the last two tokens, and for the last one alone only if these never stood so;
//     it says the most frequent token of the text (of several, the one seen last);
//     it counts on: 4 after 3.
// An impostor is caught if it says something else than the head, or nothing, on at least one of
// your texts. The first two kinds are ten impostors each, all of which must be caught.
//
// 1 to 3 texts of 2 to 10 tokens; a token is a number from 0 to 9; and the last token of a text
// must have stood in it before. Elhage et al. 2021; Olsson et al. 2022.
#include "tutorials/exercises/judges/lesson_15.h"

exercise::TokenTexts texts() {
    // begin stub, stop in texts
    //     return {{0, 1, 2, 3, 0}};  // the head says 1
    // begin solution
    // The head says 4, and then 7. In the first text 0 is followed by 2, 2 and 4, and 1 0 by 2.
    return {{0, 2, 1, 0, 2, 0, 4, 3, 1, 0}, {5, 0, 7, 6, 0}};
    // end
}

int main(int argc, char** argv) { return exercise::run(exercise::judge_15_2(texts), argc, argv); }
