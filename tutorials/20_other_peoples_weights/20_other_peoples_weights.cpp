// 20 Other people's weights: how published models cut a text and keep their numbers, and whether
// what was loaded is the network that was published.
#include "nn/heed.h"
#include "tutorials/20_other_peoples_weights/parts.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

void given_model(const tutorial::Options& options) {
    section("20.6 A model of others");
    if (!options.has("--model")) {
        say("Skipped: --model DIR loads a folder from Hugging Face (GPT-2, Llama and what has its "
            "form), shows the same view of its layer 0, and lets it write on from --prompt TEXT.");
        return;
    }
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    const Files files;
    say("Lesson 20: other people's weights. What is loaded from a file of theirs: is it the same "
        "network?");
    const std::vector<LearnedPair> merges = byte_pairs();  // 20.1, pieces.cpp
    word_pieces();                                         // 20.2
    by_bytes(files);                                       // 20.3, bytes.cpp
    const Pieces tokens = {"time", "flies", "like", "an", "arrow"};
    const IndexTensor ids({256, 257, 258, 259, 260});
    same_network(files, small_gpt2(random), tokens, ids);  // 20.4, network.cpp
    wrong_loads(files, ids, random);                       // 20.5, wrong_loads.cpp
    given_model(options);                                  // 20.6
}

int main(int argc, char** argv) {
    return tutorial::run(
        {.name = "20_other_peoples_weights",
         .subject = "Tokenizers and files of published models, and what loads wrongly.",
         .options = {{"--model", "DIR", "run 20.6 with the model in this folder"},
                     {"--prompt", "TEXT", "what the model writes on from"}}},
        argc, argv, lesson);
}
