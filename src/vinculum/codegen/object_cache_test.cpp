#include "vinculum/codegen/object_cache.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "support/folder.hpp"

namespace vinculum::codegen {
namespace {

namespace fs = std::filesystem;
using Content = std::vector<unsigned char>;

class ObjectCacheTest : public testing::Test {
 protected:
  [[nodiscard]] std::string folder() const { return root_.path().string() + "/deeper/kernels"; }

  test_support::Folder root_;
};

Content content_of(std::size_t size, unsigned seed) {
  Content content(size);
  for (std::size_t k = 0; k < size; ++k) content[k] = static_cast<unsigned char>(k * 31 + seed);
  return content;
}

constexpr Fingerprint::Value kKey{1, 2};

TEST_F(ObjectCacheTest, GivesBackWhatWasStored) {
  const ObjectCache cache(folder());
  EXPECT_TRUE(cache.load(kKey).empty());
  cache.store(kKey, content_of(1000, 7));
  EXPECT_EQ(cache.load(kKey), content_of(1000, 7));
  EXPECT_TRUE(cache.load({1, 3}).empty());
  cache.store(kKey, content_of(10, 8));
  EXPECT_EQ(ObjectCache(folder()).load(kKey), content_of(10, 8));
}

TEST_F(ObjectCacheTest, KeepsItsFolderAndFilesPrivate) {
  const ObjectCache cache(folder());
  cache.store(kKey, content_of(10, 0));
  struct stat status{};
  ASSERT_EQ(::stat(folder().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(::stat(cache.path_of(kKey).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(ObjectCacheTest, IgnoresAFileWithAnyByteChanged) {
  const ObjectCache cache(folder());
  cache.store(kKey, content_of(40, 0));
  const auto size = fs::file_size(cache.path_of(kKey));
  for (std::uintmax_t k = 0; k < size; ++k) {
    cache.store(kKey, content_of(40, 0));
    std::fstream file(cache.path_of(kKey), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(k));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(k));
    file.put(static_cast<char>(byte ^ 0x10));
    file.close();
    EXPECT_TRUE(cache.load(kKey).empty()) << "byte " << k;
  }
}

TEST_F(ObjectCacheTest, IgnoresAFileThatIsCutOffOrTooLong) {
  const ObjectCache cache(folder());
  cache.store(kKey, content_of(40, 0));
  const auto size = fs::file_size(cache.path_of(kKey));
  for (std::uintmax_t length = 0; length < size + 3; ++length) {
    if (length == size) continue;
    cache.store(kKey, content_of(40, 0));
    fs::resize_file(cache.path_of(kKey), length);
    EXPECT_TRUE(cache.load(kKey).empty()) << "length " << length;
  }
}

TEST_F(ObjectCacheTest, IgnoresAFileUnderAnotherName) {
  const ObjectCache cache(folder());
  cache.store(kKey, content_of(40, 0));
  fs::copy_file(cache.path_of(kKey), cache.path_of({5, 5}));
  EXPECT_TRUE(cache.load({5, 5}).empty());
}

TEST_F(ObjectCacheTest, TrustsNothingThatOthersMayWrite) {
  const ObjectCache cache(folder());
  cache.store(kKey, content_of(40, 0));
  ASSERT_EQ(::chmod(cache.path_of(kKey).c_str(), 0620), 0);
  EXPECT_TRUE(cache.load(kKey).empty());
  ASSERT_EQ(::chmod(cache.path_of(kKey).c_str(), 0600), 0);
  EXPECT_FALSE(cache.load(kKey).empty());
  ASSERT_EQ(::chmod(folder().c_str(), 0777), 0);
  EXPECT_TRUE(cache.load(kKey).empty());
  cache.store({9, 9}, content_of(40, 0));
  EXPECT_FALSE(fs::exists(cache.path_of({9, 9})));
}

TEST_F(ObjectCacheTest, FollowsNoLinkInsideItsFolder) {
  const ObjectCache cache(folder());
  cache.store(kKey, content_of(40, 0));
  const std::string elsewhere = root_.path().string() + "/elsewhere";
  fs::rename(cache.path_of(kKey), elsewhere);
  fs::create_symlink(elsewhere, cache.path_of(kKey));
  EXPECT_TRUE(cache.load(kKey).empty());
}

TEST_F(ObjectCacheTest, DoesNothingWithoutAFolderOrWithAnImpossibleOne) {
  const ObjectCache none("");
  none.store(kKey, content_of(40, 0));
  EXPECT_TRUE(none.load(kKey).empty());
  std::ofstream(root_.path().string() + "/file") << "not a folder";
  const ObjectCache impossible(root_.path().string() + "/file/kernels");
  impossible.store(kKey, content_of(40, 0));
  EXPECT_TRUE(impossible.load(kKey).empty());
}

TEST_F(ObjectCacheTest, RemovesTheLongestUnusedBeyondItsLimit) {
  const ObjectCache cache(folder(), 5000);
  for (std::uint64_t k = 0; k < 4; ++k) {
    cache.store({k, 0}, content_of(1000, 0));
    fs::last_write_time(cache.path_of({k, 0}),
                        fs::file_time_type::clock::now() - std::chrono::hours(48 - static_cast<int>(k)));
  }
  EXPECT_FALSE(cache.load({0, 0}).empty());  // makes file 0 the most recently used one
  cache.store({4, 0}, content_of(1000, 0));
  EXPECT_TRUE(cache.load({1, 0}).empty());
  for (const std::uint64_t k : {0u, 2u, 3u, 4u}) EXPECT_FALSE(cache.load({k, 0}).empty()) << k;
  cache.store({5, 0}, content_of(6000, 0));
  EXPECT_TRUE(cache.load({5, 0}).empty()) << "larger than the whole cache may be";
}

TEST_F(ObjectCacheTest, RemovesTemporaryFilesWhoseWriterIsGone) {
  const ObjectCache cache(folder());
  cache.store(kKey, content_of(10, 0));
  std::ofstream(folder() + "/old.tmp") << "x";
  std::ofstream(folder() + "/new.tmp") << "x";
  fs::last_write_time(folder() + "/old.tmp", fs::file_time_type::clock::now() - std::chrono::hours(2));
  cache.store({3, 3}, content_of(10, 0));
  EXPECT_FALSE(fs::exists(folder() + "/old.tmp"));
  EXPECT_TRUE(fs::exists(folder() + "/new.tmp"));
}

TEST_F(ObjectCacheTest, IsWholeWhileProcessesAndThreadsStoreAndLoadTheSameKey) {
  const std::string place = folder();
  const Content content = content_of(200000, 3);
  const auto work = [&place, &content] {
    const ObjectCache cache(place);
    bool is_whole = true;
    for (int k = 0; k < 30; ++k) {
      cache.store(kKey, content);
      is_whole = is_whole && cache.load(kKey) == content;
    }
    return is_whole;
  };
  std::vector<pid_t> children;
  for (int k = 0; k < 3; ++k) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(work() ? 0 : 1);
    children.push_back(child);
  }
  bool other_thread = false;
  std::thread thread([&] { other_thread = work(); });
  EXPECT_TRUE(work());
  thread.join();
  EXPECT_TRUE(other_thread);
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(place), fs::directory_iterator()), 1) << "no temporary file stays";
}

}  // namespace
}  // namespace vinculum::codegen
