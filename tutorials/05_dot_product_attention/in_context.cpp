// Lesson 05: one row of the table, two contexts (05.8).
#include "tutorials/05_dot_product_attention/parts.h"

#include "nn/pages/heat_map.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"
#include "tutorials/support/word_vectors.h"

#include <iostream>

using namespace heed;
using tutorial::at_norm_1;
using tutorial::check_of;
using tutorial::row;
using tutorial::say;
using tutorial::Words;
using tutorial::WordVectors;

struct InContext {
    Tensor X, A, Y;  // [T, d], [T, T], [T, d]
};

Tensor unit_vectors(const Words& words, const WordVectors& vectors) {
    return at_norm_1(vectors_of(tutorial::known_words(words, vectors), vectors));  // [T, d]
}

InContext attend(const Words& words, double at_temperature, const WordVectors& vectors) {
    const Tensor X = unit_vectors(words, vectors);             // [T, d]
    const Tensor S = tensor::matmul(X, tensor::transpose(X));  // [T, T]
    const Tensor A = tensor::softmax(S / at_temperature, -1);  // [T, T]
    const Tensor Y = tensor::matmul(A, X);                     // [T, d]
    return {X, A, Y};
}

// The cosine of the first row of Y with the table's row of each word: [words].
Tensor closeness(const Tensor& Y, const Words& words, const WordVectors& vectors) {
    return tensor::matmul(unit_vectors(words, vectors), row(at_norm_1(Y), 0));
}

void print_closeness(const Words& words, const Words& labels, const std::vector<Tensor>& cosines) {
    tutorial::print_row(std::cout, "", words, 26, 8);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        Words cells;
        for (const Scalar cosine : cosines[i].to_vector()) cells.push_back(fixed(cosine, 2));
        tutorial::print_row(std::cout, labels[i], cells, 26, 8);
    }
    std::cout << "\n";
}

void one_apple(const WordVectors& vectors) {
    const Words office = {"apple", "computer", "computers"}, market = {"apple", "fruit", "banana"};
    const Words others = {"fruit", "pear", "computer"};
    const InContext at_office = attend(office, temperature, vectors);
    const InContext at_market = attend(market, temperature, vectors);
    const Tensor before = closeness(at_office.X, others, vectors);     // [3]
    const Tensor in_office = closeness(at_office.Y, others, vectors);  // [3]
    const Tensor in_market = closeness(at_market.Y, others, vectors);  // [3]
    print_heat_map(std::cout, {"apple"}, office, tensor::slice(at_office.A, 0, 0, 1));
    print_heat_map(std::cout, {"apple"}, market, tensor::slice(at_market.A, 0, 0, 1));
    say("What is apple's vector close to: its row of X before attention, of $Y = A·X$ after? The "
        "cosine with three rows of the table; pear is in neither context:");
    tutorial::predict_choice(
        "Before, the cosine with fruit is " + fixed(before(0), 2) + ", with computer " +
            fixed(before(2), 2) + ". Beside fruit and banana, which of the two is closer?",
        {"fruit", "computer"}, in_market(0) > in_market(2) ? "fruit" : "computer",
        "The output is a weighted sum, of the rows of fruit and banana, too.");
    stop("05.8 one apple, two contexts",
         {{"at_office.A", at_office.A}, {"in_office", in_office}, {"in_market", in_market}});
    print_closeness(others, {"before, in both", "with computer, computers", "with fruit, banana"},
                    {before, in_office, in_market});
    tutorial::check(tutorial::same(row(at_office.X, 0), row(at_market.X, 0)),
                    "before attention, apple has the same vector in both contexts");
    check_of(vectors, in_office(2) > in_office(0) && in_market(0) > in_market(2),
             "after it, closer to computer in the first, to fruit in the second");
    check_of(vectors, in_office(1) < before(1) && in_market(1) > before(1),
             "in the first it has moved away from pear, in the second towards it");
}

void one_bank(const WordVectors& vectors) {
    const Words shore = {"bank", "river", "boat"}, credit = {"bank", "money", "loan"};
    const Words others = {"river", "boat", "money", "loan"};
    const InContext at_shore = attend(shore, temperature, vectors);
    const InContext at_credit = attend(credit, temperature, vectors);
    const InContext at_1 = attend(shore, 1, vectors);
    const Tensor before = closeness(at_shore.X, others, vectors);      // [4]
    const Tensor in_shore = closeness(at_shore.Y, others, vectors);    // [4]
    const Tensor in_credit = closeness(at_credit.Y, others, vectors);  // [4]
    const Tensor hotter = closeness(at_1.Y, others, vectors);          // [4]
    say("The same for bank, the last row at temperature 1:");
    print_closeness(
        others,
        {"before, in all", "with river, boat", "with money, loan", "with river, boat, at 1"},
        {before, in_shore, in_credit, hotter});
    check_of(vectors,
             in_shore(0) > before(0) && in_credit(2) > before(2) && in_shore(0) > in_credit(0) &&
                 in_shore(2) < in_credit(2),
             "bank moves, too: towards river in the first, money in the second");
    check_of(vectors, in_shore(0) < in_shore(2) && hotter(0) > hotter(2),
             "yet in the first it stays closer to money than to river, except at 1");
    say("The less its row has in common with river and boat, the more of its weight bank keeps for "
        "itself: " +
        fixed(at_shore.A(0, 0), 2) + " at " + fixed(temperature, 2) + ", " +
        fixed(at_1.A(0, 0), 2) + " at 1.");
}

bool all_known(const Words& words, const WordVectors& vectors) {
    const tutorial::KnownWords known = tutorial::known_words(words, vectors);
    tutorial::print_unknown(std::cout, known, "not shown, since there is no vector for: ");
    return known.unknown.empty();
}

void in_context(const WordVectors& vectors) {
    tutorial::section("05.8 One apple, two contexts");
    say("The table has one row for apple, the fruit and the company. Self-attention over two "
        "contexts, at norm 1 and temperature " +
        fixed(temperature, 2) + ", with the weights of apple:");
    const bool apple =
        all_known({"apple", "computer", "computers", "fruit", "banana", "pear"}, vectors);
    if (apple) one_apple(vectors);
    if (all_known({"bank", "river", "boat", "money", "loan"}, vectors)) one_bank(vectors);
    if (!apple) return;
    say("Such a vector is called contextual: one row in the table, one output for each context. "
        "Nothing was learned for it. A word only moves towards the words beside it, and with $Q = "
        "K = X$ the scores are symmetric: what it looks for is what it is. Lesson 07 lets it look "
        "for something else; lesson 16 trains an encoder to tell meanings apart.");
}
