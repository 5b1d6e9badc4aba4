#include "vinculum/codegen/code_image.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace vinculum::codegen {
namespace {

/// An image with one program, which has one function with the given machine code.
std::vector<unsigned char> image_of(const std::vector<unsigned char>& code) {
  const native::ImageHeader header{native::kAbiVersion, 1, 1, 64, static_cast<std::uint32_t>(code.size()),
                                   native::Level::kFull};
  const native::ProgramImage program{5, 0, 1};
  const std::uint32_t offset = 0;
  std::vector<unsigned char> image(64 + code.size());
  std::memcpy(image.data(), &header, sizeof header);
  std::memcpy(image.data() + sizeof header, &program, sizeof program);
  std::memcpy(image.data() + sizeof header + sizeof program, &offset, sizeof offset);
  std::memcpy(image.data() + 64, code.data(), code.size());
  return image;
}

std::shared_ptr<const CodeImage> map(const std::vector<unsigned char>& image, std::size_t program_count = 1) {
  std::string error;
  auto mapped = CodeImage::map(image, program_count, error);
  EXPECT_EQ(mapped == nullptr, !error.empty());
  return mapped;
}

void put(std::vector<unsigned char>& image, std::size_t word, std::uint32_t value) {
  std::memcpy(image.data() + word * sizeof value, &value, sizeof value);
}

#if defined(__x86_64__)
TEST(CodeImage, RunsItsCode) {
  const std::vector<unsigned char> sum_of_inputs = {
      0xf2, 0x0f, 0x58, 0x07,  // addsd (%rdi), %xmm0
      0xf2, 0x0f, 0x11, 0x02,  // movsd %xmm0, (%rdx)
      0xc3,                    // ret
  };
  const auto mapped = map(image_of(sum_of_inputs));
  ASSERT_NE(mapped, nullptr);
  EXPECT_EQ(mapped->workspace_size(0), 5u);
  const double other = 2.5;
  double output = 0.0;
  ASSERT_NE(mapped->entries(0)[0], nullptr);
  mapped->entries(0)[0](0.25, &other, nullptr, &output, nullptr, nullptr);
  EXPECT_EQ(output, 2.75);
  EXPECT_EQ(mapped->entries(0)[1], nullptr);
}
#endif

TEST(CodeImage, RefusesAnImageOfAnyOtherLength) {
  const std::vector<unsigned char> image = image_of({0xc3, 0xc3, 0xc3});
  for (std::size_t length = 0; length < image.size(); ++length) {
    EXPECT_EQ(map({image.begin(), image.begin() + static_cast<std::ptrdiff_t>(length)}), nullptr) << length;
  }
  std::vector<unsigned char> longer = image;
  longer.push_back(0xc3);
  EXPECT_EQ(map(longer), nullptr);
}

TEST(CodeImage, RefusesTablesThatLeaveTheImage) {
  const std::vector<unsigned char> good = image_of({0xc3});
  ASSERT_NE(map(good), nullptr);
  const auto with = [&good](std::size_t word, std::uint32_t value) {
    std::vector<unsigned char> image = good;
    put(image, word, value);
    return image;
  };
  EXPECT_EQ(map(good, 2), nullptr) << "another number of programs";
  EXPECT_EQ(map(with(0, native::kAbiVersion + 1)), nullptr);
  for (const std::uint32_t large : {2u, 100u, 0x7fffffffu, 0xffffffffu}) {
    for (std::size_t word = 1; word <= 9; ++word) {
      if (word == 5 && large == 2) continue;    // 2 is a valid level in this word
      if (word == 6 && large < 1000) continue;  // in this word, a workspace size below 1000 is valid
      // 2 entries: the second offset belongs to no program and is read from the padding, so the image is valid
      if (word == 2 && large == 2) continue;
      EXPECT_EQ(map(with(word, large)), nullptr) << "word " << word << " = " << large;
    }
  }
  EXPECT_EQ(map(with(8, 0)), nullptr) << "a program without a function";
}

}  // namespace
}  // namespace vinculum::codegen
