#include "tutorials/11_known_jobs/lookup.h"

#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/training_run.h"

#include <cmath>

using namespace heed;

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
    return {Variable(Q), Variable(M), Variable(values), tensor::matmul(lookup, values),
            BoolTensor::from_bytes(std::move(present), {B})};
}

Lookup::Seen Lookup::operator()(const Lists& lists) const {
    const std::int64_t B = lists.keys.dim(0);
    const Variable Q = W_Q(lists.queries);  // [B, 1, d_k]
    Variable K = W_K(lists.keys);           // [B, n, d_k]
    Variable V = W_V(lists.values);         // [B, n, d_v]
    if (rest == Rest::yes) {                // a zero key and a zero value
        K = concatenate({K, Variable(tensor::zeros({B, 1, d_k}))}, 1);
        V = concatenate({V, Variable(tensor::zeros({B, 1, d_v}))}, 1);
    }
    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(d_k));
    const Variable weights = softmax(scores, -1);
    return {weights, matmul(weights, V)};
}

Lookup trained(const std::string& name, Rest rest, Random& random) {
    const FastKernels fast;  // also in a Debug build, where this would take minutes
    Lookup model(rest, random);
    Adam optimizer(parameters(model), {.lr = 2e-2});
    for (tutorial::TrainingRun run(name, 1500, model, optimizer, random); run.next();) {
        const Lists lists = random_lists(64, random);
        const Variable loss = mse_loss(model(lists).output, Variable(lists.targets));
        optimizer.set_lr(run.step() > 1000 ? 2e-3 : 2e-2);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        run.show(loss);
    }
    return model;
}

namespace {

// The mean of x [B] over the lists that are chosen.
double mean_where(const BoolTensor& chosen, const Tensor& x) {
    const Tensor ones = tensor::to_tensor(chosen);
    return tensor::sum(x * ones).item() / static_cast<double>(chosen.count());
}

}  // namespace

Measured measured(const Lookup& model, const Lists& lists) {
    const NoGrad no_grad;
    const Lookup::Seen seen = model(lists);
    const Tensor off = tensor::squeeze(seen.output.value() - lists.targets, 1);  // [B, d_v]
    const Tensor losses = tensor::mean(off * off, {-1});                         // [B]
    const Tensor weights = tensor::squeeze(seen.weights.value(), 1);             // [B, n or n + 1]
    const Tensor last = tensor::select(weights, 1, weights.dim(1) - 1);          // [B]
    const double present = mean_where(lists.present, losses);
    const double absent = mean_where(!lists.present, losses);
    return {(present + absent) / 2, present, absent, mean_where(lists.present, last),
            mean_where(!lists.present, last)};
}
