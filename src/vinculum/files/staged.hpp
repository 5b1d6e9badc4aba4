#pragma once

#include <sys/types.h>

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

#include "vinculum/outcome.hpp"

namespace vinculum::files {

/// What comes of a call of the system: its value, or its reason as a sentence of the user's.
template <class T>
using Done = Outcome<T, std::string>;

/// "No space left on device": what `errno` says.
[[nodiscard]] std::string reason_of_system();

/// A file, whole and on the disk, under a hidden name of its own until it is placed; it goes where it is not.
class Staged {
 public:
  /// The hidden names: PREFIX, the process and a number, kEnding.
  static constexpr std::string_view kEnding = ".part";

  /// \param folder  an open folder; the new file is no link and was not there before.
  /// \param write   all that the file holds.
  [[nodiscard]] static Done<Staged> make(int folder, std::string_view prefix,
                                         const std::function<void(std::ostream&)>& write);
  Staged(Staged&& other) noexcept;
  Staged& operator=(Staged&&) = delete;
  ~Staged();

  void permit(mode_t mode);  ///< to whom the mode of another file permits it
  /// Under this name from now on, in place of what bore it: of a link, not of what the link leads to.
  [[nodiscard]] Done<void> place(const std::string& name);

 private:
  friend class Unfinished;
  Staged(int folder, std::string hidden) : folder_(folder), hidden_(std::move(hidden)) {}
  int folder_;
  std::string hidden_;  ///< empty where it has been placed
};

/// A file that is written little by little, under a hidden name of its own; where it is not finished nothing is left.
class Unfinished {
 public:
  /// As `Staged::make`.
  [[nodiscard]] static Done<Unfinished> begin(int folder, std::string_view prefix);
  Unfinished(Unfinished&&) noexcept;
  Unfinished& operator=(Unfinished&&) = delete;
  ~Unfinished();

  [[nodiscard]] std::ostream& stream();
  /// A write has failed: what follows is lost, and `finish` says why.
  [[nodiscard]] bool has_failed() const;
  /// Whole and on the disk. Once.
  [[nodiscard]] Done<Staged> finish();

 private:
  struct Own;
  explicit Unfinished(std::unique_ptr<Own> own);
  std::unique_ptr<Own> own_;
};

}  // namespace vinculum::files
