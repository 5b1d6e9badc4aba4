#include "vinculum/base/content_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace vinculum {
namespace {

using WordId = Id<struct WordTag>;

struct Words {
  std::vector<std::string> words;
  ContentTable<WordTag> table;
  int looks = 0;

  WordId of(const std::string& word, std::uint64_t hash) {
    return table.find_or_make(
        hash, [&](WordId id) { return ++looks, words[id.index()] == word; },
        [&] { return words.push_back(word), WordId(words.size() - 1); });
  }
};

TEST(ContentTable, GivesOneIdToEqualContents) {
  Words known;
  EXPECT_FALSE(known.table.find(3, [](WordId) { return true; }).is_valid());
  std::map<std::string, WordId> expected;
  std::uint32_t x = 1;
  for (int i = 0; i < 20000; ++i) {
    x = x * 1664525u + 1013904223u;
    const std::string word = std::to_string(x >> 20);
    const std::uint64_t hash = std::hash<std::string>{}(word);
    const WordId found = known.table.find(hash, [&](WordId one) { return known.words[one.index()] == word; });
    EXPECT_EQ(found.is_valid(), expected.contains(word)) << word;
    const WordId id = known.of(word, hash);
    const auto [place, is_new] = expected.try_emplace(word, id);
    EXPECT_EQ(place->second, id) << word;
  }
  EXPECT_EQ(known.words.size(), expected.size());
}

TEST(ContentTable, TellsContentsOfOneHashApart) {
  Words known;
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < 700; ++i) EXPECT_EQ(known.of(std::to_string(i), 17).index(), static_cast<std::size_t>(i));
  }
}

TEST(ContentTable, LooksAtContentsWhoseHashesAgreeAlone) {
  Words known;
  for (std::uint64_t i = 0; i < 1000; ++i) known.of(std::to_string(i), i * 256);
  EXPECT_EQ(known.looks, 0);
}

}  // namespace
}  // namespace vinculum
