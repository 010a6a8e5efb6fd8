// 20 Other people's weights: how published models cut a text and keep their numbers, and whether
// what was loaded is the network that was published.
#include "nn/heed.h"
#include "tutorials/20_other_peoples_weights/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

Loaded loaded_from(const std::string& folder, bool is_given) {
    const ModelFolder found = model_folder(folder);
    Loaded loaded{load_tokenizer(folder), {}, {}, IndexTensor(), {}, is_given};
    if (found.kind == ModelKind::gpt) {
        loaded.gpt = load_gpt(folder);
        loaded.tokenizer.check_fits(loaded.gpt->config().vocab_size);
    } else {
        loaded.encoder = load_text_encoder(folder);
        loaded.tokenizer.check_fits(loaded.encoder->config().vocab_size);
    }
    loaded.ids = loaded.tokenizer.encode("time flies like an arrow", {.add_special = true});
    loaded.tokens = pieces_of(loaded.tokenizer, loaded.ids);
    return loaded;
}

// The prompt, or the token that begins a text.
IndexTensor beginning(const Loaded& loaded, const tutorial::Options& options) {
    const SpecialTokens& special = loaded.tokenizer.special();
    if (!options.has("--prompt")) {
        return special.bos ? IndexTensor({*special.bos})
                           : loaded.tokenizer.encode("time flies like");
    }
    const IndexTensor ids =
        loaded.tokenizer.encode(options.value("--prompt"), {.add_special = true});
    const std::int64_t T = ids.dim(0), limit = loaded.gpt->config().limit;
    if (T >= limit) {
        throw tutorial::UsageError("--prompt has " + std::to_string(T) +
                                   " tokens; this model takes at most " +
                                   std::to_string(limit - 1));
    }
    return ids;
}

void writes(const Loaded& loaded, const IndexTensor& prompt) {
    section("20.6 It writes");
    if (!loaded.is_given) {
        say("Skipped: random weights have nothing to say. --model DIR takes a folder from Hugging "
            "Face (GPT-2, Llama and what has its form): 20.4 looks into that model, and here it "
            "writes on from --prompt TEXT.");
        return;
    }
    if (!loaded.gpt) {
        say("This model reads a text as a whole and writes none.");
        return;
    }
    say("Always the likeliest token, with keys and values kept (lesson 19):");
    const std::int64_t room = loaded.gpt->config().limit - prompt.dim(0);
    TextStream stream(loaded.tokenizer, {.skip_special = true});
    for (std::int64_t t = 0; t < prompt.dim(0); ++t) std::cout << stream.add(prompt(t));
    GptSteps steps(*loaded.gpt);
    Random unused(1);
    const std::vector<std::int64_t> written =
        generate(steps, prompt, unused,
                 {.max_new_tokens = std::min<std::int64_t>(199, room),
                  .sampling = {.temperature = 0},
                  .end_token = loaded.tokenizer.special().eos,
                  .on_tokens = [&stream](const IndexTensor& token) {
                      std::cout << stream.add(token(0)) << std::flush;
                      return true;
                  }})[0];
    std::cout << stream.rest() << "\n\n";
    const NoGrad no_grad;
    const IndexTensor all = tensor::concatenate({prompt, IndexTensor(written)}, 0);
    const Tensor logits = (*loaded.gpt)(all).value();
    bool same_tokens = true;
    for (std::size_t i = 0; i < written.size(); ++i) {
        const std::int64_t t = prompt.dim(0) + static_cast<std::int64_t>(i);
        same_tokens =
            same_tokens && tensor::argmax(tutorial::row(logits, t - 1), -1).item() == written[i];
    }
    check(same_tokens, "read at once, without a cache, the same tokens are the likeliest");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    if (options.has("--prompt") && !options.has("--model")) {
        throw tutorial::UsageError("--prompt needs --model");
    }
    const Files files(options.has("--to") ? options.value("--to") : "");
    std::optional<Loaded> given;
    IndexTensor prompt;
    if (options.has("--model")) given = loaded_from(options.value("--model"), true);
    if (given && given->gpt) prompt = beginning(*given, options);
    say("Lesson 20: other people's weights. What is loaded from a file of theirs: is it the same "
        "network?");
    const Tokenizer tokenizer = byte_pairs();  // 20.1, pieces.cpp
    word_pieces(files);                        // 20.2
    by_bytes(files);                           // 20.3, bytes.cpp
    const Published gpt2 = small_gpt2(random);
    const std::string folder = write(files, "gpt2", gpt2);
    write_byte_pairs(folder + "/vocab.json", folder + "/merges.txt", tokenizer);
    const Loaded small = loaded_from(folder, false);
    same_network(given ? *given : small);     // 20.4, network.cpp
    written_out(files, gpt2, small, random);  // 20.4
    wrong_loads(files, small.ids, random);    // 20.5, wrong_loads.cpp
    writes(given ? *given : small, prompt);   // 20.6
}

int main(int argc, char** argv) {
    return tutorial::run(
        {.name = "20_other_peoples_weights",
         .subject = "Tokenizers and files of published models, and what loads wrongly.",
         .options = {{"--to", "DIR", "leave the files in this folder"},
                     {"--model", "DIR", "look into the model in this folder, and let it write"},
                     {"--prompt", "TEXT", "what it writes on from"}}},
        argc, argv, lesson);
}
