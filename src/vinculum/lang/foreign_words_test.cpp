#include "vinculum/lang/foreign_words.hpp"

#include <gtest/gtest.h>

namespace vinculum::lang {
namespace {

TEST(ForeignWords, HaveAWordOfThisLanguage) {
  EXPECT_NE(hint_for_foreign_statement("var").find("`param NAME"), std::string::npos);
  EXPECT_NE(hint_for_foreign_statement("Print").find("`output NAME"), std::string::npos);
  EXPECT_NE(hint_for_foreign_function("lambda").find("`multiplier(c)`"), std::string::npos);
  EXPECT_NE(hint_for_foreign_name("PI").find("`pi`"), std::string::npos);
  EXPECT_EQ(hint_for_foreign_statement("va"), "");
  EXPECT_EQ(hint_for_foreign_statement(""), "");
  EXPECT_EQ(hint_for_foreign_function("froude"), "");
}

TEST(ForeignWords, MeanDerivatives) {
  EXPECT_EQ(derivative_meant("x_dot"), "x'");
  EXPECT_EQ(derivative_meant("xdot"), "x'");
  EXPECT_EQ(derivative_meant("theta_ddot"), "theta''");
  EXPECT_EQ(derivative_meant("dx"), "x'");
  EXPECT_EQ(derivative_meant("dxdt"), "x'");
  EXPECT_EQ(derivative_meant("x"), "");
  EXPECT_EQ(derivative_meant("dot"), "ot'") << "is asked for names that are none; whether there is `ot` is seen then";
}

}  // namespace
}  // namespace vinculum::lang
