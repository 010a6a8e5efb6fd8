// Lesson 21 with programs of others: PyTorch (21.3) and ONNX Runtime (21.4).
#include "nn/heed.h"
#include "tutorials/21_leaving/parts.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

std::string script(const std::string& name) { return LESSON_FOLDER "/" + name; }

std::string in_quotes(const std::string& text) {
    std::string quoted = "'";
    for (const char letter : text) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
    return quoted + "'";
}

// What the program prints. Error: it fails (std::runtime_error).
std::string output_of(const std::vector<std::string>& words) {
    std::string command;
    for (const std::string& word : words) command += in_quotes(word) + " ";
    std::cout.flush();
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (!pipe) throw std::runtime_error("no process can be started for " + command);
    std::string output;
    char buffer[4096];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        output.append(buffer, n);
    if (pclose(pipe) != 0)
        throw std::runtime_error("this failed, for the reason above: " + command);
    return output;
}

Tensor as_numbers(const IndexTensor& ids) { return tensor::to_tensor(ids); }

// The texts, as numbers: inputs [10, B, T] and targets of the steps, and those held out.
void write_texts(const std::string& path, const std::vector<Texts>& batches, const Texts& held_out,
                 std::int64_t num_heads) {
    std::vector<Tensor> inputs, targets;
    for (const Texts& batch : batches) {
        inputs.push_back(as_numbers(batch.inputs));
        targets.push_back(as_numbers(batch.targets));
    }
    StateDict texts;
    texts.add("inputs", tensor::stack(inputs, 0));
    texts.add("targets", tensor::stack(targets, 0));
    texts.add("held_out_inputs", as_numbers(held_out.inputs));
    texts.add("held_out_targets", as_numbers(held_out.targets));
    texts.add("num_heads", tensor::full({}, static_cast<double>(num_heads)));
    write_safetensors(path, texts);
}

double largest_difference(const Tensor& a, const Tensor& b) {
    return static_cast<double>(tensor::max(tensor::abs(a - b)).item());
}

}  // namespace

void in_pytorch(const Gpt& gpt, const Texts& held_out, const std::vector<Texts>& batches,
                const Elsewhere& elsewhere) {
    section("21.3 In PyTorch, and back");
    const std::string found = elsewhere.folder + "/pytorch.safetensors";
    write_texts(elsewhere.folder + "/texts.safetensors", batches, held_out, gpt.config().num_heads);
    say("leaving.py, beside this program, has the same model in 60 lines of PyTorch. Its parts "
        "have "
        "the same names, so load_state_dict() takes the file as it is.");
    if (elsewhere.python.empty()) {
        say("Skipped: --pytorch /usr/bin/python3 runs it there, if that has PyTorch (Debian: "
            "python3-torch), first for the loss, then for ten steps of four processes.");
        return;
    }
    output_of({elsewhere.python, script("leaving.py"), "loss", elsewhere.folder});
    const double here = loss_of(gpt, held_out);
    const double there = read_safetensors(found).at("loss").item();
    print_row(std::cout, "", {"loss"}, 28, 10);
    print_row(std::cout, "here", {fixed(here, 6)}, 28, 10);
    print_row(std::cout, "in PyTorch", {fixed(there, 6)}, 28, 10);
    std::cout << "\n";
    check(std::fabs(here - there) < 1e-5,
          "it is the same model: the loss differs by less than 1e-5");

    output_of({elsewhere.python, script("leaving.py"), "train", elsewhere.folder, "4"});
    const StateDict trained = read_safetensors(found);
    Gpt alone = gpt;
    const std::vector<double> losses = train(alone, batches);
    const Tensor four = trained.at("losses");
    say("Ten steps of AdamW: here on whole batches of 32 texts, and there in four processes of 8:");
    double furthest = 0;
    print_row(std::cout, "step", {"here", "four"}, 6, 12);
    for (std::int64_t step = 0; step < 10; ++step) {
        const double own = losses[static_cast<std::size_t>(step)], theirs = four(step);
        furthest = std::max(furthest, std::fabs(own - theirs));
        print_row(std::cout, std::to_string(step + 1), {fixed(own, 6), fixed(theirs, 6)}, 6, 12);
    }
    std::cout << "\n";
    check(furthest < 1e-4, "the losses differ by less than 1e-4");

    StateDict weights;
    for (const StateDict::Entry& entry : trained) {
        if (entry.name.rfind("trained.", 0) == 0) weights.add(entry.name.substr(8), entry.value);
    }
    Gpt back = gpt;
    load_state_dict(back, weights);
    const double of_back = loss_of(back, held_out), of_alone = loss_of(alone, held_out);
    say("What the four have learned is a file again, and loaded here:");
    print_row(std::cout, "trained here", {fixed(of_alone, 6)}, 28, 10);
    print_row(std::cout, "trained there, by four", {fixed(of_back, 6)}, 28, 10);
    std::cout << "\n";
    check(std::fabs(of_back - of_alone) < 1e-4, "both have learned the same");
}

void in_onnx(const Gpt& gpt, const Texts& held_out, const Elsewhere& elsewhere) {
    section("21.4 In engines that only run models");
    say("ONNX is a file that holds the operations, too, and not the numbers alone: engines run it "
        "that know nothing of the program it was built with. PyTorch writes it from leaving.py's "
        "model.");
    if (elsewhere.python.empty() || elsewhere.onnx.empty()) {
        say("Skipped: --pytorch as above, and --onnx DIR, where DIR has node_modules/"
            "onnxruntime-node (npm), run it in ONNX Runtime.");
        return;
    }
    output_of({elsewhere.python, script("leaving.py"), "onnx", elsewhere.folder});
    std::istringstream printed(
        output_of({"node", script("onnx.js"), elsewhere.folder, elsewhere.onnx}));
    std::vector<Scalar> numbers;
    for (double number = 0; printed >> number;) numbers.push_back(static_cast<Scalar>(number));
    const IndexTensor ids = tensor::slice(held_out.inputs, 0, 0, 1);
    const NoGrad no_grad;
    const Tensor own = gpt(ids).value();  // [1, T, V]
    const Tensor theirs = tensor::from_vector(numbers, own.shape());
    const double apart = largest_difference(own, theirs);
    std::cout << "the logits " << own.shape() << " are up to " << fixed(apart, 7) << " apart\n\n";
    check(apart < 1e-4, "ONNX Runtime computes the same logits, to 1e-4");
}
