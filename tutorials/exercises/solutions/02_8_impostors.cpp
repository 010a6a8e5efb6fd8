// 02.8 Catch the impostors                                   catch · 10 minutes · about 8 lines
//
// A wrong derivative shows only on an input that distinguishes it from the right one. With an
// upstream gradient of ones many look right. Here are nine wrong derivatives of softmax and eight
// of the matrix product, the mistakes of exercises 02.5 and 02.3. Write inputs that expose them
// all. An impostor is caught if one of its numbers is more than 0.005·(1 + |r|) away from the
// right number r.
//
// softmax_trap   X and G = ∂L/∂Y, both [2, 3]; softmax goes along the rows
// matmul_trap    x, W and G = ∂L/∂y for y = x·W, all [3, 3]: square, so that no shape complains
// All entries are numbers from -100 to 100. tensor::of({{1, 2, 3}, {4, 5, 6}}) makes a tensor.
#include "tutorials/exercises/judges/lesson_02.h"

#include "tensor/factories.h"

using namespace heed;
using exercise::MatmulInput;
using exercise::SoftmaxInput;

SoftmaxInput softmax_trap() {
    // begin stub, stop in softmax_trap
    //     exercise::not_done("02.8");
    // begin solution
    const Tensor X = tensor::of({{0.3, -1.2, 0.8}, {1.5, 0.1, -0.6}});
    const Tensor G = tensor::of({{0.7, -0.4, 1.9}, {-1.1, 0.5, 0.2}});
    return {X, G};
    // end
}

MatmulInput matmul_trap() {
    // begin stub
    //     exercise::not_done("02.8");
    // begin solution
    const Tensor x = tensor::of({{1, 2, -1}, {0, 3, 1}, {4, -2, 5}});
    const Tensor W = tensor::of({{2, -1, 3}, {1, 0, -4}, {-3, 5, 1}});
    const Tensor G = tensor::of({{0.5, 1.5, -1}, {2, -0.3, 0.7}, {-1.2, 0.4, 1}});
    return {x, W, G};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_02_8({softmax_trap, matmul_trap}), argc, argv);
}
