#include <gtest/gtest.h>

#include <string>

#include "support/elaborate/elaborated.hpp"

// Functions of the model text, `let f(x) = EXPR`, and the errors about them.
namespace vinculum::elaborate {
namespace {

using testing::in_plane;
using testing::value_of;

TEST(Function, IsWrittenOutWhereItIsUsed) {
  const auto result = in_plane(
      "let square(v) = v*v\n"
      "let between(a, b) = norm(a - b) + square(L)/L\n"
      "let speed_of(q) = q'\n"
      "let part(P, e) = dot(pos(P, O), e)\n"
      "output one = square(x + y) - (x + y)*(x + y)\n"
      "output two = between(2*L*N.x, L*N.x) - 2*L\n"
      "output three = speed_of(x) - x'\n"
      "output four = part(P, N.y) - y\n"
      "output five = square(square(n)) - 16\n");
  ASSERT_EQ(result.messages, "");
  for (const char* name : {"one", "two", "three", "four", "five"}) EXPECT_NEAR(value_of(result, name), 0.0, 1e-15);
}

TEST(Function, MayBeUsedWhereParametersDecide) {
  const auto result = in_plane(
      "let twice(k) = 2*k\n"
      "param M = twice(3) [kg]\n"
      "for i in 1..twice(1) {\n    output w[i] = twice(i)\n}\n"
      "if twice(n) > 3 {\n    output right = M/(1 [kg])\n}\n");
  ASSERT_EQ(result.messages, "");
  EXPECT_EQ(value_of(result, "w[2]"), 4.0);
  EXPECT_EQ(value_of(result, "right"), 6.0);
}

TEST(Function, SeesItsArgumentsBeforeDeclaredNames) {
  const auto result = in_plane(
      "let f(x) = 2*x\n"
      "let h(y) = f(y + x)\n"
      "for i in 1..2 {\n    output k[i] = f(i)\n}\n"
      "output a = f(3) - 6\n"
      "output b = h(L) - 2*(L + x)\n");
  ASSERT_EQ(result.messages, "");
  EXPECT_EQ(value_of(result, "a"), 0.0);
  EXPECT_NEAR(value_of(result, "b"), 0.0, 1e-15);
  EXPECT_EQ(value_of(result, "k[2]"), 4.0);
}

TEST(Function, IsVisibleInComponents) {
  const auto result = in_plane(
      "let half(v) = v/2\n"
      "component probe(x, d) {\n"
      "    let own(v) = half(v) + d\n"
      "    output value = own(x)\n"
      "}\n"
      "use probe(y, L) as first\n"
      "use probe(2*x, 0*L) as second\n"
      "output a = first.value - (y/2 + L)\n"
      "output b = second.value - x\n"
      "let own(v) = 7*v\n"
      "output c = own(2)\n");
  ASSERT_EQ(result.messages, "");
  EXPECT_NEAR(value_of(result, "a"), 0.0, 1e-15);
  EXPECT_NEAR(value_of(result, "b"), 0.0, 1e-15);
  EXPECT_EQ(value_of(result, "c"), 14.0);
}

TEST(Function, HasItsUnitsCheckedAtEachUse) {
  EXPECT_EQ(in_plane("let f(a) = sin(a) + 1\noutput right = f(phi)\noutput wrong = f(x)\n").messages,
            R"(m.vin:9:18: error: the argument of `sin` must be dimensionless, found m [dimension-mismatch]
  9 | output wrong = f(x)
    |                  ^ length, m, declared at m.vin:5
  7 | let f(a) = sin(a) + 1
    |            ^^^^^^^^^^ its place in the function
  hint: units are checked where a function is used: this argument must fit its place there
)");
  EXPECT_EQ(in_plane("let f(a) = a + L\nlet h(a) = 2*f(a)\noutput right = h(x)\noutput wrong = h(phi)\n").messages,
            R"(m.vin:10:18: error: the two sides of `+` differ in dimension [dimension-mismatch]
  10 | output wrong = h(phi)
     |                  ^^^ dimensionless, declared at m.vin:5
   7 | let f(a) = a + L
     |                ^ length, m, declared at m.vin:4
  hint: units are checked where a function is used: this argument must fit its place there
)");
}

TEST(Function, ShowsItsUsesWithAMistakeInItsExpression) {
  EXPECT_EQ(in_plane("let f(a) = a*sin(L)\nlet h(a) = 2*f(a)\noutput wrong = h(n)\n").messages,
            R"(m.vin:7:18: error: the argument of `sin` must be dimensionless, found m [dimension-mismatch]
  7 | let f(a) = a*sin(L)
    |                  ^ length, m, declared at m.vin:4
  8 | let h(a) = 2*f(a)
    |              ^^^^ used here
  9 | output wrong = h(n)
    |                ^^^^ and first of all here
)");
}

TEST(Function, IsRefusedWithAReason) {
  const auto problem = [](const std::string& more) { return testing::kinds_and_sentences(in_plane(more)); };
  EXPECT_EQ(problem("let f(a) = a\noutput w = f(1, 2)\n"), "wrong-argument-count: `f` takes 1 argument, found 2\n");
  EXPECT_EQ(problem("let f(a) = f(a - 1)\noutput w = f(1)\n"), "not-allowed-here: the function `f` uses itself\n");
  EXPECT_EQ(problem("let f(a) = h(a)\nlet h(a) = f(a)\n"),
            "unknown-function: the function `h` is used before it is declared\n");
  EXPECT_EQ(problem("let f(a) = a + later\nlet later = 2\n"), "unknown-name: `later` is used before it is declared\n");
  EXPECT_EQ(problem("let f(a) = a + nothing\n"), "unknown-name: unknown name `nothing` in the function `f`\n");
  EXPECT_EQ(problem("let f(a, a) = a\n"), "duplicate-name: `a` is an argument of this function already\n");
  EXPECT_EQ(problem("let sin(a) = a\n"), "reserved-name: `sin` is a function of the language\n");
  EXPECT_EQ(problem("let along(a) = a\n"),
            "reserved-name: `along` is a word of the language and cannot name a function\n");
  EXPECT_EQ(problem("let f(t) = t\n"), "reserved-name: `t` is a word of the language and cannot be an argument\n");
  EXPECT_EQ(problem("let f(a) = a\nlet f(b) = b\n"), "duplicate-name: `f` is declared twice\n");
  EXPECT_EQ(problem("let x(a) = a\n"), "duplicate-name: `x` is declared already\n");
  EXPECT_EQ(problem("let f(a) = a\nlet f = 2\n"), "duplicate-name: `f` is a function already\n");
  EXPECT_EQ(problem("let f(a) = a\noutput w = f\n"), "wrong-kind: `f` is a function: it needs its arguments\n");
  EXPECT_EQ(problem("let area(a) = a\noutput w = arae(1)\n"), "unknown-function: unknown function `arae`\n");
  EXPECT_EQ(problem("output w = f(1)\nlet f(a) = a\n"),
            "unknown-function: the function `f` is used before it is declared\n");
}

TEST(Function, OfManyLevelsIsBounded) {
  std::string text = "let f0(a) = a + a\n";
  for (int i = 1; i < 40; ++i)
    text += "let f" + std::to_string(i) + "(a) = f" + std::to_string(i - 1) + "(a + a) + f" + std::to_string(i - 1) +
            "(a)\n";
  const std::string found = testing::kinds_and_sentences(in_plane(text + "output w = f39(1)\n"));
  EXPECT_EQ(found, "too-many-statements: written out, the expressions are too long\n");
}

}  // namespace
}  // namespace vinculum::elaborate
