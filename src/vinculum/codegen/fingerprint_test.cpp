#include "vinculum/codegen/fingerprint.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace vinculum::codegen {
namespace {

Fingerprint::Value of(const std::string& bytes) {
  Fingerprint fingerprint;
  fingerprint.add(bytes.data(), bytes.size());
  return fingerprint.value();
}

TEST(Fingerprint, IsTheSameForTheSameContent) { EXPECT_EQ(of("sixteen bytes abc"), of("sixteen bytes abc")); }

TEST(Fingerprint, TellsApartEverySingleBitOfAContent) {
  std::string bytes(67, 'x');
  std::set<Fingerprint::Value> seen{of(bytes)};
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = bytes;
      other[k] = static_cast<char>(other[k] ^ (1 << bit));
      EXPECT_TRUE(seen.insert(of(other)).second) << "byte " << k << " bit " << bit;
    }
  }
}

TEST(Fingerprint, TellsApartLengthsOfZeros) {
  std::set<Fingerprint::Value> seen;
  for (std::size_t n = 0; n < 40; ++n) EXPECT_TRUE(seen.insert(of(std::string(n, '\0'))).second) << n;
}

TEST(Fingerprint, TellsApartWhereOneTextEndsAndTheNextBegins) {
  Fingerprint a, b;
  a.add(std::string_view("ab"));
  a.add(std::string_view("c"));
  b.add(std::string_view("a"));
  b.add(std::string_view("bc"));
  EXPECT_NE(a.value(), b.value());
}

TEST(Fingerprint, IsWrittenAsThirtyTwoDigits) {
  EXPECT_EQ(to_hex({0x0123456789abcdefu, 0x1u}), "0123456789abcdef0000000000000001");
}

}  // namespace
}  // namespace vinculum::codegen
