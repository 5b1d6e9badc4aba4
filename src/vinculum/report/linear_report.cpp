#include "vinculum/report/linear_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::report {
namespace {

using linear::ComplexMatrix;
using linear::ComplexVector;
using linear::Linearization;
using linear::Modes;
using linear::Reference;
using linear::Stability;
using linear::ZeroEigenvalue;

/// Magnitudes relative to typical sizes; 0 for speeds if a coordinate takes part, because the rates of the coordinates
/// follow from the eigenvalue. [ny]
Vector shown_sizes(const LinearReport& report, const ComplexVector& shape) {
  Vector relative = shape.cwiseAbs().cwiseQuotient(report.system.scale);
  const Eigen::Index nq = report.coordinates, nu = report.speeds;
  if (nq > 0 && nu > 0 && relative.head(nq).maxCoeff() > tolerance::kZero * relative.maxCoeff())
    relative.segment(nq, nu).setZero();
  return relative;
}

/// Components of the modes, including the dependent ones: T v, scaled so that the largest coordinate, relative to its
/// typical size, is 1 (or the largest component, if no coordinate takes part). [ny × modes]
ComplexMatrix shapes_of(const LinearReport& report) {
  const Linearization& of = report.system;
  ComplexMatrix shapes = of.tangent.T * of.modes.right;
  for (Eigen::Index k = 0; k < shapes.cols(); ++k) {
    Eigen::Index largest = 0;
    const Vector relative = shown_sizes(report, shapes.col(k));
    relative.maxCoeff(&largest);
    shapes.col(k) /= shapes(largest, k);
  }
  return shapes;
}

/// Members of an eigenvalue: numbers that do not apply are null.
Node numbers_of(std::complex<double> value) {
  const double size = std::abs(value), real = value.real();
  Node node = Node::object({{"re", shown(real)}, {"im", shown(value.imag())}});
  const bool oscillates = value.imag() != 0.0;
  node.add("frequency", oscillates ? Node(std::abs(value.imag()) / (2.0 * std::numbers::pi)) : Node());
  node.add("damping_ratio", oscillates ? Node(shown(-real / size)) : Node());
  node.add("time", real != 0.0 ? Node(1.0 / std::abs(real)) : Node());
  return node;
}

/// How the amplitude changes; `uncertainty` is the rounding error of the eigenvalue.
std::string change_of(double real, double uncertainty) {
  if (std::abs(real) <= uncertainty) return "keeps its amplitude";
  return fmt::format("{} by e in {:.4g} s", real > 0.0 ? "grows" : "decays", 1.0 / std::abs(real));
}

/// Lines of the table of eigenvalues; of a pair only the one with positive frequency.
std::string eigenvalue_lines(const Modes& modes) {
  std::vector<std::vector<std::string>> cells{{"", "eigenvalue 1/s", "rad/s", "Hz", "damping ratio", "amplitude"}};
  int number = 0;
  for (Eigen::Index k = 0; k < modes.eigenvalues.size(); ++k) {
    const std::complex<double> value = modes.eigenvalues[k];
    if (value.imag() < 0.0) continue;
    const double real = std::abs(value.real()) <= modes.uncertainty[k] ? 0.0 : value.real();
    const std::string name = fmt::format("mode {}", ++number);
    const std::string change = change_of(value.real(), modes.uncertainty[k]);
    if (value.imag() == 0.0) {
      cells.push_back({name, fmt::format("{:.8g}", real), "", "", "", change});
      continue;
    }
    cells.push_back({name, fmt::format("{:.8g} ± {:.8g}i", real, value.imag()), fmt::format("{:.6g}", value.imag()),
                     fmt::format("{:.6g}", value.imag() / (2.0 * std::numbers::pi)),
                     fmt::format("{:.4g}", shown(-real / std::abs(value))), change});
  }
  return aligned(cells, "  ");
}

std::string mode_lines(const LinearReport& report, const ComplexMatrix& shapes) {
  const Modes& modes = report.system.modes;
  if (modes.eigenvalues.size() == 0) return "";
  std::string text = "\nmodes\n" + eigenvalue_lines(modes) + "\nmode shapes\n";
  Eigen::Index number = 0;
  for (Eigen::Index k = 0; k < modes.eigenvalues.size(); ++k) {
    if (modes.eigenvalues[k].imag() < 0.0) continue;
    if (++number > kMostPrinted) continue;
    text += fmt::format("  mode {}: {}\n", number,
                        shape_text(report.components, shapes.col(k), shown_sizes(report, shapes.col(k))));
  }
  if (number > kMostPrinted) text += fmt::format("  and {} more, in --json\n", number - kMostPrinted);
  if (modes.left.size() == 0)
    text += "  A has no basis of eigenvectors: a multiple eigenvalue has fewer modes, and left modes do not exist\n";
  return text;
}

std::string zero_lines(const LinearReport& report) {
  const auto& zeros = report.system.modes.zeros;
  if (zeros.empty()) return "";
  std::string text = fmt::format("\n{} zero eigenvalue{}\n", zeros.size(), zeros.size() == 1 ? "" : "s");
  const auto listed_as = [&](ZeroEigenvalue::Why why, const char* meaning) {
    std::vector<std::string> names;
    for (const ZeroEigenvalue& zero : zeros) {
      if (zero.why == why) names.push_back(report.variable(static_cast<std::size_t>(zero.variable)).name);
    }
    if (!names.empty()) text += fmt::format("  {}: {}\n", meaning, listed(names));
  };
  listed_as(ZeroEigenvalue::Why::kIgnorable, "ignorable (no other rate depends on the value)");
  listed_as(ZeroEigenvalue::Why::kConstant, "constant (the rate depends on nothing)");
  for (const ZeroEigenvalue& zero : zeros) {
    if (zero.direction.size() == 0) continue;
    Vector direction = report.system.tangent.T * zero.direction;
    Eigen::Index largest = 0;
    direction.cwiseAbs().cwiseQuotient(report.system.scale).maxCoeff(&largest);
    direction /= direction[largest];
    const ComplexVector shape = direction.cast<std::complex<double>>();
    text += fmt::format("  {}: {}\n",
                        shape_text(report.components, shape, shape.cwiseAbs().cwiseQuotient(report.system.scale)),
                        zero.why == ZeroEigenvalue::Why::kFamily
                            ? "neighboring states in this direction are at rest or steady too"
                            : "a deviation in another direction makes this one grow in proportion to time");
  }
  return text;
}

std::string reference_line(const LinearReport& report) {
  const Linearization& of = report.system;
  if (of.reference == Reference::kEquilibrium) return "an equilibrium";
  if (of.reference == Reference::kSteady) {
    std::vector<std::string> names;
    for (const Eigen::Index component : of.moving)
      names.push_back(report.components[static_cast<std::size_t>(component)].name);
    if (of.S.size() > 0)
      return fmt::format("a steady motion along a symmetry of the equations: {} move, at {:.6g} rad/s", listed(names),
                         of.S.cwiseAbs().maxCoeff());
    return fmt::format("a steady motion, in which only {} move{}", listed(names), names.size() == 1 ? "s" : "");
  }
  if (of.worst < 0) return "a motion";
  const auto& [name, unit] = report.components[static_cast<std::size_t>(of.worst)];
  const bool is_now = std::abs(of.y_dot[of.worst]) > tolerance::kConditioned * of.scale[of.worst];
  return "a motion, neither an equilibrium nor steady: `" + name + "` " +
         (is_now ? fmt::format("changes by {:.4g} {} per s", of.y_dot[of.worst], unit == "1" ? "" : unit)
                 : "depends on coordinates that move");
}

std::string stability_line(const Linearization& of) {
  switch (of.stability) {
    case Stability::kUnknown: return "the eigenvalues hold at this instant only and say nothing about stability";
    case Stability::kUnstable: return "unstable: some deviations grow exponentially, also in the nonlinear motion";
    case Stability::kStable: return "asymptotically stable: all small deviations decay";
    case Stability::kStableUpToZeros:
      return "stable apart from the zero eigenvalues: all other deviations decay in the linear system";
    case Stability::kUndecided: break;
  }
  return "no deviation grows exponentially, but not all decay: the linear system does not decide about stability";
}

}  // namespace

std::string_view word_of(Reference reference) {
  return reference == Reference::kEquilibrium ? "equilibrium"
         : reference == Reference::kSteady    ? "steady motion"
                                              : "motion";
}

std::string_view word_of(Stability stability) {
  switch (stability) {
    case Stability::kUnknown: return "unknown";
    case Stability::kUnstable: return "unstable";
    case Stability::kStable: return "stable";
    case Stability::kStableUpToZeros: return "stable apart from zeros";
    case Stability::kUndecided: break;
  }
  return "undecided";
}

std::vector<std::string> variable_names(const LinearReport& report) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < report.system.tangent.independent.size(); ++i) names.push_back(report.variable(i).name);
  return names;
}

Node linear_report(const LinearReport& report) {
  const Linearization& of = report.system;
  const ComplexMatrix shapes = shapes_of(report);
  const std::vector<std::string> variables = variable_names(report);
  const std::vector<std::string> inputs = names_of(report.inputs), outputs = names_of(report.outputs);
  Node node = Node::object({{"format", kFormat}, {"model", report.model}, {"t", of.t}});
  node.add("reference", word_of(of.reference));
  node.add("stability", word_of(of.stability));
  Node moving = Node::list(), held = Node::list();
  for (const Eigen::Index component : of.moving)
    moving.add(report.components[static_cast<std::size_t>(component)].name);
  for (const Eigen::Index component : of.held) held.add(report.components[static_cast<std::size_t>(component)].name);
  node.add("moving", std::move(moving));
  node.add("held", std::move(held));
  std::vector<Named> of_variables;
  for (std::size_t i = 0; i < variables.size(); ++i) of_variables.push_back(report.variable(i));
  node.add("variables", named_node(of_variables));
  node.add("components", named_node(report.components));
  node.add("state", of.y);
  node.add("rates", of.y_dot);
  node.add("inputs", named_node(report.inputs));
  node.add("outputs", named_node(report.outputs));
  node.add("output_values", of.outputs);
  Node modes = Node::list();
  for (Eigen::Index k = 0; k < of.modes.eigenvalues.size(); ++k) {
    Node mode = numbers_of(of.modes.eigenvalues[k]);
    mode.add("uncertainty", of.modes.uncertainty[k]);
    mode.add("shape", complex_node(shapes.col(k)));
    mode.add("right", complex_node(of.modes.right.col(k)));
    mode.add("left", of.modes.left.size() > 0 ? complex_node(of.modes.left.row(k).transpose()) : Node());
    modes.add(std::move(mode));
  }
  node.add("modes", std::move(modes));
  Node zeros = Node::list();
  for (const ZeroEigenvalue& zero : of.modes.zeros)
    zeros.add(Node::object({{"why", word_of(zero.why)}, {"direction", direction_of(zero, of.A.rows())}}));
  node.add("zeros", std::move(zeros));
  for (const auto& [name, matrix] : {std::pair("A", &of.A), {"B", &of.B}, {"C", &of.C}, {"D", &of.D}})
    node.add(name, matrix_node(*matrix));
  node.add("T", matrix_node(of.tangent.T));
  node.add("S", matrix_node(of.S));
  node.hush();
  std::string text =
      fmt::format("{} at t = {:.6g} s: {}\n{}\n", report.model, of.t, reference_line(report), stability_line(of));
  text += fmt::format("\n{} independent variable{}: {}\n", variables.size(), variables.size() == 1 ? "" : "s",
                      variables.empty() ? "none" : listed(variables));
  if (!of.held.empty()) {
    std::vector<std::string> names;
    for (const Eigen::Index component : of.held)
      names.push_back(report.components[static_cast<std::size_t>(component)].name);
    text += fmt::format("held at their values: {}\n", listed(names));
  }
  text += mode_lines(report, shapes) + zero_lines(report);
  text += named_matrix_text("A", of.A, variables, variables) + named_matrix_text("B", of.B, variables, inputs);
  text += named_matrix_text("C", of.C, outputs, variables) + named_matrix_text("D", of.D, outputs, inputs);
  Node whole = std::move(node);
  whole.said = std::move(text);
  return whole;
}

Table mode_table(const LinearReport& report) {
  const ComplexMatrix shapes = shapes_of(report);
  const std::size_t count = report.components.size();
  Table table{{{"mode"}, {"re", "1/s"}, {"im", "rad/s"}, {"component"}, {"amplitude"}, {"phase", "rad"}},
              count * static_cast<std::size_t>(shapes.cols()),
              {}};
  table.cell = [shapes, count, names = names_of(report.components), values = report.system.modes.eigenvalues](
                   std::size_t row, std::size_t column) -> Node::Value {
    const auto mode = static_cast<Eigen::Index>(row / count), component = static_cast<Eigen::Index>(row % count);
    const std::complex<double> one = shapes(component, mode);
    switch (column) {
      case 0: return static_cast<std::int64_t>(mode + 1);
      case 1: return shown(values[mode].real());
      case 2: return shown(values[mode].imag());
      case 3: return names[row % count];
      case 4: return std::abs(one);
      default: return one == 0.0 ? 0.0 : std::arg(one);
    }
  };
  return table;
}

}  // namespace vinculum::report
