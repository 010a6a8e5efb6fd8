// Lesson 19: a trained model speaks (19.3 to 19.6).
#include "tutorials/19_generating/parts.h"

#include "nn/heed.h"
#include "tutorials/14_language_model/training.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <iostream>
#include <set>

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
    say("Now a GPT that has learned lesson 14's sentences. It begins with \"the\" and always takes "
        "the likeliest token; all logits of each step, with keys and values kept and computed "
        "anew:");
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

// sampling_probabilities() with top_p, by hand.
Tensor nucleus(const Tensor& logits, double p) {
    const Tensor P = tensor::softmax(logits, -1);                  // [V]
    const IndexTensor order = tensor::argsort(P, -1, descending);  // [V]
    const Tensor sorted = tensor::index_select(P, 0, order);       // [V]
    const Tensor before = tensor::cumsum(sorted, 0) - sorted;      // [V]
    const Tensor kept = tensor::where(before < p, sorted, 0);      // [V]
    const Tensor back = tensor::scatter(tensor::zeros_like(P), 0, order, kept);
    return back / tensor::sum(back);
}

struct Spoken {
    double right;           // the part that the grammar could have said
    std::size_t different;  // sentences
};

// 200 sentences that begin with "the".
Spoken speak(const Gpt& gpt, const SamplingOptions& sampling, Random& random) {
    const std::int64_t B = 200;
    const std::vector<std::int64_t> begin(static_cast<std::size_t>(B), id_of("the"));
    GptSteps steps(gpt);
    const std::vector<std::vector<std::int64_t>> all =
        generate(steps, IndexTensor(begin, {B, 1}), random,
                 {.max_new_tokens = 12, .sampling = sampling, .end_token = id_of(".")});
    std::set<std::string> different;
    int right = 0;
    for (std::vector<std::int64_t> said : all) {
        said.insert(said.begin(), id_of("the"));
        different.insert(words_of(said));
        right += is_sentence(said);
    }
    return {right / static_cast<double>(B), different.size()};
}

Spoken print_spoken(const Gpt& gpt, const char* how, const SamplingOptions& sampling,
                    Random& random) {
    const Spoken found = speak(gpt, sampling, random);
    print_row(std::cout, how, {fixed(found.right, 2), std::to_string(found.different)}, 32, 10);
    return found;
}

void choosing(const Gpt& gpt, Random& random) {
    section("19.4 Choosing the next token");
    say("The model gives a probability to every token. Greedy takes the likeliest. Drawing takes "
        "each as often as it is likely; logits divided by a temperature first make likely tokens "
        "likelier (below 1) or all more alike (above 1). top-k draws among the k likeliest only, "
        "top-p among the fewest that have p together. After \"the keys\", in per cent:");
    const NoGrad no_grad;
    const Tensor logits = tutorial::row(gpt(ids_of({"the", "keys"})).value(), -1);  // [V]
    const Tensor plain = sampling_probabilities(logits);
    const Tensor hot = sampling_probabilities(logits, {.temperature = 2});
    const Tensor two = sampling_probabilities(logits, {.temperature = 2, .top_k = 2});
    const Tensor most = sampling_probabilities(logits, {.temperature = 2, .top_p = 0.5});
    stop("19.4 one step", {{"logits", logits}, {"plain", plain}, {"hot", hot}, {"most", most}});
    print_row(std::cout, "", {"to", "are", "is", "all others"}, 28, 11);
    const auto print = [](const char* how, const Tensor& P) {
        const auto of = [&P](const char* word) { return static_cast<double>(P(id_of(word))); };
        const double others = 1 - of("to") - of("are") - of("is");
        print_row(std::cout, how,
                  {fixed(100 * of("to"), 1), fixed(100 * of("are"), 1), fixed(100 * of("is"), 1),
                   fixed(100 * (others > 0 ? others : 0), 1)},
                  28, 11);
    };
    print("as the model has it", plain);
    print("temperature 2", hot);
    print("temperature 2, top-k 2", two);
    print("temperature 2, top-p 0.5", most);
    std::cout << "\n";
    check(plain(id_of("to")) > 0.35 && plain(id_of("are")) > 0.35,
          "the source says \"to\" or \"are\" here, half of the time each: so does the model");
    check(tutorial::difference(Variable(nucleus(logits / 2, 0.5)), Variable(most)) < 1e-6,
          "top-p by hand: sorted, added up, cut, and divided by what is left");

    say("200 sentences each way: how many of them the grammar could have said, and how many are "
        "different. (It has 90.)");
    tutorial::predict_choice("Which way says the same whatever the seed?",
                             {"greedy", "temperature 1", "top-p"}, "greedy", "Nothing is drawn.");
    print_row(std::cout, "", {"right", "different"}, 32, 10);
    const Spoken greedy = print_spoken(gpt, "greedy", {.temperature = 0}, random);
    const Spoken drawn = print_spoken(gpt, "temperature 1", {}, random);
    const Spoken wild = print_spoken(gpt, "temperature 2", {.temperature = 2}, random);
    const Spoken of_k =
        print_spoken(gpt, "temperature 2, top-k 6", {.temperature = 2, .top_k = 6}, random);
    const Spoken of_p =
        print_spoken(gpt, "temperature 2, top-p 0.9", {.temperature = 2, .top_p = 0.9}, random);
    std::cout << "\n";
    check(greedy.right == 1 && greedy.different == 1, "greedy: right, and always the same");
    check(drawn.right > 0.8 && drawn.different > 40, "drawing: most are right, and many different");
    check(wild.right < drawn.right, "a high temperature lets in what does not belong");
    check(of_p.right > of_k.right,
          "a fixed k fits six subjects and not one verb; top-p goes by what the model knows");
}

void shared_beginning(const Gpt& gpt) {
    section("19.5 A beginning that is shared");
    say("Four texts begin with \"the keys to the\". Read it once, and let a copy of the cache go "
        "on for each:");
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
          "8 tokens were read and not 20, the logits are the same bits, and the beginning is as it "
          "was");
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
    say("A cache of one's own has a trap. Each call reads a single token, and a single token "
        "stands at position 0, unless one says otherwise. Nothing fails; the model hears every "
        "token as the first of the text. The loss on 100 new texts, read a token at a time:");
    const NoGrad no_grad;
    const Texts texts = random_texts(100, T, random);
    const double at_once = cross_entropy(gpt(texts.inputs), texts.targets).item();
    const double counted = loss_step_by_step(gpt, texts, false);
    const double restarted = loss_step_by_step(gpt, texts, true);
    const Tensor losses = tensor::of({counted, restarted, texts.entropy});
    stop("19.6 losses", {{"losses", losses}});
    print_row(std::cout, "positions 0, 1, 2, ...", {fixed(counted, 3)}, 26, 8);
    print_row(std::cout, "positions 0, 0, 0, ...", {fixed(restarted, 3)}, 26, 8);
    print_row(std::cout, "the source's entropy", {fixed(texts.entropy, 3)}, 26, 8);
    std::cout << "\n";
    check(counted == at_once, "counted on, the loss is that of all positions at once");
    check(restarted > counted + 0.2, "started again, the model has forgotten what it knew");
}
