// A small GPT learns a sentence and says it. What follows "the" depends on the words before it.
#include "heed/heed.h"

#include <iostream>

using namespace heed;

int main() {
    Random random(1);
    const std::string text = "the keys to the cabinet are on the table";
    const WordTokenizer words({text});
    const IndexTensor ids = words.encode(text);  // [9]
    Gpt gpt({.vocab_size = words.size(), .limit = 9, .d_model = 16, .num_layers = 1}, random);
    Adam optimizer(parameters(gpt), {.lr = 0.01});
    for (int step = 0; step <= 60; ++step) {
        const Variable logits = gpt(tensor::slice(ids, 0, 0, -1));              // [8, vocab_size]
        const Variable loss = cross_entropy(logits, tensor::slice(ids, 0, 1));  // of the next words
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        if (step % 20 == 0) std::cout << "step " << step << ": loss " << loss.item() << "\n";
    }
    GptSteps model(gpt);
    const auto said = generate(model, words.encode("the keys"), random,
                               {.max_new_tokens = 7, .sampling = {.temperature = 0}});
    std::cout << "the keys " << words.text_of(IndexTensor(said[0])) << "\n";
}
