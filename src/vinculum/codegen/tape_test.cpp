#include "vinculum/codegen/tape.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/expr/random_expression.hpp"
#include "vinculum/codegen/tape_kernel.hpp"

namespace vinculum::codegen {
namespace {

using expr::Expr;
using expr::Graph;
using expr::Op;
using Space = Operand::Space;

std::size_t count(const Program& program, Op op) {
  std::size_t n = 0;
  for (const Instruction& instruction : program.instructions) n += instruction.op == op;
  return n;
}

TEST(Tape, HoistsWhatDependsOnParametersOnly) {
  Graph g;
  const Expr x = g.symbol("x"), m = g.symbol("m"), l = g.symbol("l");
  const Tape tape = make_tape({"hoist", {x}, {m, l}, {(m * (l * l)) * sine(x), cosine(m) + x, m * l}});
  EXPECT_EQ(tape.main.instructions.size(), 3u);  // sine, product and sum; all else is computed in the prologue
  EXPECT_EQ(count(tape.prologue, Op::kCosine), 1u);
  // only the largest subexpressions of parameters; l*l is part of one of them
  EXPECT_EQ(tape.prologue.outputs.size(), 3u);
  EXPECT_EQ(tape.constant_count(), tape.literals.size() + 3u);
}

TEST(Tape, ComputesNothingThatNoOutputNeeds) {
  Graph g;
  const Expr x = g.symbol("x");
  static_cast<void>(sine(x) * cosine(x));
  const Tape tape = make_tape({"dead", {x}, {}, {x + 1.0}});
  EXPECT_EQ(tape.main.instructions.size(), 1u);
  EXPECT_EQ(tape.literals, std::vector<double>{1.0});
}

TEST(Tape, UnfoldsPowersAndSharesTheirSteps) {
  Graph g;
  const Expr x = g.symbol("x");
  const Tape tape = make_tape(
      {"power", {x}, {}, {x * x, power(x, 3.0), power(x, 6.0), power(x, 1.5), power(x, -3.0), power(x, 0.3)}});
  // x², x³, x⁶ = (x³)², sqrt x, x sqrt x and 1/x³ are replaced by products, roots and a quotient; only x^0.3 remains a
  // power.
  EXPECT_EQ(count(tape.main, Op::kMultiply), 4u);
  EXPECT_EQ(count(tape.main, Op::kSquareRoot), 1u);
  EXPECT_EQ(count(tape.main, Op::kDivide), 1u);
  EXPECT_EQ(count(tape.main, Op::kPower), 1u);
}

TEST(Tape, ReusesSlotsAlongALongChain) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  Expr e = x;
  for (int i = 0; i < 100000; ++i) e = sine(e) + y;
  const Tape tape = make_tape({"chain", {x, y}, {}, {e}});
  EXPECT_EQ(tape.main.instructions.size(), 200000u);
  EXPECT_LE(tape.main.slot_count, 2u);
}

TEST(Tape, TakesTheOrderThatNeedsFewerSlots) {
  Graph g;
  const Expr x = g.symbol("x");
  std::vector<Expr> terms;
  for (int i = 0; i < 200; ++i) terms.push_back(sine((i + 1.0) * x));  // in the order of the graph all sines come first
  Expr sum = terms[0];
  for (int i = 1; i < 200; ++i) sum = sum + terms[i];
  EXPECT_LE(make_tape({"sum", {x}, {}, {sum}}).main.slot_count, 3u);
}

TEST(Tape, WritesASlotBeforeItIsReadAndKeepsOutputs) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph g;
    expr::RandomExpressions random(g, seed, 5, expr::RandomExpressions::Kind::kAny);
    KernelSpec spec{"slots", random.symbols(), {}, {}};
    for (int i = 0; i < 200; ++i) {
      const Expr e = random.next();
      if (i % 5 == 0) spec.outputs.push_back(e);
    }
    const Tape tape = make_tape(spec);
    std::set<std::uint32_t> written;
    for (const Instruction& instruction : tape.main.instructions) {
      for (const Operand& operand : instruction.operands) {
        const std::size_t limit = operand.space == Space::kConstant ? tape.constant_count() : tape.input_count;
        EXPECT_TRUE(operand.space == Space::kNone ||
                    (operand.space == Space::kSlot ? written.contains(operand.index) : operand.index < limit));
      }
      EXPECT_LT(instruction.target, tape.main.slot_count);
      written.insert(instruction.target);
    }
    EXPECT_EQ(written.size(), tape.main.slot_count);
  }
}

Tape tape_of_small_model(Graph& g, double factor, double knot) {
  const Expr x = g.symbol("x"), m = g.symbol("m");
  const auto table = g.add_table(std::make_shared<expr::Spline>("t", std::vector{0.0, knot}, std::vector{1.0, 3.0}));
  return make_tape({"any name", {x}, {m}, {factor * (m * x) + g.table(table, 0, x)}});
}

TEST(TapeHash, FollowsContentAndNothingElse) {
  Graph g, same, other;
  for (int i = 0; i < 50; ++i) static_cast<void>(sine(same.symbol("unused" + std::to_string(i))));
  Tape tape = tape_of_small_model(g, 2.0, 1.0);
  tape.name = "another name";
  EXPECT_EQ(tape.content_hash(), tape_of_small_model(same, 2.0, 1.0).content_hash());
  EXPECT_NE(tape.content_hash(), tape_of_small_model(other, 2.5, 1.0).content_hash());
  EXPECT_NE(tape.content_hash(), tape_of_small_model(other, 2.0, 1.5).content_hash());
}

TEST(TapeHash, SeesEveryPart) {
  Graph g;
  const Tape tape = tape_of_small_model(g, 2.0, 1.0);
  std::set<std::array<std::uint64_t, 2>> hashes{tape.content_hash()};
  std::size_t changes = 0;
  const auto change = [&](auto&& edit) {
    Tape edited = tape;
    edit(edited);
    hashes.insert(edited.content_hash());
    ++changes;
  };
  change([](Tape& t) { t.input_count += 1; });
  change([](Tape& t) { t.parameter_count += 1; });
  change([](Tape& t) { t.main.instructions[0].op = Op::kDivide; });
  change([](Tape& t) { t.main.instructions[0].target += 1; });
  change([](Tape& t) { t.main.instructions[0].operands[0].index += 1; });
  change([](Tape& t) { t.main.instructions[0].operands[0].space = Space::kConstant; });
  change([](Tape& t) { t.main.instructions[0].derivative_order += 1; });
  change([](Tape& t) { std::swap(t.main.instructions[0], t.main.instructions[1]); });
  change([](Tape& t) { t.main.outputs.push_back(t.main.outputs[0]); });
  change([](Tape& t) { t.prologue.outputs.clear(); });
  change([](Tape& t) { t.splines.clear(); });
  EXPECT_EQ(hashes.size(), changes + 1);
}

TEST(Preparation, GivesLiteralsThenHoistedValues) {
  Graph g;
  const Expr x = g.symbol("x"), m = g.symbol("m");
  const Tape tape = make_tape({"prepare", {x}, {m}, {2.0 * x + m * m, m * x}});
  const std::vector<double> constants = Preparation(tape).run(std::vector<double>{3.0});
  EXPECT_EQ(constants, (std::vector<double>{2.0, 9.0, 3.0}));
}

}  // namespace
}  // namespace vinculum::codegen
