// Lesson 11: a word that needs three others at once, and what one row of weights leaves of them
// (11.4).
#include "tutorials/11_known_jobs/parts.h"

#include "nn/pages/heat_map.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::row;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

namespace {

const Words mary = {"mary", "gave", "roses", "to", "susan"};
const Words susan = {"susan", "gave", "roses", "to", "mary"};

// The rows of "gave", word 1, of three heads: one place back, one and three places ahead. [3, 5]
Tensor three_rows() {
    std::vector<Tensor> rows;
    for (const std::int64_t back : {1, -1, -3}) {
        rows.push_back(row(weights_of(places_back(5, back), tensor::eye(5)), 1));
    }
    return tensor::stack(rows);
}

// The share of each word of `mary` in what rows of weights take from a sentence: [rows, 5].
Tensor taken(const Tensor& weights, const Words& sentence) {
    std::vector<std::int64_t> ids;
    for (const std::string& word : sentence) {
        ids.push_back(std::find(mary.begin(), mary.end(), word) - mary.begin());
    }
    return tensor::matmul(weights, tensor::one_hot(IndexTensor(ids), 5));
}

void print_taken(const std::string& sentence, const Tensor& thirds, const Tensor& unequal) {
    tutorial::Table table{.corner = sentence,
                          .what_columns = "words",
                          .rows = {"thirds", "6 : 3 : 1"},
                          .columns = mary,
                          .cells = {}};
    for (const Scalar share : tensor::concatenate({thirds, unequal}, 0).to_vector()) {
        table.cells.push_back({fixed(share, 2), static_cast<double>(share)});
    }
    tutorial::print_table(std::cout, table);
}

// What rows of weights [rows, 3] leave of three words' values: for each row and word the mean of
// (v - m·s)² over random values v, in terms of that of v², where s is the weighted sum and m the
// best factor. [rows, 3]
Tensor missed(const Tensor& rows, Random& random) {
    const Tensor values = tensor::normal({3, 100000}, random);  // v
    const Tensor sums = tensor::matmul(rows, values);           // s, [rows, 100000]
    const Tensor squares = tensor::mean(sums * sums, {-1}, keepdim);
    const Tensor products =
        tensor::matmul(sums, tensor::transpose(values)) / 100000;  // mean of s·v
    return 1 - products * products / (squares * tensor::mean(values * values, {-1}));
}

void print_missed(const Tensor& left) {
    const Words rows = {"thirds", "6 : 3 : 1", "1 : 0 : 0"};
    tutorial::print_row(std::cout, "weights of one head", {"who", "what", "to whom", "mean"}, 20,
                        7);
    for (std::int64_t i = 0; i < 3; ++i) {
        Words cells;
        for (std::int64_t word = 0; word < 3; ++word) cells.push_back(fixed(left(i, word), 2));
        cells.push_back(fixed(tensor::mean(row(left, i)).item(), 2));
        tutorial::print_row(std::cout, rows[static_cast<std::size_t>(i)], cells, 20, 7);
    }
    std::cout << "\n";
}

void floor_of_one_head(Random& random) {
    say("Then why not unequal shares? Let the row have a on who, b on what and c on whom. The head "
        "returns $s = a·v_1 + b·v_2 + c·v_3$. The best that any matrix after it can make of s for "
        "$v_1$ is $m·s$ with one factor m. For independent values with mean 0 and variance 1 the "
        "best m is $a / (a² + b² + c²)$, and it misses $v_1$ by $1 - a² / (a² + b² + c²)$ in mean "
        "square. For 6 : 3 : 1 the squares add up to $0.36 + 0.09 + 0.01 = 0.46$, so it misses "
        "$v_1$ by $1 - 0.36/0.46 = 0.22$, $v_2$ by 0.80 and $v_3$ by 0.98. Measured on 100,000 "
        "random values:");
    tutorial::predict_number("How large is the mean of the three, for 6 : 3 : 1?", 0.67, 0.01,
                             "0.22, 0.80 and 0.98 add up to 2.");
    const Tensor shares = tensor::of(
        {{Scalar(1) / 3, Scalar(1) / 3, Scalar(1) / 3}, {0.6, 0.3, 0.1}, {1, 0, 0}});  // [3, 3]
    const Tensor left = missed(shares, random);                                        // [3, 3]
    print_missed(left);
    const Tensor squares = shares * shares;
    const Tensor derived = 1 - squares / tensor::sum(squares, {-1}, keepdim);
    check(tensor::max_difference(left, derived) < 0.04,
          "each value is missed by what its share leaves, to 0.04");
    check(tensor::max_difference(tensor::mean(left, {-1}), tensor::full({3}, 2. / 3)) < 0.04,
          "the mean is 2/3 for every row, to 0.04");
    say("The three fractions $a²/Σ$, $b²/Σ$ and $c²/Σ$ add up to 1, so the three misses add up to "
        "2, whatever the shares, the size of the head and its $W^V$: one row answers one question, "
        "or a part of each. With two questions the same sum is 1, the 1/2 of lesson 09.1. Three "
        "heads have three rows, and miss nothing.");
}

}  // namespace

void three_words(Random& random) {
    section("11.4 Mary gave roses to Susan");
    say("Who gave what to whom? \"gave\" needs three words at once. Three heads of the kind of "
        "11.1 look one place back, one place ahead and three ahead, a row of weights for each "
        "question. One head has one row, and has to share it:");
    const Tensor three_heads = three_rows();                        // [3, 5]
    const Tensor one_head = tensor::mean(three_heads, 0, keepdim);  // [1, 5]
    print_heat_map(std::cout, {"who", "what", "to whom", "one head"}, mary,
                   tensor::concatenate({three_heads, one_head}, 0));
    const Tensor three = taken(three_heads, mary), one = taken(one_head, mary);
    const Tensor three_turned = taken(three_heads, susan), one_turned = taken(one_head, susan);
    stop("11.4 who gave what", {{"three", three}, {"one", one}});
    say("Now exchange Mary and Susan. What does the head take of each word, with three equal "
        "shares and with shares of 6 : 3 : 1?");
    const Tensor unequal = tensor::matmul(tensor::of({{0.6, 0.3, 0.1}}), three_heads);  // [1, 5]
    print_taken("mary gave ...", one, taken(unequal, mary));
    print_taken("susan gave ...", one_turned, taken(unequal, susan));
    check(tensor::max_difference(one, one_turned) < 1e-6,
          "with equal shares both sentences give the same sum: who gave is lost");
    check(tensor::max_difference(taken(unequal, mary), taken(unequal, susan)) > 0.4,
          "with unequal shares the sums differ");
    check(tensor::max_difference(three, three_turned) > 0.99,
          "three heads keep who gave and who received apart");
    floor_of_one_head(random);
    tutorial::in_the_notes("004 gives this sentence as the reason for several heads.");
}
