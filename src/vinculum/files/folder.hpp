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
  /// If set, this file replaces `write`: it comes from `Folder::begin` and is completely written
  std::shared_ptr<Unfinished> begun = nullptr;
};

/// The names of files that are replaced together. One of them, the seal, is removed before any other file changes, and
/// is written last. So if the seal exists, all files of the set are complete and from the same run.
struct FileSet {
  std::string_view seal;
  std::vector<std::string_view> others;
};

/// A folder that one writer locks before it begins its work and unlocks at the end; a second writer gets an error. The
/// path to the folder may contain links; links inside the folder are never followed.
class Folder {
 public:
  /// Makes and locks the folder and the folders above it, tries to write a file there, and removes temporary files that
  /// a killed writer has left.
  /// \returns an error with the reason if the folder cannot be used, for example because another writer has locked it
  /// or the disk is full.
  [[nodiscard]] static Done<Folder> take(const std::filesystem::path& path);
  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&&) = delete;
  /// Removes those folders that `take` has made and that are still empty.
  ~Folder();

  /// Returns an error if a subfolder has the name of a file of the set.
  [[nodiscard]] Done<void> check(const FileSet& set) const;
  /// Creates a file of the set that the caller writes during its work. The folder must outlive the file.
  [[nodiscard]] Done<std::shared_ptr<Unfinished>> begin();
  /// Replaces the files of the set by `files`. All new files are complete and on the disk before the first old file is
  /// removed. If writing them fails, the old set stays unchanged.
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
  std::vector<std::filesystem::path> made_;  ///< folders made by `take`, outermost first
  bool is_cut_ = false;                      ///< an earlier writer was killed while it replaced the set
};

/// Replaces `path` by a file with this text, or leaves it unchanged on failure; keeps the permissions of the old file.
[[nodiscard]] Done<void> replace_file(const std::filesystem::path& path, std::string_view text);

}  // namespace vinculum::files
