#include "vinculum/lang/format.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "support/lang/layouts.hpp"
#include "vinculum/diag/utf8.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

namespace vinculum::lang {
namespace {

TEST(Format, LeavesCanonicalTextAsItIs) {
  EXPECT_EQ(formatted(kPucks), kPucks);
  EXPECT_EQ(formatted(kMixed), kMixed);
  EXPECT_EQ(formatted(kBodies), kBodies);
  EXPECT_EQ(formatted(kBlocks), kBlocks);
}

TEST(Format, SetsSpacesBracketsAndClausesCanonically) {
  EXPECT_EQ(formatted("let   a=((b))+( c*d )/(e/f)\n"), "let a = b + c*d/(e/f)\n");
  EXPECT_EQ(formatted("let a = dot(v,N.x)^2-(-b)\n"), "let a = dot(v, N.x)^2 - -b\n");
  EXPECT_EQ(formatted("constraint c: x=0 law ideal nonideal on P=v\n"),
            "constraint c: x = 0\n    law ideal\n    nonideal on P = v\n");
  EXPECT_EQ(formatted("expect at end: x = 1 +-2\n"), "expect at end: x = 1 ± 2\n");
  EXPECT_EQ(formatted("constraint c: x''=0 law vakonomic start mu=1,2 , mu'=(3),4\n"),
            "constraint c: x'' = 0\n    law vakonomic start mu = 1, 2, mu' = 3, 4\n");
  EXPECT_EQ(formatted("constraint c: x'''=0 law vakonomic start mu''=-a\n"),
            "constraint c: x''' = 0\n    law vakonomic start mu'' = -a\n");
}

TEST(Format, KeepsCommentsBlankLinesAndSpellings) {
  EXPECT_EQ(formatted("# a\n\n\n# b\n\nlet x = 1.50e+3 # c\n\n\n\n# d\n"),
            "# a\n\n# b\n\nlet x = 1.50e+3  # c\n\n# d\n");
  EXPECT_EQ(formatted("param a = 1, # first\n   b = 2 # second\n# next\nlet c = 1"),
            "param a = 1, b = 2  # first\n    # second\n# next\nlet c = 1\n");
}

TEST(Format, KeepsCommentsWithTheirClause) {
  const std::string text =
      "constraint c: x = 0  # what\n"
      "    # over the law\n"
      "    law ideal  # why\n"
      "    # over the force\n"
      "    nonideal on P = -c*v  # friction\n"
      "    nonideal on Q = v\n"
      "    # under all\n"
      "let a = 1\n";
  EXPECT_EQ(formatted(text), text);
  EXPECT_EQ(formatted("constraint c: x =  # head\n  0  # more\n  nonideal on P = v +  # first\n  w  # second\n"),
            "constraint c: x = 0  # head\n    # more\n    # second\n    nonideal on P = v + w  # first\n");
}

TEST(Format, SetsBodiesJointsAndActuatorsCanonically) {
  EXPECT_EQ(formatted("body B frame F mass m inertia(1,2,3)[kg*m^2] about P\n  at O\n"),
            "body B frame F mass m inertia (1, 2, 3) [kg*m^2] at O about P\n");
  EXPECT_EQ(formatted("body B frame F density rho inertia cylinder( r,h ) axis F.x at O\n"),
            "body B frame F density rho inertia cylinder(r, h, axis F.x) at O\n");
  EXPECT_EQ(formatted("body B frame F mass m inertia rod(l,axis x) at O\n"),
            "body B frame F mass m inertia rod(l, axis x) at O\n");
  EXPECT_EQ(formatted("force on B=N.x from A at O+x*N.x\nlet f( x,y )=x+y\ndamper P Q damping  c\n"),
            "force on B = N.x at O + x*N.x from A\nlet f(x, y) = x + y\ndamper P Q damping c\n");
  EXPECT_EQ(formatted("joint j: contact between P of A and Q of B radius r\n  axis N.z\n  surface torus( 1,2 )\n"),
            "joint j: contact between P of A and Q of B surface torus(1, 2) axis N.z radius r\n");
  EXPECT_EQ(formatted("constraint c: x = 0\n  via force on P along N.x scale 2 from Q,\n    torque on B along N.z\n"),
            "constraint c: x = 0\n    via force on P from Q along N.x scale 2, torque on B along N.z\n");
  EXPECT_EQ(formatted("let a=[1,2 ;3,4] [ 1,2 ]\ncoord q [1..3][m],r[ 2 ]\n"),
            "let a = [1, 2; 3, 4][1, 2]\ncoord q[1..3] [m], r[2]\n");
  EXPECT_EQ(formatted("coord x,y[m]scale 1e-2[m],phi scale a ,scale\n"),
            "coord x, y [m] scale 1e-2 [m], phi scale a, scale\n");
}

TEST(Format, WritesWhatIsChosenAmongSeveral) {
  EXPECT_EQ(
      formatted(
          "constraint c: norm(acc(P)) = 7\n  branch x''>0 and y''<1\nrun 1 formulation  minimal independent u,x'\n"),
      "constraint c: norm(acc(P)) = 7\n    branch x'' > 0 and y'' < 1\nrun 1 formulation minimal independent u, x'\n");
}

TEST(Format, SetsBlocksOverLinesOfTheirOwn) {
  EXPECT_EQ(formatted("for i in 1 .. 3{coord q[i] [m] # each\n}"), "for i in 1..3 {  # each\n    coord q[i] [m]\n}\n");
  EXPECT_EQ(formatted("if a\n{\nlet b=1\n}\nelse\nif c { } else\n{ let d = 2 }\n"),
            "if a {\n    let b = 1\n} else if c {\n} else {\n    let d = 2\n}\n");
  EXPECT_EQ(formatted("component leg( ) { constraint c: x = 0\n  law ideal\n}\n"),
            "component leg() {\n    constraint c: x = 0\n        law ideal\n}\n");
}

TEST(Format, KeepsCommentsOfBlocksWhereTheyBelong) {
  EXPECT_EQ(formatted("for i in  # a\n  1..3  # b\n{ # c\n\n\n# d\n\nlet e = 1 } # f\n"),
            "for i in 1..3 {  # a\n    # b\n    # c\n\n    # d\n\n    let e = 1\n}  # f\n");
  EXPECT_EQ(formatted("if a { # b\n} # c\nelse if d { # e\n} # f\n    # g\n"),
            "if a {  # b\n} else if d {  # e\n    # c\n}  # f\n    # g\n");
}

TEST(Format, BreaksActuatorsAndOptionsThatAreTooMany) {
  std::string via = "constraint c: x = 0\n    via force on P along N.x";
  for (int i = 0; i < 9; ++i) via += ", torque on body_number_" + std::to_string(i) + " along N.z";
  const std::string result = formatted(via + "\n");
  EXPECT_GT(std::count(result.begin(), result.end(), '\n'), 3);
  EXPECT_TRUE(is_equal(parse_right(result), parse_right(via)));
  const std::string joint = "joint j: gear between P of A and Q of B ratio " + std::string(104, 'r') + " length l";
  EXPECT_NE(formatted(joint).find("\n        length l"), std::string::npos) << formatted(joint);
  EXPECT_TRUE(is_equal(parse_right(formatted(joint)), parse_right(joint)));
}

TEST(Format, BreaksListsBetweenTheirItems) {
  std::string text = "param first_of_all_parameters = 1 [N]";
  for (int i = 0; i < 8; ++i)
    text += ", parameter_number_" + std::to_string(i) + " = 250 [deg] + 2*first_of_all_parameters";
  const std::string result = formatted(text + "\n");
  EXPECT_EQ(formatted(result), result);
  EXPECT_TRUE(is_equal(parse_right(result), parse_right(text)));
  std::size_t lines = 0;
  for (std::size_t end = result.find('\n'); end != std::string::npos; end = result.find('\n', end + 1)) {
    EXPECT_EQ(result[end - 1], end + 1 == result.size() ? 's' : ',') << result;
    ++lines;
  }
  EXPECT_GT(lines, 3u);
}

TEST(Format, BreaksABodyBeforeItsParts) {
  const std::string text =
      "body forearm frame forearm_frame mass 2.5 [kg] inertia (0.25, 0.25, 0.0125, 0.001, 0.002, 0.003) [kg*m^2] "
      "at elbow + forearm_length/2*forearm_frame.x";
  EXPECT_EQ(
      formatted(text),
      "body forearm frame forearm_frame mass 2.5 [kg] inertia (0.25, 0.25, 0.0125, 0.001, 0.002, 0.003) [kg*m^2]\n"
      "        at elbow + forearm_length/2*forearm_frame.x\n");
  EXPECT_EQ(formatted(formatted(text)), formatted(text));
}

TEST(Format, BreaksInsideAnItemThatIsTooLongAlone) {
  std::string text = "start x = 1, y = one";
  for (int i = 0; i < 20; ++i) text += " + number_" + std::to_string(i);
  const std::string result = formatted(text + ", z = 2\n");
  EXPECT_TRUE(result.starts_with("start x = 1,\n        y = one + ")) << result;
  EXPECT_EQ(formatted(result), result);
}

TEST(Format, WrapsLongLinesWhereTheyGoOn) {
  std::string text = "let total = first_summand_of_many";
  for (int i = 0; i < 12; ++i) text += " + coefficient_number_" + std::to_string(i) + "*N.x";
  const std::string result = formatted(text + "\n");
  EXPECT_GT(std::count(result.begin(), result.end(), '\n'), 2);
  std::size_t begin = 0;
  while (begin < result.size()) {
    const std::size_t end = result.find('\n', begin);
    EXPECT_LE(diag::count_characters(std::string_view(result).substr(begin, end - begin)), 120);
    begin = end + 1;
  }
  EXPECT_TRUE(is_equal(parse_right(result), parse_right(text)));
  EXPECT_EQ(formatted(result), result);
}

TEST(Format, NeverBreaksALineBeforeAStatementsKeyword) {
  std::string text = "coord ";
  for (int i = 0; i < 40; ++i) text += "force, ";
  text += "x\n";
  const std::string result = formatted(text);
  EXPECT_TRUE(is_equal(parse_right(result), parse_right(text)));
}

// Each edit, a pair of old and new text, must give a file that differs from the original.
void expect_differences(const char* original_text, std::initializer_list<std::pair<const char*, const char*>> edits) {
  const ModelFile original = parse_right(original_text);
  EXPECT_TRUE(is_equal(original, parse_right(original_text)));
  for (const auto& [from, to] : edits) {
    std::string text = original_text;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, std::string(from).size(), to);
    EXPECT_FALSE(is_equal(original, parse_right(text))) << from << " → " << to;
  }
}

TEST(IsEqual, SeesEachDifference) {
  expect_differences(kMixed, {{"body123", "body132"},
                              {"2*t about", "3*t about"},
                              {"[kg*m/s^2]", "[kg*m/s^3]"},
                              {"# inside", "# outside"},
                              {"# behind", "# behold"},
                              {"law ideal", ""},
                              {"along N.x, N.y", "along N.x"},
                              {"y' ~ 2", "y' = 2"},
                              {"y' ~ 2", "y'' ~ 2"},
                              {"step 0.1", "step 0.10"},
                              {"at start:", "at end:"},
                              {"damping c", ""},
                              {"from Q\ngravity", "\ngravity"},
                              {"in N\nstart", "\nstart"},
                              {"every statement", "each statement"},
                              {"not-unique", "non-finite"},
                              {"# end", "# END"},
                              {"x < 2", "x <= 2"},
                              {"c[1]", "c[2]"},
                              {"coord x, y", "coord x, yy"},
                              {"(b - c)", "(b + c)"},
                              {"else -1", "else 1"}});
}

TEST(IsEqual, SeesEachDifferenceOfBodiesJointsAndFamilies) {
  expect_differences(kBodies, {{"e0, e[1]", "e0, e[2]"},
                               {"x.e2", "y.e2"},
                               {"leg[2].e3", "leg[3].e3"},
                               {"leg[2].e3", "leg[2].e4"},
                               {"space312", "space321"},
                               {"m[1..3]", "m[1..4]"},
                               {"1..n", "2..n"},
                               {"3, 4]", "3; 4]"},
                               {"s[i]", "s[j]"},
                               {"mass m[1]", "mass m[2]"},
                               {"4, 5, -x", "4, 5, x"},
                               {"[kg*m^2] at", "at"},
                               {"at O + q", "at O - q"},
                               {" about P[1]", ""},
                               {"torque on W", "torque on V"},
                               {"from x.W", ""},
                               {"3 [N*m] * N.z", "2 [N*m] * N.z"},
                               {"revolute", "prismatic"},
                               {"P[1] of V", "P[2] of V"},
                               {"of V", "of W"},
                               {"x.Q of", "x.R of"},
                               {"of leg[2].W", "of leg[1].W"},
                               {"axis N.z  #", "axis N.y  #"},
                               {"axis2 [1, 0]", "axis2 [1; 0]"},
                               {"ratio 2 + axis", "ratio 2"},
                               {"pitch 1 ", ""},
                               {"length 2 [m] radius", "length 3 [m] radius"},
                               {"radius r\n", "\n"},
                               {" prescribed x", ""},
                               {"torus(1, r)", "torus(1)"},
                               {"torus(1", "sphere(1"},
                               {" surface plane", ""},
                               {"# why", "# whence"},
                               {"R: force", "R: torque"},
                               {"on P[1] along N.x, N.y", "on P[1] along N.x"},
                               {"S: torque on x.B", "S: torque on x.A"},
                               {"directed along N.x,", "directed along N.y,"},
                               {"via force on P along", "via force on Q along"},
                               {"via force on P along", "via torque on P along"},
                               {"from W along", "along"},
                               {" scale 2", ""},
                               {"scale r/2", "scale r"},
                               {"P along N.x - N.y", "P along N.x"},
                               {"from q[1]", "from q[2]"},
                               {"in leg[i].B", "in leg[i].C"}});
}

TEST(IsEqual, SeesEachDifferenceOfBlocks) {
  expect_differences(kBlocks,
                     {{"parts/leg", "part/leg"},  {"leg(n, r)", "leg(n, s)"},   {"component leg", "component arm"},
                      {"1 [kg]", "2 [kg]"},       {"# last", "# least"},        {"in 1..n", "in 2..n"},
                      {"in 1..n", "in 1..m"},     {"for i in 1", "for k in 1"}, {"# of the chain", "# of all"},
                      {"use leg(3", "use arm(3"}, {"as y[i]", "as y[j]"},       {"[1, 2]) as", "[1]) as"},
                      {"# nothing", ""},          {"k > 1", "k > 2"},           {"not k < 0", "k < 0"},
                      {"let a[k] = 1", ""},       {"let a[k] = 2", ""},         {"let b[j] = 3", ""},
                      {"# near", "# nearer"},     {"# first", "# second"},      {"# at the end", ""},
                      {"# kept", "# lost"},       {" else if n > 0 {\n}", ""},  {" else if n > 0 {\n}", " else {\n}"}});
}

// Random expressions of the grammar, in which some names are also names of units.
class RandomExpression {
 public:
  explicit RandomExpression(unsigned seed) : random_(seed) {}

  int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

  ExpressionPtr make(int depth) {
    if (depth == 0) return leaf();
    switch (below(10)) {
      case 0: return wrap(Unary{static_cast<UnaryOperator>(below(3)), make(depth - 1)});
      case 1: return wrap(Conditional{make(depth - 1), make(depth - 1), make(depth - 1)});
      case 2: return wrap(Absolute{make(depth - 1)});
      case 3: {
        std::vector<ExpressionPtr> arguments;
        for (int i = below(3); i >= 0; --i) arguments.push_back(make(depth - 1));
        return wrap(Call{{"force", {}}, std::move(arguments)});
      }
      case 4: {
        std::vector<ExpressionPtr> indices;
        indices.push_back(make(depth - 1));
        return wrap(Index{make(depth - 1), std::move(indices)});
      }
      case 5: {
        List list;
        const int columns = 1 + below(2);
        for (int row = below(3); row >= 0; --row) {
          std::vector<ExpressionPtr>& one = list.rows.emplace_back();
          for (int column = 0; column < columns; ++column) one.push_back(make(depth - 1));
        }
        return wrap(std::move(list));
      }
      default: return wrap(Binary{static_cast<BinaryOperator>(below(13)), {}, make(depth - 1), make(depth - 1)});
    }
  }

  std::optional<Unit> unit() {
    Unit result;
    result.factors.push_back({"m", 1, 1, {}});
    if (below(2) == 0) result.factors.push_back({"s", -1 - below(2), 1 + below(2), {}});
    for (UnitFactor& factor : result.factors) {
      if (factor.numerator % factor.denominator == 0)
        factor = {factor.name, factor.numerator / factor.denominator, 1, {}};
    }
    return result;
  }

 private:
  template <class Node>
  static ExpressionPtr wrap(Node node) {
    return std::make_unique<Expression>(Expression{std::move(node), {}});
  }

  ExpressionPtr leaf() {
    constexpr std::array<const char*, 6> kNames = {"x", "m", "step", "end", "q1", "t"};
    ExpressionPtr name = wrap(NameReference{kNames[static_cast<std::size_t>(below(6))]});
    switch (below(5)) {
      case 0: return wrap(NumberLiteral{2.5, "2.5", below(2) == 0 ? unit() : std::nullopt});
      case 1: return wrap(Prime{std::move(name), 1 + below(2)});
      case 2: return wrap(Member{std::move(name), {"x", {}}});
      default: return name;
    }
  }

  std::mt19937 random_;
};

Name named(const char* text) {
  Name result;
  result.text = text;
  return result;
}

template <class Node>
ModelFile file_of(Node node) {
  ModelFile file;
  file.statements.push_back({std::move(node), {}, false, {}, {}, {}});
  return file;
}

TEST(Format, IsUndoneByParsingForRandomExpressionsInEveryContext) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomExpression random(seed);
    const int depth = random.below(5);
    expect_survives(file_of(LetStatement{named("a"), random.make(depth)}));
    ParamStatement param;
    param.items.push_back({named("a"), random.make(depth), std::nullopt});
    // `2 [m]` alone would be read as a number with a unit, so an item with a unit needs another value.
    param.items.push_back({named("b"), random.make(depth + 1), random.unit()});
    param.items.push_back({named("c"), random.make(depth), std::nullopt});
    expect_survives(file_of(std::move(param)));
    RunStatement run;
    run.duration = random.make(depth);
    run.step = random.make(depth);
    expect_survives(file_of(std::move(run)));
    ExpectValue expect{ExpectWhen::kAt, random.make(depth), random.make(depth), random.make(depth), random.make(depth)};
    expect_survives(file_of(ExpectStatement{std::move(expect)}));
    using Sign = ConstraintStatement::Sign;
    ConstraintStatement unilateral{named("c"),
                                   depth % 2 == 0 ? Sign::kAtLeast : Sign::kAtMost,
                                   random.make(std::min(depth, 1)),
                                   random.make(std::min(depth, 1)),
                                   {},
                                   {}};
    unilateral.clauses.push_back({RestitutionClause{random.make(depth), named("newton"), true}, {}});
    expect_survives(file_of(std::move(unilateral)));
    LimitsStatement limits{depth % 2 == 0 ? std::optional(named("a")) : std::nullopt, named("b"), {}};
    if (seed % 3 != 0) limits.limits.lower = random.make(depth);
    if (seed % 3 != 1) limits.limits.upper = random.make(depth);
    if (seed % 2 == 0) limits.limits.restitution = RestitutionClause{random.make(depth), named("moreau"), false};
    expect_survives(file_of(std::move(limits)));
    ConstraintStatement constraint{named("c"), Sign::kEqual, random.make(depth), random.make(depth), {}, {}};
    constraint.along.push_back(random.make(depth));
    constraint.clauses.push_back({NonidealClause{named("P"), random.make(depth), named("Q")}, {}});
    expect_survives(file_of(std::move(constraint)));
    const ExpressionPtr index = random.make(depth);
    const Name family{"q", {}, {index, random.make(depth)}};
    CoordStatement coord;
    coord.groups.push_back({{family, named("x")}, random.unit(), nullptr});
    coord.groups.push_back({{named("y")}, random.unit(), random.make(depth)});
    coord.groups.push_back({{named("z")}, std::nullopt, random.make(depth)});
    expect_survives(file_of(std::move(coord)));
    TorqueStatement torque{{"B", {}, {index}, std::make_shared<const Name>(family)}, random.make(depth), family};
    expect_survives(file_of(std::move(torque)));
    ForStatement loop{named("i"), random.make(depth), random.make(depth), {}, {}};
    loop.body.push_back({IfStatement{random.make(depth), {}, {}, true, {}, {}}, {}, false, {}, {}, {}});
    expect_survives(file_of(std::move(loop)));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Format, IsUndoneByParsingForMutatedModelsThatAreRight) {
  int right = 0;
  constexpr const char* kTexts[] = {kPucks, kMixed, kBodies, kBlocks};
  for (unsigned seed = 0; seed < 12000; ++seed) {
    std::mt19937 random(seed);
    const std::string text = mutate(kTexts[seed % 4], random);
    const diag::SourceText source("m.vin", text);
    diag::Diagnostics sink;
    const ModelFile file = parse(source, reaction_laws::laws().forms(), sink);
    for (const diag::Diagnostic& one : sink.all()) ASSERT_LE(one.range.end, text.size()) << "seed " << seed;
    if (sink.has_errors()) {
      ASSERT_FALSE(diag::render_text(source, sink.all()).empty());
      continue;
    }
    ++right;
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_survives(file);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(right, 600);
}

}  // namespace
}  // namespace vinculum::lang
