// Operation: what was done, and its derivative.
// A subclass stands beside the function that records it and keeps, as named members, exactly what
// its derivative needs. The derivative is written in the same operations on variables, so it can
// be differentiated again.
#pragma once

#include "heed/autograd/variable.h"
#include "heed/tensor/runtime/memory.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

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
    operator Variable() const { return get(); }

  private:
    Tensor value_;
    std::weak_ptr<Node> node_;
    std::uint64_t version_ = 0;
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

using Tensors = std::vector<Tensor>;

class Operation {
  public:
    virtual ~Operation() = default;
    // One is made for every operation that is recorded: from memory that is kept for that.
    static void* operator new(std::size_t bytes) { return memory::allocate(bytes); }
    static void operator delete(void* operation, std::size_t bytes) noexcept {
        memory::deallocate(operation, bytes);
    }

    virtual const char* name() const = 0;

    // The output for these numbers as inputs, with the bits that the free function gives; `shape`
    // is the output's. With it a recorded graph is computed again (autograd/inspect/replay.h).
    // Without one, which is an error only there (std::runtime_error), an operation can be recorded
    // too.
    virtual Tensor forward(const Tensors& inputs, const Shape& shape) const;

    // dL/d(input), given G = dL/d(output). Its shape is the input's, or that of the output where
    // the input was broadcast: what broadcasting repeated, the engine adds up.
    virtual Variable gradient(int input, const Variable& G) const = 0;
    // All of them at once, for operations whose derivatives share work.
    virtual void gradients(const Variable& G, Gradients& to) const;

    // True where an infinity in the output was asked for (masked_fill with -inf).
    virtual bool may_be_infinite() const { return false; }
    // Called once, after the node was made.
    virtual void keep_output(const Tensor& value, const std::weak_ptr<Node>& node);
};

// An operation whose derivative is said best with its own output Y.
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
