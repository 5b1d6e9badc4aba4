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
  EXPECT_EQ(source.position(5).column, 2);  // after the two bytes of ±
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

TEST(SourceText, HoldsIncludedFilesBehindTheFirstInOneAddressSpace) {
  SourceText source("m.vin", "ab\ncd");
  const SourceRange included = source.append("a/b.vin", "\xEF\xBB\xBFx\r\ny\n");
  const SourceRange last = source.append("empty.vin", "");
  EXPECT_EQ(source.name(), "m.vin");
  EXPECT_EQ(source.text(), "ab\ncd");
  EXPECT_EQ(source.line_count(), 2);
  EXPECT_EQ(source.line(2), "cd");
  EXPECT_EQ(source.slice(included), "\xEF\xBB\xBFx\r\ny\n");
  // The position at the end of a file belongs to that file, not to the next.
  EXPECT_EQ(source.position(5).file, "m.vin");
  EXPECT_EQ(source.position(5).column, 3);
  const Position x = source.position(included.begin + 3), y = source.position(included.begin + 6);
  EXPECT_EQ(x.file, "a/b.vin");
  EXPECT_EQ(x.line, 1);
  EXPECT_EQ(x.column, 1);
  EXPECT_EQ(y.line, 2);
  EXPECT_EQ(source.line_at(included.begin + 3), "x");
  EXPECT_EQ(source.line_at(included.begin + 6), "y");
  EXPECT_EQ(source.line_at(4), "cd");
  EXPECT_EQ(source.file_at(included.end), "a/b.vin");
  EXPECT_EQ(source.position(last.begin).file, "empty.vin");
  EXPECT_EQ(source.position(last.end).line, 1);
  EXPECT_TRUE(source.is_one_file(0, 5));
  EXPECT_FALSE(source.is_one_file(5, included.begin));
}

TEST(SourceText, OfNothingIsEmpty) {
  const SourceText source;
  EXPECT_EQ(source.name(), "");
  EXPECT_EQ(source.text(), "");
  EXPECT_EQ(source.line_count(), 1);
  EXPECT_EQ(source.position(3).line, 1);
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
