// 09.6 Grouped-query attention                            extend · 25 minutes · about 15 lines
//
// A model that generates text word by word keeps the keys and values of all words so far, for every
// head. To keep fewer, several query heads can share one head of keys and values: h query heads in
// h_kv groups of neighbours. Heads 0 to h/h_kv - 1 use key and value head 0, the next group head 1,
// and so on. With h_kv = h this is multi-head attention, with h_kv = 1 multi-query attention.
// Ainslie et al. 2023; Shazeer 2019.
//
// X [B, T, d_model] -> [B, T, d_model], without a mask. d_head = d_model / num_heads, scores are
// scaled by 1/√d_head; W_Q and W_O: d_model -> d_model, W_K and W_V: d_model ->
// num_kv_heads·d_head, all four with a bias. They are layers Linear, so W_Q(X) adds the bias, and
// its weight is [out, in], unlike the matrices in 09.2. num_heads divides d_model, and num_kv_heads
// divides num_heads. X may be of any size; gradients flow back to X and all parameters.
// split_heads and merge_heads (exercise 09.1) are provided: nn/attention/head_axes.h. The judge
// checks what must hold of any such layer, and then its numbers.
#include "tutorials/exercises/judges/lesson_09.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"
#include "nn/attention/head_axes.h"
#include "nn/linear.h"

#include <cmath>

using namespace heed;

struct GroupedQueryAttention : Module {
    GroupedQueryAttention(std::int64_t d_model, std::int64_t num_heads, std::int64_t num_kv_heads,
                          Random& random)
        : h(num_heads), h_kv(num_kv_heads), W_Q(d_model, d_model, random),
          W_K(d_model, size_of_keys(d_model, num_heads, num_kv_heads), random),
          W_V(d_model, size_of_keys(d_model, num_heads, num_kv_heads), random),
          W_O(d_model, d_model, random) {}

    // The number of features of one word's keys, over all heads; the same for values.
    static std::int64_t size_of_keys(std::int64_t d_model, std::int64_t num_heads,
                                     std::int64_t num_kv_heads) {
        // begin stub
        //     exercise::not_done("09.6");
        // begin solution
        return num_kv_heads * (d_model / num_heads);
        // end
    }

    Variable operator()(const Variable& X) const {
        // begin stub, stop in GroupedQueryAttention::operator()
        //     exercise::not_done("09.6");
        // begin solution
        const Variable Q = split_heads(W_Q(X), h);                     // [B, h, T, d_head]
        const Variable K = for_each_query(split_heads(W_K(X), h_kv));  // [B, h, T, d_head]
        const Variable V = for_each_query(split_heads(W_V(X), h_kv));  // [B, h, T, d_head]
        const double root = std::sqrt(static_cast<double>(Q.dim(-1)));
        const Variable scores = matmul(Q, transpose(K)) / root;  // [B, h, T, T]
        const Variable weights = softmax(scores, -1);            // [B, h, T, T]
        const Variable heads = matmul(weights, V);               // [B, h, T, d_head]
        return W_O(merge_heads(heads));
        // end
    }

    // Repeats each head of keys or values for every query head in its group:
    // [B, h_kv, T, d_head] -> [B, h, T, d_head]
    Variable for_each_query(const Variable& x) const {
        // begin stub
        //     exercise::not_done("09.6");
        // begin solution
        std::vector<std::int64_t> head_of;
        for (std::int64_t n = 0; n < h; ++n) head_of.push_back(n / (h / h_kv));
        return index_select(x, 1, IndexTensor(head_of));
        // end
    }

    void members(MemberVisitor& visit) override {
        visit("W_Q", W_Q);
        visit("W_K", W_K);
        visit("W_V", W_V);
        visit("W_O", W_O);
    }

    std::int64_t h, h_kv;
    Linear W_Q, W_K, W_V, W_O;
};

int main(int argc, char** argv) {
    return exercise::run(
        exercise::judge_09_6(exercise::grouped_query_layer<GroupedQueryAttention>()), argc, argv);
}
