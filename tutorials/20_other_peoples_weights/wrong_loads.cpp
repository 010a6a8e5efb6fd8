// Lesson 20: weights that are loaded wrongly, and who notices (20.5).
#include "nn/heed.h"
#include "tutorials/20_other_peoples_weights/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>
#include <stdexcept>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

struct Outcome {
    double apart = 0;         // the largest difference of a logit
    double apart_first = 0;   // of those at the first token
    std::int64_t others = 0;  // at how many tokens another piece is the likeliest
    std::string refusal = {};
};

Outcome compared(const Tensor& right, const Tensor& wrong) {
    const Tensor apart = tensor::abs(wrong - right);  // [T, V]
    Outcome outcome;
    outcome.apart = static_cast<double>(tensor::max(apart).item());
    outcome.apart_first = static_cast<double>(tensor::max(tutorial::row(apart, 0)).item());
    const IndexTensor a = tensor::argmax(right, -1), b = tensor::argmax(wrong, -1);
    for (std::int64_t t = 0; t < right.dim(0); ++t) outcome.others += a(t) != b(t);
    return outcome;
}

// A mistake is another folder, of the same numbers.
using Mistake = void (*)(Published& model);

void replace(Published& model, const std::string& name, const Tensor& value) {
    model.weights.take(name);
    model.weights.add(name, value);
}

void transpose(Published& model, const std::string& name) {
    replace(model, name, tensor::transpose(model.weights.at(name)));
}

void replace(std::string& text, const std::string& old, const std::string& now) {
    text.replace(text.find(old), old.size(), now);
}

void as_it_is(Published&) {}
void c_attn_turned(Published& model) { transpose(model, "h.0.attn.c_attn.weight"); }
void c_proj_turned(Published& model) { transpose(model, "h.0.attn.c_proj.weight"); }
void other_gelu(Published& model) { replace(model.config, "gelu_new", "gelu"); }
void other_eps(Published& model) { replace(model.config, "1e-5", "1e-6"); }

// Rows in which features 2c and 2c + 1 are a pair, for a program whose pairs are c and c + d/2.
void other_pairs(Published& model) {
    const std::int64_t d = 8;
    for (const char* name :
         {"model.layers.0.self_attn.q_proj.weight", "model.layers.0.self_attn.k_proj.weight",
          "model.layers.1.self_attn.q_proj.weight", "model.layers.1.self_attn.k_proj.weight"}) {
        const Tensor W = model.weights.at(name);
        std::vector<std::int64_t> rows;
        for (std::int64_t row = 0; row < W.dim(0); ++row) {
            const std::int64_t c = row % d;
            rows.push_back(row - c + c / 2 + (c % 2) * d / 2);
        }
        replace(model, name, tensor::index_select(W, 0, IndexTensor(rows)));
    }
}

Outcome loaded(const Files& files, const Published& right, Mistake mistake,
               const IndexTensor& ids) {
    const NoGrad no_grad;
    const Gpt model = load_gpt(write(files, "right", right));
    Published changed = right;
    mistake(changed);
    const std::string folder = write(files, "wrong", changed);
    try {
        const Gpt other = load_gpt(folder);
        return compared(model(ids).value(), other(ids).value());
    } catch (const std::exception& error) {
        Outcome outcome;
        outcome.refusal = error.what();
        return outcome;
    }
}

// BERT's weights in a stack that has its norms before attention and feed-forward.
Outcome other_norms(const Files& files, const Published& bert, const IndexTensor& ids) {
    const NoGrad no_grad;
    const TextEncoder post = load_text_encoder(write(files, "right", bert));
    TextEncoderConfig config = post.config();
    config.norm = NormPlace::before;
    Random unused(0);
    TextEncoder pre(config, unused);
    load_state_dict(pre, state_dict(post));
    // BERT's head is its token table, too.
    const Tensor head =
        tensor::transpose(bert.weights.at("bert.embeddings.word_embeddings.weight"));
    return compared(tensor::matmul(post(ids).value(), head),
                    tensor::matmul(pre(ids).value(), head));
}

void print(const std::string& mistake, const Outcome& outcome, std::int64_t T) {
    const bool is_refused = !outcome.refusal.empty();
    const std::string others = std::to_string(outcome.others) + " of " + std::to_string(T);
    print_row(std::cout, mistake,
              {is_refused ? "-" : fixed(outcome.apart, 4), is_refused ? "-" : others,
               is_refused ? "refuses" : "nothing"},
              41, 10);
}

}  // namespace

void wrong_loads(const Files& files, const IndexTensor& ids, Random& random) {
    section("20.5 Wrong loads");
    tutorial::in_the_notes("002's pre-LN stack is said to be BERT's; it cannot carry BERT's "
                           "weights (002-14).");
    say("A file has names and shapes, and does not say what is to be computed. Each line is one "
        "mistake in a model that was right: by how much the logits differ at most, at how many "
        "tokens another piece is the likeliest, and what the loader says:");
    tutorial::predict_choice("One square matrix lies in the file as its transpose. Who notices?",
                             {"the loader", "nobody"}, "nobody", "Its shape is the same.");
    const Published gpt2 = small_gpt2(random);
    const Published llama = small_llama(random);
    const Published bert = small_bert(random);
    const std::int64_t T = ids.dim(0);
    const Outcome none = loaded(files, gpt2, as_it_is, ids);
    const Outcome c_attn = loaded(files, gpt2, c_attn_turned, ids);
    const Outcome c_proj = loaded(files, gpt2, c_proj_turned, ids);
    const Outcome gelu = loaded(files, gpt2, other_gelu, ids);
    const Outcome pairs = loaded(files, llama, other_pairs, ids);
    const Outcome eps = loaded(files, llama, other_eps, ids);
    const Outcome norms = other_norms(files, bert, ids);
    print_row(std::cout, "", {"logits", "likeliest", "loader"}, 41, 10);
    print("GPT-2, as it is", none, T);
    print("c_attn [3·d, d], as a Linear has it", c_attn, T);
    print("c_proj [d, d], as a Linear has it", c_proj, T);
    print("gelu with erf, for the one with tanh", gelu, T);
    print("Llama: rotary pairs 2c, 2c+1 as c, c+d/2", pairs, T);
    print("Llama: an eps of 1e-6 for 1e-5", eps, T);
    print("BERT: post-LN weights in a pre-LN stack", norms, T);
    std::cout << "\n";
    const std::size_t line = c_attn.refusal.find("wrong shape");
    const std::string why = c_attn.refusal.substr(line, c_attn.refusal.find('\n', line) - line);
    say("The loader refuses c_attn: " + why);
    const Tensor apart =
        tensor::of({none.apart, c_proj.apart, gelu.apart, pairs.apart, eps.apart, norms.apart});
    stop("20.5 how far off", {{"apart", apart}});
    check(none.apart == 0 && why.find("is [144, 48] and should be [48, 144]") != std::string::npos,
          "shapes are all that a loader can compare: it refuses c_attn");
    check(c_proj.apart > 0.5 && pairs.apart > 0.1 && norms.apart > 1,
          "what fits in shape is loaded: a transposed c_proj, other pairs, other norms");
    check(gelu.apart > 1e-5 && gelu.apart < 0.1 && eps.apart > 1e-4 && eps.apart < 0.5,
          "the other gelu and the other eps are off by little: the text still looks right");
    check(
        pairs.apart_first < 1e-5,
        "with the wrong rotary pairs the first token's logits are right: nothing is turned there");
    say("So a loaded model is compared with numbers that its authors' program gives, for a text of "
        "several tokens, to the last digits: that it writes well proves nothing.");
}
