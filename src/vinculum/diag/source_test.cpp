#include "vinculum/diag/source.hpp"

#include <gtest/gtest.h>

#include "vinculum/diag/utf8.hpp"

namespace vinculum::diag {
namespace {

TEST(SourceText, CountsLinesAndColumnsFromOneInCharacters) {
  const SourceText source("m.vin", "ab\n\xC2\xB1x\n");
  EXPECT_EQ(source.line_count(), 3);
  EXPECT_EQ(source.position(0).column, 1);
  EXPECT_EQ(source.position(2).line, 1);
  EXPECT_EQ(source.position(2).column, 3);
  EXPECT_EQ(source.position(5).line, 2);
  EXPECT_EQ(source.position(5).column, 2);  // behind the two bytes of ±
  EXPECT_EQ(source.position(99).line, 3);
  EXPECT_EQ(source.position(99).column, 1);
}

TEST(SourceText, GivesLinesWithoutTheirEnds) {
  const SourceText source("m.vin", "a\r\nb\n\nc");
  EXPECT_EQ(source.line(1), "a");
  EXPECT_EQ(source.line(2), "b");
  EXPECT_EQ(source.line(3), "");
  EXPECT_EQ(source.line(4), "c");
  EXPECT_EQ(source.line(0), "");
  EXPECT_EQ(source.line(5), "");
}

TEST(SourceText, DoesNotCountAByteOrderMark) {
  const SourceText source("m.vin", "\xEF\xBB\xBFmodel");
  EXPECT_EQ(source.line(1), "model");
  EXPECT_EQ(source.position(3).column, 1);
  EXPECT_EQ(source.position(0).column, 1);
}

TEST(SourceText, SlicesAreCutAtTheEndOfTheText) {
  const SourceText source("m.vin", "abc");
  EXPECT_EQ(source.slice({1, 2}), "b");
  EXPECT_EQ(source.slice({2, 9}), "c");
  EXPECT_EQ(source.slice({7, 9}), "");
}

TEST(Utf8, ReadsValidSequencesAndCountsEachInvalidByteAlone) {
  EXPECT_EQ(read_character("\xC2\xB1", 0).code_point, 0xB1U);
  EXPECT_EQ(read_character("\xE2\x88\x92", 0).code_point, 0x2212U);
  EXPECT_EQ(read_character("\xF0\x9F\x98\x80", 0).code_point, 0x1F600U);
  for (const char* bytes : {"\x80", "\xC2", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "\xE2\x88"}) {
    EXPECT_FALSE(read_character(bytes, 0).is_valid) << bytes;
    EXPECT_EQ(read_character(bytes, 0).length, 1U) << bytes;
  }
  EXPECT_EQ(count_characters("\xFF\xFE"
                             "a\xC2\xB1"),
            4);
}

TEST(Utf8, KnowsTheWidthOnATerminal) {
  EXPECT_EQ(display_width('a'), 1);
  EXPECT_EQ(display_width(0x301), 0);
  EXPECT_EQ(display_width(0x4E2D), 2);
  EXPECT_EQ(display_width(0x1F600), 2);
}

}  // namespace
}  // namespace vinculum::diag
