// 21 Leaving: lesson 14's model as a file, what several processes that train one model do, and the
// same model in PyTorch and back.
#include "nn/heed.h"
#include "tutorials/14_language_model/training.h"
#include "tutorials/21_leaving/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <unistd.h>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

double loss_of(const Gpt& gpt, const Texts& texts) {
    const NoGrad no_grad;
    return cross_entropy(gpt(texts.inputs), texts.targets).item();
}

std::vector<double> train(Gpt& gpt, const std::vector<Texts>& batches) {
    AdamW optimizer(parameters(gpt), {.lr = least_lr});
    std::vector<double> losses;
    for (const Texts& batch : batches) {
        const Variable loss = cross_entropy(gpt(batch.inputs), batch.targets);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        losses.push_back(loss.item());
    }
    return losses;
}

Gpt trained(Random& random) {
    Gpt gpt({.vocab_size = std::int64_t{19},
             .limit = T,
             .d_model = 32,
             .num_layers = 2,
             .num_heads = 2},
            random);
    train("gpt", gpt, T, 200, random);
    return gpt;
}

void as_a_file(const Gpt& gpt, const Texts& held_out, const std::string& folder) {
    section("21.1 The model is a file");
    const std::string path = folder + "/model.safetensors";
    save(path, gpt);
    const StateDict state = read_safetensors(path);
    say("A model is its numbers, and their names. save(path, gpt) writes both, in the format that "
        "Hugging Face and PyTorch read (lesson 20): names and layouts are PyTorch's, a Linear's "
        "weight is [out, in]. Some of them:");
    std::int64_t numbers = 0;
    for (const StateDict::Entry& entry : state) {
        numbers += entry.value.numel();
        const bool is_shown = entry.name.find("blocks.") != 0 ||
                              entry.name.find("blocks.0.attention.W_Q") == 0 ||
                              entry.name.find("blocks.0.norm1") == 0;
        if (is_shown) print_row(std::cout, entry.name, {entry.value.shape().text()}, 30, 10);
    }
    std::cout << "\n";
    const std::int64_t bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
    tutorial::predict_number("The file has " + std::to_string(numbers) +
                                 " numbers, each a float. How many bytes are they?",
                             4.0 * static_cast<double>(numbers), 0, "4 bytes a float.");
    std::cout << numbers << " numbers in " << bytes << " bytes\n\n";
    Random other(99);
    Gpt back(gpt.config(), other);
    const double unlike = loss_of(back, held_out);
    load(path, back);
    const double before = loss_of(gpt, held_out), after = loss_of(back, held_out);
    print_row(std::cout, "", {"loss"}, 30, 10);
    print_row(std::cout, "the trained model", {fixed(before, 6)}, 30, 10);
    print_row(std::cout, "a new one", {fixed(unlike, 6)}, 30, 10);
    print_row(std::cout, "the new one, loaded", {fixed(after, 6)}, 30, 10);
    std::cout << "\n";
    const Tensor W_Q = back.blocks[0].attention.W_Q.weight.value();
    stop("21.1 the file", {{"W_Q", W_Q}});
    check(before == after && unlike > before + 1, "what was loaded is the model that was saved");
    check(!state.contains("head.weight") && tutorial::same(back.head.weight, back.tokens.weight),
          "the head is the token table (lesson 14): the file has it once");
    check(bytes - 4 * numbers > 8 && bytes - 4 * numbers < 10000,
          "besides the numbers it holds 8 bytes and the list of names, shapes and places");
}

// A part of a batch: the texts from `begin` to `end`.
Texts part_of(const Texts& batch, std::int64_t begin, std::int64_t end) {
    return {tensor::slice(batch.inputs, 0, begin, end), tensor::slice(batch.targets, 0, begin, end),
            batch.entropy};
}

// One process: a copy of the model, its texts, its gradients.
std::vector<Tensor> gradients_of(const Gpt& gpt, const Texts& texts) {
    Gpt copy = gpt;
    cross_entropy(copy(texts.inputs), texts.targets).backward();
    std::vector<Tensor> gradients;
    for (const NamedParameter& one : parameters(copy)) gradients.push_back(one.parameter.grad());
    return gradients;
}

// Σ share · gradients, over processes.
std::vector<Tensor> mean_of(const std::vector<std::vector<Tensor>>& gradients,
                            const std::vector<double>& shares) {
    std::vector<Tensor> mean;
    for (std::size_t i = 0; i < gradients[0].size(); ++i) {
        Tensor sum = gradients[0][i] * shares[0];
        for (std::size_t p = 1; p < gradients.size(); ++p) sum = sum + gradients[p][i] * shares[p];
        mean.push_back(sum);
    }
    return mean;
}

// ‖a - b‖ / ‖b‖
double distance(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    double apart = 0, length = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        apart += static_cast<double>(tensor::sum((a[i] - b[i]) * (a[i] - b[i])).item());
        length += static_cast<double>(tensor::sum(b[i] * b[i]).item());
    }
    return std::sqrt(apart / length);
}

void by_hand(const Gpt& gpt, const std::vector<Texts>& batches) {
    section("21.2 Many processes, one model");
    tutorial::in_the_notes(
        "note 004 ends with a version for many GPUs. It rests on one line of algebra, which four "
        "copies of the model show as well as four machines.");
    say("The loss is a mean over texts, so its gradient is the mean of the gradients of equal "
        "parts. Each of four processes has a copy of the model and takes 8 of a batch's 32 texts; "
        "they send each other their gradients, and each takes the mean:");
    tutorial::formula("grad of 32 texts = (grad_1 + grad_2 + grad_3 + grad_4) / 4");
    const Texts& batch = batches[0];
    const std::vector<Tensor> whole = gradients_of(gpt, batch);
    std::vector<std::vector<Tensor>> parts;
    for (std::int64_t p = 0; p < 4; ++p)
        parts.push_back(gradients_of(gpt, part_of(batch, 8 * p, 8 * p + 8)));
    const std::vector<Tensor> mean = mean_of(parts, {0.25, 0.25, 0.25, 0.25});
    const double alone = distance(parts[0], whole), of_mean = distance(mean, whole);
    // A machine with more memory takes more.
    const std::vector<std::vector<Tensor>> unequal = {gradients_of(gpt, part_of(batch, 0, 24)),
                                                      gradients_of(gpt, part_of(batch, 24, 32))};
    const double unweighted = distance(mean_of(unequal, {0.5, 0.5}), whole);
    const double weighted = distance(mean_of(unequal, {24.0 / 32, 8.0 / 32}), whole);
    const Tensor &of_all = whole[0], &of_four = mean[0];  // of the token table
    stop("21.2 the mean of gradients", {{"of_all", of_all}, {"of_four", of_four}});
    tutorial::predict_choice("Two processes with 24 and 8 texts send the means of their gradients. "
                             "What does the mean of "
                             "the two equal?",
                             {"the whole batch", "something else"}, "something else",
                             "Each of the 8 texts counts three times as much as each of the 24.");
    say("How far from the gradient of the whole batch, relative to its length:");
    print_row(std::cout, "one process alone", {fixed(alone, 3)}, 34, 10);
    print_row(std::cout, "the mean of four equal parts", {fixed(of_mean, 3)}, 34, 10);
    print_row(std::cout, "parts of 24 and 8, their mean", {fixed(unweighted, 3)}, 34, 10);
    print_row(std::cout, "the same, weighted 24 to 8", {fixed(weighted, 3)}, 34, 10);
    std::cout << "\n";
    const Tensor apart = tensor::of({alone, of_mean, unweighted, weighted});
    stop("21.2 how far apart", {{"apart", apart}});
    check(of_mean < 1e-5, "four processes have the gradient of the whole batch, to rounding");
    check(alone > 0.1, "one process alone does not");
    check(unweighted > 0.05 && weighted < 1e-5,
          "the mean of unequal parts is not the whole's, unless each counts by its tokens");
    say("So all copies take the same step, and stay equal without ever sending their weights. That "
        "is all that PyTorch's DistributedDataParallel does, and it sends gradients while others "
        "are still being computed.");
}

namespace {
// A folder that is removed at the end, unless the reader named it.
class Files {
  public:
    explicit Files(const tutorial::Options& options) {
        namespace fs = std::filesystem;
        is_named_ = options.has("--to");
        path_ =
            is_named_
                ? options.value("--to")
                : (fs::temp_directory_path() / ("heed_21_" + std::to_string(getpid()))).string();
        fs::create_directories(path_);
    }
    Files(const Files&) = delete;
    ~Files() {
        std::error_code ignored;
        if (!is_named_) std::filesystem::remove_all(path_, ignored);
    }
    const std::string& path() const { return path_; }

  private:
    bool is_named_;
    std::string path_;
};

}  // namespace

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    const Files files(options);
    say("Lesson 21: leaving. How does a model get out of here, and what can many machines do with "
        "it?");
    const Gpt gpt = trained(random);
    const Texts held_out = random_texts(100, T, random);
    std::vector<Texts> batches;
    for (int i = 0; i < 10; ++i) batches.push_back(random_texts(B, T, random));
    const Elsewhere elsewhere = {files.path(),
                                 options.has("--pytorch") ? options.value("--pytorch") : "",
                                 options.has("--onnx") ? options.value("--onnx") : ""};
    as_a_file(gpt, held_out, files.path());         // 21.1
    by_hand(gpt, batches);                          // 21.2
    in_pytorch(gpt, held_out, batches, elsewhere);  // 21.3, pytorch.cpp
    in_onnx(gpt, held_out, elsewhere);              // 21.4
}

int main(int argc, char** argv) {
    return tutorial::run(
        {.name = "21_leaving",
         .subject = "A model as a file, in PyTorch and back, and on many machines.",
         .options = {{"--to", "DIR", "leave the files in this folder"},
                     {"--pytorch", "PYTHON", "run 21.3 with this Python, which has PyTorch"},
                     {"--onnx", "DIR", "run 21.4 with DIR/node_modules/onnxruntime-node"}},
         .trains = true},
        argc, argv, lesson);
}
