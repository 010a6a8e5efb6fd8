// Checkpoint and BatchStream: a run that goes on from a file is the run that never stopped, and
// what does not fit is said before anything is set.
#include "nn/heed.h"
#include "tensor/quote.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/files/folder.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace heed;

namespace {

const std::int64_t steps = 12;
const int kinds = 5;  // of optimizers
const GptConfig config{
    .vocab_size = 7, .limit = 6, .d_model = 8, .num_layers = 2, .num_heads = 2, .dropout = 0.2};

std::unique_ptr<Optimizer> make_optimizer(int kind, Gpt& gpt) {
    if (kind == 0) return std::make_unique<SGD>(parameters(gpt), SgdOptions{.momentum = 0.9});
    if (kind == 1) return std::make_unique<Adam>(parameters(gpt));
    if (kind == 2) return std::make_unique<AdamW>(parameters(gpt));
    std::vector<ParameterGroup> groups = decay_groups(gpt);
    groups[1].lr_factor = 0.5;
    if (kind == 3) return std::make_unique<AdamW>(groups, AdamWOptions{.weight_decay = 0.1});
    return std::make_unique<SGD>(
        groups, SgdOptions{.momentum = 0.8, .weight_decay = 0.1, .nesterov = true});
}

// A run with everything a run may depend on.
struct Run {
    Run(int kind, std::uint64_t seed)
        : random(seed), gpt(config, random), optimizer(make_optimizer(kind, gpt)),
          windows(text_of_ids(), 5, 1), batches(windows.examples(), 4, random) {
        checkpoint.add("gpt", gpt);
        checkpoint.add("optimizer", *optimizer);
        checkpoint.add("random", random);
        checkpoint.add("batches", batches);
        checkpoint.add("average", average);
        checkpoint.add("step", step);
        checkpoint.add("losses", losses);
        checkpoint.add("best", best);
    }
    Run(const Run&) = delete;

    static IndexTensor text_of_ids() {
        std::vector<std::int64_t> ids;
        Random drawn(3);
        for (int i = 0; i < 30; ++i) ids.push_back(drawn.below(7));
        return IndexTensor(ids);
    }

    void train(std::int64_t until) {
        const WarmupCosine schedule{.lr = 1e-2, .warmup = 3, .steps = steps};
        while (step < until) {
            ++step;
            const TextBatch batch = windows.batch(batches.next());
            const Variable noise(tensor::full({}, random.normal() / 100));
            const Variable loss = cross_entropy(gpt(batch.inputs), batch.targets) * (1 + noise);
            optimizer->zero_grad();
            loss.backward();
            clip_grad_norm(optimizer->parameters(), 1);
            optimizer->set_lr(schedule(step));
            optimizer->step();
            losses.push_back(static_cast<double>(loss.item()));
            average.add(losses.back());
            best = std::min(best, losses.back());
        }
    }

    Random random;
    Gpt gpt;
    std::unique_ptr<Optimizer> optimizer;
    TextWindows windows;
    BatchStream batches;
    ExponentialAverage average;
    std::int64_t step = 0;
    std::vector<double> losses;
    double best = 1e300;
    Checkpoint checkpoint;
};

bool same(const StateDict& a, const StateDict& b) {
    if (a.size() != b.size()) return false;
    for (const StateDict::Entry& entry : a) {
        if (!b.contains(entry.name)) return false;
        if (!tensor::same_bits(entry.value, b.at(entry.name))) return false;
    }
    return true;
}

bool same(const Run& a, const Run& b) {
    return same(state_dict(a.gpt), state_dict(b.gpt)) &&
           same(a.optimizer->state(), b.optimizer->state()) && a.losses == b.losses &&
           a.random.state() == b.random.state() && a.optimizer->lr() == b.optimizer->lr() &&
           a.average.value() == b.average.value() && a.step == b.step && a.best == b.best &&
           a.batches.epoch() == b.batches.epoch();
}

struct Small {
    explicit Small(std::uint64_t seed) : random(seed), linear(2, 3, random) {
        checkpoint.add("model", linear);
        checkpoint.add("step", step);
    }

    Random random;
    Linear linear;
    std::int64_t step = 5;
    Checkpoint checkpoint;
};

// All lines of the error but those of where it was.
std::string problems_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const std::exception& error) {
        const std::string message = error.what();
        return message.substr(0, message.find("\n  at "));
    }
    return "nothing was thrown";
}

std::string replaced(std::string bytes, const std::string& from, const std::string& to) {
    REQUIRE(from.size() == to.size());
    const std::size_t at = bytes.find(from);
    REQUIRE(at != bytes.npos);
    return bytes.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a run goes on from its checkpoint bit for bit, wherever it stopped", "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("run.safetensors");
    for (int kind = 0; kind < kinds; ++kind) {
        Run unbroken(kind, 1);
        unbroken.train(steps);
        for (std::int64_t stopped = 0; stopped <= steps; ++stopped) {
            CAPTURE(kind, stopped);
            Run first(kind, 1);
            first.train(stopped);
            first.checkpoint.save(path);
            Run second(kind, 99);
            second.train(stopped % 3);  // whatever it did before
            second.checkpoint.load(path);
            second.train(steps);
            CHECK(same(unbroken, second));
        }
    }
}

TEST_CASE("saving changes nothing in a run", "[nn][files]") {
    const Folder folder;
    Run unbroken(2, 1), saved(2, 1);
    unbroken.train(steps);
    for (std::int64_t step = 1; step <= steps; ++step) {
        saved.train(step);
        saved.checkpoint.save(folder.file("run.safetensors"));
    }
    CHECK(same(unbroken, saved));
    CHECK(folder.files() == 1);
}

TEST_CASE("load() takes the network out of a checkpoint", "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("run.safetensors");
    Run run(2, 1);
    run.train(2);
    run.checkpoint.save(path);
    Random random(7);
    Gpt gpt(config, random);
    load(path, gpt);
    CHECK(same(state_dict(gpt), state_dict(run.gpt)));

    Linear a(2, 2, random), b(2, 2, random);
    Checkpoint two;
    two.add("a", a);
    two.add("b", b);
    two.save(path);
    CHECK(
        message_of<std::runtime_error>([&] { load(path, a); }) ==
        "Checkpoint: \"" + path +
            "\": this is a checkpoint of 2 networks; one can be loaded alone only if there is one");
}

TEST_CASE("integers and special numbers come back as they were", "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("run.safetensors");
    std::int64_t large = INT64_MIN;
    int small = -3;
    double number = -0.0;
    std::vector<double> numbers = {infinity, -infinity, 5e-324, 0.1, std::nan("")};
    const std::vector<double> before = numbers;
    Checkpoint run;
    run.add("large", large);
    run.add("small", small);
    run.add("number", number);
    run.add("numbers", numbers);
    run.save(path);
    large = small = 0;
    number = 1;
    numbers.clear();
    run.load(path);
    CHECK(large == INT64_MIN);
    CHECK(small == -3);
    CHECK((number == 0 && std::signbit(number)));
    REQUIRE(numbers.size() == before.size());
    CHECK(std::memcmp(numbers.data(), before.data(), before.size() * sizeof(double)) == 0);

    numbers.clear();
    run.save(path);
    numbers = {1};
    run.load(path);
    CHECK(numbers.empty());
}

TEST_CASE("a checkpoint that does not fit changes nothing, and its parts are listed",
          "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("run.safetensors");
    Small saved(1);
    saved.checkpoint.save(path);

    Small other(2);
    const StateDict before = state_dict(other.linear);
    other.step = 17;
    double extra = 0;
    other.checkpoint.add("extra", extra);
    CHECK(problems_of([&] { other.checkpoint.load(path); }) ==
          "Checkpoint: \"" + path +
              "\": it has other parts, and nothing was loaded\n  not in the file: \"extra\"");

    Checkpoint less;
    double step = 3;
    less.add("step", step);
    CHECK(problems_of([&] { less.load(path); }) ==
          "Checkpoint: \"" + path +
              "\": it has other parts, and nothing was loaded\n  of another kind: \"step\" is "
              "number here, integer in the file\n  not added here: \"model\", network");

    // The network fits, what comes after it does not: neither is set.
    Random random(4);
    Linear linear(2, 3, random);
    int small = 4;
    Checkpoint later;
    later.add("model", linear);
    later.add("step", small);
    saved.step = std::int64_t{1} << 40;
    saved.checkpoint.save(path);
    const StateDict untouched = state_dict(linear);
    CHECK(message_of<std::invalid_argument>([&] { later.load(path); }) ==
          "Checkpoint: \"step\" is 1099511627776, more than an int can hold");
    CHECK(same(state_dict(linear), untouched));
    CHECK(small == 4);
    CHECK(same(state_dict(other.linear), before));
    CHECK(other.step == 17);

    Linear wide(2, 4, random);
    Checkpoint shapes;
    shapes.add("model", wide);
    shapes.add("step", saved.step);
    CHECK(problems_of([&] { shapes.load(path); }) ==
          "Checkpoint: \"model\" does not fit the Linear, and nothing was loaded\n  wrong shape: "
          "'weight' is [3, 2] in the state, but [4, 2] in the network\n  wrong shape: 'bias' is "
          "[3] in "
          "the state, but [4] in the network");
}

TEST_CASE("what could not be loaded is not saved over the last checkpoint", "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("run.safetensors");
    Run run(2, 1);
    run.train(2);
    run.checkpoint.save(path);
    const std::string before = contents(path);
    run.gpt.tokens.weight = Parameter(tensor::full(run.gpt.tokens.weight.shape(), std::nan("")));
    CHECK(
        message_of<std::runtime_error>([&] { run.checkpoint.save(path); }) ==
        "Checkpoint: \"" + path +
            "\": \"gpt.tokens.weight\" holds NaN, and nothing was written; the file is as it was");
    CHECK(contents(path) == before);

    Random random(1);
    Linear linear(1, 1, random);
    Adam adam(parameters(linear));
    const double huge = sizeof(Scalar) == sizeof(float) ? 1e30 : 1e200;  // its square is infinite
    sum(linear(Variable(tensor::full({1, 1}, huge)))).backward();
    adam.step();
    Checkpoint overflown;
    overflown.add("adam", adam);
    CHECK(message_of<std::runtime_error>([&] { overflown.save(path); }) ==
          "Checkpoint: \"" + path +
              "\": \"adam.weight.exp_avg_sq\" holds an infinite number, and nothing was written; "
              "the file is as it was");
    CHECK(contents(path) == before);
}

TEST_CASE("names of parts", "[nn][files]") {
    Checkpoint run;
    std::int64_t step = 0;
    run.add("step", step);
    CHECK(message_of<std::invalid_argument>([&] { run.add("step", step); }) ==
          "Checkpoint: \"step\" was added already");
    CHECK(message_of<std::invalid_argument>([&] { run.add("heed", step); }) ==
          "Checkpoint: \"heed\" is taken, by what says that the file is a checkpoint");
    for (const char* name : {"", "a.b", "a:b", "a b", "a\nb"}) {
        CHECK(message_of<std::invalid_argument>([&] { run.add(name, step); }) ==
              "Checkpoint: " + heed::in_quotes(name) +
                  " cannot be a part's name: it must not be empty, or contain a dot, a colon or "
                  "white space");
    }
}

TEST_CASE("a checkpoint that was changed is refused in words", "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("run.safetensors"), begin = "Checkpoint: \"" + path + "\"";
    Small run(1);
    run.checkpoint.save(path);
    const std::string whole = contents(path);
    const auto load = [&] { run.checkpoint.load(path); };

    save(path, run.linear);
    CHECK(message_of<std::runtime_error>(load) ==
          begin + ": this is not a checkpoint; load(path, network) reads a network alone");
    write(path, replaced(whole, "0000000000000005", "000000000000000x"));
    CHECK(message_of<std::runtime_error>(load) ==
          begin + ": \"step\" is not words of 16 hexadecimal digits");
    const bool is_float = sizeof(Scalar) == sizeof(float);
    write(path, is_float ? replaced(whole, "\"float\"", "\"fluid\"")
                         : replaced(whole, "\"double\"", "\"triple\""));
    CHECK(message_of<std::runtime_error>(load) ==
          begin + (is_float ? ": it was written by a program that computes in fluid; this one "
                              "computes in float, and would not go on with the same bits"
                            : ": it was written by a program that computes in triple; this one "
                              "computes in double, and would not go on with the same bits"));
    write(path, replaced(whole, "\"model.bias\"", "\"nodel.bias\""));
    CHECK(message_of<std::runtime_error>(load) == begin + ": no part is called \"nodel\"");
    write(path, replaced(whole, "\"model.bias\"", "\"model.bibs\""));
    CHECK(problems_of(load) ==
          "Checkpoint: \"model\" does not fit the Linear, and nothing was loaded\n  missing: "
          "'bias'\n  not expected: 'bibs'; did you mean 'bias'?");
    write(path, replaced(whole, "step:integer", "step:natural"));
    CHECK(problems_of(load) == begin + ": it has other parts, and nothing was loaded\n  of another "
                                       "kind: \"step\" is integer here, natural in the file");
    CHECK(run.step == 5);
}

TEST_CASE("a learning rate that is not finite is not loaded", "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("run.safetensors");
    Small run(1);
    Adam adam(parameters(run.linear), {.lr = 0.5});
    run.checkpoint.add("adam", adam);
    run.checkpoint.save(path);
    write(path, replaced(contents(path), "3fe0000000000000", "7ff0000000000000"));
    CHECK(message_of<std::invalid_argument>([&] { run.checkpoint.load(path); }) ==
          "Adam: lr is inf; it must be finite and not negative");
    CHECK(adam.lr() == 0.5);
}

TEST_CASE("a stream of batches is shuffled_batches(), epoch by epoch", "[nn][training]") {
    Random random(1), same_seed(1);
    const std::vector<std::int64_t> examples = {3, 1, 4, 1, 5, 9, 2};
    BatchStream stream(examples, 3, random);
    Random own(same_seed.next());
    for (std::int64_t epoch = 1; epoch <= 3; ++epoch) {
        for (const std::vector<std::int64_t>& batch : shuffled_batches(examples, 3, own)) {
            CHECK(stream.next() == batch);
            CHECK(stream.epoch() == epoch);
        }
    }
    CHECK(random.state() == same_seed.state());
    BatchStream dropped(examples, 3, random, LastBatch::drop);
    for (int i = 0; i < 4; ++i) CHECK(dropped.next().size() == 3);
    CHECK(dropped.epoch() == 2);
}

TEST_CASE("a place in other data is refused", "[nn][training]") {
    Random random(1);
    BatchStream stream({1, 2, 3, 4, 5}, 2, random), longer({1, 2, 3, 4, 5, 6}, 2, random);
    const BatchStream::State start = stream.state();
    CHECK(message_of<std::invalid_argument>([&] { longer.set_state(start); }) ==
          "BatchStream: the place is one in 5 examples in batches of 2, and this stream has 6 in "
          "batches of 2");
    BatchStream::State beyond = start;
    beyond.epoch = 1;
    beyond.batch = 4;
    CHECK(message_of<std::invalid_argument>([&] { stream.set_state(beyond); }) ==
          "BatchStream: the place is batch 4 of epoch 1; an epoch has batches 1 to 3");
    beyond.batch = 0;
    CHECK(message_of<std::invalid_argument>([&] { stream.set_state(beyond); }) ==
          "BatchStream: the place is batch 0 of epoch 1; an epoch has batches 1 to 3");
    BatchStream::State zeros = start;
    zeros.generator = {};
    CHECK(message_of<std::invalid_argument>([&] { stream.set_state(zeros); }) ==
          "Random: the state is all zeros, which would generate only zeros; set one that state() "
          "returned");
    CHECK(message_of<std::invalid_argument>([&] { BatchStream({}, 2, random); }) ==
          "BatchStream: there are no examples");
    ExponentialAverage average;
    CHECK(message_of<std::invalid_argument>(
              [&] { average.set_state({.m = infinity, .beta_to_t = 0.5}); }) ==
          "ExponentialAverage: the state is m = inf, beta^t = 0.5; m must be finite, and beta^t "
          "from 0 to 1");
}
