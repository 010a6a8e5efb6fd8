// Operation: what was done, and its derivative.
// A subclass has the forward computation, the derivative, and as named members exactly what the
// derivative needs; the function that records it stands below it. The derivative is written in the
// same operations on variables, so it can be differentiated again.
#pragma once

#include "heed/autograd/operation_inputs.h"
#include "heed/tensor/runtime/memory.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace heed {
inline namespace HEED_PRECISION {

// An input kept for the derivative, with the version its numbers had. Used as a Variable it checks
// that nobody has overwritten them since (std::runtime_error). Empty where `needed` is false:
// then the derivative that would use it is never asked for.
class Saved {
  public:
    Saved() = default;
    explicit Saved(const Variable& x, bool needed = true);
    const Variable& get() const;
    const Tensor& value() const { return get().value(); }
    operator const Variable&() const { return get(); }

  private:
    Variable variable_;
    std::uint64_t version_ = 0;
    bool kept_ = false;
};

// An operation's own output, kept as numbers: a link back to the node would own itself, so it
// becomes a variable again through a weak one.
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

// What forward() finds on its way to the output and the derivative needs again. It is kept from the
// first call: computing the operation again with other inputs must not change its derivative.
class ByProduct {
  public:
    void keep(const Tensor& value) const {
        if (!value_) value_ = value;
    }
    const Tensor& get() const { return *value_; }

  private:
    mutable std::optional<Tensor> value_;
};

// Where an operation puts the gradients of its inputs.
class Gradients {
  public:
    virtual bool needed(int input) const = 0;
    virtual void set(int input, const Variable& gradient) = 0;
    virtual void set(int input, Variable&& gradient) { set(input, std::as_const(gradient)); }
    virtual int inputs() const = 0;

  protected:
    ~Gradients() = default;
};

class Operation {
  public:
    using Inputs = OperationInputs;

    virtual ~Operation() = default;
    // Recording an operation makes one of these, from memory that is kept for reuse.
    static void* operator new(std::size_t bytes) { return memory::allocate(bytes); }
    static void operator delete(void* operation, std::size_t bytes) noexcept {
        memory::deallocate(operation, bytes);
    }

    virtual const char* name() const = 0;

    // The output for these inputs. record() calls it once; a replay of the graph calls it again,
    // with other values (autograd/inspect/replay.h).
    virtual Tensor forward(const Inputs& in, const CallSite& site) const = 0;

    // The formula: dL/d(input), given G = dL/d(output). Its shape is the input's, or the output's
    // where the input was broadcast; the engine sums over what broadcasting repeated.
    virtual Variable gradient(int input, const Variable& G) const = 0;
    // The formula for every input that needs it.
    virtual void gradients(const Variable& G, Gradients& to) const;
    // The same gradients, to the last bit, in one pass over the numbers. False: there is no such
    // pass. Only the engine chooses between this and the formula (autograd/engine.cpp).
    virtual bool fused_gradients(const Tensor& G, Gradients& to) const;

    // True where an infinity in the output was asked for (masked_fill with -inf).
    virtual bool may_be_infinite() const { return false; }
    // Called once, after the node was made.
    virtual void keep_output(const Tensor& value, const std::weak_ptr<Node>& node);
};

// An operation whose derivative is written with its own output Y.
class OperationKeepingOutput : public Operation {
  public:
    void keep_output(const Tensor& value, const std::weak_ptr<Node>& node) override {
        Y = SavedOutput(value, node);
    }

  protected:
    SavedOutput Y;
};

}  // namespace HEED_PRECISION
}  // namespace heed
