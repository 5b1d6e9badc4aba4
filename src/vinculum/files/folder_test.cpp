#include "vinculum/files/folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <ostream>
#include <set>

#include "support/folder.hpp"

namespace vinculum::files {
namespace {

namespace fs = std::filesystem;

const FileSet kSet{"seal", {"a", "b"}};

NamedFile file(const std::string& name, const std::string& text) {
  return {name, [text](std::ostream& stream) { stream << text; }};
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

using Names = std::set<std::string>;

TEST(Folder, LeavesNothingWhereNothingIsWritten) {
  const test_support::Folder here;
  const fs::path path = here.path() / "deep/er/out";
  {
    const auto folder = Folder::take(path);
    ASSERT_TRUE(folder);
    EXPECT_TRUE(fs::is_directory(path));
  }
  EXPECT_EQ(names_in(here.path()), Names{});
}

TEST(Folder, KeepsWhatWasThereBefore) {
  const test_support::Folder here;
  fs::create_directory(here.path() / "out");
  {
    ASSERT_TRUE(Folder::take(here.path() / "out/new"));
  }
  EXPECT_EQ(names_in(here.path()), Names{"out"});
}

TEST(Folder, HasOneWriterAtATime) {
  const test_support::Folder here;
  const fs::path path = here.path() / "out";
  {
    const auto first = Folder::take(path);
    ASSERT_TRUE(first);
    const auto second = Folder::take(path);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().find("another run writes its results into"), std::string::npos) << second.error();
    EXPECT_TRUE(fs::is_directory(path));
  }
  EXPECT_TRUE(Folder::take(path));
}

TEST(Folder, ReplacesTheWholeSetAndNothingElse) {
  const test_support::Folder here;
  auto folder = Folder::take(here.path() / "out");
  ASSERT_TRUE(folder);
  here.write("out/mine", "mine");
  const NamedFile first[] = {file("a", "1"), file("b", "1"), file("seal", "1")};
  ASSERT_TRUE(folder->replace(kSet, first));
  EXPECT_EQ(names_in(here.path() / "out"), (Names{"a", "b", "mine", "seal"}));
  const NamedFile second[] = {file("a", "2"), file("seal", "2")};
  ASSERT_TRUE(folder->replace(kSet, second));
  EXPECT_EQ(names_in(here.path() / "out"), (Names{"a", "mine", "seal"}));
  EXPECT_EQ(here.read("out/a") + here.read("out/seal"), "22");
}

TEST(Folder, LeavesFilesOfTheSameNamesThatItHasNotWritten) {
  const test_support::Folder here;
  here.write("b", "measured by somebody");  // without a seal this file does not belong to a set
  auto folder = Folder::take(here.path());
  ASSERT_TRUE(folder);
  const NamedFile files[] = {file("a", "1"), file("seal", "1")};
  ASSERT_TRUE(folder->replace(kSet, files));
  EXPECT_EQ(here.read("b"), "measured by somebody");
}

TEST(Folder, ReplacesALinkAndNotWhatItLeadsTo) {
  const test_support::Folder here;
  here.write("precious", "precious");
  auto folder = Folder::take(here.path() / "out");
  ASSERT_TRUE(folder);
  for (const char* name : {"a", "b", "seal"}) fs::create_symlink("../precious", here.path() / "out" / name);
  const NamedFile files[] = {file("a", "1"), file("seal", "1")};
  ASSERT_TRUE(folder->replace(kSet, files));
  EXPECT_EQ(here.read("precious"), "precious");
  EXPECT_EQ(names_in(here.path() / "out"), (Names{"a", "seal"}));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(here.path() / "out/a")));
}

TEST(Folder, MayBeReachedThroughALink) {
  const test_support::Folder here;
  fs::create_directory(here.path() / "disk");
  fs::create_directory_symlink("disk", here.path() / "out");
  auto folder = Folder::take(here.path() / "out");
  ASSERT_TRUE(folder);
  const NamedFile files[] = {file("seal", "1")};
  ASSERT_TRUE(folder->replace(kSet, files));
  EXPECT_EQ(here.read("disk/seal"), "1");
}

TEST(Folder, RefusesAFolderInTheNameOfAFile) {
  const test_support::Folder here;
  fs::create_directories(here.path() / "out/a");
  const auto folder = Folder::take(here.path() / "out");
  ASSERT_TRUE(folder);
  EXPECT_NE(folder->check(kSet).error().find("out/a` is a folder"), std::string::npos);
}

TEST(Folder, RemovesWhatAKilledWriterLeft) {
  const test_support::Folder here;
  here.write(".vinculum-results-77-1.part", "half");
  here.write("b", "of the writer that was killed");
  auto folder = Folder::take(here.path());
  ASSERT_TRUE(folder);
  EXPECT_EQ(names_in(here.path()), Names{"b"});
  const NamedFile files[] = {file("a", "1"), file("seal", "1")};
  ASSERT_TRUE(folder->replace(kSet, files));
  EXPECT_EQ(names_in(here.path()), (Names{"a", "seal"}));
}

TEST(Folder, TakesAFileThatWasWrittenLittleByLittle) {
  const test_support::Folder here;
  here.write("b", "measured by somebody");
  auto folder = Folder::take(here.path());
  ASSERT_TRUE(folder);
  {
    const auto given_up = folder->begin();
    ASSERT_TRUE(given_up);
    (*given_up)->stream() << "nothing is left of this";
  }
  const auto begun = folder->begin();
  ASSERT_TRUE(begun);
  for (const char* part : {"1", "2", "3"}) (*begun)->stream() << part;
  EXPECT_FALSE((*begun)->has_failed());
  const NamedFile files[] = {{"a", {}, *begun}, file("seal", "1")};
  ASSERT_TRUE(folder->replace(kSet, files));
  EXPECT_EQ(here.read("a"), "123");
  EXPECT_EQ(names_in(here.path()), (Names{"a", "b", "seal"}));
}

TEST(Folder, LosesNothingToAWriterThatWasKilledBeforeItReplaced) {
  const test_support::Folder here;
  here.write(".vinculum-run-77-1.part", "half");
  here.write("b", "measured by somebody");
  auto folder = Folder::take(here.path());
  ASSERT_TRUE(folder);
  const NamedFile files[] = {file("seal", "1")};
  ASSERT_TRUE(folder->replace(kSet, files));
  EXPECT_EQ(names_in(here.path()), (Names{"b", "seal"}));
}

TEST(Folder, SaysWhyItCannotBeHad) {
  const test_support::Folder here;
  here.write("file", "");
  for (const char* name : {"file", "file/out"}) {
    const auto folder = Folder::take(here.path() / name);
    ASSERT_FALSE(folder);
    EXPECT_NE(folder.error().find("Not a directory"), std::string::npos) << folder.error();
  }
  fs::create_symlink("nowhere", here.path() / "dangling");
  EXPECT_NE(Folder::take(here.path() / "dangling").error().find("No such file"), std::string::npos);
}

TEST(ReplaceFile, KeepsPermissionsAndLeavesNothingBeside) {
  const test_support::Folder here;
  const fs::path path = here.write("m.vin", "before");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(replace_file(path, "behind"));
  EXPECT_EQ(here.read("m.vin"), "behind");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(names_in(here.path()), Names{"m.vin"});
  EXPECT_FALSE(replace_file(here.path() / "nowhere/m.vin", "text"));
}

}  // namespace
}  // namespace vinculum::files
