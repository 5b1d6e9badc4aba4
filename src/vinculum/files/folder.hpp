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

/// A file to be written.
struct NamedFile {
  std::string name;
  std::function<void(std::ostream&)> write;
  /// Used instead of `write` if set: a file from `Folder::begin`, completely written
  std::shared_ptr<Unfinished> begun = nullptr;
};

/// The names of files that are replaced together. The seal is removed before any of the others changes and written
/// last. So if the seal exists, all files of the set are complete and from the same run.
struct FileSet {
  std::string_view seal;
  std::vector<std::string_view> others;
};

/// A folder that one writer has locked from before its work to its end; a second writer is refused. The path to the
/// folder may contain links; links inside it are never followed.
class Folder {
 public:
  /// Makes and locks the folder and the folders above it, tries to write a file there, and removes temporary files that
  /// a killed writer has left. \returns the reason if the folder cannot be used: another writer has it, the disk is
  /// full, …
  [[nodiscard]] static Done<Folder> take(const std::filesystem::path& path);
  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&&) = delete;
  /// Removes the folders that `take` has made and that are still empty.
  ~Folder();

  /// Fails if a subfolder has the name of a file of the set.
  [[nodiscard]] Done<void> check(const FileSet& set) const;
  /// Begins a file of the set that is written while the work goes on. The folder must outlive it.
  [[nodiscard]] Done<std::shared_ptr<Unfinished>> begin();
  /// Replaces the files of the set by these. All new files are complete and on the disk before the first old file is
  /// removed; if writing them fails, the old set stays unchanged.
  /// \param files  files of the set, including the seal.
  [[nodiscard]] Done<void> replace(const FileSet& set, std::span<const NamedFile> files);

 private:
  explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}
  [[nodiscard]] Done<void> make();
  [[nodiscard]] Done<void> open();
  [[nodiscard]] Done<void> tidy();
  [[nodiscard]] Unexpected<std::string> cannot(const std::string& why) const;

  std::filesystem::path path_;
  Descriptor folder_;
  std::vector<std::filesystem::path> made_;  ///< folders made by `take`, in order
  bool is_cut_ = false;                      ///< a writer was killed while it replaced the set
};

/// Replaces `path` by a file with this text, or leaves it unchanged on failure; keeps the permissions of the old file.
[[nodiscard]] Done<void> replace_file(const std::filesystem::path& path, std::string_view text);

}  // namespace vinculum::files
