// Lesson 16 on sentences of the reader's own.
#include "tutorials/16_which_bar/parts.h"

#include "nn/heed.h"
#include "nn/pages/heat_map.h"
#include "tensor/errors.h"
#include "tensor/quote.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/progress_line.h"
#include "tutorials/support/terminal.h"
#include "tutorials/support/text_file.h"
#include "tutorials/support/training_run.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>

using namespace heed;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

const std::int64_t B = 16;  // sentences of a batch
const std::int64_t steps = 450;
const std::int64_t longest = 128;  // tokens of a sentence that are read, [CLS] included
const std::size_t fewest_lines = 10;
const std::size_t most_asked = 1000;  // held-out lines
const std::int64_t PAD = 0, UNK = 2;  // and [CLS] is 1

using Examples = std::vector<std::int64_t>;

// Lines as ids; an example is the index of a line.
struct Sentences {
    WordTokenizer tokenizer;
    std::vector<std::string> labels;  // in byte order; the index is the class
    std::vector<IndexTensor> ids;     // [T] each
    std::vector<std::int64_t> classes;
    Examples seen, held_out;
    std::int64_t cut = 0;  // sentences longer than is read
};

WordTokenizer tokenizer_of(const std::vector<tutorial::TwoColumns>& lines, const Examples& seen) {
    const WordTokenizerOptions as_written = {
        .lower_case = false, .punctuation = Punctuation::keep, .unknown = "[UNK]"};
    std::vector<std::string> words = {"[PAD]", "[CLS]", "[UNK]"};
    const WordTokenizer splitter = WordTokenizer::from_vocabulary(words, as_written);
    std::set<std::string> known(words.begin(), words.end());
    for (const std::int64_t example : seen) {
        const tutorial::TwoColumns& line = lines[static_cast<std::size_t>(example)];
        for (const std::string& word : splitter.words(line.second)) {
            if (known.insert(word).second) words.push_back(word);
        }
    }
    return WordTokenizer::from_vocabulary(words, as_written);
}

Sentences read_sentences(const std::string& path) {
    const std::vector<tutorial::TwoColumns> lines =
        tutorial::read_two_columns(path, {"a label", "a sentence"});
    if (lines.size() < fewest_lines) {
        throw std::runtime_error(text("the file ", in_quotes(path), " has ", lines.size(),
                                      lines.size() == 1 ? " sentence" : " sentences", "; at least ",
                                      fewest_lines, " are needed"));
    }
    Examples seen, held_out;
    std::set<std::string> labels, seen_labels;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        labels.insert(lines[i].first);
        if (i % 5 != 4) seen_labels.insert(lines[i].first);
        (i % 5 == 4 ? held_out : seen).push_back(static_cast<std::int64_t>(i));
    }
    if (seen_labels.size() == 1) {
        throw std::runtime_error(text(
            "the file ", in_quotes(path), " has only the label ", in_quotes(*seen_labels.begin()),
            " in the lines to learn from, all but every fifth; at least 2 labels are needed"));
    }
    Sentences all{
        tokenizer_of(lines, seen), {labels.begin(), labels.end()}, {}, {}, seen, held_out};
    for (const tutorial::TwoColumns& line : lines) {
        const IndexTensor ids = all.tokenizer.encode("[CLS] " + line.second);
        if (ids.dim(0) > longest) ++all.cut;
        all.ids.push_back(tensor::slice(ids, 0, 0, std::min(ids.dim(0), longest)));
        all.classes.push_back(std::distance(labels.begin(), labels.find(line.first)));
    }
    return all;
}

// What would make the accuracy look better, or worse, than it is.
void warn_of(const Sentences& all, const Examples& asked) {
    const auto ids_of = [&](std::int64_t example) {
        const IndexTensor& ids = all.ids[static_cast<std::size_t>(example)];
        return Examples(ids.data(), ids.data() + ids.numel());
    };
    std::set<Examples> learned;
    std::set<std::int64_t> classes;
    for (const std::int64_t example : all.seen) {
        learned.insert(ids_of(example));
        classes.insert(all.classes[static_cast<std::size_t>(example)]);
    }
    const std::ptrdiff_t known =
        std::count_if(asked.begin(), asked.end(),
                      [&](std::int64_t example) { return learned.count(ids_of(example)) == 1; });
    if (known > 0) {
        say(std::to_string(known) +
            " of the sentences held out are also among those to learn from, so the accuracy is "
            "partly on what was learned.");
    }
    for (std::size_t label = 0; label < all.labels.size(); ++label) {
        if (classes.count(static_cast<std::int64_t>(label)) == 1) continue;
        say("Only lines held out have the label " + tutorial::visible(all.labels[label]) +
            ", so none of them can be right.");
    }
}

struct Batch {
    TokenBatch text;      // ids [B, T]
    IndexTensor classes;  // [B]

    Mask padding() const { return Mask::padding(text.lengths, text.ids.dim(1)); }
};

Batch batch_of(const Sentences& all, const Examples& examples) {
    std::vector<IndexTensor> texts;
    std::vector<std::int64_t> classes;
    for (const std::int64_t example : examples) {
        texts.push_back(all.ids[static_cast<std::size_t>(example)]);
        classes.push_back(all.classes[static_cast<std::size_t>(example)]);
    }
    return {pad_sequences(texts, PAD), IndexTensor(classes)};
}

// One word in ten becomes [UNK], so that the model learns to read sentences with new words.
IndexTensor with_unknown(const IndexTensor& ids, Random& random) {
    std::vector<std::int64_t> numbers(ids.data(), ids.data() + ids.numel());
    for (std::int64_t& id : numbers) {
        if (id > UNK && random.below(10) == 0) id = UNK;
    }
    return IndexTensor(numbers, ids.shape());
}

double accuracy(TextClassifier& model, const Sentences& all, const Examples& examples) {
    const EvalMode eval(model);
    std::int64_t right = 0;
    for (const Examples& some : batches(examples, 64)) {
        const Batch batch = batch_of(all, some);
        const Variable logits = model(batch.text.ids, batch.padding());  // [B, labels]
        right += (tensor::argmax(logits.value(), -1) == batch.classes).count();
    }
    return static_cast<double>(right) / static_cast<double>(examples.size());
}

// How often the commonest label of the lines seen is right for the others.
double of_commonest(const Sentences& all, const Examples& asked) {
    std::vector<std::int64_t> times(all.labels.size());
    for (const std::int64_t example : all.seen) {
        ++times[static_cast<std::size_t>(all.classes[static_cast<std::size_t>(example)])];
    }
    const std::int64_t commonest =
        std::distance(times.begin(), std::max_element(times.begin(), times.end()));
    double right = 0;
    for (const std::int64_t example : asked) {
        if (all.classes[static_cast<std::size_t>(example)] == commonest) ++right;
    }
    return right / static_cast<double>(asked.size());
}

void train(TextClassifier& model, const Sentences& all, const Examples& asked, Random& random) {
    AdamW optimizer(parameters(model), {.lr = 1});
    const WarmupCosine schedule{.lr = 3e-3, .floor = 1e-4, .warmup = 20, .steps = steps};
    tutorial::ProgressLine progress(steps);
    ExponentialAverage average(0.95);
    for (tutorial::TrainingRun run("own_sentences", steps, model, optimizer, random); run.next();) {
        const std::int64_t step = run.step();
        Examples examples;
        for (std::int64_t b = 0; b < B; ++b) {
            const std::int64_t one = random.below(static_cast<std::int64_t>(all.seen.size()));
            examples.push_back(all.seen[static_cast<std::size_t>(one)]);
        }
        const Batch batch = batch_of(all, examples);
        const Variable loss = cross_entropy(
            model(with_unknown(batch.text.ids, random), batch.padding()), batch.classes);
        optimizer.zero_grad();
        loss.backward();
        clip_grad_norm(optimizer.parameters(), 1);
        optimizer.set_lr(schedule(step));
        optimizer.step();
        average.add(static_cast<double>(loss.item()));
        progress.show(step, average.value(), batch.text.ids.numel());
        if (step % 150 != 0) continue;
        progress.clear();
        print_row(std::cout, "step " + std::to_string(step),
                  {fixed(average.value(), 2), fixed(accuracy(model, all, asked), 2)}, 26, 8);
        std::cout << std::flush;
    }
    std::cout << "\n";
}

// Where [CLS] looks in the last layer, the mean of its heads.
void print_row_of_cls(TextClassifier& model, const Sentences& all, std::int64_t example) {
    const EvalMode eval(model);
    const Batch batch = batch_of(all, {example});
    const RecordAttention recording(model);
    const Variable logits = model(batch.text.ids, batch.padding());          // [1, labels]
    const Tensor of_heads = recording.records().back().weights;              // [1, heads, T, T]
    const Tensor weights = tensor::select(tensor::mean(of_heads, 1), 0, 0);  // [T, T]
    std::vector<std::string> words;
    for (const std::string& word :
         all.tokenizer.decode(all.ids[static_cast<std::size_t>(example)])) {
        words.push_back(tutorial::visible(word));
    }
    print_heat_map(std::cout, {"[CLS]"}, words, tensor::slice(weights, 0, 0, 1));
    const std::int64_t found = tensor::argmax(logits.value(), -1)(0);
    std::cout << "  it says " << tutorial::visible(all.labels[static_cast<std::size_t>(found)])
              << ", the file "
              << tutorial::visible(all.labels[static_cast<std::size_t>(batch.classes(0))])
              << "\n\n";
}

}  // namespace

void on_own_sentences(const std::string& path, Random& random) {
    const Sentences all = read_sentences(path);
    say("Lesson 16: which bar? On sentences of your own.");
    section("16.7 Sentences of your own");
    Examples asked = all.held_out;
    if (asked.size() > most_asked) asked.resize(most_asked);
    say(std::to_string(all.ids.size()) + " sentences, " + std::to_string(all.labels.size()) +
        " labels. Every fifth sentence is held out, and the accuracy is on " +
        std::to_string(asked.size()) + " of these. The others have " +
        std::to_string(all.tokenizer.size() - 3) +
        " different words, split at white space and kept as they are; any other word is [UNK].");
    if (all.cut > 0) {
        say("Of " + std::to_string(all.cut) + " long sentences only the first " +
            std::to_string(longest - 1) + " words are read.");
    }
    warn_of(all, asked);
    print_row(std::cout, "", {"loss", "accuracy"}, 26, 8);
    print_row(std::cout, "always the commonest label", {"", fixed(of_commonest(all, asked), 2)}, 26,
              8);
    const FastKernels fast;  // also in a Debug build, where this would take minutes
    TextClassifier model({.vocab_size = all.tokenizer.size(), .limit = longest, .dropout = 0.1},
                         static_cast<std::int64_t>(all.labels.size()), random);
    train(model, all, asked, random);
    say("Held-out sentences, and where [CLS] looks in the last layer, the mean of its heads:");
    for (std::size_t i = 0; i < std::min<std::size_t>(3, asked.size()); ++i) {
        print_row_of_cls(model, all, asked[i]);
    }
    say("The weights say where the last layer looks, not by what route the answer arrived (16.5). "
        "$d_model$, num_layers and steps are in own_sentences.cpp.");
}
