// Lesson 11: a lookup whose item may be absent. A row of weights sums to 1, so a head cannot ignore
// everything (11.5); a key with nothing behind it lets it rest (11.6).
#include "tutorials/11_known_jobs/parts.h"

#include "autograd/ops.h"
#include "nn/linear.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/training_run.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

namespace {

const std::int64_t markers = 8;  // kinds of items
const std::int64_t n = 4;        // items in a list
const std::int64_t d_v = 2;      // the size of a value
const std::int64_t d_k = 16;     // with 8, one for each marker, some seeds confuse two of them

struct Lists {
    Variable queries;    // [B, 1, markers], one-hot: the marker asked for
    Variable items;      // [B, n, markers + d_v]: marker and value of each
    Tensor targets;      // [B, 1, d_v]: the value with that marker, or 0
    BoolTensor present;  // [B]
};

Lists random_lists(std::int64_t B, Random& random) {
    std::vector<std::int64_t> of_items, asked;
    std::vector<std::uint8_t> present;
    for (std::int64_t b = 0; b < B; ++b) {
        const std::vector<std::int64_t> order = random.permutation(markers);
        of_items.insert(of_items.end(), order.begin(), order.begin() + n);
        asked.push_back(order[random.below(markers)]);  // one of the first n is in the list
        std::uint8_t found = 0;
        for (std::int64_t i = 0; i < n; ++i)
            found |= order[static_cast<std::size_t>(i)] == asked.back();
        present.push_back(found);
    }
    const Tensor M = tensor::one_hot(IndexTensor(of_items, {B, n}), markers);  // [B, n, markers]
    const Tensor Q = tensor::one_hot(IndexTensor(asked, {B, 1}), markers);     // [B, 1, markers]
    const Tensor values = tensor::normal({B, n, d_v}, random);                 // [B, n, d_v]
    const Tensor lookup = tensor::matmul(Q, tensor::transpose(M));             // [B, 1, n]
    return {Variable(Q), Variable(tensor::concatenate({M, values}, -1)),
            tensor::matmul(lookup, values), BoolTensor::from_bytes(std::move(present), {B})};
}

enum class Rest { no, yes };

struct Lookup : Module {
    Linear W_Q, W_K, W_V;
    Rest rest;

    Lookup(Rest its_rest, Random& random)
        : W_Q(markers, d_k, random, no_bias), W_K(markers + d_v, d_k, random, no_bias),
          W_V(markers + d_v, d_v, random, no_bias), rest(its_rest) {}

    struct Seen {
        Variable weights;  // [B, 1, n], or [B, 1, n + 1] with a place to rest, the last
        Variable output;   // [B, 1, d_v]
    };

    Seen operator()(const Lists& lists) const {
        const std::int64_t B = lists.items.dim(0);
        const Variable Q = W_Q(lists.queries);  // [B, 1, d_k]
        Variable K = W_K(lists.items);          // [B, n, d_k]
        Variable V = W_V(lists.items);          // [B, n, d_v]
        if (rest == Rest::yes) {                // a zero key and a zero value
            K = concatenate({K, Variable(tensor::zeros({B, 1, d_k}))}, 1);
            V = concatenate({V, Variable(tensor::zeros({B, 1, d_v}))}, 1);
        }
        const Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(d_k));
        const Variable weights = softmax(scores, -1);
        return {weights, matmul(weights, V)};
    }
    void members(MemberVisitor& visit) override {
        visit("W_Q", W_Q);
        visit("W_K", W_K);
        visit("W_V", W_V);
    }
};

Lookup trained(const std::string& name, Rest rest, Random& random) {
    const FastKernels fast;  // also in a Debug build, where this would take minutes
    Lookup model(rest, random);
    Adam optimizer(parameters(model), {.lr = 2e-2});
    for (tutorial::TrainingRun run(name, 1500, model, optimizer, random); run.next();) {
        const Lists lists = random_lists(64, random);
        const Variable loss = mse_loss(model(lists).output, Variable(lists.targets));
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
    return model;
}

double loss_of(const Lookup& model, const Lists& lists) {
    const NoGrad no_grad;
    return mse_loss(model(lists).output, Variable(lists.targets)).item();
}

// The mean of x [B] over the lists where the item is present, or absent.
double mean_where(const BoolTensor& chosen, const Tensor& x) {
    const Tensor ones = tensor::to_tensor(chosen);
    return tensor::sum(x * ones).item() / static_cast<double>(chosen.count());
}

}  // namespace

void absent_items(Random& random) {
    section("11.5 The item may be absent");
    say("A head learns a lookup: a list of 4 items, each with one of 8 markers and a value; the "
        "query asks for a marker, and the answer is its value, or 0 if no item has it, which is so "
        "half of the time. The loss after 1500 steps, on 1000 new lists:");
    const Lookup without = trained("without_rest", Rest::no, random);
    const Lists lists = random_lists(1000, random);
    const double stuck = loss_of(without, lists);
    std::cout << "loss " << fixed(stuck, 3) << "\n\n";
    check(stuck > 0.05, "it does not get there");
    say("The row of weights sums to 1, whatever the query. Where the item is absent, the head can "
        "only spread its weight, so that the values average out. \"Attention can ignore "
        "everything\" is a mistake: it cannot.");

    section("11.6 A place to rest");
    say("One more key and value, both zero, which say nothing. The same training:");
    tutorial::predict_choice("Where will the weight be if the item is absent?",
                             {"spread", "zero key"}, "zero key",
                             "Its value is 0, which is the right answer then.");
    const Lookup with = trained("with_rest", Rest::yes, random);
    const double solved = loss_of(with, lists);
    const Lookup::Seen seen = with(lists);
    const Tensor weights = tensor::squeeze(seen.weights.value(), 1);  // [B, n + 1]
    const Tensor resting = tensor::select(weights, 1, n);             // [B]
    const double absent = mean_where(!lists.present, resting);
    const double present = mean_where(lists.present, resting);
    stop("11.6 a place to rest", {{"weights", weights}, {"resting", resting}});
    std::cout << "loss " << fixed(solved, 6) << "\nmean weight on the zero key: absent "
              << fixed(absent, 3) << ", present " << fixed(present, 3) << "\n\n";
    std::vector<std::string> rows;
    for (std::int64_t b = 0; b < 6; ++b) rows.push_back(lists.present(b) ? "present" : "absent");
    tutorial::print_heat_map(std::cout, rows, {"item 1", "item 2", "item 3", "item 4", "rest"},
                             tensor::slice(weights, 0, 0, 6));
    check(solved < stuck / 20, "the loss is less than a twentieth");
    check(absent > 0.9 && present < 0.1, "the head rests where there is nothing to find");
    say("Trained models make themselves such a place: many heads put their weight on the first "
        "token, whatever it is, when they have nothing to say (Xiao et al. 2023 call it a sink).");
}
