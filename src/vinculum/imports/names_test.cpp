#include "vinculum/imports/names.hpp"

#include <gtest/gtest.h>

namespace vinculum::imports {
namespace {

TEST(ImportedNames, StayIfTheLanguageAllowsThem) {
  Names names;
  EXPECT_EQ(names.take("upper_arm", "_link"), "upper_arm");
  EXPECT_EQ(names.take("_a1", "_link"), "_a1");
}

TEST(ImportedNames, HaveOnlyLettersAndDigits) {
  Names names;
  EXPECT_EQ(names.take("left-hip/1 a", "_link"), "left_hip_1_a");
  EXPECT_EQ(names.take("2nd", "_link"), "_2nd");
  EXPECT_EQ(names.take("Füße", "_link"), "F__e");  // a character becomes one line, whatever its bytes
  EXPECT_EQ(names.take("", "_link"), "_");
}

TEST(ImportedNames, AreDifferent) {
  Names names;
  EXPECT_EQ(names.take("a", "_link"), "a");
  EXPECT_EQ(names.take("a", "_joint"), "a_joint");
  EXPECT_EQ(names.take("a", "_joint"), "a_joint_2");
  EXPECT_EQ(names.take("a", "_joint"), "a_joint_3");
  EXPECT_EQ(names.take("b-c", "_link"), "b_c");
  EXPECT_EQ(names.take("b.c", "_link"), "b_c_link");
}

TEST(ImportedNames, AreNoWordsOfTheLanguageOrOfTheText) {
  Names names;
  for (const char* word : {"t", "pi", "if", "and", "at", "on", "body", "frame", "limits", "shape", "N", "O", "g", "x",
                           "z", "dot", "omega", "max"})
    EXPECT_EQ(names.take(word, "_link"), std::string(word) + "_link");
}

TEST(ImportedNames, InCommentsStayOnOneLine) { EXPECT_EQ(on_one_line("a\nb\t\"c\"\r"), "a b 'c' "); }

}  // namespace
}  // namespace vinculum::imports
