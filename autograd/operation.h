// Operation: one computation and its derivative.
// A subclass has the forward computation, the derivative, and, as named members, exactly what these
// need; the function that records it comes right after it. The derivative is written with
// operations on variables, so it can be differentiated again.
#pragma once

#include "../tensor/runtime/memory.h"
#include "grad_mode.h"
#include "variable.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// An input saved for the derivative, with the version of its value. Every use checks that the value
// was not overwritten since (std::runtime_error). Empty if `needed` is false: the derivative that
// would use it is then never requested.
class Saved {
  public:
    Saved() = default;
    explicit Saved(const Variable& x, bool needed = true) {
        if (needed && grad_enabled()) keep(x);  // if nothing is recorded, no derivative uses it
    }
    const Variable& get() const;
    const Tensor& value() const { return get().value(); }
    operator const Variable&() const { return get(); }

  private:
    void keep(const Variable& x);

    std::optional<Variable> variable_;
    std::uint64_t version_ = 0;
};

// An operation's own output, saved for the derivative. It refers to its node weakly: the node owns
// the operation, so a shared_ptr back to the node would keep it alive forever.
class SavedOutput {
  public:
    SavedOutput() = default;
    SavedOutput(const Tensor& value, std::weak_ptr<Node> node);
    Variable get() const;
    const Tensor& value() const;
    operator Variable() const { return get(); }

  private:
    Tensor value_;
    std::weak_ptr<Node> node_;
    std::uint64_t version_ = 0;
};

// An intermediate result of forward() that the derivative needs again. Only that of the first call
// is kept: computing the operation again with other inputs must not change its derivative.
class ByProduct {
  public:
    void keep(const Tensor& value) const {
        if (!value_) value_ = value;
    }
    const Tensor& get() const { return *value_; }

  private:
    mutable std::optional<Tensor> value_;
};

// The inputs of one operation, in order: {&A, &B}, or a vector of any length. It holds pointers to
// the variables, which must outlive it.
class OperationInputs {
  public:
    OperationInputs(const Variable* a, const Variable* b = nullptr, const Variable* c = nullptr,
                    const Variable* d = nullptr)
        : few_{a, b, c, d}, size_(1 + (b != nullptr) + (c != nullptr) + (d != nullptr)) {}
    OperationInputs(const std::vector<Variable>& inputs)
        : many_(inputs.data()), size_(static_cast<int>(inputs.size())) {}

    int size() const { return size_; }
    const Variable& variable(int i) const { return many_ ? many_[i] : *few_[i]; }
    const Tensor& operator[](int i) const { return variable(i).value(); }

  private:
    const Variable* few_[4] = {};
    const Variable* many_ = nullptr;
    int size_;
};

// Receives the gradients that a fused pass computes for its operation's inputs.
class Gradients {
  public:
    virtual bool needed(int input) const = 0;
    // Ignored for an input that needs no gradient.
    virtual void set(int input, Tensor gradient) = 0;
    // The sum of the gradients this input has received so far, zeros if none. A fused pass of an
    // operation that reads few entries of a large input adds to these entries only, instead of
    // setting a gradient that is zero everywhere else. Null: set() must be used.
    virtual Tensor* sum_so_far(int /*input*/) { return nullptr; }

  protected:
    ~Gradients() = default;
};

class Operation {
  public:
    using Inputs = OperationInputs;

    virtual ~Operation() = default;
    // Every recorded operation is one allocation, from memory that is kept for reuse.
    static void* operator new(std::size_t bytes) { return memory::allocate(bytes); }
    static void operator delete(void* operation, std::size_t bytes) noexcept {
        memory::deallocate(operation, bytes);
    }

    virtual const char* name() const = 0;

    // The output for these inputs. record() calls it once; a replay of the graph calls it again
    // with other values (autograd/inspect/replay.h).
    virtual Tensor forward(const Inputs& in, const CallSite& site) const = 0;

    // The formula: dL/d(input), given G = dL/d(output). Its shape is the input's, or one that the
    // input's broadcasts to; the engine then sums over the broadcast axes.
    virtual Variable gradient(int input, const Variable& G) const = 0;
    // The formula for all inputs at once, of an operation whose derivatives share work: one
    // gradient for each input, null if the output does not depend on it. Empty: gradient() is
    // called for each.
    virtual std::vector<std::optional<Variable>> gradients(const Variable& G) const;
    // The same for every input that needs one, bit for bit, in one fused pass. False: there is no
    // such pass. In a backward pass only BackwardPass::derive chooses between it and the formula.
    virtual bool fused_gradients(const Tensor& G, Gradients& to) const;

    // True if an infinity in the output is intended (masked_fill with -inf).
    virtual bool may_be_infinite() const { return false; }
    // Called once, after the node was created.
    virtual void keep_output(const Tensor& value, const std::weak_ptr<Node>& node);
};

// An operation whose derivative uses its own output Y.
class OperationKeepingOutput : public Operation {
  public:
    void keep_output(const Tensor& value, const std::weak_ptr<Node>& node) override {
        Y = SavedOutput(value, node);
    }

  protected:
    SavedOutput Y;
};

}}  // namespace heed
