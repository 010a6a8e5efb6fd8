// NumPy's files: .npy has one array, .npz is a zip file of several, each with a name.
//     Tensor X = read_npy("X.npy");                       // np.save("X.npy", X)
//     StateDict all = read_npz("all.npz");                // np.savez("all.npz", W=W, b=b)
//     all.at("W");
#pragma once

#include "../../tensor/index_tensor.h"
#include "../state_dict.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION {

// The array as Scalars, rounded to the nearest; of true and false, 1 and 0. Read are f2, f4, f8, i1
// to i8, u1 to u8 and b1 in both byte orders. An array in Fortran's order is a view with such
// strides. Where the file has Scalars, nothing is copied: the tensor lies in the mapped file.
// Errors (std::runtime_error, with the file): it cannot be read, is not a .npy file, is cut
// off or too long; it is of a version other than 1 to 3, or has a header that NumPy would not
// write; numbers of another type, such as objects, strings, complex numbers and records; a shape of
// more than eight axes, or of more numbers than memory can hold.
Tensor read_npy(const std::string& path, CallSite site = CallSite::here());

// The same of whole numbers, such as token ids, of which none is rounded.
// Errors: as above; floating-point numbers, and numbers over 2^63 - 1.
IndexTensor read_npy_integers(const std::string& path, CallSite site = CallSite::here());

// All arrays of a file of np.savez() or np.savez_compressed(), in its order. Errors: as above, with
// the array's name; those of Zip (nn/files/zip.h); a file in it that is not a .npy file.
StateDict read_npz(const std::string& path, CallSite site = CallSite::here());

}}  // namespace heed
