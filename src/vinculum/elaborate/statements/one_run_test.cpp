#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <utility>

#include "support/elaborate/elaborated.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

// All errors of a file are reported in one run, with one message per cause, and no text makes the program crash.
namespace vinculum::elaborate {
namespace {

using testing::elaborated;
using testing::Elaborated;
using testing::in_plane;

struct Place {
  diag::Kind kind;
  int line, column;
  friend bool operator==(const Place&, const Place&) = default;
};

std::vector<Place> places_of(const Elaborated& result, const std::string& text) {
  const diag::SourceText source("m.vin", text);
  std::vector<Place> places;
  for (const diag::Diagnostic& one : result.diagnostics) {
    const diag::Position at = source.position(one.range.begin);
    places.push_back({one.kind, at.line, at.column});
  }
  return places;
}

TEST(Diagnostics, AreFiveForFiveDifferentMistakesAtTheRightColumns) {
  const std::string text =
      "model m\n"
      "frame N newtonian\n"
      "point O fixed in N\n"
      "param m = 1 [kg], k = 2 [N/mm2]\n"
      "coord x, y [m]\n"
      "particle P mass m at O + x*N.x + * y*N.y\n"
      "particle Q mass m at O + x*N.y\n"
      "force on Q = -k*x*N.x + 3 [m]*N.y\n"
      "constraint c: dot(vel(Q), N.y) = vell(P)\n"
      "force on P = 2*k*N.x\n"
      "output f = force(c, Q)\n"
      "start x = 1, z = 2, P = 3\n"
      "run 4 [s] tolerance 2\n";
  const Elaborated result = elaborated(text);
  const std::vector<Place> expected = {{diag::Kind::kUnknownUnit, 4, 28},
                                       {diag::Kind::kUnexpectedToken, 6, 34},
                                       {diag::Kind::kUnknownFunction, 9, 34},
                                       {diag::Kind::kUnknownName, 12, 14},
                                       {diag::Kind::kBadValue, 13, 21}};
  EXPECT_EQ(places_of(result, text), expected) << result.messages;
}

TEST(Diagnostics, SayNothingAboutWhatDependsOnAFault) {
  const Elaborated result = in_plane(
      "param m = 3 [kgg]\n"
      "let a = 2*m + 1 [s]\n"
      "let b = a*N.x\n"
      "particle Q mass m at O + x*N.x\n"
      "force on Q = b\n"
      "constraint c: dot(vel(Q), b) = a\n"
      "output f = force(c, Q) in N\n"
      "run 1 [s]\n"
      "expect at start: dot(f, N.x) = 3 ± 1\n");
  EXPECT_FALSE(result.model);
  EXPECT_EQ(result.diagnostics.size(), 1u) << result.messages;
}

TEST(Diagnostics, SayNothingAboutNamesOfStatementsThatDoNotParse) {
  const Elaborated result = in_plane("particle Q mass at O\nforce on Q = 1 [N]*N.x\noutput v = vel(Q)\n");
  EXPECT_EQ(result.diagnostics.size(), 1u) << result.messages;
}

TEST(Layout, OfAnEmptyFileLacksAModel) {
  const Elaborated result = elaborated("# nothing\n");
  EXPECT_FALSE(result.model);
  EXPECT_EQ(result.messages,
            "m.vin:1:1: error: the file has no `model` [missing-statement]\n"
            "  1 | # nothing\n"
            "    | ^\n"
            "  hint: begin it with `model NAME`\n");
}

TEST(Layout, OfAForeignFileIsOneError) {
  EXPECT_EQ(elaborated("{\"a\": 1}\n").diagnostics.size(), 1u);
  EXPECT_EQ(elaborated("modle m\nframe N newtonian\npoint O fixed in N\ncoord x\n").diagnostics.size(), 1u);
}

TEST(Layout, HasItsSourcesBehindTheModel) {
  const Elaborated result = in_plane("source \"a book\"\n");
  ASSERT_EQ(result.diagnostics.size(), 1u) << result.messages;
  EXPECT_EQ(result.diagnostics[0].kind, diag::Kind::kMisplacedStatement);
}

TEST(Expectations, WantARun) {
  const Elaborated result = in_plane("expect at start: x = 0 ± 1\nexpect at end: x = 0 ± 1\n");
  ASSERT_EQ(result.diagnostics.size(), 1u) << result.messages;
  EXPECT_EQ(result.diagnostics[0].kind, diag::Kind::kMissingStatement);
}

// A name is reported if it is used before a left-out block, or if the block cannot declare it.
TEST(Diagnostics, AreSilentOnlyAboutNamesThatALeftOutBlockMayDeclare) {
  const Elaborated result = in_plane(
      "let a = zz\n"
      "let b = late\n"
      "for i in 1..2.5 { let late = i }\n"
      "let c = late + other\n"
      "component Leg(n) {\n  coord inner\n}\n"
      "let d = inner\n"
      "use Leg(2, 3) as left\n"
      "let e = left.inner\n"
      "include \"more.vin\"\n"
      "let f = anything\n");
  std::vector<std::string> unknown;
  for (const diag::Diagnostic& one : result.diagnostics) {
    if (one.kind == diag::Kind::kUnknownName) unknown.push_back(one.message);
  }
  EXPECT_EQ(unknown, (std::vector<std::string>{"unknown name `zz`", "unknown name `late`", "unknown name `other`",
                                               "unknown name `inner`"}))
      << result.messages;
  EXPECT_EQ(result.diagnostics.size(), 7u) << result.messages;
}

// Errors in correctly written relations and speeds are reported in addition to errors of other statements.
TEST(Diagnostics, OfRelationsAndSpeedsComeBesideOtherErrors) {
  const Elaborated result = in_plane(
      "constraint f: dot(acc(P), acc(P)) = 1 [m^2/s^4]\n"
      "constraint h: L = 3 [m]\n"
      "constraint k: x = x\n"
      "speed u = x', u2 = 2*x'\n"
      "output o = zz\n"
      "coord = 3\n"
      "constraint v: y = 1 [m]\n"
      "    nonideal on P = ww*N.x\n"
      "output w = multiplier(v)\n");
  std::string kinds;
  for (const diag::Diagnostic& one : result.diagnostics) kinds += std::string(diag::kind_info(one.kind).name) + "\n";
  EXPECT_EQ(kinds, "contradiction\ntrivial-constraint\nsingular-speeds\nunknown-name\nunexpected-token\nunknown-name\n")
      << result.messages;
}

TEST(Speeds, HoldADerivative) {
  const Elaborated result = in_plane("speed u = x\n");
  ASSERT_EQ(result.diagnostics.size(), 1u) << result.messages;
  EXPECT_EQ(result.diagnostics[0].message, "the definition of `u` contains no derivative of a coordinate");
}

// The number of reports is bounded, even for a file of random text.
TEST(Diagnostics, EndAfterTwoHundred) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "let a" + std::to_string(i) + " = unknown" + std::to_string(i) + "\n";
  const Elaborated result = in_plane(text);
  ASSERT_EQ(result.diagnostics.size(), 201u);
  EXPECT_EQ(result.diagnostics.back().kind, diag::Kind::kTooManyErrors);
}

TEST(Layout, HasOneModelAndItComesFirst) {
  const Elaborated result = elaborated("frame N newtonian\nmodel m\ncoord x\nmodel k\n");
  ASSERT_EQ(result.diagnostics.size(), 2u) << result.messages;
  EXPECT_EQ(result.diagnostics[0].message, "`model` is the first statement of a file");
  EXPECT_EQ(result.diagnostics[1].message, "a file has one `model`");
}

TEST(Overrides, AreCheckedAsTheDeclarationIs) {
  const auto message = [](const std::string& name, const std::string& value) {
    const Elaborated result = in_plane("", {{name, value}});
    return result.diagnostics.size() == 1 ? result.diagnostics[0].message + "|" + result.diagnostics[0].hint
                                          : result.messages;
  };
  EXPECT_EQ(message("LL", "3"), "`--set LL=3`: the model has no parameter `LL`|did you mean `L`?");
  EXPECT_EQ(message("L", "3 [kg]"),
            "`--set L=3 [kg]`: parameter `L` must be in m, found kg|write the number in this unit: `3 [m]`");
  EXPECT_EQ(message("L", "3 [mmm]"), "`--set L=3 [mmm]`: unknown unit `mmm`|did you mean `mm`?");
  EXPECT_EQ(message("x", "3"), "`--set x=3`: the model has no parameter `x`|");
  EXPECT_EQ(message("L", "2*g"),
            "`--set L=2*g`: unknown name `g`|it is declared as any other constant: `param g = 9.81 [m/s^2]`");
  EXPECT_EQ(message("L", "1e308*1e308"), "`--set L=1e308*1e308`: this is not a finite number|");
  EXPECT_NE(message("L", "3 +"), "");
  EXPECT_NE(message("L", ""), "");
}

TEST(Elaborate, SurvivesDeepAndLongTexts) {
  std::string lets = "let a0 = x\n", points = "point Q0 = O\n", frames = "frame B0 = N rotated phi about z\n",
              sum = "output s = x";
  for (int i = 1; i <= 5000; ++i) {
    const std::string now = std::to_string(i), before = std::to_string(i - 1);
    lets += "let a" + now + " = a" + before + " + sin(phi)*a" + before + "\n";
    sum += " + x";
  }
  for (int i = 1; i <= 20001; ++i) {
    const std::string now = std::to_string(i), before = std::to_string(i - 1);
    points += "point Q" + now + " = Q" + before + " + 1 [m]*N.x\n";
    frames += "frame B" + now + " = B" + before + " rotated phi about z\n";
  }
  EXPECT_FALSE(in_plane(lets + "output s = dt(a5000)\n").model);
  EXPECT_FALSE(in_plane(points + "output s = vel(Q20001)\n").model);
  EXPECT_FALSE(in_plane(frames + "output s = omega(B20001)\n").model);
  EXPECT_FALSE(in_plane(sum + "\n").model);  // exceeds the height that the parser allows
}

// Statements of a model with many features, shuffled, cut and joined: every text gives a model or errors.
TEST(Elaborate, EndsInAModelOrInErrorsWhateverTheText) {
  const std::string rich =
      "model m\nframe N newtonian\npoint O fixed in N\nparam m = 1 [kg], g = 9.81 [m/s^2], l = 1 [m]\ncoord x, y [m], "
      "a [rad]\n"
      "frame B = N rotated a about N.x + N.y\nframe C = B body313(a, 2*a, t/(1 [s]))\npoint A = O + l*C.x\n"
      "particle P mass m at A + x*B.x + y*N.z\nspeed u = dot(vel(P), C.y), w = a'\nlet v = vel(P, B)\ngravity -g*N.z\n"
      "spring A P stiffness 3 [N/m] length l damping 1 [kg/s]\npotential m*g*y\nforce on P = -1 [kg/s]*v from A\n"
      "generalized force on a = 1 [J]*sin(a)\nconstraint c: dot(v, N.x) = u\n    nonideal on P = -1 [N]*unit(v)\n"
      "constraint d: acc(P) = 0 along C.x, B.y\nconstraint e: norm(pos(P, O)) = l + x*tanh(a)\noutput f = force(c, P) "
      "in C\n"
      "output h = multiplier(d)[2] + hamiltonian/(1 [m]) - kinetic_energy/(1 [m])\nlet k = atan2(x, y) if a > 0 else "
      "smoothstep(a)\n"
      "output o = dt(k)*1 [s] + floor(a)*min(x, y)/l^1.5*x^0.5\nstart x = l, a ~ 30 [deg], u = 3\nrun 2 [s] step 1 "
      "[ms]\n"
      "expect at end: x = 3 ± 1\nexpect always: |residual(c)| < 1e-9 and a < 10\n";
  ASSERT_TRUE(elaborated(rich).model) << elaborated(rich).messages;
  std::vector<std::string> words;
  std::string word;
  for (const char c : rich) {
    const bool is_part = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.';
    if (!is_part && !word.empty()) words.push_back(std::exchange(word, {}));
    if (is_part)
      word += c;
    else
      words.emplace_back(1, c);
  }
  std::mt19937 generator(26);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(generator()) % bound; };
  constexpr const char* kInserts[] = {"0", "1e308", "-1e-308", "N.x", "x''", "u'", "dt(", "unit(",
                                      ")", "*",     "/",       "^",   "[m]", "t",  "|"};
  int models = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<std::string> mutated = words;
    for (std::size_t change = 0; change <= below(3); ++change) {
      const std::size_t at = below(mutated.size());
      switch (below(4)) {
        case 0: mutated.erase(mutated.begin() + static_cast<std::ptrdiff_t>(at)); break;
        case 1: mutated[at] = words[below(words.size())]; break;
        case 2: std::swap(mutated[at], mutated[below(mutated.size())]); break;
        default: mutated[at] += kInserts[below(std::size(kInserts))]; break;
      }
    }
    std::string text;
    for (const std::string& one : mutated) text += one;
    const Elaborated result = elaborated(text);
    const bool has_errors = std::ranges::any_of(
        result.diagnostics, [](const diag::Diagnostic& one) { return one.severity == diag::Severity::kError; });
    diag::Diagnostics of_syntax;
    (void)lang::parse(diag::SourceText("m.vin", text), reaction_laws::laws().forms(), of_syntax);
    ASSERT_TRUE(result.model != nullptr || has_errors) << text;
    ASSERT_TRUE(of_syntax.has_errors() || result.model == nullptr || !has_errors) << text << "\n" << result.messages;
    models += result.model != nullptr;
  }
  EXPECT_GT(models, 100);
}

}  // namespace
}  // namespace vinculum::elaborate
