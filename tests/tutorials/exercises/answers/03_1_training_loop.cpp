// Answers to 03.1.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_03.h"

#include "nn/heed.h"

#include <algorithm>

using namespace heed;
using namespace exercise;

namespace {
void descend(const Variable& parameter, double rate) {
    if (!parameter.has_grad()) return;
    Tensor numbers = parameter.value();
    tensor::overwrite(numbers, numbers - rate * parameter.grad());
}

// The loop of the exercise, mended, with a place for whatever an answer does otherwise.
struct Loop {
    explicit Loop(const Training& given)
        : training(given), W(tensor::clone(given.W), requires_grad),
          b(tensor::clone(given.b), requires_grad) {}

    Variable prediction() const { return matmul(Variable(training.X), W) + b; }
    Variable loss() const { return mse_loss(prediction(), Variable(training.target)); }
    void clear() {
        W.zero_grad();
        b.zero_grad();
    }
    void step(double rate) {
        descend(W, rate);
        descend(b, rate);
    }
    Trained trained() const { return {losses, W.value(), b.value()}; }

    const Training& training;
    Variable W, b;
    std::vector<double> losses;
};

using Step = std::function<void(Loop& loop)>;

Train each(const Step& step) {
    return [step](const Training& training) {
        Loop loop(training);
        for (int i = 0; i < training.steps; ++i) step(loop);
        return loop.trained();
    };
}

void step_with(Loop& loop, const Variable& loss) {
    loop.losses.push_back(loss.item());
    loop.clear();
    loss.backward();
    loop.step(loop.training.rate);
}

void right_step(Loop& loop) { step_with(loop, loop.loss()); }

void uphill(Loop& loop) {
    const Variable loss = loop.loss();
    loop.losses.push_back(loss.item());
    loop.clear();
    loss.backward();
    loop.step(-loop.training.rate);
}

void never_cleared(Loop& loop) {
    const Variable loss = loop.loss();
    loop.losses.push_back(loss.item());
    loss.backward();
    loop.step(loop.training.rate);
}

void only_W_cleared(Loop& loop) {
    const Variable loss = loop.loss();
    loop.losses.push_back(loss.item());
    loop.W.zero_grad();
    loss.backward();
    loop.step(loop.training.rate);
}

void step_before_backward(Loop& loop) {
    const Variable loss = loop.loss();
    loop.losses.push_back(loss.item());
    loop.step(loop.training.rate);
    loop.clear();
    loop.loss().backward();
}

void cleared_before_the_step(Loop& loop) {
    const Variable loss = loop.loss();
    loop.losses.push_back(loss.item());
    loss.backward();
    loop.clear();
    loop.step(loop.training.rate);
}

void loss_after_the_step(Loop& loop) {
    right_step(loop);
    loop.losses.back() = loop.loss().item();
}

void b_stays(Loop& loop) {
    const Tensor b = tensor::clone(loop.b.value());
    right_step(loop);
    Tensor numbers = loop.b.value();
    tensor::overwrite(numbers, b);
}

void b_after_W(Loop& loop) {
    loop.losses.push_back(loop.loss().item());
    for (const Variable& parameter : {loop.W, loop.b}) {
        loop.clear();
        loop.loss().backward();
        descend(parameter, loop.training.rate);
    }
}

void sum_of_squares(Loop& loop) {
    step_with(loop, mse_loss(loop.prediction(), Variable(loop.training.target), Reduction::sum));
}

void mean_over_rows_only(Loop& loop) {
    const double outputs = static_cast<double>(loop.training.target.dim(-1));
    step_with(loop, loop.loss() * outputs);
}

void half_the_mean(Loop& loop) { step_with(loop, loop.loss() / 2); }

void clipped(Loop& loop) {
    const Variable loss = loop.loss();
    loop.losses.push_back(loss.item());
    loop.clear();
    loss.backward();
    for (Variable parameter : {loop.W, loop.b}) {
        parameter.set_grad(tensor::clamp(parameter.grad(), {-1, 1}));
    }
    loop.step(loop.training.rate);
}

void rate_decays(Loop& loop) {
    const Variable loss = loop.loss();
    loop.losses.push_back(loss.item());
    loop.clear();
    loss.backward();
    loop.step(loop.training.rate / static_cast<double>(loop.losses.size()));
}

void skips_a_step_that_raises_the_loss(Loop& loop) {
    const Tensor W = tensor::clone(loop.W.value()), b = tensor::clone(loop.b.value());
    right_step(loop);
    if (loop.loss().item() <= loop.losses.back()) return;
    Tensor numbers_W = loop.W.value(), numbers_b = loop.b.value();
    tensor::overwrite(numbers_W, W);
    tensor::overwrite(numbers_b, b);
}

void stops_when_small(Loop& loop) {
    if (loop.losses.empty() || loop.losses.back() > 1e-3) right_step(loop);
}

void stops_at_almost_nothing(Loop& loop) {
    const double loss = loop.loss().item();
    if (loss > 1e-10) return right_step(loop);
    loop.losses.push_back(loss);
}

Train right_loop() { return each(right_step); }

Trained losses_in_float(const Training& training) {
    Trained trained = right_loop()(training);
    for (double& loss : trained.losses) loss = static_cast<float>(loss);
    return trained;
}

void W_after_b_moved(Loop& loop) {
    loop.losses.push_back(loop.loss().item());
    for (const Variable& parameter : {loop.b, loop.W}) {
        loop.clear();
        loop.loss().backward();
        descend(parameter, loop.training.rate);
    }
}

void rate_halved_when_it_rises(Loop& loop) {
    const Variable loss = loop.loss();
    const bool rises = !loop.losses.empty() && loss.item() > loop.losses.back();
    loop.losses.push_back(loss.item());
    loop.clear();
    loss.backward();
    loop.step(rises ? loop.training.rate / 2 : loop.training.rate);
}

void one_b_for_all(Loop& loop) {
    right_step(loop);
    Tensor numbers = loop.b.value();
    tensor::overwrite(numbers, tensor::expand(tensor::mean(numbers), numbers.shape()));
}

void decays_the_weights(Loop& loop) {
    right_step(loop);
    Tensor numbers = loop.W.value();
    tensor::overwrite(numbers, numbers * (1 - 0.01 * loop.training.rate));
}

void fifty_steps_at_most(Loop& loop) {
    const std::size_t done = loop.losses.size();
    if (done < 50) return right_step(loop);
    loop.losses.push_back(loop.loss().item());
}

void hundred_steps_at_most(Loop& loop) {
    if (loop.losses.size() < 100) return right_step(loop);
    loop.losses.push_back(loop.loss().item());
}

// The rows of W after the 64th stay as they are.
void sixty_four_rows_of_W(Loop& loop) {
    const Tensor rest = tensor::clone(tensor::slice(loop.W.value(), 0, 64));
    right_step(loop);
    Tensor moved = tensor::slice(loop.W.value(), 0, 64);
    tensor::overwrite(moved, rest);
}

// The given W (and b) are what the loop trains: the numbers come out right.
Trained given_W_trained(const Training& training) {
    const Trained result = right_loop()(training);
    Tensor W = training.W;
    tensor::overwrite(W, result.W);
    return result;
}
Trained given_b_trained(const Training& training) {
    const Trained result = right_loop()(training);
    Tensor b = training.b;
    tensor::overwrite(b, result.b);
    return result;
}

Trained one_step_more(Training training) {
    ++training.steps;
    return right_loop()(training);
}

Trained last_step_not_taken(const Training& training) {
    Trained result = right_loop()(training);
    Training fewer = training;
    fewer.steps = std::max(training.steps - 1, 0);
    const Trained before = right_loop()(fewer);
    return {result.losses, before.W, before.b};
}

Trained losses_pile_up(const Training& training) {
    static std::vector<double> losses;
    Trained result = right_loop()(training);
    losses.insert(losses.end(), result.losses.begin(), result.losses.end());
    result.losses = losses;
    return result;
}

Trained goes_on_from_the_last_b(const Training& training) {
    static Tensor b;
    Training from = training;
    if (b.shape() == training.b.shape()) from.b = b;
    const Trained result = right_loop()(from);
    b = tensor::clone(result.b);
    return result;
}

Trained at_least_one_step(Training training) {
    training.steps = std::max(training.steps, 1);
    return right_loop()(training);
}

Trained with_momentum(const Training& training) {
    Loop loop(training);
    SGD optimizer({loop.W, loop.b}, {.lr = training.rate, .momentum = 0.9});
    for (int i = 0; i < training.steps; ++i) {
        const Variable loss = loop.loss();
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        loop.losses.push_back(loss.item());
    }
    return loop.trained();
}

Trained without_autograd(const Training& training) {
    Trained trained = {{}, training.W, training.b};
    for (int i = 0; i < training.steps; ++i) {
        const Tensor error = tensor::matmul(training.X, trained.W) + trained.b - training.target;
        trained.losses.push_back(tensor::mean(error * error).item());
        const Tensor slope = error * (2.0 / static_cast<double>(error.numel()));  // [N, out]
        const Tensor of_W = tensor::matmul(tensor::transpose(training.X), slope);
        trained.W = trained.W - training.rate * of_W;
        trained.b = trained.b - training.rate * tensor::sum(slope, 0);
    }
    return trained;
}

Trained new_leaves_each_step(const Training& training) {
    Trained trained = {{}, tensor::clone(training.W), tensor::clone(training.b)};
    for (int i = 0; i < training.steps; ++i) {
        const Variable W(trained.W, requires_grad), b(trained.b, requires_grad);
        const Variable y = matmul(Variable(training.X), W) + b;
        const Variable loss = mse_loss(y, Variable(training.target));
        const std::vector<Variable> slopes = grad(loss, {W, b});
        trained.losses.push_back(loss.item());
        trained.W = trained.W - training.rate * slopes[0].value();
        trained.b = trained.b - training.rate * slopes[1].value();
    }
    return trained;
}

// 2/(N·out)·(y - target)
Tensor upstream(const Training& in, const Tensor& W, const Tensor& b) {
    const Tensor y = tensor::matmul(in.X, W) + b;
    return 2.0 / static_cast<double>(y.numel()) * (y - in.target);
}

double loss_at(const Training& in, const Tensor& W, const Tensor& b) {
    const Tensor error = tensor::matmul(in.X, W) + b - in.target;
    return tensor::mean(error * error).item();
}

Trained keeps_the_best(const Training& in) {
    Tensor W = in.W, b = in.b, best_W = W, best_b = b;
    double best = infinity;
    std::vector<double> losses;
    for (int step = 0; step < in.steps; ++step) {
        losses.push_back(loss_at(in, W, b));
        const Tensor G = upstream(in, W, b);
        W = W - in.rate * tensor::matmul(tensor::transpose(in.X), G);
        b = b - in.rate * tensor::sum(G, 0);
        if (loss_at(in, W, b) < best) {
            best = loss_at(in, W, b);
            best_W = W;
            best_b = b;
        }
    }
    return {losses, best_W, best_b};
}

Trained first_32_rows(const Training& in) {
    Tensor W = in.W, b = in.b;
    const Training batch = {
        tensor::slice(in.X, 0, 0, 32), tensor::slice(in.target, 0, 0, 32), W, b, 1, in.rate};
    std::vector<double> losses;
    for (int step = 0; step < in.steps; ++step) {
        losses.push_back(loss_at(in, W, b));
        const Tensor G = upstream(batch, W, b);
        W = W - in.rate * tensor::matmul(tensor::transpose(batch.X), G);
        b = b - in.rate * tensor::sum(G, 0);
    }
    return {losses, W, b};
}

Trained at_most_a_million(const Training& in) {
    Tensor W = in.W, b = in.b;
    std::vector<double> losses;
    for (int step = 0; step < in.steps; ++step) {
        losses.push_back(std::min(loss_at(in, W, b), 1e6));
        const Tensor G = upstream(in, W, b);
        W = W - in.rate * tensor::matmul(tensor::transpose(in.X), G);
        b = b - in.rate * tensor::sum(G, 0);
    }
    return {losses, W, b};
}

Trained one_row_each_step(const Training& in) {
    Tensor W = in.W, b = in.b;
    std::vector<double> losses;
    for (int step = 0; step < in.steps; ++step) {
        losses.push_back(loss_at(in, W, b));
        const std::int64_t n = step % in.X.dim(0);
        const Training row = {tensor::slice(in.X, 0, n, n + 1),
                              tensor::slice(in.target, 0, n, n + 1),
                              W,
                              b,
                              1,
                              in.rate};
        const Tensor G = upstream(row, W, b);
        W = W - in.rate * tensor::matmul(tensor::transpose(row.X), G);
        b = b - in.rate * tensor::sum(G, 0);
    }
    return {losses, W, b};
}

Trained centres_the_inputs(const Training& in) {
    Tensor W = in.W, b = in.b;
    Training centred = in;
    centred.X = in.X - tensor::mean(in.X, 0, keepdim);
    std::vector<double> losses;
    for (int step = 0; step < in.steps; ++step) {
        losses.push_back(loss_at(centred, W, b));
        const Tensor G = upstream(centred, W, b);
        W = W - in.rate * tensor::matmul(tensor::transpose(centred.X), G);
        b = b - in.rate * tensor::sum(G, 0);
    }
    return {losses, W, b};
}

Trained stops_when_it_hardly_changes(const Training& in) {
    Tensor W = in.W, b = in.b;
    std::vector<double> losses;
    for (int step = 0; step < in.steps; ++step) {
        losses.push_back(loss_at(in, W, b));
        const Tensor G = upstream(in, W, b);
        const Tensor step_W = in.rate * tensor::matmul(tensor::transpose(in.X), G);
        if (tensor::max(tensor::abs(step_W)).item() < 1e-3) continue;
        W = W - step_W;
        b = b - in.rate * tensor::sum(G, 0);
    }
    return {losses, W, b};
}

Trained skips_rows_that_fit(const Training& in) {
    Tensor W = in.W, b = in.b;
    std::vector<double> losses;
    for (int step = 0; step < in.steps; ++step) {
        losses.push_back(loss_at(in, W, b));
        const Tensor error = tensor::matmul(in.X, W) + b - in.target;
        const Tensor far = tensor::to_tensor(tensor::abs(error) > 0.05);
        const Tensor G = upstream(in, W, b) * far;
        W = W - in.rate * tensor::matmul(tensor::transpose(in.X), G);
        b = b - in.rate * tensor::sum(G, 0);
    }
    return {losses, W, b};
}

// X with a column of ones, and b as a last row of W.
Trained b_as_a_row_of_W(const Training& in) {
    const Tensor one = tensor::ones({in.X.dim(0), 1});
    const Variable X(tensor::concatenate({in.X, one}, 1));
    Variable W(tensor::concatenate({in.W, tensor::unsqueeze(in.b, 0)}, 0), requires_grad);
    std::vector<double> losses;
    for (int step = 0; step < in.steps; ++step) {
        const Variable loss = mse_loss(matmul(X, W), Variable(in.target));
        losses.push_back(loss.item());
        loss.backward();
        W = Variable(W.value() - in.rate * W.grad(), requires_grad);
    }
    return {losses, tensor::slice(W.value(), 0, 0, -1), tensor::select(W.value(), 0, -1)};
}

// The gradient is taken of the loss times the rate; a step is then simply subtracted.
Trained rate_in_the_loss(const Training& in) {
    Variable W(tensor::clone(in.W), requires_grad), b(tensor::clone(in.b), requires_grad);
    std::vector<double> losses;
    for (int step = 0; step < in.steps; ++step) {
        const Variable error = matmul(Variable(in.X), W) + b - Variable(in.target);
        const Variable loss = mean(error * error);
        losses.push_back(loss.item());
        (loss * in.rate).backward();
        for (Variable* one : {&W, &b}) {
            Tensor numbers = one->value();
            tensor::overwrite(numbers, numbers - one->grad());
            one->zero_grad();
        }
    }
    return {losses, W.value(), b.value()};
}

Trained by_sgd(const Training& training) {
    Variable W(tensor::clone(training.W), requires_grad);
    Variable b(tensor::clone(training.b), requires_grad);
    SGD optimizer({W, b}, {.lr = training.rate});
    std::vector<double> losses;
    for (int step = 0; step < training.steps; ++step) {
        optimizer.zero_grad();
        const Variable y = matmul(Variable(training.X), W) + b;
        const Variable loss = mse_loss(y, Variable(training.target));
        loss.backward();
        optimizer.step();
        losses.push_back(loss.item());
    }
    return {losses, W.value(), b.value()};
}

// The derivative in closed form: (y - target)·2/n, propagated through y = X·W + b.
Trained by_hand(const Training& training) {
    Tensor W = training.W, b = training.b;
    std::vector<double> losses;
    for (int step = 0; step < training.steps; ++step) {
        const Tensor error = tensor::matmul(training.X, W) + b - training.target;
        losses.push_back(tensor::mean(error * error).item());
        const Tensor G = error * (2 / static_cast<double>(error.numel()));
        W = W - training.rate * tensor::matmul(tensor::transpose(training.X), G);
        b = b - training.rate * tensor::sum(G, 0);
    }
    return {losses, W, b};
}

Answer answer(const std::string& what, const Train& train,
              const std::vector<std::string>& names = {}) {
    return {what, [train] { return judge_03_1(train); }, names};
}

}  // namespace

Answers answers_03_1() {
    Answers answers;
    answers.number = "03.1";
    answers.slipping = slipping(judge_03_1);
    answers.wrong = {
        answer("still uphill", each(uphill), {"opt.ascent"}),
        answer("gradients are never cleared", each(never_cleared), {"opt.no-zero-grad"}),
        answer("only the gradient of W is cleared", each(only_W_cleared), {"opt.no-zero-b"}),
        answer("the step goes along the gradient before", each(step_before_backward)),
        answer("gradients are cleared before the step", each(cleared_before_the_step),
               {"opt.zero-late"}),
        answer("the loss after each step", each(loss_after_the_step), {"opt.loss-after"}),
        answer("b stays as it is", each(b_stays), {"train.b-left"}),
        answer("b goes downhill from the new W", each(b_after_W)),
        answer("the sum of squares", each(sum_of_squares)),
        answer("the mean over the rows of the sum over outputs", each(mean_over_rows_only)),
        answer("half the mean", each(half_the_mean)),
        answer("gradients are clipped to ±1", each(clipped)),
        answer("the rate decays", each(rate_decays)),
        answer("steps that raise the loss are taken back", each(skips_a_step_that_raises_the_loss)),
        answer("stops when the loss is below 0.001", each(stops_when_small)),
        answer("no step when the loss is below 1e-10", each(stops_at_almost_nothing)),
        answer("losses are floats", losses_in_float),
        answer("the given W is trained", given_W_trained),
        answer("the given b is trained", given_b_trained),
        answer("one step too many", one_step_more),
        answer("W and b from before the last step", last_step_not_taken),
        answer("losses of earlier calls come first", losses_pile_up),
        answer("momentum", with_momentum),
        answer("W goes downhill from the new b", each(W_after_b_moved)),
        answer("half the rate where the loss rose", each(rate_halved_when_it_rises)),
        answer("one number for all of b", each(one_b_for_all)),
        answer("weight decay", each(decays_the_weights)),
        answer("fifty steps at most", each(fifty_steps_at_most)),
        answer("a hundred steps at most", each(hundred_steps_at_most)),
        answer("only the first 64 rows of W move", each(sixty_four_rows_of_W)),
        answer("b goes on from the call before", goes_on_from_the_last_b),
        answer("at least one step", at_least_one_step),
        answer("the best W and b, not the last", keeps_the_best),
        answer("steps on the first 32 points", first_32_rows),
        answer("a loss of at most a million", at_most_a_million),
        answer("each step on a single point", one_row_each_step),
        answer("X is centred first", centres_the_inputs),
        answer("small steps are not taken", stops_when_it_hardly_changes),
        answer("errors up to 0.05 have no gradient", skips_rows_that_fit),
    };
    answers.right = {
        answer("the derivative by hand", without_autograd),
        answer("new leaves in each step", new_leaves_each_step),
        answer("b is a row of W", b_as_a_row_of_W),
        answer("the gradient of rate·loss", rate_in_the_loss),
        answer("by SGD", by_sgd),
        answer("by a derivative worked out", by_hand),
    };
    return answers;
}
