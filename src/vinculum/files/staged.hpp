#pragma once

#include <sys/types.h>

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

#include "vinculum/outcome.hpp"

namespace vinculum::files {

/// Result of a system call: its value, or the reason of its failure as text for the user.
template <class T>
using Done = Outcome<T, std::string>;

/// The text of `errno`, such as "No space left on device".
[[nodiscard]] std::string reason_of_system();

/// A complete file on the disk that has a hidden name until `place` renames it. Otherwise the destructor removes it.
class Staged {
 public:
  /// A hidden name consists of a prefix, the process number, a counter and kEnding.
  static constexpr std::string_view kEnding = ".part";

  /// \param folder  descriptor of an open folder; the file is created there and is never a link.
  /// \param write   writes the whole content.
  [[nodiscard]] static Done<Staged> make(int folder, std::string_view prefix,
                                         const std::function<void(std::ostream&)>& write);
  Staged(Staged&& other) noexcept;
  Staged& operator=(Staged&&) = delete;
  ~Staged();

  void permit(mode_t mode);  ///< sets the permission bits of the file to those of `mode`
  /// Renames the file, and replaces any file that has the new name. If that is a link, the link itself is replaced, not
  /// its target.
  [[nodiscard]] Done<void> place(const std::string& name);

 private:
  friend class Unfinished;
  Staged(int folder, std::string hidden) : folder_(folder), hidden_(std::move(hidden)) {}
  int folder_;
  std::string hidden_;  ///< empty after `place`
};

/// A file with a hidden name that is written bit by bit. If `finish` is not called, the destructor removes it.
class Unfinished {
 public:
  /// Parameters as for `Staged::make`.
  [[nodiscard]] static Done<Unfinished> begin(int folder, std::string_view prefix);
  Unfinished(Unfinished&&) noexcept;
  Unfinished& operator=(Unfinished&&) = delete;
  ~Unfinished();

  [[nodiscard]] std::ostream& stream();
  /// Whether a write has failed. Later output is lost, and `finish` returns the reason.
  [[nodiscard]] bool has_failed() const;
  /// Flushes the file to the disk. Call it once.
  [[nodiscard]] Done<Staged> finish();

 private:
  struct Own;
  explicit Unfinished(std::unique_ptr<Own> own);
  std::unique_ptr<Own> own_;
};

}  // namespace vinculum::files
