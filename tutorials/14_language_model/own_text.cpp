// Lesson 14 on a text of the reader's own.
#include "tutorials/14_language_model/parts.h"

#include "nn/heed.h"
#include "tensor/errors.h"
#include "tensor/quote.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/progress_line.h"
#include "tutorials/support/terminal.h"
#include "tutorials/support/text_file.h"
#include "tutorials/support/training_run.h"

#include <iostream>
#include <map>
#include <set>
#include <stdexcept>

using namespace heed;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

const std::int64_t window = 64;  // letters
const std::int64_t B = 16;       // windows of a batch
const std::int64_t steps = 450;
const std::int64_t fewest_letters = 1000;

using Ids = std::vector<std::int64_t>;

struct Letters {
    std::vector<std::string> kinds;  // in byte order; the index is the id
    Ids ids;                         // the text
};

std::vector<std::string> letters_in(const std::string& text, const std::string& path) {
    std::vector<std::string> letters;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = code_point_at(text, at);
        if (!point.is_valid) {
            throw std::runtime_error(
                heed::text("the file ", in_quotes(path), " is not UTF-8, from byte ", at, " on"));
        }
        letters.push_back(text.substr(at, point.bytes));
        at += point.bytes;
    }
    return letters;
}

Letters read_letters(const std::string& path) {
    const std::vector<std::string> text = letters_in(tutorial::read_text_file(path), path);
    if (static_cast<std::int64_t>(text.size()) < fewest_letters) {
        throw std::runtime_error(heed::text("the file ", in_quotes(path), " has ", text.size(),
                                            " letters; at least ", fewest_letters, " are needed"));
    }
    const std::set<std::string> kinds(text.begin(), text.end());
    std::map<std::string, std::int64_t> id_of;
    for (const std::string& kind : kinds) {
        id_of.emplace(kind, static_cast<std::int64_t>(id_of.size()));
    }
    Letters letters{{kinds.begin(), kinds.end()}, {}};
    for (const std::string& letter : text) letters.ids.push_back(id_of.at(letter));
    return letters;
}

std::string said(const Letters& letters, const Ids& ids) {
    std::string text;
    for (const std::int64_t id : ids) text += letters.kinds[static_cast<std::size_t>(id)];
    return tutorial::visible(text);
}

// The loss on `held_out` of counts from `seen`, with one added to the count of each letter and each
// pair.
struct Counted {
    double letters, pairs;
};

Counted count(const Ids& seen, const Ids& held_out, std::size_t V) {
    std::map<std::int64_t, double> times;
    std::map<std::pair<std::int64_t, std::int64_t>, double> pair_times;
    for (std::size_t i = 0; i + 1 < seen.size(); ++i) {
        ++times[seen[i]];
        ++pair_times[{seen[i], seen[i + 1]}];
    }
    const double kinds = static_cast<double>(V), all = static_cast<double>(seen.size() - 1);
    std::vector<Scalar> of_letter, of_pair;  // probabilities
    for (std::size_t i = 0; i + 1 < held_out.size(); ++i) {
        const std::int64_t a = held_out[i], b = held_out[i + 1];
        of_letter.push_back(static_cast<Scalar>((times[b] + 1) / (all + kinds)));
        of_pair.push_back(static_cast<Scalar>((pair_times[{a, b}] + 1) / (times[a] + kinds)));
    }
    const auto loss = [](const std::vector<Scalar>& P) {
        const std::int64_t n = static_cast<std::int64_t>(P.size());
        return -static_cast<double>(tensor::mean(tensor::log(tensor::from_vector(P, {n}))).item());
    };
    return {loss(of_letter), loss(of_pair)};
}

// The mean loss over the held-out text, or its first 64 windows.
double held_out_loss(Gpt& gpt, const TextWindows& windows) {
    const EvalMode eval(gpt);
    const NoGrad no_grad;
    Ids examples = windows.examples();
    if (examples.size() > 64) examples.resize(64);
    const TextBatch batch = windows.batch(examples);
    return cross_entropy(gpt(batch.inputs), batch.targets).item();
}

void print_state(Gpt& gpt, std::int64_t step, const Letters& letters, const TextWindows& held_out,
                 Random random) {
    const double loss = held_out_loss(gpt, held_out);
    const EvalMode eval(gpt);
    GptSteps reader(gpt);
    const Ids sample = generate(reader, IndexTensor({letters.ids[0]}), random,
                                {.max_new_tokens = 50, .sampling = {.temperature = 0.8}})[0];
    std::cout << tutorial::fit("GPT, step " + std::to_string(step), 22) << "  " << fixed(loss, 3)
              << "  " << said(letters, sample) << std::endl;
}

}  // namespace

void on_own_text(const std::string& path, Random& random) {
    const Letters letters = read_letters(path);
    const std::size_t N = letters.ids.size(), V = letters.kinds.size();
    say("Lesson 14: a language model, on a text of your own.");
    section("14.8 A text of your own");
    say(std::to_string(N) + " letters of " + std::to_string(V) + (V == 1 ? " kind" : " kinds") +
        ", each a token. The last tenth is held out: all losses are on it. The GPT says, "
        "each time, the 50 letters that it would go on with.");
    const Ids seen(letters.ids.begin(), letters.ids.end() - static_cast<std::int64_t>(N / 10));
    const Ids held_out(letters.ids.end() - static_cast<std::int64_t>(N / 10), letters.ids.end());
    const Counted counted = count(seen, held_out, V);
    print_row(std::cout, "letters, counted", {fixed(counted.letters, 3)}, 22, 6);
    print_row(std::cout, "pairs, counted", {fixed(counted.pairs, 3)}, 22, 6);

    const FastKernels fast;  // also in a Debug build, where this would take minutes
    Gpt gpt({.vocab_size = static_cast<std::int64_t>(V),
             .limit = window,
             .d_model = 64,
             .num_layers = 2,
             .num_heads = 4,
             .dropout = 0.1},
            random);
    const TextWindows windows(IndexTensor(seen), window, 1),
        held_out_windows(IndexTensor(held_out), window);
    print_state(gpt, 0, letters, held_out_windows, random);
    AdamW optimizer(parameters(gpt), {.lr = 1});
    const WarmupCosine schedule{.lr = 1e-2, .floor = 1e-4, .warmup = 20, .steps = steps};
    tutorial::ProgressLine progress(steps);
    ExponentialAverage average(0.95);
    for (tutorial::TrainingRun run("own_text", steps, gpt, optimizer, random); run.next();) {
        const std::int64_t step = run.step();
        Ids examples;
        for (std::int64_t b = 0; b < B; ++b) examples.push_back(random.below(windows.size()));
        const TextBatch batch = windows.batch(examples);
        const Variable loss = cross_entropy(gpt(batch.inputs), batch.targets);
        optimizer.zero_grad();
        loss.backward();
        clip_grad_norm(optimizer.parameters(), 1);
        optimizer.set_lr(schedule(step));
        optimizer.step();
        average.add(static_cast<double>(loss.item()));
        progress.show(step, average.value(), B * window);
        if (step % 150 != 0) continue;
        progress.clear();
        print_state(gpt, step, letters, held_out_windows, random);
    }
    std::cout << "\n";
    say("A GPT of this size learns the letters and words of a text, not its sense. $d_model$, "
        "num_layers and steps are in own_text.cpp.");
}
