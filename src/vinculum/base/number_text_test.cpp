#include "vinculum/base/number_text.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/shortest_decimal.hpp"

namespace vinculum {
namespace {

std::string text_of(double x) {
  char digits[kNumberRoom];
  return {digits, write_shortest(digits, x)};
}

/// Compares with the shortest decimals of fmt, which are computed by another algorithm.
struct NumberText : testing::Test {
  int misses = 0;

  void compare(double x) {
    char expected[kNumberRoom], found[kNumberRoom];
    const char* const end = fmt::format_to(expected, FMT_COMPILE("{}"), x);
    const std::string_view of_fmt(expected, static_cast<std::size_t>(end - expected));
    const std::string_view ours(found, static_cast<std::size_t>(write_shortest(found, x) - found));
    if (ours != of_fmt && ++misses < 10) ADD_FAILURE() << ours << " where fmt has " << of_fmt;
  }
  void compare_around(double x) {
    for (const double one : {x, std::nextafter(x, 0.0), std::nextafter(x, 2.0 * x)}) {
      if (!std::isfinite(one)) continue;
      compare(one);
      compare(-one);
    }
  }
};

TEST_F(NumberText, IsWrittenAsPeopleDo) {
  EXPECT_EQ(text_of(0.0), "0");
  EXPECT_EQ(text_of(-0.0), "-0");
  EXPECT_EQ(text_of(0.1), "0.1");
  EXPECT_EQ(text_of(-12.0), "-12");
  EXPECT_EQ(text_of(100.25), "100.25");
  EXPECT_EQ(text_of(0.0001), "0.0001");
  EXPECT_EQ(text_of(0.00001), "1e-05");
  EXPECT_EQ(text_of(1e15), "1000000000000000");
  EXPECT_EQ(text_of(1e16), "1e+16");
  EXPECT_EQ(text_of(-6.02214076e23), "-6.02214076e+23");
  EXPECT_EQ(text_of(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
  EXPECT_EQ(text_of(std::numeric_limits<double>::denorm_min()), "5e-324");
  EXPECT_THROW(text_of(std::nan("")), InternalError);
}

TEST_F(NumberText, HasTheBytesOfFmtOnAllBits) {
  std::mt19937_64 draw(1788);
  for (int i = 0; i < 1'500'000; ++i) {
    const double x = std::bit_cast<double>(draw());
    if (std::isfinite(x)) compare(x);
  }
}

TEST_F(NumberText, HasTheBytesOfFmtOnSizesOfMechanics) {
  std::mt19937_64 draw(1788);
  for (int i = 0; i < 1'000'000; ++i) {
    const double unit = static_cast<double>(draw() >> 11) * 0x1p-53;
    compare(std::ldexp(i % 2 == 0 ? unit : -unit, static_cast<int>(draw() % 80) - 40));
  }
}

TEST_F(NumberText, HasTheBytesOfFmtOnFewDigits) {
  for (int i = 0; i < 200'000; ++i) {
    for (const double one : {1.0 * i, i / 1000.0, i * 1e-7, i * 1e12}) compare(one);
  }
}

TEST_F(NumberText, HasTheBytesOfFmtWhereIntervalsAreUneven) {
  for (int e = -1074; e < 1024; ++e) compare_around(std::ldexp(1.0, e));
  for (int e = -323; e < 309; ++e) compare_around(std::strtod(fmt::format("1e{}", e).c_str(), nullptr));
  for (std::uint64_t i = 1; i < 100'000; ++i) compare(std::bit_cast<double>(i));  // subnormal numbers
  compare_around(std::numeric_limits<double>::min());
  compare_around(std::numeric_limits<double>::max());
}

TEST(ShortestDecimal, HasNoZerosAtItsEnd) {
  for (const double x : {1.0, 20.0, 1e22, 1e-5, 0x1p60}) {
    const Decimal decimal = shortest_decimal(x);
    EXPECT_NE(decimal.significand % 10, 0u) << x;
    EXPECT_EQ(std::strtod(fmt::format("{}e{}", decimal.significand, decimal.power).c_str(), nullptr), x);
  }
}

}  // namespace
}  // namespace vinculum
