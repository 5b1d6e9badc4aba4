#include "vinculum/base/id_set.hpp"

#include <gtest/gtest.h>

#include <set>

namespace vinculum {
namespace {

TEST(IdSet, TellsWhatItMetFirst) {
  using SomeId = Id<struct SomeTag>;
  IdSet<SomeTag> met;
  std::set<SomeId> expected;
  std::uint32_t x = 1;
  for (int i = 0; i < 20000; ++i) {
    x = x * 1664525u + 1013904223u;
    // Dense ones, far ones, and ones that differ by powers of two, which meet in a table of that size.
    const SomeId id(std::size_t{i % 3 == 0 ? x >> 20 : i % 3 == 1 ? x >> 1 : (x >> 24) << 16});
    EXPECT_EQ(met.insert(id), expected.insert(id).second);
  }
}

}  // namespace
}  // namespace vinculum
