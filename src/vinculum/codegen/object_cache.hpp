#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vinculum/codegen/fingerprint.hpp"

namespace vinculum::codegen {

/// A folder of files named by their content's origin: images of compiled kernels, kept between runs. Several processes
/// may use one folder at once: files appear whole, under their name, or not at all.
///
/// What is loaded is going to be executed, so the folder and its files must belong to this user and be writable by no
/// one else, and each file carries a checksum. Whatever is wrong with the cache, the answer is "not there".
class ObjectCache {
 public:
  /// Room that all files together may take; beyond it the longest unused go.
  static constexpr std::uint64_t kDefaultLimit = 256u << 20;

  /// \param folder  made with its parents when missing; empty: a cache that never holds anything.
  explicit ObjectCache(std::string folder, std::uint64_t limit = kDefaultLimit);

  /// The content stored under `key`; empty when there is none, or none that can be trusted.
  [[nodiscard]] std::vector<unsigned char> load(const Fingerprint::Value& key) const;
  /// Keeps `content` under `key` if that is possible. \pre not empty
  void store(const Fingerprint::Value& key, const std::vector<unsigned char>& content) const;
  /// Where `key` is kept, whether it is there or not; for tests and messages.
  [[nodiscard]] std::string path_of(const Fingerprint::Value& key) const;

 private:
  std::string folder_;
  std::uint64_t limit_;
};

}  // namespace vinculum::codegen
