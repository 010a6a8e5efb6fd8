// 08.4 Catch the impostors of the mask                       catch · 15 minutes · about 6 lines
//
// Sixteen impostors claim to be causal attention: one masks with 0, one masks after the softmax,
// one masks only the first text, one lets each word see the next, and so on. You write the texts on
// which they and the correct one are run; an impostor is caught if an entry of its output differs
// from the correct y by more than 0.005·(1 + |y|). This time by hand: integers from -2 to 2, so
// that no random generator does the thinking. How must words, texts, keys and values differ so that
// each impostor is caught?
//
// Q, K and V have one shape, [texts, words, d]: 1 to 5 texts of 1 to 5 words, and d from 1 to 4.
#include "tutorials/exercises/judges/lesson_08.h"

#include "tensor/factories.h"

using namespace heed;

exercise::Texts texts() {
    // begin stub, stop in texts
    //     const Tensor Q = tensor::of({{{1, 0}, {0, 1}}});  // one text of two words
    //     const Tensor K = tensor::of({{{1, 0}, {0, 1}}});
    //     const Tensor V = tensor::of({{{1, 0}, {0, 1}}});
    // begin solution
    const Tensor Q = tensor::of({{{1, 2}, {0, -1}, {2, 1}}, {{-1, 1}, {1, 1}, {2, 0}}});
    const Tensor K = tensor::of({{{2, -1}, {1, 1}, {0, 2}}, {{1, 0}, {-1, 2}, {1, 2}}});
    const Tensor V = tensor::of({{{0, 1}, {2, -2}, {1, 2}}, {{1, -1}, {-2, 0}, {2, 1}}});
    // end
    return {Q, K, V};
}

int main(int argc, char** argv) { return exercise::run(exercise::judge_08_4(texts), argc, argv); }
