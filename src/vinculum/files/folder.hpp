#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/files/descriptor.hpp"
#include "vinculum/files/staged.hpp"

namespace vinculum::files {

/// A file to be.
struct NamedFile {
  std::string name;
  std::function<void(std::ostream&)> write;
  std::shared_ptr<Unfinished> begun = nullptr;  ///< in place of `write`: by `Folder::begin`, all of it written
};

/// Files of one piece of work. The seal is taken away before any of the others changes and put last: where it stands,
/// all that stands beside it is whole and of one piece.
struct FileSet {
  std::string_view seal;
  std::vector<std::string_view> others;
};

/// A folder that one writer has for itself, from before its work to its end: nobody else can take it meanwhile. The
/// path to it may hold links; no name inside is ever followed.
class Folder {
 public:
  /// Makes the folder with those above it, tries whether a file can be made there and removes what a writer that was
  /// killed has left half done. \returns why it cannot be written into: another has it, a disk is full, …
  [[nodiscard]] static Done<Folder> take(const std::filesystem::path& path);
  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&&) = delete;
  /// Removes what `take` has made of folders in which nothing was written.
  ~Folder();

  /// Why a file of the set cannot stand here, whatever it holds: a folder bears its name.
  [[nodiscard]] Done<void> check(const FileSet& set) const;
  /// A file of the set to be that is written while the work goes on. The folder outlives it.
  [[nodiscard]] Done<std::shared_ptr<Unfinished>> begin();
  /// These files in place of the set that stood here, of which nothing is left. Before the first old one goes all new
  /// ones are whole and on the disk; where that fails the old set stays.
  /// \param files  of the set, the seal among them.
  [[nodiscard]] Done<void> replace(const FileSet& set, std::span<const NamedFile> files);

 private:
  explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}
  [[nodiscard]] Done<void> make();
  [[nodiscard]] Done<void> open();
  [[nodiscard]] Done<void> tidy();
  [[nodiscard]] Unexpected<std::string> cannot(const std::string& why) const;

  std::filesystem::path path_;
  Descriptor folder_;
  std::vector<std::filesystem::path> made_;  ///< in the order of making
  bool is_cut_ = false;                      ///< a writer was killed while it replaced
};

/// A whole file or none in place of `path`, with the permissions of what was there.
[[nodiscard]] Done<void> replace_file(const std::filesystem::path& path, std::string_view text);

}  // namespace vinculum::files
