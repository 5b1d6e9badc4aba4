#pragma once

#include <filesystem>
#include <memory>

#include "vinculum/error.hpp"

namespace vinculum {

/// A folder for results that one writer has for itself, from before the work until this value is destroyed: so that a
/// full disk, a folder that cannot be written or another writer is known before the motion is computed, and not behind.
///
/// Writing replaces the results that stand there: new files become whole under hidden names first; then the old ones
/// go, all of them, and the new ones come, `result.json` (`compare.json`) last. Where it stands, what stands beside it
/// is whole and of one run. The path to the folder may hold links; a link in the place of a file is replaced, not
/// followed.
class Results {
 public:
  /// Makes the folder and takes it. \returns an Error where it cannot be written into or another writer has it.
  [[nodiscard]] static Result<Results> open(const std::filesystem::path& folder);
  struct Own;
  explicit Results(std::unique_ptr<Own> own);
  /// Removes what `open` has made where nothing was written.
  ~Results();
  Results(Results&&) noexcept;
  Results& operator=(Results&&) noexcept;
  [[nodiscard]] Own& own() { return *own_; }

 private:
  std::unique_ptr<Own> own_;
};

}  // namespace vinculum
