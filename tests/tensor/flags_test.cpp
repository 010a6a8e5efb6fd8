// Flags have types of their own, and no flag or fraction passes for an axis, a length or a count:
// such calls do not compile. (Those that PyTorch's users write: tests/nn/from_pytorch/.)
#include "nn/heed.h"
#include "tests/catch.h"

#include <type_traits>

using namespace heed;

namespace {
// compiles<F, Arguments...>: does the call with arguments of these types compile?
template <class Function, class... Arguments>
constexpr bool compiles = std::is_invocable_v<Function, Arguments...>;

// A class whose call is that of all overloads of a function.
#define HEED_CALL(Name, function)                                                                  \
    struct Name {                                                                                  \
        template <class... Arguments>                                                              \
        auto operator()(Arguments... x) const -> decltype(function(x...)) {                        \
            return function(x...);                                                                 \
        }                                                                                          \
    }

HEED_CALL(Sum, tensor::sum);
HEED_CALL(Mean, tensor::mean);
HEED_CALL(Var, tensor::var);
HEED_CALL(Max, tensor::max);
HEED_CALL(Min, tensor::min);
HEED_CALL(ArgMax, tensor::argmax);
HEED_CALL(ArgMin, tensor::argmin);
HEED_CALL(LogSumExp, tensor::logsumexp);
HEED_CALL(RecordedSum, heed::sum);
HEED_CALL(RecordedMean, heed::mean);
HEED_CALL(RecordedVar, heed::var);
HEED_CALL(RecordedMax, heed::max);
HEED_CALL(RecordedMin, heed::min);
HEED_CALL(RecordedLogSumExp, heed::logsumexp);
HEED_CALL(Permute, tensor::permute);
HEED_CALL(Reshape, tensor::reshape);

template <class Reduction, class X>
constexpr bool refuses_flags = compiles<Reduction, X, int>&& compiles<Reduction, X, int, KeepDim> &&
                               !compiles<Reduction, X, bool> &&       // sum(x, true)
                               !compiles<Reduction, X, double> &&     // sum(x, 1.0)
                               !compiles<Reduction, X, int, bool> &&  // sum(x, -1, true)
                               !compiles<Reduction, X, int, double>;

static_assert(refuses_flags<Sum, Tensor> && refuses_flags<RecordedSum, Variable>);
static_assert(refuses_flags<Mean, Tensor> && refuses_flags<RecordedMean, Variable>);
static_assert(refuses_flags<Var, Tensor> && refuses_flags<RecordedVar, Variable>);
static_assert(refuses_flags<Max, Tensor> && refuses_flags<RecordedMax, Variable>);
static_assert(refuses_flags<Min, Tensor> && refuses_flags<RecordedMin, Variable>);
static_assert(refuses_flags<ArgMax, Tensor> && refuses_flags<ArgMin, Tensor>);
static_assert(refuses_flags<LogSumExp, Tensor> && refuses_flags<RecordedLogSumExp, Variable>);

// sum(x, 0, 1), where the axes are {0, 1}; but var(x, 0, 1) has its correction there.
static_assert(!compiles<Sum, Tensor, int, int> && !compiles<Max, Tensor, int, int>);
static_assert(compiles<Var, Tensor, int, int> && !compiles<Var, Tensor, int, int, bool>);
static_assert(!compiles<Var, Tensor, int, int, int>);

static_assert(compiles<Permute, Tensor, int, std::size_t, int>);
static_assert(!compiles<Permute, Tensor, int, bool, int>);
static_assert(compiles<Reshape, Tensor, int, std::size_t>);
static_assert(!compiles<Reshape, Tensor, int, double> && !compiles<Reshape, Tensor, bool>);

template <class Number>
concept IsAxis = requires(Tensor x, Number n) {
    tensor::sum(x, {n, 1});
};
template <class Number>
concept IsLength = requires(Number n) {
    Shape{n, 2};
};
template <class Number>
concept IsIndex = requires(Tensor x, Number n) {
    x(n);
};
template <class Number>
concept IsSecondIndex = requires(Tensor x, Number n) {
    x(0, n);
};
template <class Number>
concept IsEntry = requires(Number n) {
    IndexTensor({n, 2});
};
template <class Number>
concept IsEntryOfRow = requires(Number n) {
    IndexTensor({{n, 2}, {3, 4}});
};
template <class Number>
concept IsPlace = requires(Shape shape, Number n) {
    shape[n];
};

template <class Number>
constexpr bool is_integer = IsAxis<Number>&& IsLength<Number>&& IsIndex<Number>&&
    IsSecondIndex<Number>&& IsEntry<Number>&& IsEntryOfRow<Number>&& IsPlace<Number>;
template <class Number>
constexpr bool is_none =
    !IsAxis<Number> && !IsLength<Number> && !IsIndex<Number> && !IsSecondIndex<Number> &&
    !IsEntry<Number> && !IsEntryOfRow<Number> && !IsPlace<Number>;

static_assert(is_integer<int> && is_integer<std::int64_t> && is_integer<std::size_t>);
static_assert(is_integer<unsigned> && is_integer<short>);
static_assert(is_none<bool> && is_none<double> && is_none<float> && is_none<KeepDim>);

static_assert(std::is_constructible_v<Variable, Tensor, RequiresGrad>);
static_assert(!std::is_constructible_v<Variable, Tensor, KeepDim>);
static_assert(!std::is_convertible_v<bool, KeepDim> && !std::is_convertible_v<KeepDim, bool>);
static_assert(!std::is_convertible_v<KeepDim, std::int64_t>);

}  // namespace

TEST_CASE("var with keepdim behind the axes has the correction 1", "[tensor][flags]") {
    const Tensor x = tensor::of({{1, 2, 3}, {4, 6, 11}});
    CHECK(tensor::var(x, -1, keepdim).shape() == Shape{2, 1});
    CHECK(tensor::var(x, -1, keepdim).to_vector() == std::vector<Scalar>{1, 13});
    CHECK(tensor::var(x, {0, 1}, keepdim).shape() == Shape{1, 1});
    CHECK(var(Variable(x), -1, keepdim).value().to_vector() == std::vector<Scalar>{1, 13});
    CHECK(var(Variable(x), -1, keepdim).shape() == Shape{2, 1});
    CHECK(tensor::var(x, -1, KeepDim::no).shape() == Shape{2});
}

TEST_CASE("sizes of any integer type make shapes, axes and indices", "[tensor][flags]") {
    const std::size_t n = 3;
    const unsigned short two = 2;
    CHECK(tensor::zeros({n, 2}).shape() == Shape{3, 2});
    CHECK(tensor::zeros({n}).shape() == Shape{3});
    CHECK(IndexTensor({n, 1})(0) == 3);
    CHECK(tensor::reshape(tensor::arange(6), {n, two})(2u, n - 2) == 5);
}
