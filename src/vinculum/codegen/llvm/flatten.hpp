#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace vinculum::codegen::native {

/// Combines the code of several objects into one position-independent block. The block is linked once, so loading it
/// later is only a copy.
class FlatCode {
 public:
  /// Appends the code and literals of an ELF x86-64 object and applies its relocations. A reference outside the object
  /// is an error that names the symbol.
  /// \param entries  names of functions of this object; their offsets in the code are appended to `offsets()`
  [[nodiscard]] llvm::Error add(llvm::StringRef object, const std::vector<std::string>& entries);

  [[nodiscard]] const std::vector<unsigned char>& code() const { return code_; }
  [[nodiscard]] const std::vector<std::uint32_t>& offsets() const { return offsets_; }

 private:
  std::vector<unsigned char> code_;
  std::vector<std::uint32_t> offsets_;
};

}  // namespace vinculum::codegen::native
