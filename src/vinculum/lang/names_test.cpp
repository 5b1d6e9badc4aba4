#include <gtest/gtest.h>

#include <string>

#include "support/lang/parsed.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/lang/keywords.hpp"

// Words of the language used as names, and the rules that distinguish the two uses.
namespace vinculum::lang {
namespace {

constexpr const char* kWords[] = {"alpha", "table", "from", "law",     "speed",  "along", "body",  "cross",    "floor",
                                  "in",    "on",    "at",   "about",   "force",  "start", "for",   "nonideal", "via",
                                  "run",   "state", "view", "gravity", "energy", "let",   "coord", "include"};

TEST(Names, AreAllWordsButTimePiAndTheOperators) {
  for (const char* word : {"t", "pi", "and", "or", "not", "if", "else"}) EXPECT_TRUE(is_reserved(word)) << word;
  for (const char* word : kWords) EXPECT_FALSE(is_reserved(word)) << word;
}

TEST(Names, StandInEveryDeclarationAndReference) {
  for (const std::string w : kWords) {
    const std::string text = "param " + w + " = 1 [m], b = 2\ncoord " + w + " [m]\nspeed " + w + " = " + w + "' + " +
                             w + "\nlet " + w + " = b*" + w + "^2/" + w + " - " + w + "[1]\nframe " + w + " = " + w +
                             " rotated " + w + " about " + w + "\npoint " + w + " on " + w + " = " + w + " + " + w +
                             "*" + w + ".x\nforce on " + w + " = " + w + "*N.x from " + w + "\nconstraint " + w + ": " +
                             w + " = " + w + " along " + w + "\n    nonideal on " + w + " = -" + w + " from " + w +
                             "\noutput " + w + " = " + w + " in " + w + "\nstart " + w + " = " + w + ", " + w + "' ~ " +
                             w + "\n";
    const Parsed parsed = parse_text(text);
    ASSERT_EQ(parsed.errors, "") << text;
    EXPECT_EQ(format(parsed.file), text);
  }
}

TEST(Names, AreMissingWhereAWordOfTheStatementFollows) {
  EXPECT_EQ(diagnosed("force on P = from Q\n"),
            "m.vin:1:14: error: expected an expression, found `from` [unexpected-token]\n"
            "  1 | force on P = from Q\n"
            "    |              ^^^^\n"
            "  hint: the form is `force on P = VEC [at POINTEXPR] [from Q]`\n");
  EXPECT_EQ(diagnosed("output a = (if t < 1 then 2 else 0)\n"),
            "m.vin:1:13: error: expected an expression, found `if` [unexpected-token]\n"
            "  1 | output a = (if t < 1 then 2 else 0)\n"
            "    |             ^^\n"
            "  hint: a choice is written `A if t < 1 [s] else B`\n");
  EXPECT_EQ(format(*only<ForceStatement>("force on P = from from Q").force), "from");
  EXPECT_EQ(format(*only<OutputStatement>("output a = in in N").value), "in");
  EXPECT_EQ(format(*only<StateStatement>("state z' = start start z = 1").rate), "start");
}

TEST(Names, OfStatementsBeginALineWhereAnOperandIsWanted) {
  const auto value = [](const std::string& text) { return format(*only<LetStatement>(text).value); };
  EXPECT_EQ(value("let a = 1 +\n    speed*2"), "1 + speed*2");
  EXPECT_EQ(value("let a = (1 +\nbody)"), "1 + body");
  EXPECT_EQ(value("let a = f(1,\nrun, force' ,\n coord if x else y)"), "f(1, run, force', coord if x else y)");
  EXPECT_EQ(value("let a = 1 +\n    gravity - 2"), "1 + gravity - 2");
  // a keyword at the indent of the statement begins a new statement
  EXPECT_EQ(parse_text("let a = (1 +\ngravity - 2*N.x\n").count, 1U);
  EXPECT_EQ(parse_text("let a = 1 +\n  param b = 2\n").count, 1U);
  EXPECT_EQ(parse_text("let a = 1 +\n  force on P = 2\n").file.statements.size(), 1U);
}

TEST(ClauseChoice, IsAnIfThatBeginsALineAndHasABrace) {
  const auto c = only<ConstraintStatement>(
      "constraint c: x = 0\n  nonideal on P = v\n  if mu > 0 {\n    friction on P mu = mu\n  } else if k {\n"
      "    law stiff kappa = 3\n  } else {\n    law ideal\n  }\n  nonideal on Q = a\n      if b else d\n");
  ASSERT_EQ(c.clauses.size(), 3U);
  const auto& choice = std::get<ClauseChoice>(c.clauses[1].what);
  EXPECT_EQ(format(*choice.condition), "mu > 0");
  EXPECT_TRUE(std::holds_alternative<FrictionClause>(choice.then.at(0).what));
  const auto& other = std::get<ClauseChoice>(choice.otherwise.at(0).what);
  EXPECT_TRUE(std::holds_alternative<LawClause>(other.then.at(0).what));
  EXPECT_TRUE(std::holds_alternative<LawClause>(other.otherwise.at(0).what));
  EXPECT_EQ(format(*std::get<NonidealClause>(c.clauses[2].what).value), "a if b else d");
  EXPECT_EQ(only<JointStatement>("joint j: fixed between P of A and Q of B\n  if a\n  {\n  }\n  else\n  {\n  }\n")
                .clauses.size(),
            1U);
}

TEST(ClauseChoice, IsSetCanonicallyWithItsComments) {
  const std::string canonical =
      "constraint c: x = 0\n"
      "    # why\n"
      "    if mu > 0 {  # rough\n"
      "        # of steel\n"
      "        friction on P mu = mu  # dry\n"
      "        # last\n"
      "    } else if a and b {  # second\n"
      "    } else {\n"
      "        law ideal\n"
      "        # end\n"
      "    }\n"
      "    nonideal on P = v\n";
  const Parsed parsed = parse_text(canonical);
  ASSERT_EQ(parsed.errors, "");
  EXPECT_EQ(format(parsed.file), canonical);
  const Parsed loose = parse_text(
      "constraint c: x = 0\n  # why\n  if mu>0 { # rough\n   # of steel\n   friction on P mu = mu # dry\n # last\n"
      "  }\n  else if a and b { # second\n  }\n  else\n  { law ideal\n  # end\n  }\n  nonideal on P = v\n");
  ASSERT_EQ(loose.errors, "");
  EXPECT_EQ(format(loose.file), canonical);
}

TEST(ClauseChoice, HoldsClausesOnly) {
  EXPECT_EQ(diagnosed("constraint c: x = 0\n    if a {\n        law ideal\n        along N.x\n    }\n"),
            "m.vin:4:9: error: expected a clause or `}`, found `along` [unexpected-token]\n"
            "  4 |         along N.x\n"
            "    |         ^^^^^\n"
            "  hint: an `if` under a constraint chooses among its clauses: `law`, `nonideal` …\n");
  EXPECT_EQ(parse_text("constraint c: x = 0\n    if a {\n        law ideal\n        law ideal\n    }\n").count, 1U);
  EXPECT_EQ(parse_text("constraint c: x = 0\n    if a {\n        law ideal\nlet b = 1\n").file.statements.size(), 1U);
}

TEST(Frame, HasTwoOfItsAxesGiven) {
  const auto frame = only<FrameStatement>("frame B = A axes z cross(a, b), x N.x + 2*N.y");
  const auto& axes = std::get<FrameAxes>(frame.definition);
  EXPECT_EQ(axes.parent.text + axes.first_axis.text + axes.second_axis.text, "Azx");
  EXPECT_EQ(diagnosed("frame B = A axes x N.x, x N.y\n"),
            "m.vin:1:25: error: `x` is given twice [unexpected-token]\n"
            "  1 | frame B = A axes x N.x, x N.y\n"
            "    |                         ^\n"
            "  hint: two axes of the new frame and their directions: `axes x VEC, y VEC`\n");
  EXPECT_EQ(format(parse_text("frame B=A axes x N.x,y  N.y\n").file), "frame B = A axes x N.x, y N.y\n");
}

TEST(Body, MayHaveAPlaneInertia) {
  const auto body = only<BodyStatement>("body B frame F mass m inertia plane m*r^2/2 at O about P");
  EXPECT_TRUE(body.is_plane);
  EXPECT_EQ(format(*body.inertia.at(0)), "m*r^2/2");
  const std::string text = "body B frame F mass m inertia plane 2 [kg*m^2] at O about P\n";
  EXPECT_EQ(format(parse_text(text).file), text);
}

TEST(Joint, TakesTheCentreOfABody) {
  const std::string text = "joint j: spherical between center(A) of A and center of B\n";
  const auto joint = only<JointStatement>(text);
  EXPECT_TRUE(joint.first_point.is_center);
  EXPECT_FALSE(joint.second_point.is_center);
  EXPECT_EQ(format(parse_text(text).file), text);
}

TEST(Start, MayGiveAFamilyAtOnce) {
  const std::string text = "start q[1..3] = [1, 2, 3] [deg], q[1..2, 1..n]' ~ 0\n";
  EXPECT_EQ(format(parse_text(text).file), text);
  EXPECT_EQ(parse_text("start q[1..2][3..4] = 1\n").count, 1U);
}

}  // namespace
}  // namespace vinculum::lang
