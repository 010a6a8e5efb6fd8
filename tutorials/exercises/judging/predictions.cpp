#include "tutorials/exercises/judging/predictions.h"

#include "tensor/factories.h"

namespace exercise {

using heed::Scalar;

Value::Value(double number) : numbers(heed::tensor::of({number})) {}

// Its length, and its entries.
Value::Value(const heed::Dims& list) {
    std::vector<Scalar> entries(heed::max_rank + 1, 0);
    entries[0] = list.size();
    for (int i = 0; i < list.size(); ++i) {
        entries[static_cast<std::size_t>(i) + 1] = static_cast<Scalar>(list[i]);
    }
    numbers = heed::tensor::from_vector(entries, {heed::max_rank + 1});
}

Value::Value(const heed::Shape& shape) : Value(heed::Dims(shape)) {}

}  // namespace exercise
