// 09 Multi-head attention: why several heads, how they are built, what each of them sees, and
// shortcuts that give other numbers.
#include "autograd/grad.h"
#include "autograd/ops.h"
#include "nn/attention/attention_record.h"
#include "nn/attention/head_axes.h"
#include "nn/attention/multi_head_attention.h"
#include "nn/embedding.h"
#include "nn/pages/heat_map.h"
#include "nn/text/word_tokenizer.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/09_multi_head_attention/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/tensor_drawings.h"
#include "tutorials/support/terminal.h"

#include <iostream>
#include <map>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

void view_then_transpose() {
    section("09.3 View, then transpose");
    say("$X·W^Q$ is $[T, h·d]$, and the heads are [h, T, d]. Both have the same number of entries, "
        "so view can make [h, T, d] at once. To see what that does, let each entry say where it "
        "stands: $100·token$ + column.");
    const std::int64_t T = 3, h = 2, d = 2;
    const Variable x = tutorial::numbered(T, h * d);             // [T, h·d]
    const Variable right = transpose(view(x, {T, h, d}), 0, 1);  // [h, T, d]
    const Variable wrong = view(x, {h, T, d});                   // [h, T, d]
    tutorial::predict_number(
        "$x(t, c) = 100·t + c$. With what number does head 1 of token 0 begin?", right(1, 0, 0), 0,
        "Head 1 begins at column 2.");
    stop("09.3 view and transpose", {{"x", x}, {"right", right}, {"wrong", wrong}});
    std::cout << "x =\n"
              << x.value() << "\nview(x, {T, h, d}), then transpose(0, 1) =\n"
              << right.value() << "\nview(x, {h, T, d}) =\n"
              << wrong.value() << "\n\n";
    if (tutorial::page_is_written()) {
        tutorial::draw(tutorial::head_split_svg("Columns into heads: blue is head 0, orange head 1",
                                                {{"x [T, h·d] =", x.value()},
                                                 {"view [T, h, d] =", view(x, {T, h, d}).value()},
                                                 {"transpose [h, T, d] =", right.value()}},
                                                {"view alone, wrong: [h, T, d] =", wrong.value()},
                                                h));
    }
    check(same(select(right, 0, 0), slice(x, 1, 0, d)) &&
              same(select(right, 0, 1), slice(x, 1, d, 2 * d)),
          "view, then transpose: head n has columns $n·d$ to $n·d + d - 1$ of every token");
    check(wrong(0, 1, 0) == 2 && wrong(1, 0, 0) == 102 && wrong.shape() == right.shape(),
          "view alone has the same shape, but position 1 of head 0 is token 0 again, and head 1 "
          "begins with token 1");
    check(right.value().shares_storage_with(x.value()), "cutting into heads copies nothing");

    say("To merge, reverse the steps: transpose, then flatten.");
    const Variable merged = flatten(contiguous(transpose(right, 0, 1)), 1, 2);  // [T, h·d]
    check(same(merged, x), "there and back, x is what it was");
    check(same(split_heads(x, h), right) && same(merge_heads(right), x),
          "nn's split_heads and merge_heads do the same");

    say("With word vectors of 300 numbers, three heads have 100 each. A batch of one sentence of "
        "six words:");
    const Variable words(tensor::zeros({1, 6, 300}));  // [B, T, d_model]
    const Variable heads = split_heads(words, 3);      // [B, h, T, d]
    const Variable weights = scaled_dot_product_attention(heads, heads, heads).weights;
    std::cout << "x " << words.shape() << " -> heads " << heads.shape() << " -> weights "
              << weights.shape() << "\n\n";
    check(weights.shape() == Shape{1, 3, 6, 6}, "each head has its matrix of weights");
    tutorial::in_the_notes("001 prints this shape, for \"I drink coke, but eat steak\".");
}

void what_a_head_sees(Random& random) {
    section("09.4 What each head sees");
    say("Head n has its own columns of $W^Q$, $W^K$ and $W^V$. So the weights of one head have "
        "gradient exactly 0 in the columns of another: the heads first meet in $W^O$. Largest "
        "$|∂L/∂W^Q|$ by columns, where L is a random weighted sum of one head's weights, or of the "
        "output:");
    const std::int64_t T = 5, d_model = 6, h = 3, d = d_model / h;
    const MultiHeadAttention layer(d_model, h, random);
    const Variable X(tensor::normal({T, d_model}, random));  // [T, d_model]
    bool as_said = true;
    print_row(std::cout, "", {"columns of head 0", "of head 1", "of head 2"}, 18, 17);
    for (std::int64_t n = 0; n <= h; ++n) {
        const Attention attention = layer.with_weights(X);
        const Variable y = n < h ? select(attention.weights, 0, n) : attention.output;
        const Variable upstream(tensor::normal(y.shape(), random));
        // Linear stores W as [out, in], so the columns of W^Q are rows here.
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
    check(as_said, "for a head's weights it is exactly 0 in the columns of others and not in its "
                   "own; for the output it is 0 in none");
    say("Keys and values may come from another sequence. With a source of 7 tokens for the 5 "
        "queries, the same layer is cross-attention:");
    const Variable source(tensor::normal({7, d_model}, random));  // [T_k, d_model]
    const Attention cross = layer.with_weights(X, source);
    tutorial::predict_shape("5 queries, 7 keys, 3 heads. What is the shape of the weights?",
                            cross.weights.shape(),
                            "Each head has a row for each query and a column for each key.");
    stop("09.4 cross-attention",
         {{"cross.weights", cross.weights}, {"cross.output", cross.output}});
    std::cout << "weights " << cross.weights.shape() << ", output " << cross.output.shape()
              << "\n\n";
    check(cross.weights.shape() == Shape{h, T, 7} && cross.output.shape() == X.shape(),
          "$T_q$ and $T_k$ may differ");
}

void pictures(Random& random) {
    section("09.6 A picture for each head");
    const std::string sentence = "The animal didn't cross the street because it was too tired";
    say(sentence + ". Where does \"it\" look? Token and position embeddings, an attention layer "
                   "with 2 heads, and a recording that keeps what the layer does. It has a "
                   "matrix for each head; here is the row of \"it\" in both:");
    const WordTokenizer tokenizer({sentence});
    const IndexTensor ids = tokenizer.encode(sentence);  // [T]
    const Words words = tokenizer.words(sentence);
    const TokenAndPositionEmbedding embedding(tokenizer.size(), ids.numel(), 16, random);
    const MultiHeadAttention attention(16, 2, random);
    RecordAttention recording(attention);
    recording.set_tokens(words);
    const Variable output = attention(embedding(ids));  // [T, d_model]
    const AttentionRecord& record = recording.at("MultiHeadAttention");
    const Tensor head_0 = tutorial::row(record.weights, 0);           // [T, T]
    const Tensor head_1 = tutorial::row(record.weights, 1);           // [T, T]
    const Tensor rows_of_it = tensor::select(record.weights, -2, 7);  // [h, T]
    print_heat_map(std::cout, {"head 0", "head 1"}, words, rows_of_it);
    stop("09.6 two heads", {{"head_0", head_0}, {"head_1", head_1}});
    check(record.weights.shape() == Shape{2, ids.numel(), ids.numel()}, "each head has a matrix");
    check(tensor::max_difference(head_0, head_1) > 0.02,
          "the two heads weigh the words differently");

    say("The parameters are random, so these pictures mean nothing yet: if \"it\" had found its "
        "animal, that would be luck. In 20 more draws of both heads, \"it\" looks most at:");
    std::map<std::string, int> found;
    for (int draw = 0; draw < 20; ++draw) {
        const TokenAndPositionEmbedding X(tokenizer.size(), ids.numel(), 16, random);
        const MultiHeadAttention other(16, 2, random);
        const Tensor weights = other.with_weights(X(ids)).weights.value();  // [2, T, T]
        for (std::int64_t n = 0; n < 2; ++n) {
            const Tensor of_it = tensor::select(tensor::select(weights, 0, n), 0, 7);  // [T]
            const std::int64_t best = tensor::argmax(of_it).item();
            ++found[words[static_cast<std::size_t>(best)]];
        }
    }
    std::string counts;
    for (const auto& [word, count] : found)
        counts += (counts.empty() ? " " : ", ") + word + " " + std::to_string(count);
    say("of 40 heads:" + counts);
    check(words[7] == "it" && found.size() > 4 && found["animal"] < 20,
          "a random head does not find what \"it\" refers to; that has to be learned");
    tutorial::in_the_notes("The sentence is from 004.");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 09: multi-head attention. Why one head is not enough, three ways to build several, "
        "what each of them sees and adds, and shortcuts that give other numbers.");
    two_questions(random);  // 09.1, two_questions.cpp
    Random layer_random(random.next());
    MultiHeadAttention layer(30, 2, layer_random, {.d_head = 10});
    const Weights P = draw_weights(30, 2, 10, random);
    const Variable X(tensor::uniform({12, 20, 30}, random));  // [B, T, d_model]
    three_ways(X, layer, P);                                  // 09.2, three_ways.cpp
    view_then_transpose();                                    // 09.3
    what_a_head_sees(random);                                 // 09.4
    sum_over_heads(X, P);                                     // 09.5, three_ways.cpp
    pictures(random);                                         // 09.6
    ones_hide_mistakes(X, P);                                 // 09.7, shortcuts.cpp
    too_little_and_too_much(random);                          // 09.8
    keys_from_queries(random);                                // 09.9
}

int main(int argc, char** argv) {
    return tutorial::run({"09_multi_head_attention",
                          "Multi-head attention: three ways to build it, the same numbers."},
                         argc, argv, lesson);
}
