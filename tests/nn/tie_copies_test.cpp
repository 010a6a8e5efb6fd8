// Ties through copies that are not done, assignments between other ties, and moves.
#include "nn/heed.h"
#include "tests/catch.h"

#include <memory>
#include <stdexcept>
#include <utility>

using namespace heed;

namespace {
bool are_tied(const Parameter& a, const Parameter& b) {
    return a.node() == b.node() && a.value().shares_storage_with(b.value());
}

bool same(const Parameter& a, const Parameter& b) {
    return tensor::same_bits(a.value(), b.value());
}

struct Two : Module {
    Embedding tokens;
    Linear head;

    explicit Two(std::uint64_t seed, bool tied = true) : Two(Random(seed), tied) {}
    Two(Random random, bool tied) : tokens(5, 4, random), head(4, 5, random, no_bias) {
        if (tied) tie(head.weight, tokens.weight);
    }
    bool is_tied() const { return are_tied(head.weight, tokens.weight); }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("head", head);
    }
};

bool same(const Two& a, const Two& b) {
    return same(a.tokens.weight, b.tokens.weight) && same(a.head.weight, b.head.weight);
}

// Are copies of the layers, made one by one, parameters of their own?
bool parts_are_apart(const Two& network) {
    const Linear head = network.head;
    const Embedding tokens = network.tokens;
    return head.weight.node() != tokens.weight.node();
}

// The second of its copies or assignments, when both are counted, throws.
struct Throws {
    static int left;

    Throws() = default;
    Throws(const Throws&) { count(); }
    Throws& operator=(const Throws&) {
        count();
        return *this;
    }
    static void count() {
        if (left > 0 && --left == 0) throw std::runtime_error("no more");
    }
};
int Throws::left = 0;

struct ThrowsBetween : Module {
    Embedding tokens;
    Throws between;
    Linear head;

    explicit ThrowsBetween(Random& random) : tokens(5, 4, random), head(4, 5, random, no_bias) {
        tie(head.weight, tokens.weight);
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("head", head);
    }
};

}  // namespace

TEST_CASE("a network assigned to itself leaves no copy open", "[nn][tie]") {
    Two network(1);
    Two& itself = network;
    const Tensor before = tensor::clone(network.tokens.weight.value());
    network = itself;
    CHECK(parts_are_apart(network));
    network = std::move(itself);
    CHECK(parts_are_apart(network));
    CHECK(network.is_tied());
    CHECK(tensor::same_bits(network.head.weight.value(), before));
}

TEST_CASE("a copy or an assignment that throws leaves none open", "[nn][tie]") {
    Random random(2);
    const ThrowsBetween network(random);
    ThrowsBetween target(random);
    for (const bool assigns : {false, true}) {
        INFO("assigns " << assigns);
        Throws::left = 1;
        if (assigns) CHECK_THROWS_AS(target = network, std::runtime_error);
        if (!assigns) CHECK_THROWS_AS(ThrowsBetween(network), std::runtime_error);
        const Linear head = network.head;
        CHECK_FALSE(are_tied(head.weight, target.tokens.weight));
        const Embedding tokens = network.tokens;
        CHECK_FALSE(are_tied(head.weight, tokens.weight));
    }
    const ThrowsBetween whole = network;
    CHECK(are_tied(whole.head.weight, whole.tokens.weight));
    target = network;
    CHECK(are_tied(target.head.weight, target.tokens.weight));
}

namespace {
// Copied by hand, with another head.
struct OtherHead : Module {
    Embedding tokens;
    Linear head;

    explicit OtherHead(Random& random) : tokens(5, 4, random), head(4, 5, random, no_bias) {
        tie(head.weight, tokens.weight);
    }
    OtherHead(const OtherHead& other)
        : Module(other), tokens(other.tokens), head(Linear(4, 5, random(), no_bias)) {}
    static Random& random() {
        static Random drawn(9);
        return drawn;
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("head", head);
    }
};

struct FourParameters : Module {
    Parameter a, b, c, d;

    FourParameters() {
        for (Parameter* parameter : {&a, &b, &c, &d}) *parameter = Parameter(tensor::ones({2}));
        tie(b, a);
        tie(c, a);
        tie(d, a);
    }
    // b is given numbers of its own, c is assigned to in the body, d is left out.
    FourParameters(const FourParameters& other) : Module(other), a(other.a), b(tensor::zeros({2})) {
        c = other.c;
    }
    FourParameters& operator=(const FourParameters&) = default;
    void members(MemberVisitor& visit) override {
        visit("a", a);
        visit("b", b);
        visit("c", c);
        if (d.is_set()) visit("d", d);
    }
};

}  // namespace

TEST_CASE("a copy constructor by hand that leaves a tied parameter out leaves no copy open",
          "[nn][tie]") {
    const FourParameters original;
    const FourParameters copy = original;
    CHECK(are_tied(copy.c, copy.a));
    CHECK_FALSE(copy.b.node() == copy.a.node());
    CHECK((copy.b.value() == 0).all());
    CHECK_FALSE(copy.d.is_set());
    const Parameter b = original.b, d = original.d;
    for (const Parameter* later : {&b, &d}) {
        CHECK_FALSE(later->node() == copy.a.node());
        CHECK((later->value() == 1).all());
    }
    CHECK(b.node() != d.node());

    Random random(3);
    const OtherHead network(random);
    OtherHead with_other_head = network;
    const Linear head = network.head;
    const Embedding tokens = network.tokens;
    CHECK_FALSE(are_tied(head.weight, tokens.weight));
    CHECK_FALSE(are_tied(head.weight, with_other_head.tokens.weight));
    with_other_head.head = network.head;
    CHECK_FALSE(are_tied(with_other_head.head.weight, with_other_head.tokens.weight));
}

namespace {
struct WithList : Module {
    Parameter scale;
    std::vector<Parameter> list;
    std::unique_ptr<Linear> pointed;

    WithList() : scale(tensor::ones({2})), list(2, scale) {
        for (Parameter& parameter : list) tie(parameter, scale);
    }
    WithList(const WithList& other) : Module(other), scale(other.scale) {}  // without the list
    void members(MemberVisitor& visit) override {
        visit("scale", scale);
        visit("list", list);
        visit("pointed", pointed);
    }
};

}  // namespace

TEST_CASE("what a copy left out of a list is free once the copy was used, or is gone",
          "[nn][tie]") {
    const WithList original;
    {
        const WithList copy = original;
        CHECK(count_parameters(copy) == 2);
        const std::vector<Parameter> list = original.list;
        CHECK(list[0].node() != copy.scale.node());
        CHECK(list[0].node() != list[1].node());
    }
    { const WithList unused = original; }
    const std::vector<Parameter> list = original.list;
    CHECK(list[0].node() != list[1].node());

    const WithList first = original, second = original;  // the first does not reach into the second
    CHECK(first.scale.node() != second.scale.node());
    CHECK(count_parameters(second) == 2);
    const std::vector<Parameter> later = original.list;
    CHECK(later[0].node() != first.scale.node());
}

TEST_CASE("after an assignment the target has the numbers and the ties of the source",
          "[nn][tie]") {
    for (const bool source_tied : {false, true}) {
        for (const bool target_tied : {false, true}) {
            for (const bool moves : {false, true}) {
                INFO("source tied " << source_tied << ", target tied " << target_tied << ", moves "
                                    << moves);
                Two source(1, source_tied), target(2, target_tied);
                const Two expected = source;
                const Variable handle = parameters(target)[0].parameter;
                if (moves) {
                    target = std::move(source);
                } else {
                    target = source;
                    CHECK(target.tokens.weight.node() != source.tokens.weight.node());
                    CHECK(source.is_tied() == source_tied);
                }
                CHECK(target.is_tied() == source_tied);
                CHECK(same(target, expected));
                CHECK(handle.node() == target.tokens.weight.node());  // an optimizer goes on
                CHECK(parameters(target).size() == (source_tied ? 1 : 2));
                CHECK(parts_are_apart(target));
            }
        }
    }
}

TEST_CASE("an assignment unties only what is apart in the source", "[nn][tie]") {
    FourParameters target;
    const FourParameters tied;
    FourParameters source;
    untie(source.c);
    untie(source.d);
    tie(source.d, source.c);
    Tensor numbers = source.c.value();
    tensor::overwrite(numbers, tensor::of({7, 7}));
    target = source;
    CHECK(are_tied(target.b, target.a));
    CHECK(are_tied(target.d, target.c));
    CHECK_FALSE(are_tied(target.c, target.a));
    CHECK(target.d(0) == 7);
    CHECK(target.a(0) == 1);
    target = tied;
    for (const Parameter* one : {&target.b, &target.c, &target.d}) {
        CHECK(are_tied(*one, target.a));
        CHECK((*one)(0) == 1);
    }
}

TEST_CASE("an assignment of one tied layer writes to both, and unties nothing", "[nn][tie]") {
    Random random(3);
    Two network(4);
    const Linear other(4, 5, random, no_bias);
    network.head = other;
    CHECK(network.is_tied());
    CHECK(same(network.tokens.weight, other.weight));
}

TEST_CASE("networks with ties can be moved, swapped and assigned to again", "[nn][tie]") {
    Two a(1), b(2);
    const Two was_a = a, was_b = b;
    std::swap(a, b);
    CHECK(a.is_tied());
    CHECK(b.is_tied());
    CHECK(same(a, was_b));
    CHECK(same(b, was_a));
    CHECK(a.tokens.weight.node() != b.tokens.weight.node());

    const Two moved = std::move(a);
    CHECK(moved.is_tied());
    a = was_a;  // of which nothing was left
    CHECK(a.is_tied());
    CHECK(same(a, was_a));
    CHECK(same(moved, was_b));
    b = std::move(a);
    a = Two(7);
    CHECK(same(b, was_a));  // what was moved from keeps no hold on it
    CHECK(a.is_tied());
    CHECK(same(a, Two(7)));
}

namespace {
struct TiedToList : Module {
    Linear first;
    std::vector<Linear> layers;

    TiedToList(Random& random, std::size_t n) : first(3, 3, random, no_bias) {
        for (std::size_t i = 0; i < n; ++i) layers.emplace_back(3, 3, random, no_bias);
        for (Linear& layer : layers) tie(layer.weight, first.weight);
    }
    bool is_tied() const {
        for (const Linear& layer : layers) {
            if (!are_tied(layer.weight, first.weight)) return false;
        }
        return true;
    }
    void members(MemberVisitor& visit) override {
        visit("first", first);
        visit("layers", layers);
    }
};

}  // namespace

TEST_CASE("ties to the elements of a list are copied, assigned and moved", "[nn][tie]") {
    Random random(5);
    for (const std::size_t n : {0, 1, 3}) {
        INFO(n << " layers in the target");
        const TiedToList source(random, 2);
        TiedToList copied(random, n), moved(random, n);
        TiedToList away = source;
        CHECK(away.is_tied());
        const Variable handle = moved.first.weight;
        copied = source;
        CHECK(copied.layers.size() == 2);
        CHECK(copied.is_tied());
        CHECK(same(copied.layers[1].weight, source.first.weight));
        moved = std::move(away);
        CHECK(moved.layers.size() == 2);
        CHECK(moved.is_tied());
        CHECK(handle.node() == moved.layers[1].weight.node());
        CHECK(same(moved.first.weight, source.first.weight));
        const std::vector<Linear> apart = source.layers;
        CHECK(apart[0].weight.node() != apart[1].weight.node());
        CHECK(apart[0].weight.node() != copied.first.weight.node());
    }
}

namespace {
// A network in a network, which is not its member and has ties of its own.
struct Student : Module {
    Embedding tokens;
    Two teacher;
    Linear head;

    explicit Student(Random& random)
        : tokens(5, 4, random), teacher(6), head(4, 5, random, no_bias) {
        tie(head.weight, tokens.weight);
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit.leave_out(teacher);
        visit("head", head);
    }
};

}  // namespace

TEST_CASE("a network with ties inside one with ties keeps its own", "[nn][tie]") {
    Random random(7);
    Student student(random);
    Student copy = student;
    CHECK(copy.teacher.is_tied());
    CHECK(are_tied(copy.head.weight, copy.tokens.weight));
    CHECK_FALSE(are_tied(copy.head.weight, copy.teacher.tokens.weight));
    CHECK(same(copy.teacher, student.teacher));
    Student moved(random);
    untie(moved.head.weight);
    moved = std::move(copy);
    CHECK(moved.teacher.is_tied());
    CHECK(are_tied(moved.head.weight, moved.tokens.weight));
    CHECK(same(moved.teacher, student.teacher));
}
