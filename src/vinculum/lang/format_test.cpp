#include "vinculum/lang/format.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "vinculum/diag/render.hpp"
#include "vinculum/diag/utf8.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::lang {
namespace {

ModelFile parse_right(const std::string& text) {
  const diag::SourceText source("m.vin", text);
  diag::Diagnostics sink;
  ModelFile result = parse(source, sink);
  EXPECT_EQ(diag::render_text(source, sink.all()), "");
  return result;
}

std::string formatted(const std::string& text) { return format(parse_right(text)); }

constexpr const char* kPucks = R"(model parallel_pucks  "Two pucks whose velocities stay parallel"
source "Roithmayr 2007, Example 3"

frame N newtonian
point O fixed in N
param m1 = 1 [kg], m2 = 2 [kg]
coord q1, q2, q3, q4 [m]

particle P1 mass m1 at O + q1*N.x + q2*N.y
particle P2 mass m2 at O + q3*N.x + q4*N.y
force on P1 = 0.3 [N] * N.x
force on P2 = 0.7 [N] * N.x

constraint parallel: dot(vel(P2), cross(N.z, vel(P1))) = 0

output lambda = multiplier(parallel)
output C1 = force(parallel, P1) in N

start q2 = 1, q3 = 1, q1' = 0.25, q2' = 1, q3' = 1, q4' = 4
run 4 [s] tolerance 1e-10
expect at end: q1 = 2.01445613569204 ± 1e-9  # an independent reference
expect always: |residual(parallel)| < 1e-12
)";

constexpr const char* kMixed = R"(# head

# of the file
model mix  "every statement"  # title

frame N newtonian
frame B = N body123(a, b*2, -c^2)
frame C = B rotated 2*t about N.x + N.y
point O fixed in N
point Q on B = O + x*N.x
param a = 1 [kg*m/s^2], b = (1 + 2) [m], w = 2*pi/3 [rad/s], k = 10 [N] / (2 [m])
coord x, y [m], phi [rad], z
speed u = x' [m/s], v = |x|^2 - -y if x < 2 and not y > 3 else -1
let h = -x^2 - (a - (b - c)) + a/(b/c) + (a*b)^c^d + (-a)^2 + 2^-x
particle P mass m at O + x*N.x
force on P = a if b else c from Q
gravity -9.81 [m/s^2] * N.z
spring P Q stiffness k length l damping c
generalized force on x = -k*x
potential m*g*x
constraint c: dot(vel(P), N.x) = 0 along N.x, N.y  # behind
    # inside
    law ideal
    nonideal on P = -c*v from Q
output e = vel(P) in N
start x = 1, y' ~ 2 [m], z = 2*pi/3 [rad]
run 4 [s] step 0.1 tolerance 1e-8 method dop853 formulation explicit
expect at start: x = 1 ± 2
expect at 2 [s]: x + -1 = 3 ± 1
expect always: |residual(c[1])| < 1e-12
expect stop: not-unique at 1 ± 0.1

# the

# end
)";

TEST(Format, LeavesCanonicalTextAsItIs) {
  EXPECT_EQ(formatted(kPucks), kPucks);
  EXPECT_EQ(formatted(kMixed), kMixed);
}

TEST(Format, SetsSpacesBracketsAndClausesCanonically) {
  EXPECT_EQ(formatted("let   a=((b))+( c*d )/(e/f)\n"), "let a = b + c*d/(e/f)\n");
  EXPECT_EQ(formatted("let a = dot(v,N.x)^2-(-b)\n"), "let a = dot(v, N.x)^2 - -b\n");
  EXPECT_EQ(formatted("constraint c: x=0 law ideal nonideal on P=v\n"),
            "constraint c: x = 0\n    law ideal\n    nonideal on P = v\n");
  EXPECT_EQ(formatted("expect at end: x = 1 +-2\n"), "expect at end: x = 1 ± 2\n");
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

TEST(IsEqual, SeesEachDifference) {
  const ModelFile original = parse_right(kMixed);
  EXPECT_TRUE(is_equal(original, parse_right(kMixed)));
  const std::pair<const char*, const char*> edits[] = {{"body123", "body132"},
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
                                                       {"else -1", "else 1"}};
  for (const auto& [from, to] : edits) {
    std::string text = kMixed;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, std::string(from).size(), to);
    EXPECT_FALSE(is_equal(original, parse_right(text))) << from << " → " << to;
  }
}

// Any expression that the grammar can make, with names that also are units.
class RandomExpression {
 public:
  explicit RandomExpression(unsigned seed) : random_(seed) {}

  int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

  ExpressionPtr make(int depth) {
    if (depth == 0) return leaf();
    switch (below(9)) {
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

void expect_survives(const ModelFile& file) {
  const std::string text = format(file);
  const ModelFile again = parse_right(text);
  ASSERT_TRUE(is_equal(file, again)) << text << format(again);
  ASSERT_EQ(format(again), text);
}

TEST(Format, IsUndoneByParsingForRandomExpressionsInEveryContext) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomExpression random(seed);
    const int depth = random.below(5);
    expect_survives(file_of(LetStatement{named("a"), random.make(depth)}));
    ParamStatement param;
    param.items.push_back({named("a"), random.make(depth), std::nullopt});
    // `2 [m]` alone reads as a number with a unit, so a unit of the item needs another value.
    param.items.push_back({named("b"), random.make(depth + 1), random.unit()});
    param.items.push_back({named("c"), random.make(depth), std::nullopt});
    expect_survives(file_of(std::move(param)));
    RunStatement run;
    run.duration = random.make(depth);
    run.step = random.make(depth);
    expect_survives(file_of(std::move(run)));
    ExpectValue expect{ExpectWhen::kAt, random.make(depth), random.make(depth), random.make(depth), random.make(depth)};
    expect_survives(file_of(ExpectStatement{std::move(expect)}));
    ConstraintStatement constraint{named("c"), random.make(depth), random.make(depth), {}, {}};
    constraint.along.push_back(random.make(depth));
    constraint.clauses.push_back({NonidealClause{named("P"), random.make(depth), named("Q")}, {}});
    expect_survives(file_of(std::move(constraint)));
    if (testing::Test::HasFailure()) return;
  }
}

// Texts near to right ones: bytes and pieces lost, doubled, exchanged.
std::string mutate(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  constexpr std::array<const char*, 20> kPieces = {"(",    ")", "[",  "]", "|", "'",     "\n", "\n    ", " = ",  "+-",
                                                   " [m]", "#", "\"", "{", "}", " law ", ", ", "^",      "\xC2", "1e"};
  for (std::size_t i = 1 + below(4); i > 0 && !text.empty(); --i) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(text.size() - at, 1 + below(12));
    switch (below(5)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text.insert(at, kPieces[below(kPieces.size())]); break;
      case 3: text[at] = static_cast<char>(below(256)); break;
      default: text.insert(below(text.size()), text.substr(at, length)); break;
    }
  }
  return text;
}

TEST(Format, IsUndoneByParsingForMutatedModelsThatAreRight) {
  int right = 0;
  for (unsigned seed = 0; seed < 6000; ++seed) {
    std::mt19937 random(seed);
    const std::string text = mutate(seed % 2 == 0 ? kPucks : kMixed, random);
    const diag::SourceText source("m.vin", text);
    diag::Diagnostics sink;
    const ModelFile file = parse(source, sink);
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
  EXPECT_GT(right, 300);
}

}  // namespace
}  // namespace vinculum::lang
