#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace vinculum::codegen::native {

/// The code of several objects as one position-independent piece: what a linker would do once, done here, so that
/// loading it later is a copy.
class FlatCode {
 public:
  /// Appends the code and literals of an ELF x86-64 object and applies its relocations.
  /// Only references within the object are possible; anything else is an error that names it.
  /// \param entries  names of functions of this object; their offsets into the code are appended to `offsets()`.
  [[nodiscard]] llvm::Error add(llvm::StringRef object, const std::vector<std::string>& entries);

  [[nodiscard]] const std::vector<unsigned char>& code() const { return code_; }
  [[nodiscard]] const std::vector<std::uint32_t>& offsets() const { return offsets_; }

 private:
  std::vector<unsigned char> code_;
  std::vector<std::uint32_t> offsets_;
};

}  // namespace vinculum::codegen::native
