// A published model, from a folder as Hugging Face lays it out, writes on from a prompt:
//     writes_on stories260K "Once upon a time"
#include "heed/heed.h"

#include <iostream>

using namespace heed;

void writes_on(const std::string& folder, const std::string& prompt) {
    const Gpt model = load_gpt(folder);
    const Tokenizer tokenizer = load_tokenizer(folder);
    tokenizer.check_fits(model.config().vocab_size);

    TextStream stream(tokenizer, {.skip_special = true});  // a token may be half a character
    const IndexTensor ids = tokenizer.encode(prompt, {.add_special = true});
    for (std::int64_t t = 0; t < ids.dim(0); ++t) std::cout << stream.add(ids(t));
    const auto show = [&stream](const IndexTensor& token) {
        std::cout << stream.add(token(0)) << std::flush;
        return true;
    };
    GptSteps steps(model);
    Random random(1);
    generate(steps, ids, random, {.max_new_tokens = 100, .on_tokens = show});
    std::cout << stream.rest() << "\n";
}

int main(int count, char** arguments) try {
    if (count != 3) throw std::invalid_argument("usage: writes_on FOLDER PROMPT");
    writes_on(arguments[1], arguments[2]);
} catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
}
