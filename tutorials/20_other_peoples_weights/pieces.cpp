// Lesson 20: byte pairs (20.1) and WordPiece (20.2) by hand.
#include "nn/heed.h"
#include "tutorials/20_other_peoples_weights/parts.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

using namespace heed;
using tutorial::check;
using tutorial::fit;
using tutorial::say;
using tutorial::section;

// Two neighbours that become one piece, and how often they were neighbours when it was learned.
struct LearnedPair {
    std::string left, right;
    std::int64_t times;
};

// A byte's letter: its own where Latin-1 has a visible one, else the next from U+0100 on.
std::string letter_of(int byte) {
    const auto is_visible = [](int b) {
        return (b >= 33 && b <= 126) || (b >= 161 && b <= 255 && b != 173);
    };
    int code = byte;
    if (!is_visible(byte)) {
        code = 256;
        for (int b = 0; b < byte; ++b) code += !is_visible(b);
    }
    if (code < 128) return std::string(1, static_cast<char>(code));
    return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
}

Pieces letters_in(const std::string& text) {
    Pieces letters;
    for (const char c : text) letters.push_back(letter_of(static_cast<unsigned char>(c)));
    return letters;
}

// Words, each with the blank before it.
std::vector<std::string> with_blanks(const std::string& text) {
    std::vector<std::string> words;
    for (const char c : text) {
        if (words.empty() || c == ' ') words.emplace_back();
        words.back() += c;
    }
    return words;
}

std::string joined(const Pieces& pieces, const char* between = " ") {
    std::string all;
    for (const std::string& piece : pieces) all += (all.empty() ? "" : between) + piece;
    return all;
}

// Wherever `left` and `right` are neighbours, they become one piece.
Pieces merged(const Pieces& pieces, const LearnedPair& merge) {
    Pieces result;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const bool is_pair =
            i + 1 < pieces.size() && pieces[i] == merge.left && pieces[i + 1] == merge.right;
        result.push_back(is_pair ? merge.left + merge.right : pieces[i]);
        i += is_pair;
    }
    return result;
}

// The 256 letters in GPT-2's order, which are the first ids: visible bytes, then the others.
Pieces all_letters() {
    Pieces visible, others;
    for (int byte = 0; byte < 256; ++byte) {
        const bool is_latin = letter_of(byte) < letter_of(0);  // U+0100 is the first of the others
        (is_latin ? visible : others).push_back(letter_of(byte));
    }
    visible.insert(visible.end(), others.begin(), others.end());
    return visible;
}

// The most frequent pair of neighbours; of several, the one with the smallest ids.
LearnedPair most_frequent(const std::vector<Pieces>& words, const std::map<std::string, int>& ids) {
    std::map<std::pair<int, int>, LearnedPair> pairs;  // in the order of ids
    for (const Pieces& word : words) {
        for (std::size_t i = 1; i < word.size(); ++i) {
            LearnedPair& pair = pairs[{ids.at(word[i - 1]), ids.at(word[i])}];
            pair = {word[i - 1], word[i], pair.times + 1};
        }
    }
    LearnedPair best{"", "", 0};
    for (const auto& [place, pair] : pairs) {
        if (pair.times > best.times) best = pair;
    }
    return best;
}

// All merges, as long as a pair occurs twice.
std::vector<LearnedPair> learned_merges(const std::string& text) {
    std::map<std::string, int> ids;
    for (const std::string& letter : all_letters()) {
        const int id = static_cast<int>(ids.size());
        ids[letter] = id;
    }
    std::vector<Pieces> words;
    for (const std::string& word : with_blanks(text)) words.push_back(letters_in(word));
    std::vector<LearnedPair> merges;
    while (true) {
        const LearnedPair best = most_frequent(words, ids);
        if (best.times < 2) return merges;
        for (Pieces& word : words) word = merged(word, best);
        ids[best.left + best.right] = 256 + static_cast<int>(merges.size());
        merges.push_back(best);
    }
}

// One word by the merges: always the pair that was learned first, wherever it is.
Pieces cut(const std::string& word, const std::vector<LearnedPair>& merges, bool prints = false) {
    Pieces pieces = letters_in(word);
    while (true) {
        std::size_t rank = merges.size();
        for (std::size_t i = 1; i < pieces.size(); ++i) {
            for (std::size_t r = 0; r < rank; ++r) {
                if (merges[r].left == pieces[i - 1] && merges[r].right == pieces[i]) rank = r;
            }
        }
        if (prints) {
            std::cout << "    " << fit(joined(pieces), 26)
                      << (rank < merges.size() ? "rank " + std::to_string(rank) + ": " +
                                                     merges[rank].left + " + " + merges[rank].right
                                               : "no pair here was learned")
                      << "\n";
        }
        if (rank == merges.size()) return pieces;
        pieces = merged(pieces, merges[rank]);
    }
}

Pieces cut_text(const std::string& text, const std::vector<LearnedPair>& merges) {
    Pieces all;
    for (const std::string& word : with_blanks(text)) {
        for (const std::string& piece : cut(word, merges)) all.push_back(piece);
    }
    return all;
}

Pieces pieces_of(const Tokenizer& tokenizer, const IndexTensor& ids) {
    Pieces pieces;
    for (std::int64_t t = 0; t < ids.dim(0); ++t) pieces.push_back(tokenizer.token(ids(t)));
    return pieces;
}

Tokenizer byte_pairs() {
    section("20.1 Byte pairs");
    tutorial::in_the_notes(
        "002 takes BERT's tokenizer and gives its ids to a table of random numbers "
        "(002-10). The ids mean something only to the table they were made for.");
    say("Weights of others come with a vocabulary of others: row 8 of their token table belongs to "
        "the piece of text that they called 8. GPT-2's pieces are made of bytes, so there is no "
        "text it cannot read. For people, each byte is written as a letter; a blank is Ġ, and an "
        "é, which is two bytes in UTF-8, two letters:");
    for (const char* word : {" flies", "é"}) {
        std::string bytes;
        for (const char c : std::string(word))
            bytes += (bytes.empty() ? "" : " ") + std::to_string(static_cast<unsigned char>(c));
        std::cout << "    " << fit("\"" + std::string(word) + "\"", 10) << fit(bytes, 28)
                  << joined(letters_in(word)) << "\n";
    }
    std::cout << "\n";
    say("The pieces are learned (Sennrich et al. 2016; Radford et al. 2019): count all pairs of "
        "neighbours within words, make one piece of the most frequent, and count again, as long as "
        "a pair occurs twice. Of equally frequent pairs the one with the smaller ids is taken; the "
        "letters have the first 256, each merge makes the next. The text is \"" +
        std::string(sentences) + "\", twice; a word has the blank before it:");
    tutorial::predict_choice("Which pair is merged first?", {"l i", "i e", "k e", "Ġ f"}, "l i",
                             "It is in \"flies\" and in \"like\", four times each.");
    const std::string text = std::string(sentences) + " " + sentences;
    const std::vector<LearnedPair> merges = learned_merges(text);
    Pieces word = letters_in(" flies"), other = letters_in(" like"), third = letters_in(" banana");
    std::cout << "rank  pair        times  so far\n";
    for (std::size_t i = 0; i < merges.size(); ++i) {
        const LearnedPair& merge = merges[i];
        word = merged(word, merge);
        other = merged(other, merge);
        third = merged(third, merge);
        if (i >= 10) continue;
        std::cout << fit(std::to_string(i), 4, tutorial::Align::right) << "  "
                  << fit(merge.left + " + " + merge.right, 12)
                  << fit(std::to_string(merge.times), 5, tutorial::Align::right) << "  "
                  << fit(joined(word), 14) << fit(joined(other), 12) << joined(third) << "\n";
    }
    std::cout << " ...\n\n";
    say("After " + std::to_string(merges.size()) +
        " merges no pair occurs twice, and most words are one piece. The vocabulary is the 256 "
        "bytes and one piece for each merge; GPT-2 stopped after 50,000. A word that was not in "
        "the text is cut by the same "
        "merges, the earliest first:");
    std::cout << "\" alike\"\n";
    const Pieces alike = cut(" alike", merges, true);
    std::cout << "\" bana\"\n";
    const Pieces bana = cut(" bana", merges, true);
    std::cout << "\n";
    const Tokenizer tokenizer = train_byte_pairs(text, 1000, {});
    bool same_pieces = tokenizer.size() == 256 + static_cast<std::int64_t>(merges.size());
    for (std::size_t i = 0; i < merges.size() && same_pieces; ++i) {
        const std::int64_t id = 256 + static_cast<std::int64_t>(i);
        same_pieces = tokenizer.token(id) == merges[i].left + merges[i].right;
    }
    for (const char* some :
         {sentences, " alike", " bana", " flown", " time an arrow fries", " é"}) {
        same_pieces =
            same_pieces && pieces_of(tokenizer, tokenizer.encode(some)) == cut_text(some, merges);
    }
    check(same_pieces, "train_byte_pairs() learns the same pieces in the same order, and its "
                       "tokenizer cuts as here by hand");
    check(joined(cut_text("time flies like an arrow", merges)) == "time Ġflies Ġlike Ġan Ġarrow",
          "\"time flies like an arrow\" is five pieces");
    bool all_back = true;
    for (const char* some : {" alike", " flown", " é", " \n\x01\xff"}) {
        all_back = all_back && joined(cut(some, merges), "") == joined(letters_in(some), "");
    }
    check(all_back && alike.size() < 6 && bana.size() == 2,
          "nothing is unknown and nothing is lost: the pieces of any bytes, joined, are the bytes");
    return tokenizer;
}

namespace {
using List = std::set<std::string>;

struct Tried {
    Pieces pieces;
    Pieces looked_up;
};

// WordPiece: from the left, always the longest piece there is; inside a word they begin with ##.
Tried longest_matches(const std::string& word, const List& vocabulary) {
    Tried tried;
    for (std::size_t begin = 0; begin < word.size();) {
        std::size_t end = word.size();
        std::string piece;
        for (; end > begin; --end) {
            piece = (begin > 0 ? "##" : "") + word.substr(begin, end - begin);
            tried.looked_up.push_back(piece);
            if (vocabulary.count(piece)) break;
        }
        if (end == begin) {
            tried.pieces = {"[UNK]"};  // the whole word
            return tried;
        }
        tried.pieces.push_back(piece);
        begin = end;
    }
    return tried;
}

}  // namespace

void word_pieces(const Files& files) {
    section("20.2 WordPiece");
    say("BERT's pieces are cut in another way: no ranks, only a list. From the left, the longest "
        "piece in the list is taken; a piece that continues a word is written with ##. Let the "
        "list be:");
    const List vocabulary = {"[UNK]", "an", "arrow",  "ban",   "banana", "fl",   "like",
                             "time",  "un", "##anas", "##ies", "##like", "##ly", "##y"};
    std::cout << "    " << joined(Pieces(vocabulary.begin(), vocabulary.end())) << "\n\n";
    const Tried flies = longest_matches("flies", vocabulary);
    say("\"flies\", looked up one after the other: " + joined(flies.looked_up, ", ") + ". So:");
    tutorial::predict_choice(
        "What becomes of \"bananas\"?", {"banana ##s", "ban ##anas", "[UNK]"}, "[UNK]",
        "banana is the longest, the list has no ##s, and there is no way back.");
    for (const char* word : {"flies", "fly", "unlikely", "bananas"}) {
        std::cout << "    " << fit(word, 12) << joined(longest_matches(word, vocabulary).pieces)
                  << "\n";
    }
    std::cout << "\n";
    std::string list;
    for (const std::string& piece : vocabulary) list += piece + "\n";
    write_text(files.path("vocab.txt"), list);
    const Tokenizer tokenizer = read_word_pieces(files.path("vocab.txt"));
    bool same_pieces = true;
    for (const char* word : {"flies", "fly", "unlikely", "bananas", "time", "arrows"}) {
        same_pieces = same_pieces && pieces_of(tokenizer, tokenizer.encode(word)) ==
                                         longest_matches(word, vocabulary).pieces;
    }
    check(same_pieces, "read_word_pieces() cuts the same pieces with this list");
    check(joined(longest_matches("unlikely", vocabulary).pieces) == "un ##like ##ly",
          "a word that is not in the list is pieces of it");
    check(joined(longest_matches("bananas", vocabulary).pieces) == "[UNK]" &&
              vocabulary.count("ban") && vocabulary.count("##anas"),
          "\"bananas\" is unknown, though ban and ##anas are in the list: what was taken is kept");
    say("So text can be lost here, and with bytes it cannot.");
}
