#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vinculum/codegen/fingerprint.hpp"

namespace vinculum::codegen {

/// Folder with images of compiled kernels, one file per key. Several processes may use one folder at the same time: a
/// file gets its name only when it is complete.
///
/// The contents will be executed. So the folder and its files must belong to this user and must not be writable by
/// others, and each file has a checksum. Any problem with the cache has the same effect as a missing file.
class ObjectCache {
 public:
  /// Largest total size of the files in bytes. If it is exceeded, files that have not been used for the longest time
  /// are deleted.
  static constexpr std::uint64_t kDefaultLimit = 256u << 20;

  /// \param folder  created with its parents if it does not exist; empty: a cache that stores nothing.
  explicit ObjectCache(std::string folder, std::uint64_t limit = kDefaultLimit);

  /// The content stored under `key`; empty if there is no file that is valid and safe to use.
  [[nodiscard]] std::vector<unsigned char> load(const Fingerprint::Value& key) const;
  /// Stores `content` under `key` if possible. \pre content is not empty.
  void store(const Fingerprint::Value& key, const std::vector<unsigned char>& content) const;
  /// Path of the file for `key`, whether or not it exists; for tests and messages.
  [[nodiscard]] std::string path_of(const Fingerprint::Value& key) const;

 private:
  std::string folder_;
  std::uint64_t limit_;
};

}  // namespace vinculum::codegen
