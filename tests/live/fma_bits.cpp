// Prints what a·b + c, rounded once, is for a million operands of each precision, and for a million
// of matrix products, as a hash of each thousand. Compiled for this machine and for WebAssembly,
// which has no such instruction: the lines must be the same.
#include "tensor/factories.h"
#include "tensor/kernels/fma.h"
#include "tensor/ops.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {
std::uint64_t state = 1;

// splitmix64
std::uint64_t random_bits() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

template <class Real>
struct Layout;
template <>
struct Layout<float> {
    using Word = std::uint32_t;
    static constexpr int fraction = 23, bias = 127;
};
template <>
struct Layout<double> {
    using Word = std::uint64_t;
    static constexpr int fraction = 52, bias = 1023;
};

template <class Real>
typename Layout<Real>::Word bits_of(Real x) {
    typename Layout<Real>::Word word;
    std::memcpy(&word, &x, sizeof word);
    return word;
}

template <class Real>
Real from_bits(std::uint64_t bits) {
    const typename Layout<Real>::Word word = static_cast<typename Layout<Real>::Word>(bits);
    Real x;
    std::memcpy(&x, &word, sizeof x);
    return x;
}

// With an exponent from -range to range - 1 and, of the fraction, often only the first bits.
template <class Real>
Real number(int range) {
    using L = Layout<Real>;
    const std::uint64_t random = random_bits();
    const std::uint64_t exponent =
        static_cast<std::uint64_t>(L::bias - range) + random % (2 * static_cast<unsigned>(range));
    const int cut = random >> 63 ? 0 : static_cast<int>((random >> 32) % L::fraction);
    const std::uint64_t fraction = (random_bits() >> (64 - L::fraction)) >> cut << cut;
    const std::uint64_t sign = (random >> 62 & 1) << (8 * sizeof(Real) - 1);
    return from_bits<Real>(sign | exponent << L::fraction | fraction);
}

template <class Real>
struct Operands {
    Real a, b, c;
};

// One in four of each: any bits; numbers of a size; a sum that cancels but for a little; one where
// the addend lies about half a last digit of the product away.
template <class Real>
Operands<Real> operands(Real a) {
    const std::uint64_t kind = random_bits() % 4;
    if (kind == 0) return {a, from_bits<Real>(random_bits()), from_bits<Real>(random_bits())};
    const Real b = number<Real>(20);
    if (kind == 1) return {a, b, number<Real>(40)};
    const Real product = a * b;
    if (kind == 2) return {a, b, from_bits<Real>(bits_of(-product) + random_bits() % 3 - 1)};
    const int shift = Layout<Real>::fraction + static_cast<int>(random_bits() % 3);
    const std::uint64_t half =
        bits_of(product) - (static_cast<std::uint64_t>(shift) << Layout<Real>::fraction);
    const int cut = random_bits() % 2 == 0 ? 0 : 8;  // a shorter one meets the middle more often
    return {a, b, from_bits<Real>(half >> cut << cut)};
}

template <class Real>
Real factor() {
    return random_bits() % 4 == 0 ? from_bits<Real>(random_bits()) : number<Real>(20);
}

// All NaN are one.
template <class Real>
std::uint64_t folded(std::uint64_t hash, Real y) {
    return (hash ^ (y == y ? bits_of(y) : ~std::uint64_t{0})) * 0x100000001b3;
}
constexpr std::uint64_t seed = 0xcbf29ce484222325;

void print(const char* name, int block, std::uint64_t hash) {
    std::printf("%s %d %016" PRIx64 "\n", name, block, hash);
}

template <class Real>
void print_numbers(const char* name) {
    for (int block = 0; block < 1000; ++block) {
        std::uint64_t hash = seed;
        for (int i = 0; i < 1000; ++i) {
            const Operands<Real> x = operands(factor<Real>());
            hash = folded(hash, heed::kernels::math::fma(x.a, x.b, x.c));
        }
        print(name, block, hash);
    }
}

// A row (1, a) times columns (c, b): the kernels of products have vectors.
void print_products() {
    const int rows = 125, columns = 8;
    for (int block = 0; block < 1000; ++block) {
        heed::Tensor A = heed::tensor::ones({rows, 1, 2});
        heed::Tensor B = heed::tensor::zeros({rows, 2, columns});
        for (int i = 0; i < rows; ++i) {
            float* row = A.writable_data() + 2 * i;
            float* entries = B.writable_data() + 2 * columns * i;
            row[1] = factor<float>();
            for (int j = 0; j < columns; ++j) {
                const Operands<float> x = operands(row[1]);
                entries[j] = x.c;
                entries[columns + j] = x.b;
            }
        }
        std::uint64_t hash = seed;
        for (const float y : heed::tensor::matmul(A, B).to_vector()) hash = folded(hash, y);
        print("product", block, hash);
    }
}

}  // namespace

int main() {
    print_numbers<float>("float");
    print_numbers<double>("double");
    print_products();
}
