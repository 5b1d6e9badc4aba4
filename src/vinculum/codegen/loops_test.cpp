// Programs in which one sequence of operations repeats, as for chains of bodies. Native code executes the repetitions
// as loops and must give the bits of the tape.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>

#include "support/codegen/compile_at.hpp"
#include "support/codegen/same_bits.hpp"
#include "vinculum/codegen/native_program.hpp"
#include "vinculum/codegen/tape_kernel.hpp"

namespace vinculum::codegen {
namespace {

using expr::Expr;
using expr::Graph;
using native::Level;
using test_support::compile_at;
using test_support::evaluate_bound;
using test_support::is_same_bits;

/// Number of links of a chain, and properties of each link as functions of its index.
struct Chain {
  std::size_t size = 2500;
  std::function<std::size_t(std::size_t)> parent = [](std::size_t i) { return i - 1; };
  std::function<bool(std::size_t)> slides = [](std::size_t) { return false; };
  std::function<double(std::size_t)> mass = [](std::size_t) { return 1.5; };
  std::function<bool(std::size_t)> is_output = [](std::size_t) { return true; };
};

/// Kernel of a chain with three passes over its links: positions outward, inertias inward, accelerations outward. It
/// has about 25 operations per link.
KernelSpec spec_of(Graph& graph, const Chain& chain) {
  const std::size_t n = chain.size;
  const Expr length = graph.symbol("length"), gravity = graph.symbol("gravity");
  std::vector<Expr> q, u, s, c, w, inertia, bias, e, response, a;
  for (std::size_t i = 0; i < n; ++i) q.push_back(graph.symbol("q" + std::to_string(i)));
  for (std::size_t i = 0; i < n; ++i) u.push_back(graph.symbol("u" + std::to_string(i)));
  for (std::size_t i = 0; i < n; ++i) {
    s.push_back(expr::sine(q[i]));
    c.push_back(chain.slides(i) ? q[i] * length : expr::cosine(q[i]));
    w.push_back(i == 0 ? u[i] : c[i] * w[chain.parent(i)] + u[i]);
    inertia.push_back(chain.mass(i) + length * (s[i] * s[i]));
    bias.push_back(gravity * s[i] - w[i] * w[i] * length);
  }
  e.resize(n);
  response.resize(n);
  for (std::size_t i = n; i-- > 0;) {
    const Expr U = inertia[i] * c[i] + length, inverse = 1.0 / (U * c[i] + 2.0);
    e[i] = (gravity - bias[i]) * inverse;
    response[i] = U * inverse;
    if (i == 0) break;
    inertia[chain.parent(i)] += inertia[i] - U * response[i];
    bias[chain.parent(i)] += c[i] * (bias[i] + e[i] * U);
  }
  KernelSpec spec{"chain", q, {length, gravity}, {u[0], u[1]}};
  spec.inputs.insert(spec.inputs.end(), u.begin(), u.end());
  for (std::size_t i = 0; i < n; ++i) {
    const Expr carried = i == 0 ? gravity : c[i] * a[chain.parent(i)];
    const Expr u_dot = e[i] - response[i] * carried;
    a.push_back(carried + u_dot);
    if (chain.is_output(i)) spec.outputs.push_back(u_dot);
  }
  spec.outputs.insert(spec.outputs.end(), u.begin(), u.end());
  return spec;
}

std::vector<double> some_state(std::size_t n) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<double> state(n);
  for (double& x : state) x = number(random);
  return state;
}

void expect_bits_of_tape(const Chain& chain) {
  Graph graph;
  const KernelSpec spec = spec_of(graph, chain);
  const Tape tape = make_tape(spec);
  const auto of_tape = make_tape_kernel(tape);
  const std::vector<double> state = some_state(spec.inputs.size()), parameters{0.7, 9.81};
  const std::vector<double> constants = of_tape->prepare(parameters);
  const std::vector<double> truth = evaluate_bound(*of_tape, state, constants);
  for (const Level level : {Level::kFast, Level::kSoonest, Level::kFull}) {
    const auto native = compile_at(level, tape);
    if (native == nullptr) return;
    const std::vector<double> found = evaluate_bound(*native, state, constants);
    for (std::size_t i = 0; i < truth.size(); ++i) {
      ASSERT_TRUE(is_same_bits(found[i], truth[i])) << "output " << i << ": " << found[i] << " for " << truth[i];
    }
  }
}

std::size_t code_size(const Chain& chain) {
  Graph graph;
  const Tape tape = make_tape(spec_of(graph, chain));
  const NativeProgram program(tape);
  const native::Program view = program.view();
  std::string error;
  const native::CompileFunction function = open_compiler_module(error);
  return function == nullptr ? 0 : compile_image(function, std::span(&view, 1), Level::kFull, nullptr, error).size();
}

TEST(Loops, OfAChainHaveTheTapesBits) { expect_bits_of_tape({}); }

TEST(Loops, OfLinksOfTwoKindsHaveTheTapesBits) {
  Chain chain;
  chain.slides = [](std::size_t i) { return i % 2 == 1; };
  expect_bits_of_tape(chain);
}

TEST(Loops, OfLinksWithNumbersOfTheirOwnHaveTheTapesBits) {
  Chain chain;
  chain.mass = [](std::size_t i) { return 1.0 + 0.001 * static_cast<double>(i); };
  expect_bits_of_tape(chain);
}

TEST(Loops, OfTreesHaveTheTapesBits) {
  Chain pairs;
  pairs.parent = [](std::size_t i) { return (i - 1) / 2; };
  expect_bits_of_tape(pairs);
  Chain by_chance;
  std::vector<std::size_t> parents{0};
  std::mt19937_64 random(2);
  for (std::size_t i = 1; i < by_chance.size; ++i) parents.push_back(random() % i);
  by_chance.parent = [&](std::size_t i) { return parents[i]; };
  expect_bits_of_tape(by_chance);
}

TEST(Loops, WithoutRegularityHaveTheTapesBits) {
  Chain chain;
  std::mt19937_64 random(3);
  std::vector<bool> slides;
  for (std::size_t i = 0; i < chain.size; ++i) slides.push_back(random() % 2 == 0);
  chain.slides = [&](std::size_t i) { return slides[i]; };
  expect_bits_of_tape(chain);
}

TEST(Loops, OfWhichSomeResultsAreOutputsHaveTheTapesBits) {
  Chain chain;
  chain.is_output = [](std::size_t i) { return i % 3 == 0 && i != 300; };
  expect_bits_of_tape(chain);
}

TEST(Loops, AreAsLongAsOneIteration) {
  Chain twice;
  twice.size = 5000;
  const std::size_t size = code_size({}), size_of_twice = code_size(twice);
  EXPECT_LT(size, 20000u);
  EXPECT_LT(size_of_twice, size + 500);
}

}  // namespace
}  // namespace vinculum::codegen
