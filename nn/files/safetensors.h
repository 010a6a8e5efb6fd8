// Safetensors: tensors by name in a file, as Hugging Face's models have them. 8 bytes with the
// length of a JSON header, little-endian; the header, which says of each name its type, shape and
// place; then the numbers. (https://github.com/huggingface/safetensors)
#pragma once

#include "../state_dict.h"
#include "file_bytes.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// A tensor in a file: dtype is F64, F32, F16, BF16, I8 to I64, U8 to U64 or BOOL.
struct StoredTensor {
    std::string name, dtype;
    Shape shape;
    std::size_t begin, end;  // its bytes, counted from the end of the header
};

// One file, opened and checked: all names, types, shapes and places, before any number is read.
class Safetensors {
  public:
    // Errors (std::runtime_error, with the file and, where there is one, the tensor's name): a file
    // that cannot be read or is too short, a header of over 100 MB or with other members than it
    // should have, a name twice, an unknown type, more than 8 axes, places that overlap, leave
    // holes, or are not as long as type and shape say.
    explicit Safetensors(const std::string& path, CallSite site = CallSite::here());

    const std::vector<StoredTensor>& tensors() const {
        return tensors_;
    }  // as they lie in the file
    const std::map<std::string, std::string>& metadata() const { return metadata_; }

    // The numbers as Scalars, rounded to the nearest if the file has more digits. Where the file
    // has Scalars, nothing is copied: the tensor lies in the mapped file.
    Tensor read(const StoredTensor& stored) const;

  private:
    void read_header(std::string_view header, const CallSite& site);
    void check_places(const CallSite& site) const;

    std::string path_;
    FileBytes bytes_;
    std::size_t data_ = 0;  // where the header ends
    std::vector<StoredTensor> tensors_;
    std::map<std::string, std::string> metadata_;
};

// All tensors of a file, or of all files that `path`, if it ends in .json, is the index of
// (model.safetensors.index.json). Errors: as above; an index without weight_map, which names a file
// in another folder, or a tensor that its file does not have.
StateDict read_safetensors(const std::string& path, CallSite site = CallSite::here());

enum class StoredType { f32, f64, f16, bf16 };

struct SafetensorsOptions {
    // Numbers are rounded to the nearest; beyond the largest they become infinite.
    StoredType type = sizeof(Scalar) == sizeof(float) ? StoredType::f32 : StoredType::f64;
    std::map<std::string, std::string> metadata = {};
};

// Writes the file whole or not at all (write_whole). Errors (std::runtime_error): it cannot be
// written; a name, a key or a text of the metadata that is not UTF-8; the name "__metadata__"; a
// header of over 100 MB. std::invalid_argument: a type that is not a value of its enum.
void write_safetensors(const std::string& path, const StateDict& state,
                       const SafetensorsOptions& options = {}, CallSite site = CallSite::here());

}}  // namespace heed
