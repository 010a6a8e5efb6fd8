// 09 Multi-head attention: several attentions side by side, built in three ways that give the same
// numbers, what each of them sees, and, in 09_shortcuts.cpp, the ways of building it that do not.
#include "autograd/grad.h"
#include "autograd/ops.h"
#include "nn/attention_record.h"
#include "nn/head_axes.h"
#include "nn/multi_head_forms.h"
#include "nn/token_embedding.h"
#include "nn/tokenizer.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/09_heads.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/display.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/table.h"

#include <cmath>
#include <iostream>
#include <map>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

Variable causal_weights(const Variable& scores) {
    const Mask mask = Mask::causal(scores.dim(-2), scores.dim(-1));        // [T, T]
    const Variable past = masked_fill(scores, mask.blocked(), -infinity);  // [..., T, T]
    const Variable weights = softmax(past, -1);                            // [..., T, T]
    return weights;
}

Variable scaled_scores(const Variable& Q, const Variable& K) {
    const double root = std::sqrt(static_cast<double>(K.dim(-1)));  // √d_head
    const Variable scores = matmul(Q, transpose(K)) / root;         // [..., T, T]
    return scores;
}

// Notes 000 and 002: one head after the other. The stages are those of the last.
Stages list_of_heads(const Variable& X, const Weights& P) {
    Stages s;
    std::vector<Variable> outputs, weights;
    for (std::int64_t n = 0; n < P.h(); ++n) {
        s.Q = matmul(X, select(P.W_Q, 0, n)) + select(P.b_Q, 0, n);               // [B, T, d_head]
        const Variable K = matmul(X, select(P.W_K, 0, n)) + select(P.b_K, 0, n);  // [B, T, d_head]
        const Variable V = matmul(X, select(P.W_V, 0, n)) + select(P.b_V, 0, n);  // [B, T, d_head]
        s.scores = scaled_scores(s.Q, K);                                         // [B, T, T]
        weights.push_back(causal_weights(s.scores));                              // [B, T, T]
        s.heads = matmul(weights.back(), V);                                      // [B, T, d_head]
        outputs.push_back(s.heads);
    }
    s.weights = stack(weights, 1);                              // [B, h, T, T]
    s.concat = concatenate(outputs, -1);                        // [B, T, h·d_head]
    s.output = matmul(s.concat, flatten(P.W_O, 0, 1)) + P.b_O;  // [B, T, d_model]
    return s;
}

// Note 003, with its names of axes.
Variable project(const Variable& X, const Variable& W, const Variable& b) {
    return einsum("batch posn d_model, nheads d_model d_head -> batch posn nheads d_head", X, W) +
           b;
}

Stages by_einsum(const Variable& X, const Weights& P) {
    Stages s;
    s.Q = project(X, P.W_Q, P.b_Q);               // [B, T, h, d_head]
    const Variable K = project(X, P.W_K, P.b_K);  // [B, T, h, d_head]
    const Variable V = project(X, P.W_V, P.b_V);  // [B, T, h, d_head]
    const Variable products = einsum(
        "batch posn_Q nheads d_head, batch posn_K nheads d_head -> batch nheads posn_Q posn_K", s.Q,
        K);
    s.scores = products / std::sqrt(static_cast<double>(P.d_head()));  // [B, h, T, T]
    s.weights = causal_weights(s.scores);                              // [B, h, T, T]
    s.heads = einsum(
        "batch posn_K nheads d_head, batch nheads posn_Q posn_K -> batch posn_Q nheads d_head", V,
        s.weights);  // [B, T, h, d_head]
    const Variable summed =
        einsum("batch posn_Q nheads d_head, nheads d_head d_model -> batch posn_Q d_model", s.heads,
               P.W_O);
    s.output = summed + P.b_O;  // [B, T, d_model]
    return s;
}

// The heads' matrices beside each other: [h, d_model, d_head] -> [d_model, h·d_head]
Variable side_by_side(const Variable& W) {
    return reshape(permute(W, {1, 0, 2}), {W.dim(1), W.dim(0) * W.dim(2)});
}

Variable project_at_once(const Variable& X, const Variable& W, const Variable& b) {
    return matmul(X, side_by_side(W)) + flatten(b);  // [B, T, h·d_head]
}

// See it as [B, T, h, d], then exchange the two axes in the middle.
Variable split(const Variable& x, std::int64_t h) {
    const Variable cut = view(x, {x.dim(0), x.dim(1), h, x.dim(2) / h});  // [B, T, h, d]
    return transpose(cut, 1, 2);                                          // [B, h, T, d]
}

// After the transpose no view will do: it copies.
Variable merge(const Variable& x) { return flatten(contiguous(transpose(x, 1, 2)), 2, 3); }

// Note 004 and PyTorch: one matrix for all heads, whose columns are then cut.
Stages one_projection(const Variable& X, const Weights& P) {
    Stages s;
    s.Q = split(project_at_once(X, P.W_Q, P.b_Q), P.h());               // [B, h, T, d_head]
    const Variable K = split(project_at_once(X, P.W_K, P.b_K), P.h());  // [B, h, T, d_head]
    const Variable V = split(project_at_once(X, P.W_V, P.b_V), P.h());  // [B, h, T, d_head]
    s.scores = scaled_scores(s.Q, K);                                   // [B, h, T, T]
    s.weights = causal_weights(s.scores);                               // [B, h, T, T]
    s.heads = matmul(s.weights, V);                                     // [B, h, T, d_head]
    s.concat = merge(s.heads);                                          // [B, T, h·d_head]
    s.output = matmul(s.concat, flatten(P.W_O, 0, 1)) + P.b_O;          // [B, T, d_model]
    return s;
}

// `times` for a list, which has so many of them.
void print_stage(const std::string& name, const std::string& times, const Variable& list,
                 const Variable& einsum, const Variable& one) {
    print_row(std::cout, name,
              {times + list.shape().text(), einsum.shape().text(), one.shape().text()}, 8, 19);
}

void three_ways(const Variable& X, const EinsumAttention& layer, const Weights& P) {
    section("09.1 Several heads, built three ways");
    say("One attention gives each word one weighted mean. Several give it several: "
        "head_n = softmax(Q_n·K_nᵀ / √d_head)·V_n with projections of its own, and "
        "MultiHead(X) = Concat(head_1, ..., head_h)·W^O. Notes 000 and 002 keep a list of heads, "
        "003 multiplies with named axes, 004 and PyTorch have one matrix for all heads and cut "
        "what comes out.");
    say("The numbers are those of note 003's check: 12 sequences of 20 tokens, d_model 30, and 2 "
        "heads of 10. A head need not have d_model / h = 15 features: W^O brings any h·d_head back "
        "to d_model.");
    const Stages list = list_of_heads(X, P);
    const Stages named = by_einsum(X, P);
    const Stages one = one_projection(X, P);
    print_row(std::cout, "", {"list of heads", "einsum", "one projection"}, 8, 19);
    print_stage("W^Q", "2 × ", select(P.W_Q, 0, 0), P.W_Q, side_by_side(P.W_Q));
    print_stage("Q", "2 × ", list.Q, named.Q, one.Q);
    print_stage("scores", "2 × ", list.scores, named.scores, one.scores);
    print_stage("heads", "2 × ", list.heads, named.heads, one.heads);
    print_row(std::cout, "concat", {list.concat.shape().text(), "-", one.concat.shape().text()}, 8,
              19);
    print_stage("output", "", list.output, named.output, one.output);
    std::cout << "\noutput, first sequence, first three tokens, first five numbers =\n"
              << slice(slice(select(list.output, 0, 0), 0, 0, 3), 1, 0, 5).value() << "\n\n";
    check(same(list.weights, named.weights) && same(list.weights, one.weights),
          text("the weights ", list.weights.shape(), " are the same bits all three ways"));
    check(same(list.output, named.output) && same(list.output, one.output),
          "so are the outputs: every sum is taken in the same order");

    say("nn has all three, and the way from the parameters of one to those of another.");
    const MultiHeadAttention as_one = as_one_projection(layer);
    const ListOfHeadsAttention as_list = as_list_of_heads(as_one);
    const Mask mask = Mask::causal(X.dim(1));
    std::cout << as_one << "\n\n";
    check(same(as_list(X, mask), list.output), "nn's ListOfHeadsAttention: the same bits");
    check(same(layer(X, mask), list.output), "nn's EinsumAttention: the same bits");
    check(same(as_one(X, mask), list.output), "nn's MultiHeadAttention: the same bits");
    check(same(as_einsum(as_one).W_Q, P.W_Q), "converted there and back, W_Q is what it was");
}

// The positions t of heads n whose first number is that of token t, column n·d.
int rows_in_place(const Variable& heads) {
    int count = 0;
    for (std::int64_t n = 0; n < heads.dim(0); ++n) {
        for (std::int64_t t = 0; t < heads.dim(1); ++t) {
            count += heads(n, t, 0) == static_cast<Scalar>(100 * t + n * heads.dim(2));
        }
    }
    return count;
}

void view_then_transpose() {
    section("09.2 View, then transpose");
    say("X·W^Q is [T, h·d], and the heads are [h, T, d]. Both have as many numbers, so view would "
        "take [h, T, d] at once. To see what that does, each number says where it stands: "
        "100·token + column.");
    const std::int64_t T = 3, h = 2, d = 2;
    const Variable x = tutorial::numbered(T, h * d);             // [T, h·d]
    const Variable right = transpose(view(x, {T, h, d}), 0, 1);  // [h, T, d]
    const Variable wrong = view(x, {h, T, d});                   // [h, T, d]
    std::cout << "x =\n"
              << x.value() << "\nview(x, {T, h, d}), then transpose(0, 1) =\n"
              << right.value() << "\nview(x, {h, T, d}) =\n"
              << wrong.value() << "\n\n";
    say("View alone lets head 0 see token 0 twice, first its columns 0 and 1, then 2 and 3; head 1 "
        "begins with token 1. What is called a position is no longer one, and neither is a head.");
    check(rows_in_place(right) == h * T, "view, then transpose: position t of head n is token t, "
                                         "and its columns n·d to n·d + d - 1");
    check(rows_in_place(wrong) == 2 && wrong(0, 1, 0) == 2 && wrong(1, 0, 0) == 102,
          "view alone: so in the first and the last row only");
    check(right.shape() == wrong.shape(), "the shapes tell nothing");
    check(right.value().shares_storage_with(x.value()), "cutting into heads copies nothing");

    say("The way back is the same backwards: transpose, then put together.");
    const Variable merged = flatten(contiguous(transpose(right, 0, 1)), 1, 2);  // [T, h·d]
    const Variable merged_wrong = reshape(right, {T, h * d});                   // [T, h·d]
    std::cout << "without the transpose, token 0 gets head 0 of two tokens:\n"
              << merged_wrong.value() << "\n\n";
    check(same(merged, x), "there and back, x is what it was");
    check(!same(merged_wrong, x), "without the transpose it is not");
    check(same(split_heads(x, h), right) && same(merge_heads(right), x),
          "nn's split_heads and merge_heads do the same");
}

void what_a_head_sees(Random& random) {
    section("09.8 What each head sees");
    say("Head n has its own columns of W^Q, W^K and W^V, and nobody else has them. So the weights "
        "of one head have no gradient at all for the columns of another; the heads first meet in "
        "W^O. Largest |∂L/∂W^Q| by columns, L a random mix of one head's weights, or of the "
        "output:");
    const std::int64_t T = 5, d_model = 6, h = 3, d = d_model / h;
    const MultiHeadAttention layer(d_model, h, random);
    const Variable X(tensor::normal({T, d_model}, random));        // [T, d_model]
    const Tensor R = tensor::normal({T, T}, random);               // [T, T]
    const Tensor R_output = tensor::normal({T, d_model}, random);  // [T, d_model]
    bool as_said = true;
    print_row(std::cout, "", {"columns of head 0", "of head 1", "of head 2"}, 18, 17);
    for (std::int64_t n = 0; n <= h; ++n) {
        const Attention attention = layer.with_weights(X);
        const Variable y = n < h ? select(attention.weights, 0, n) : attention.output;
        const Variable upstream(n < h ? R : R_output);
        // Linear keeps W as [out, in], so what are columns of W^Q here are its rows.
        const Variable G = grad(y, layer.W_Q.weight, {.upstream = upstream});
        Words cells;
        for (std::int64_t m = 0; m < h; ++m) {
            const Variable of_m = slice(G, 0, m * d, (m + 1) * d);  // [d, d_model]
            const double largest = tensor::max(abs(of_m).value()).item();
            cells.push_back(fixed(largest, 6));
            as_said = as_said && (largest > 0) == (m == n || n == h);
        }
        print_row(std::cout, n < h ? text("weights of head ", n) : "output", cells, 18, 17);
    }
    std::cout << "\n";
    check(as_said,
          "a head's weights: exactly 0 for the columns of others, and not 0 for its own; the "
          "output: not 0 for any");
    say("Nothing says that keys and values come from the same words as queries. With a source of "
        "7 words for the 5 queries it is cross-attention, the same layer:");
    const Variable source(tensor::normal({7, d_model}, random));  // [T_k, d_model]
    const Attention cross = layer.with_weights(X, source);
    std::cout << "weights " << cross.weights.shape() << ", output " << cross.output.shape()
              << "\n\n";
    check(cross.weights.shape() == Shape{h, T, 7} && cross.output.shape() == X.shape(),
          "T_q and T_k may differ");
}

struct SmallModel : Module {
    SmallModel(std::int64_t vocab_size, std::int64_t T, Random& random)
        : embedding(vocab_size, T, 16, random), attention(16, 2, random) {}
    Variable operator()(const IndexTensor& ids) const { return attention(embedding(ids)); }
    void members(MemberVisitor& visit) override {
        visit("embedding", embedding);
        visit("attention", attention);
    }

    TokenAndPositionEmbedding embedding;
    MultiHeadAttention attention;
};

void pictures(Random& random) {
    section("09.9 A picture for each head");
    const std::string sentence = "The animal didn't cross the street because it was too tired";
    say("Note 004's sentence: " + sentence +
        ". Where would \"it\" look? A small model with token and position embeddings and an "
        "attention of 2 heads reads it, and a recording keeps what the layer called attention "
        "did.");
    const WordTokenizer tokenizer({sentence});
    const IndexTensor ids = tokenizer.encode(sentence);  // [T]
    const Words words = tokenizer.words(sentence);
    const SmallModel model(tokenizer.size(), ids.numel(), random);
    RecordAttention recording(model);
    recording.set_tokens(words);
    const Variable output = model(ids);  // [T, d_model]
    const AttentionRecord& record = recording.at("attention");
    tutorial::print_heat_map(std::cout, record, {0});
    tutorial::print_heat_map(std::cout, record, {1});
    const Tensor head_0 = tutorial::row(record.weights, 0);  // [T, T]
    const Tensor head_1 = tutorial::row(record.weights, 1);  // [T, T]
    check(record.weights.shape() == Shape{2, ids.numel(), ids.numel()}, "a matrix for each head");
    check(tensor::max_difference(head_0, head_1) > 0.02,
          "the two heads do not weigh the words alike");

    std::cout << "\nfrom \"it\" to \"animal\": " << fixed(head_0(7, 1), 2) << " in head 0, "
              << fixed(head_1(7, 1), 2) << " in head 1\n";
    say("They were drawn at random and nobody trained them, so these pictures mean nothing yet. "
        "Had \"it\" found its animal, that would be luck. In 20 more models \"it\" looks most at:");
    std::map<std::string, int> found;
    for (int draw = 0; draw < 20; ++draw) {
        const SmallModel other(tokenizer.size(), ids.numel(), random);
        const Tensor weights = other.attention.with_weights(other.embedding(ids)).weights.value();
        for (std::int64_t n = 0; n < 2; ++n) {
            const Tensor of_it = tensor::select(tensor::select(weights, 0, n), 0, 7);  // [T]
            const std::int64_t best = tensor::argmax(of_it).item();
            ++found[words[static_cast<std::size_t>(best)]];
        }
    }
    std::string counts;
    for (const auto& [word, count] : found) counts += " " + word + " " + std::to_string(count);
    say("(of 40 heads)" + counts);
    check(words[7] == "it" && found.size() > 4 && found["animal"] < 20,
          "a random head does not know what \"it\" is; that is learned");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 09: multi-head attention. Several heads in place of one, three ways to build them, "
        "and why the notes' shortcuts give other numbers.");
    const EinsumAttention layer(30, 2, random, {.d_head = 10});
    const Weights P{layer.W_Q, layer.W_K, layer.W_V, layer.W_O,
                    layer.b_Q, layer.b_K, layer.b_V, layer.b_O};
    const Variable X(tensor::uniform({12, 20, 30}, random));  // [B, T, d_model]
    three_ways(X, layer, P);
    view_then_transpose();
    shortcuts(X, P, random);
    what_a_head_sees(random);
    pictures(random);
}

int main(int argc, char** argv) {
    return tutorial::run({"09_multi_head_attention",
                          "Multi-head attention: three ways to build it, the same numbers."},
                         argc, argv, lesson);
}
