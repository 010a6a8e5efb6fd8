// Lesson 19: the cache of a trained model: the same bits (19.3), a beginning that is shared (19.5),
// and a trap (19.6).
#include "tutorials/19_generating/parts.h"

#include "nn/heed.h"
#include "tutorials/14_language_model/training.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::same;
using tutorial::say;
using tutorial::section;

const std::int64_t T = 24;  // tokens of a text

Gpt trained(Random& random) {
    const std::int64_t V = static_cast<std::int64_t>(vocabulary().size());
    Gpt gpt({.vocab_size = V, .limit = T, .d_model = 32, .num_layers = 2, .num_heads = 2}, random);
    train("gpt", gpt, T, 200, random);
    return gpt;
}

IndexTensor ids_of(const std::vector<std::string>& words) {
    std::vector<std::int64_t> ids;
    for (const std::string& word : words) ids.push_back(id_of(word));
    return IndexTensor(ids);
}

void same_bits(const Gpt& gpt) {
    section("19.3 The same bits");
    say("Does the cache change what the model says? Now a GPT that has learned lesson 14's "
        "sentences. It begins with \"the\" and always takes the likeliest token. At each step its "
        "logits are computed with keys and values kept, and from the whole text anew:");
    std::vector<std::int64_t> said = {id_of("the")};
    GptCache cache;
    bool same_logits = true;
    while (said.back() != id_of(".") && static_cast<std::int64_t>(said.size()) < T) {
        const Tensor kept = gpt.with_past(IndexTensor({said.back()}), cache).value();  // [1, V]
        const Tensor anew = tutorial::row(gpt(IndexTensor(said)).value(), -1);         // [V]
        same_logits = same_logits && same(tutorial::row(kept, 0), anew);
        said.push_back(tensor::argmax(anew, -1).item());
    }
    std::cout << words_of(said) << "\n\n";
    check(same_logits, "kept and anew give the same logits at every step, bit for bit");
}

void shared_beginning(const Gpt& gpt) {
    section("19.5 A beginning that is shared");
    say("Four texts begin with \"the keys to the\". A cache can be copied: read the beginning "
        "once, and let a copy go on for each of four nouns. The probabilities of \"is\" and "
        "\"are\" after it:");
    const NoGrad no_grad;
    GptCache beginning;
    gpt.with_past(ids_of({"the", "keys", "to", "the"}), beginning);
    print_row(std::cout, "the keys to the ...", {"is", "are"}, 22, 8);
    bool same_logits = true;
    for (const char* noun : {"cabinet", "cabinets", "door", "doors"}) {
        GptCache copy = beginning;
        const Tensor logits = tutorial::row(gpt.with_past(ids_of({noun}), copy).value(), 0);  // [V]
        const Tensor anew = gpt(ids_of({"the", "keys", "to", "the", noun})).value();
        same_logits = same_logits && same(logits, tutorial::row(anew, -1));
        const Tensor P = tensor::softmax(logits, -1);
        print_row(std::cout, noun, {fixed(P(id_of("is")), 2), fixed(P(id_of("are")), 2)}, 22, 8);
    }
    std::cout << "\n";
    check(same_logits && beginning.length() == 4,
          "with 8 tokens read instead of 20 the logits have the same bits, and the beginning is as "
          "it was");
}

// Gpt::with_past by hand, with the position of the first new token as an argument.
Variable logits_at(const Gpt& gpt, const IndexTensor& ids, GptCache& cache, std::int64_t position) {
    if (cache.blocks.empty()) cache.blocks.resize(gpt.blocks.size());
    const Mask mask = Mask::causal(ids.dim(-1), cache.length() + ids.dim(-1));
    Variable x = gpt.positions.added_to(gpt.tokens(ids), position);  // [..., T, d_model]
    for (std::size_t i = 0; i < gpt.blocks.size(); ++i) {
        x = gpt.blocks[i].with_past(x, cache.blocks[i], mask);
    }
    return gpt.head(gpt.norm(x));  // [..., T, vocab_size]
}

// The loss on texts that are read a token at a time; each token is at position 0 if so `restarted`.
double loss_step_by_step(const Gpt& gpt, const Texts& texts, bool restarted) {
    GptCache cache;
    std::vector<Variable> logits;
    for (std::int64_t t = 0; t < T; ++t) {
        const IndexTensor next = tensor::slice(texts.inputs, 1, t, t + 1);  // [B, 1]
        logits.push_back(logits_at(gpt, next, cache, restarted ? 0 : t));
    }
    return cross_entropy(concatenate(logits, 1), texts.targets).item();
}

void restarted_positions(const Gpt& gpt, Random& random) {
    section("19.6 Positions that start again");
    say("Whoever writes a cache can fall into a trap. Each call reads a single token, and a single "
        "token is at position 0 unless the call says otherwise. Nothing fails, but the model takes "
        "every token for the first of its text. The loss on 100 texts, drawn afresh and read a "
        "token at a time; in the last row the surprise of just these texts, which is the loss of a "
        "model that knows the grammar (14.2):");
    const NoGrad no_grad;
    const Texts texts = random_texts(100, T, random);
    const double at_once = cross_entropy(gpt(texts.inputs), texts.targets).item();
    const double counted = loss_step_by_step(gpt, texts, false);
    const double restarted = loss_step_by_step(gpt, texts, true);
    const Tensor losses = tensor::of({counted, restarted, texts.entropy});
    stop("19.6 losses", {{"losses", losses}});
    print_row(std::cout, "positions 0, 1, 2, ...", {fixed(counted, 3)}, 26, 8);
    print_row(std::cout, "positions 0, 0, 0, ...", {fixed(restarted, 3)}, 26, 8);
    print_row(std::cout, "the texts' surprise", {fixed(texts.entropy, 3)}, 26, 8);
    std::cout << "\n";
    check(counted == at_once,
          "with positions counted on, the loss is that of all positions at once");
    check(restarted > counted + 0.2,
          "with positions that start again, the model predicts much worse");
}
