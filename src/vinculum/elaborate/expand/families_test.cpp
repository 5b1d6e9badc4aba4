#include <gtest/gtest.h>

#include "support/elaborate/expanded.hpp"

// Tests of lists as values of families, and of clauses selected by an `if`.
namespace vinculum::elaborate {
namespace {

using testing::expanded;
using testing::formatted;
using testing::heads;

TEST(Families, TakeListsOfValues) {
  EXPECT_EQ(
      expanded("model m\nparam b[1..2] = [1, 2*3] [m], a[1..2, 0..1] = [1, 2; 3, 4], c[1..2] = 5\n"
               "coord q[1..3]\nstart q[1..2] = [b[2], 7] [mm], q[2..3]' ~ [8, 9], q[3] = 10\n")
          .text,
      "model m\nparam b[1] = (1) [m], b[2] = (2*3) [m], a[1,0] = 1, a[1,1] = 2, a[2,0] = 3, a[2,1] = 4, c[1] = 5, "
      "c[2] = 5\ncoord q[1], q[2], q[3]\n"
      "start q[1] = b[2] [mm], q[2] = (7) [mm], q[2]' ~ 8, q[3]' ~ 9, q[3] = 10\n");
}

TEST(Families, TakeListsWithASignOrAFactor) {
  EXPECT_EQ(expanded("model m\nparam d = 2, k[1..2] = -[1, 3]\ncoord q[1..2]\n"
                     "start q[1..2] = 2*[0, 1]*d, q[1..2]' = [3, 4]/d\n")
                .text,
            "model m\nparam d = 2, k[1] = -1, k[2] = -3\ncoord q[1], q[2]\n"
            "start q[1] = 2*0*d, q[2] = 2*1*d, q[1]' = 3/d, q[2]' = 4/d\n");
  EXPECT_EQ(heads(expanded("model m\nparam d = 2\ncoord q[1..2]\nstart q[1..2] = [1, 2, 3]*d\n").messages),
            "m.vin:4:17: error: `q[1..2]` stands for 2 values, 3 in the list [wrong-argument-count]\n");
}

TEST(Families, TakeListsOfTheirOwnSize) {
  EXPECT_EQ(heads(expanded("model m\nparam b[1..2] = [1, 2, 3]\ncoord q[1..2]\nstart q[1..2] = [1]\n").messages),
            "m.vin:2:17: error: `b[1..2]` stands for 2 values, 3 in the list [wrong-argument-count]\n"
            "m.vin:4:17: error: `q[1..2]` stands for 2 values, 1 in the list [wrong-argument-count]\n");
  EXPECT_EQ(heads(expanded("model m\nparam b[1..2, 1..3] = [1, 2; 3, 4; 5, 6]\n").messages),
            "m.vin:2:23: error: `b[1..2, 1..3]` stands for 6 values, with 3 in a row [wrong-argument-count]\n");
}

TEST(Families, HaveNoSizeOfTheirOwnMaking) {
  const std::string head = "m.vin:2:9: error: `m` is used before it is declared [unknown-name]\n";
  EXPECT_EQ(heads(expanded("model m\nparam m[m] = 1 [kg]\n").messages), head);
  EXPECT_EQ(heads(expanded("model m\ncoord x[k]\nparam k[1..2] = 3\noutput a = k[1]\n").messages),
            "m.vin:2:9: error: `k` is used before it is declared [unknown-name]\n");
  EXPECT_EQ(heads(expanded("model m\nparam k[1..2] = 3\ncoord x[k]\noutput a = k[1]\n").messages),
            "m.vin:3:9: error: `k` is a family: an index chooses a member [wrong-kind]\n");
}

TEST(ClauseChoice, LeavesTheClausesOfTheBranchTaken) {
  const std::string text =
      "model m\nparam k = 2\nconstraint c: x = 0\n    if k > 2 {\n        law ideal\n    } else if k == 2 {\n"
      "        law stiff kappa = 1\n    } else {\n        if k > 0 {\n            law viscous kappa = 2\n        }\n"
      "    }\n";
  const std::string head = "model m\nparam k = 2\nconstraint c: x = 0\n";
  EXPECT_EQ(expanded(text).text, formatted(head + "    law stiff kappa = 1\n"));
  EXPECT_EQ(expanded(text, {{"k", "3"}}).text, formatted(head + "    law ideal\n"));
  EXPECT_EQ(expanded(text, {{"k", "1"}}).text, formatted(head + "    law viscous kappa = 2\n"));
  EXPECT_EQ(expanded(text, {{"k", "-1"}}).text, formatted(head));
  EXPECT_EQ(
      heads(expanded("model m\ncoord x\nconstraint c: x = 0\n    if x > 2 {\n        law ideal\n    }\n").messages),
      "m.vin:4:8: error: the condition of an `if` uses parameters only, `x` is none [not-allowed-here]\n");
}

}  // namespace
}  // namespace vinculum::elaborate
