#include "vinculum/base/id_set.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace vinculum {
namespace {

using SomeId = Id<struct SomeTag>;
using Ids = IdSet<SomeTag>;

TEST(IdSet, TellsWhatItMetFirst) {
  Ids met;
  std::set<SomeId> expected;
  std::uint32_t x = 1;
  for (int i = 0; i < 20000; ++i) {
    x = x * 1664525u + 1013904223u;
    const SomeId id(std::size_t{i % 2 == 0 ? x >> 20 : x >> 14});  // even i: small, repeated ids; odd i: ids up to 2^18
    EXPECT_EQ(met.contains(id), expected.contains(id));
    EXPECT_EQ(met.insert(id), expected.insert(id).second);
  }
}

TEST(IdSet, BeginsEmptyWhateverTheLastOneMet) {
  for (int turn = 0; turn < 3; ++turn) {
    Ids met;
    for (std::size_t i = 0; i < 1000; ++i) EXPECT_TRUE(met.insert(SomeId(i))) << turn;
  }
}

TEST(IdSet, KeepsApartWhatLivesAtOnce) {
  Ids outer;
  EXPECT_TRUE(outer.insert(SomeId(std::size_t{3})));
  {
    Ids inner;
    EXPECT_FALSE(inner.contains(SomeId(std::size_t{3})));
    EXPECT_TRUE(inner.insert(SomeId(std::size_t{4})));
    std::thread([] { EXPECT_TRUE(Ids().insert(SomeId(std::size_t{3}))); }).join();
  }
  EXPECT_TRUE(outer.contains(SomeId(std::size_t{3})));
  EXPECT_FALSE(outer.contains(SomeId(std::size_t{4})));
}

}  // namespace
}  // namespace vinculum
