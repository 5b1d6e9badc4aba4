#include "vinculum/elaborate/expand/expand.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/elaborate/elaborated.hpp"
#include "support/elaborate/expanded.hpp"

namespace vinculum::elaborate {
namespace {

namespace fs = std::filesystem;
using testing::Expanded;
using testing::expanded;
using testing::formatted;
using testing::heads;

/// A temporary folder, removed at the end.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("vinculum_expand_" + std::to_string(std::hash<const void*>{}(this)))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

TEST(For, WritesAChainAsByHand) {
  const Expanded chain = expanded(
      "model chain\nparam n = 3\nparam L = 2\nframe N newtonian\npoint P[0] fixed in N\ncoord q[1..n]\n"
      "for i in 1..n {\n"
      "  frame B[i] = N rotated q[i] about z\n"
      "  point P[i] = P[i-1] + L*B[i].x\n"
      "  particle C[i] mass i at P[i]\n"
      "  start q[i] = 0.1*i, q[i]' = -i\n"
      "}\n"
      "output tip = pos(P[n], P[0]) in B[n - 1]\n");
  EXPECT_EQ(chain.messages, "");
  std::string by_hand =
      "model chain\nparam n = 3\nparam L = 2\nframe N newtonian\npoint P[0] fixed in N\ncoord q[1], q[2], q[3]\n";
  for (const std::string i : {"1", "2", "3"}) {
    const std::string before = std::to_string(std::stoi(i) - 1);
    by_hand += "frame B[" + i + "] = N rotated q[" + i + "] about z\npoint P[" + i + "] = P[" + before + "] + L*B[" +
               i + "].x\nparticle C[" + i + "] mass " + i + " at P[" + i + "]\nstart q[" + i + "] = 0.1*" + i + ", q[" +
               i + "]' = -" + i + "\n";
  }
  by_hand += "output tip = pos(P[3], P[0]) in B[2]\n";
  EXPECT_EQ(chain.text, formatted(by_hand));
}

TEST(For, IsEmptyWhereItsEndLiesBelowItsBeginning) {
  EXPECT_EQ(expanded("model m\nfor i in 1..0 { param p[i] = i }\nparam z = 1\n").text,
            formatted("model m\nparam z = 1\n"));
  EXPECT_EQ(expanded("model m\nfor i in -1..1 { param p[i] = i }\n").text,
            formatted("model m\nparam p[-1] = -1\nparam p[0] = 0\nparam p[1] = 1\n"));
}

TEST(For, NestsAndUsesOuterVariablesInItsEnds) {
  EXPECT_EQ(
      expanded("model m\nfor i in 1..3 {\n  for j in i..2 {\n    param a[i, j] = i^2/j\n  }\n}\nlet b = a[1,2]\n").text,
      "model m\nparam a[1,1] = 1^2/1\nparam a[1,2] = 1^2/2\nparam a[2,2] = 2^2/2\nlet b = a[1,2]\n");
}

TEST(For, TakesItsEndsFromParametersAndTheirOverrides) {
  const std::string text = "model m\nparam n = 2, L = 1500 [mm]\nfor i in 1..n + floor(L/1 [m]) { param a[i] = i }\n";
  EXPECT_NE(expanded(text).text.find("a[3]"), std::string::npos);
  EXPECT_EQ(expanded(text).text.find("a[4]"), std::string::npos);
  EXPECT_NE(expanded(text, {{"n", "3"}}).text.find("a[4]"), std::string::npos);
  EXPECT_NE(expanded(text, {{"L", "3 [m]"}}).text.find("a[5]"), std::string::npos);
}

TEST(For, IsRefusedWhereItsEndsAreNoWholeNumbers) {
  const std::string head = "model m\nparam n = 2.5, L = 1 [m]\ncoord x\n";
  EXPECT_EQ(heads(expanded(head + "for i in 1..n { param a[i] = i }\n").messages),
            "m.vin:4:13: error: the last value of a `for` is a whole number of at most 1e9, found 2.5 [bad-value]\n");
  EXPECT_NE(expanded(head + "for i in 1..L { param a[i] = i }\n").messages.find("[dimension-mismatch]"),
            std::string::npos);
  EXPECT_EQ(heads(expanded(head + "for i in x..3 { param a[i] = i }\n").messages),
            "m.vin:4:10: error: the first value of a `for` uses parameters only, `x` is none [not-allowed-here]\n");
  EXPECT_NE(expanded(head + "for i in 1..t { param a[i] = i }\n").messages.find("m.vin:4:13: error"),
            std::string::npos);
  EXPECT_EQ(heads(expanded(head + "for i in 1..k { param a[i] = i }\nparam k = 3\n").messages),
            "m.vin:4:13: error: `k` is used before it is declared [unknown-name]\n");
  EXPECT_EQ(heads(expanded(head + "for i in 1..nn { param a[i] = i }\nlet b = a[1]\n").messages),
            "m.vin:4:13: error: unknown name `nn` [unknown-name]\n");
}

TEST(For, OfTooManyPassesIsRefusedAtOnce) {
  for (const std::string text :
       {"for i in 1..1e9 { }\n", "for i in 1..1e9 { param a[i] = i }\n", "coord q[1..1e9]\n",
        "coord q[1..1e5, 1..1e5]\n", "for i in 1..1000 { for j in 1..1000 { param a[i, j] = 1 } }\n"}) {
    const std::string messages = expanded("model m\n" + text).messages;
    EXPECT_NE(messages.find("more than 100000 statements [too-many-statements]"), std::string::npos)
        << text << messages;
    EXPECT_EQ(std::count(messages.begin(), messages.end(), '\n'), 4) << messages;
  }
}

TEST(For, DeclaresNamesWithAnIndexOnly) {
  const auto result = testing::in_plane("for i in 1..3 { let a = i }\n");
  EXPECT_EQ(result.messages,
            "m.vin:7:21: error: `a` is declared more than once by this [duplicate-name]\n"
            "  7 | for i in 1..3 { let a = i }\n"
            "    |                     ^\n"
            "  hint: in a loop a name needs an index: `a[i]`\n");
}

TEST(For, VariableIsAFreshName) {
  EXPECT_EQ(heads(expanded("model m\nparam k = 1\nfor k in 1..2 { param a[k] = k }\n").messages),
            "m.vin:3:5: error: `k` already means something else here [duplicate-name]\n");
  EXPECT_EQ(heads(expanded("model m\nfor i in 1..2 { for i in 1..2 { param a[i] = i } }\n").messages),
            "m.vin:2:21: error: `i` already means something else here [duplicate-name]\n");
  EXPECT_EQ(heads(expanded("model m\nfor t in 1..2 { param a[t] = t }\n").messages),
            "m.vin:2:5: error: `t` is a word of the language and cannot be declared [reserved-name]\n");
}

TEST(If, ChoosesByParametersOverridesIncluded) {
  const std::string text =
      "model m\nparam n = 2, damped = 0\nif n > 1 and not (n == 3) {\n  let a = 1\n} else if damped {\n  let a = 2\n} "
      "else {\n  let a = 3\n}\n";
  const std::string head = "model m\nparam n = 2, damped = 0\n";
  EXPECT_EQ(expanded(text).text, formatted(head + "let a = 1\n"));
  EXPECT_EQ(expanded(text, {{"n", "3"}}).text, formatted(head + "let a = 3\n"));
  EXPECT_EQ(expanded(text, {{"n", "3"}, {"damped", "1"}}).text, formatted(head + "let a = 2\n"));
  EXPECT_EQ(expanded("model m\nparam L = 2 [m]\nif L < 300 [cm] { let a = 1 }\n").text,
            formatted("model m\nparam L = 2 [m]\nlet a = 1\n"));
}

TEST(If, ReportsAConditionThatIsNoneAndNothingBehindIt) {
  const Expanded result = expanded("model m\nparam L = 2 [m]\nif L < 3 { let a = 1 } else { let a = 2 }\nlet b = a\n");
  EXPECT_NE(result.messages.find("m.vin:3:4: error"), std::string::npos) << result.messages;
  const auto model = testing::in_plane("if x > 1 {\n  let a = 1\n}\nlet b = a\n");
  EXPECT_EQ(heads(model.messages),
            "m.vin:7:4: error: the condition of an `if` uses parameters only, `x` is none [not-allowed-here]\n");
}

TEST(If, BranchNotTakenDeclaresNothing) {
  const auto result = testing::elaborated("model m\nif 0 {\n  frame N newtonian\n}\ncoord x\n");
  EXPECT_EQ(result.model, nullptr);
  EXPECT_NE(result.messages.find("the model has no newtonian frame"), std::string::npos) << result.messages;
}

TEST(Families, AreDeclaredByRangesOrOneByOne) {
  EXPECT_EQ(
      expanded("model m\nparam k[1..2] = 3 [kg], l = 4\ncoord a, q[0..2] [m]\nspeed u[1] = q[1]'\n").text,
      formatted(
          "model m\nparam k[1] = 3 [kg], k[2] = 3 [kg], l = 4\ncoord a, q[0], q[1], q[2] [m]\nspeed u[1] = q[1]'\n"));
}

TEST(Families, SayWhichMembersThereAre) {
  const auto result = testing::in_plane("coord q[1..3] [m]\nlet a = q[4]\nlet b = q\nlet c = x[1]\noutput d = a + b\n");
  EXPECT_EQ(result.model, nullptr);
  EXPECT_NE(result.messages.find("m.vin:8:9: error: there is no `q[4]` [unknown-name]"), std::string::npos)
      << result.messages;
  EXPECT_NE(result.messages.find("hint: there are `q[1]` to `q[3]`"), std::string::npos) << result.messages;
  EXPECT_NE(result.messages.find("m.vin:9:9: error: `q` is a family: an index chooses a member [wrong-kind]"),
            std::string::npos)
      << result.messages;
}

TEST(Families, LeaveIndicesOfListsAndRowsAlone) {
  EXPECT_EQ(
      expanded("model m\nlet w = [1, 2, 3]\nfor i in 1..2 { let s[i] = w[i + 1]*multiplier(roll)[i] }\n").text,
      formatted(
          "model m\nlet w = [1, 2, 3]\nlet s[1] = w[2]*multiplier(roll)[1]\nlet s[2] = w[3]*multiplier(roll)[2]\n"));
}

TEST(Families, AndPlainNamesDoNotMix) {
  EXPECT_EQ(heads(expanded("model m\nparam q = 1\ncoord q[1..2]\n").messages),
            "m.vin:3:7: error: `q` is declared without indices already [duplicate-name]\n");
  EXPECT_EQ(heads(expanded("model m\ncoord pi[1..2]\n").messages),
            "m.vin:2:7: error: `pi` is a word of the language and cannot be declared [reserved-name]\n");
  EXPECT_EQ(heads(expanded("model m\ncoord q[1.5..2]\n").messages),
            "m.vin:2:9: error: the first index of a family is a whole number of at most 1e9, found 1.5 [bad-value]\n");
}

TEST(Loops, ReportAMistakeOfTheirBodyOnce) {
  const auto result =
      testing::in_plane("for i in 1..50 {\n  let a[i] = i*nothing\n  let b[i] = x + 2 [s]\n  let c[i] = q[i]\n}\n");
  EXPECT_EQ(result.diagnostics.size(), 3u) << result.messages;
}

constexpr const char* kLink =
    "component link(A, base, L, m) {\n"
    "  coord q [rad]\n"
    "  param half = 0.5\n"
    "  frame B = A rotated q about z\n"
    "  point tip = base + L*B.x\n"
    "  particle G mass m at base + half*L*B.x\n"
    "}\n";

TEST(Component, PutsItsPartsUnderTheNameOfEachUse) {
  const Expanded result =
      expanded(std::string("model m\nframe N newtonian\npoint O fixed in N\n") + kLink +
               "use link(N, O, 1 [m], 2 [kg]) as first\n"
               "use link(first.B, first.tip, 1 [m] + 2 [m], 3 [kg]) as second\n"
               "start first.q = 1, second.q' = 2\nforce on second.G = second.half*second.B.y from first.tip\n");
  EXPECT_EQ(result.messages, "");
  EXPECT_EQ(
      result.text,
      "model m\nframe N newtonian\npoint O fixed in N\n"
      "coord first.q [rad]\nparam first.half = 0.5\nframe first.B = N rotated first.q about z\n"
      "point first.tip = O + 1 [m] * first.B.x\nparticle first.G mass 2 [kg] at O + first.half*1 [m] * first.B.x\n"
      "coord second.q [rad]\nparam second.half = 0.5\nframe second.B = first.B rotated second.q about z\n"
      "point second.tip = first.tip + (1 [m] + 2 [m])*second.B.x\n"
      "particle second.G mass 3 [kg] at first.tip + second.half*(1 [m] + 2 [m])*second.B.x\n"
      "start first.q = 1, second.q' = 2\nforce on second.G = second.half*second.B.y from first.tip\n");
}

TEST(Component, IsUsedInLoopsAndByOthers) {
  const std::string text = std::string("model m\nframe N newtonian\npoint O fixed in N\n") + kLink +
                           "component pair(A, base) {\n  for i in 1..2 {\n    use link(A, base, i, 1) as arm[i]\n  }\n "
                           " point end = arm[2].tip\n}\n"
                           "use pair(N, O) as left\nparam w[1..2] = 7\nforce on left.arm[1].G = "
                           "w[2]*left.arm[2].B.x\noutput z = dot(vel(left.end), N.x)\n";
  const Expanded result = expanded(text);
  EXPECT_EQ(result.messages, "");
  for (const char* line : {"point left.arm[2].tip = O + 2*left.arm[2].B.x", "point left.end = left.arm[2].tip",
                           "force on left.arm[1].G = w[2]*left.arm[2].B.x", "param left.arm[1].half = 0.5"}) {
    EXPECT_NE(result.text.find(line), std::string::npos) << line << "\n" << result.text;
  }
  const Expanded chosen =
      expanded("model m\ncomponent c(n) {\n  if n > 2 {\n    param a = n\n  }\n}\nuse c(3) as x\nuse c(1) as y\n");
  EXPECT_EQ(chosen.text, "model m\nparam x.a = 3\n");
}

TEST(Component, TakesFamiliesAsArguments) {
  EXPECT_EQ(
      expanded(
          "model m\ncoord q[1..2]\ncomponent sum(q) {\n  let all = q[1] + q[2]\n}\nuse sum(q) as s\nlet b = s.all\n")
          .text,
      "model m\ncoord q[1], q[2]\nlet s.all = q[1] + q[2]\nlet b = s.all\n");
}

TEST(Component, SeesItsOwnNamesAndItsArgumentsOnly) {
  const auto result = testing::in_plane(
      "component c(A) {\n  point Q = O + x*A.x\n  let a = pi*t + Q2\n}\nuse c(N) as one\nuse c(N) as two\nlet b = "
      "one.a\n");
  EXPECT_EQ(heads(result.messages),
            "m.vin:8:13: error: unknown name `O` in component `c` [unknown-name]\n"
            "m.vin:8:17: error: unknown name `x` in component `c` [unknown-name]\n"
            "m.vin:9:18: error: unknown name `Q2` in component `c` [unknown-name]\n");
  EXPECT_NE(result.messages.find("hint: pass it as an argument"), std::string::npos) << result.messages;
  EXPECT_NE(result.messages.find("did you mean `Q`?"), std::string::npos) << result.messages;
}

TEST(Component, ThatNothingUsesIsReadAllTheSame) {
  EXPECT_EQ(
      heads(testing::in_plane(
                "component c(A, a) {\n  point Q = O + x*A.x\n  let b = sinn(a) + 2 [lightyear]\n  coord p [furlong]\n"
                "  for i in 1..2 {\n    let e[i] = i*a + k\n  }\n  use d(a) as f\n}\n")
                .messages),
      "m.vin:8:13: error: unknown name `O` in component `c` [unknown-name]\n"
      "m.vin:8:17: error: unknown name `x` in component `c` [unknown-name]\n"
      "m.vin:9:11: error: unknown function `sinn` [unknown-function]\n"
      "m.vin:9:24: error: unknown unit `lightyear` [unknown-unit]\n"
      "m.vin:10:12: error: unknown unit `furlong` [unknown-unit]\n"
      "m.vin:12:22: error: unknown name `k` in component `c` [unknown-name]\n"
      "m.vin:14:7: error: unknown component `d` [unknown-name]\n");
}

TEST(Component, ShowsTheUseThatAMistakeComesFrom) {
  const auto result = testing::in_plane(
      "component c(P, A) {\n  force on P = A.x\n}\ncomponent d(P, A) {\n  use c(P, A) as at_P\n}\nuse d(P, N) as "
      "one\nuse d(P, N) as two\n");
  EXPECT_EQ(result.messages, R"(m.vin:8:16: error: a force must be in N, found dimensionless [dimension-mismatch]
   8 |   force on P = A.x
     |                ^^^ dimensionless
  11 |   use c(P, A) as at_P
     |   ^^^^^^^^^^^^^^^^^^^ written out by this
  13 | use d(P, N) as one
     | ^^^^^^^^^^^^^^^^^^ and first of all by this
)");
  EXPECT_NE(testing::in_plane("component c(A, a) {\n  frame B = A rotated a about z\n}\nuse c(N, x) as one\n")
                .messages.find("  8 |   frame B = A rotated a about z\n     |   ^"),
            std::string::npos);
}

TEST(Component, IsUsedAsItIsDefined) {
  const std::string head = std::string("model m\n") + kLink;
  EXPECT_EQ(heads(expanded(head + "use link(N, O) as a\nlet b = a.q\n").messages),
            "m.vin:9:5: error: `link` takes 4 arguments, found 2 [wrong-argument-count]\n");
  EXPECT_EQ(heads(expanded(head + "use lnk(N, O) as a\n").messages),
            "m.vin:9:5: error: unknown component `lnk` [unknown-name]\n");
  EXPECT_EQ(heads(expanded("model m\nuse c() as a\ncomponent c() {\n}\n").messages),
            "m.vin:2:5: error: component `c` is used before it is declared [unknown-name]\n");
  EXPECT_EQ(heads(expanded("model m\ncomponent c() {\n  use c() as b\n}\nuse c() as a\n").messages),
            "m.vin:3:7: error: component `c` uses itself [unknown-name]\n");
  EXPECT_EQ(heads(expanded("model m\ncomponent c() {\n  param p = 1\n}\nuse c() as a\nuse c() as a\n").messages),
            "m.vin:6:12: error: `a` is the use of a component already [duplicate-name]\n");
  EXPECT_EQ(
      heads(expanded("model m\ncomponent c(p, p, t) {\n  component d() {\n  }\n  include \"x.vin\"\n}\n").messages),
      "m.vin:2:16: error: `p` is an argument of this component already [duplicate-name]\n"
      "m.vin:2:19: error: `t` is a word of the language and cannot be declared [reserved-name]\n"
      "m.vin:3:13: error: a component is not defined inside another [misplaced-statement]\n"
      "m.vin:5:3: error: `include` is not allowed in a component [misplaced-statement]\n");
  EXPECT_EQ(heads(expanded("model m\ncomponent c(P) {\n  force on P = 1\n}\nuse c(2 + 3) as a\n").messages),
            "m.vin:3:12: error: a name is needed here, `P` is an expression [wrong-kind]\n");
}

TEST(Component, ThatDoublesAtEachOfManyLevelsIsBounded) {
  std::string uses = "model m\ncomponent c0() {\n  param p = 1\n}\n",
              arguments = "model m\ncomponent d0(x) {\n  let p = x\n}\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string below = std::to_string(i - 1), name = std::to_string(i);
    uses += "component c" + name + "() {\n  use c" + below + "() as a\n  use c" + below + "() as b\n}\n";
    arguments += "component d" + name + "(x) {\n  use d" + below + "(x + x) as a\n}\n";
  }
  EXPECT_NE(expanded(uses + "use c40() as a\n").messages.find("[too-many-statements]"), std::string::npos);
  EXPECT_NE(expanded(arguments + "use d40(1) as a\n").messages.find("[too-many-statements]"), std::string::npos);
  std::string high = "model m\ncomponent d0(x) {\n  let p = x\n}\n";
  for (int i = 1; i <= 150; ++i) {
    high += "component d" + std::to_string(i) + "(x) {\n  use d" + std::to_string(i - 1) +
            "(1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + x)))))))) as a\n}\n";
  }
  EXPECT_NE(expanded(high + "use d150(1) as a\n").messages.find("[nesting-too-deep]"), std::string::npos);
}

TEST(Component, ShowsAFaultyArgumentWhereItIsGiven) {
  const auto result = testing::in_plane(
      "component load(P, A, k) {\n  force on P = k*A.x\n}\nuse load(P, N, 1 [m]) as a\nuse load(P, N, 1 [N]) as b\n");
  EXPECT_EQ(result.diagnostics.size(), 1u) << result.messages;
  EXPECT_NE(result.messages.find("[dimension-mismatch]"), std::string::npos) << result.messages;
  EXPECT_NE(result.messages.find("10 | use load(P, N, 1 [m]) as a\n"), std::string::npos) << result.messages;
}

TEST(Families, AtFaultAreForgivenByTheirBase) {
  EXPECT_EQ(heads(testing::in_plane("coord q[1..3] [lightyear]\nparam k[1..2] = foo\nlet a[1] = k[1]*q[2]'\nlet a[2] = "
                                    "k[1] +\nlet a[3] = a[2]\n"
                                    "coord p[1..2)\nstart q[2] = 3, p[1]' = a[3], p[2] = 1\n")
                      .messages),
            "m.vin:7:16: error: unknown unit `lightyear` [unknown-unit]\n"
            "m.vin:8:17: error: unknown name `foo` [unknown-name]\n"
            "m.vin:10:18: error: expected an expression, found the end of the statement [unexpected-token]\n"
            "m.vin:12:8: error: `[` is not closed by `]` [unclosed-bracket]\n");
}

TEST(Include, StandsForTheStatementsOfItsFile) {
  const Folder folder;
  folder.write("parts/link.vin", "source \"its own\"\n# a comment\nparam a = 2\ninclude \"more.vin\"\n");
  folder.write("more.vin", "component c(k) {\n  param b = k\n}\n");
  EXPECT_EQ(
      expanded("model m\nsource \"ours\"\nparam z = 1\ninclude \"parts/link.vin\"\nuse c(a) as x\n", {}, folder.path())
          .text,
      "model m\nsource \"ours\"\nsource \"its own\"\nparam z = 1\n# a comment\nparam a = 2\nparam x.b = a\n");
}

TEST(Include, ShowsMistakesInTheirOwnFile) {
  const Folder folder;
  folder.write("part.vin", "param a = 2 [m]\nlet b = a + 1 [s]\nlet c = (\n");
  const auto result = testing::in_plane("include \"part.vin\"\nlet d = a + c + nothing\n", {}, folder.path());
  EXPECT_EQ(result.model, nullptr);
  EXPECT_NE(result.messages.find("part.vin:2:9: error"), std::string::npos) << result.messages;
  EXPECT_NE(result.messages.find("  2 | let b = a + 1 [s]\n"), std::string::npos) << result.messages;
  EXPECT_NE(result.messages.find("part.vin:3:9: error"), std::string::npos) << result.messages;
  EXPECT_EQ(result.messages.find("unknown name `c`"), std::string::npos) << result.messages;
}

TEST(Include, KeepsToTheFolderOfTheModel) {
  const Folder folder, outside;
  outside.write("out.vin", "param a = 1\n");
  folder.write("in.vin", "param a = 1\n");
  fs::create_symlink(outside.path() / "out.vin", folder.path() / "link.vin");
  for (const std::string& name : {"../" + outside.path().filename().string() + "/out.vin",
                                  (outside.path() / "out.vin").string(), std::string("link.vin")}) {
    const std::string messages = expanded("model m\ninclude \"" + name + "\"\n", {}, folder.path()).messages;
    EXPECT_NE(messages.find("an included file must be in the model's folder or below it"), std::string::npos)
        << messages;
    EXPECT_NE(messages.find("m.vin:2:9: error"), std::string::npos) << messages;
  }
  EXPECT_NE(expanded("model m\ninclude \"none.vin\"\nlet b = a\n", {}, folder.path()).messages.find("[file-not-found]"),
            std::string::npos);
  EXPECT_EQ(expanded("model m\ninclude \"in.vin\"\n", {}, folder.path()).messages, "");
}

TEST(Include, OfItselfIsReportedWhereItHappens) {
  const Folder folder;
  folder.write("a.vin", "include \"b.vin\"\n");
  folder.write("b.vin", "param p = 1\ninclude \"a.vin\"\n");
  folder.write("back.vin", "include \"m.vin\"\n");
  EXPECT_EQ(heads(expanded("model m\ninclude \"m.vin\"\n", {}, folder.path()).messages),
            "m.vin:2:9: error: `m.vin` includes itself [include-cycle]\n");
  EXPECT_EQ(heads(expanded("model m\ninclude \"back.vin\"\n", {}, folder.path()).messages),
            "back.vin:1:9: error: `m.vin` includes itself, through `back.vin` [include-cycle]\n");
  EXPECT_EQ(heads(expanded("model m\ninclude \"a.vin\"\n", {}, folder.path()).messages),
            "b.vin:2:9: error: `a.vin` includes itself, through `b.vin` [include-cycle]\n");
}

TEST(Include, HasNoModelOfItsOwnAndDuplicatesWhatItBringsTwice) {
  const Folder folder;
  folder.write("a.vin", "model other\nparam p = 1\n");
  folder.write("b.vin", "param p = 1\n");
  EXPECT_EQ(heads(expanded("model m\ninclude \"a.vin\"\n", {}, folder.path()).messages),
            "a.vin:1:1: error: an included file has no `model` [misplaced-statement]\n");
  const auto twice = testing::in_plane("include \"b.vin\"\ninclude \"b.vin\"\n", {}, folder.path());
  EXPECT_EQ(heads(twice.messages), "b.vin:1:7: error: `p` is declared more than once by this [duplicate-name]\n");
}

TEST(Expansion, GivesAModelThatRemembersAllItsText) {
  const Folder folder;
  folder.write("part.vin", "constraint low: y = 0\n");
  const auto result = testing::in_plane("include \"part.vin\"\n", {}, folder.path());
  ASSERT_NE(result.model, nullptr) << result.messages;
  const diag::Position at = result.model->source_text.position(result.model->constraints[0].range.begin);
  EXPECT_EQ(at.file, "part.vin");
  EXPECT_EQ(at.line, 1);
}

TEST(Expansion, OverridesParametersOfLoopsAndComponents) {
  const auto result = testing::in_plane(
      "component c() {\n  param a = 2\n}\nuse c() as one\nuse c() as two\nparam k[1..2] = 3\noutput s = one.a + "
      "10*two.a + 100*k[1] + 1000*k[2]\n",
      {{"two.a", "5"}, {"k[2]", "7"}});
  ASSERT_NE(result.model, nullptr) << result.messages;
  EXPECT_DOUBLE_EQ(testing::value_of(result, "s"), 2 + 50 + 300 + 7000);
}

}  // namespace
}  // namespace vinculum::elaborate
