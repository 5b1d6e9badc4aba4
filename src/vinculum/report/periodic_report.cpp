#include "vinculum/report/periodic_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::report {
namespace {

using linear::ComplexVector;
using linear::PeriodicMotion;
using linear::Stability;
using linear::ZeroEigenvalue;

std::string stability_line(const PeriodicMotion& of) {
  switch (of.stability) {
    case Stability::kUnstable: return "unstable: some deviations grow from period to period";
    case Stability::kStable:
      return of.has_trivial ? "asymptotically stable: all deviations decay, except for one along the motion itself"
                            : "asymptotically stable: all small deviations decay";
    case Stability::kStableUpToZeros:
      return "stable apart from the multipliers 1: all other deviations decay in the linear system";
    case Stability::kUnknown:
    case Stability::kUndecided: break;
  }
  return "no deviation grows, but not all decay: the multipliers do not decide about stability";
}

std::string number_text(std::complex<double> value, const char* sign) {
  if (value.imag() == 0.0) return fmt::format("{:.8g}", value.real());
  return fmt::format("{:.8g} {} {:.8g}i", value.real(), sign, std::abs(value.imag()));
}

std::string multiplier_lines(const PeriodicReport& report) {
  const PeriodicMotion& of = report.motion;
  if (of.multipliers.size() == 0) return "";
  const ComplexVector exponents = exponents_of(of);
  std::vector<std::vector<std::string>> cells{{"", "multiplier", "magnitude", "exponent 1/s", "deviation"}};
  for (Eigen::Index k = 0; k < of.multipliers.size(); ++k) {
    const std::complex<double> value = of.multipliers[k];
    if (value.imag() < 0.0) continue;
    const double size = std::abs(value);
    const bool keeps = std::abs(size - 1.0) <= of.uncertainty[k];
    const std::string change = keeps ? "keeps its size" : size > 1.0 ? "grows" : "decays";
    const std::complex<double> exponent(keeps ? 0.0 : exponents[k].real(), exponents[k].imag());
    cells.push_back({fmt::format("{}", cells.size()), number_text(value, "±"), fmt::format("{:.8g}", size),
                     number_text(exponent, value.imag() == 0.0 ? "+" : "±"), change});
  }
  return "\nmultipliers of one period\n" + aligned(cells, "  ");
}

std::string one_lines(const PeriodicReport& report) {
  const PeriodicMotion& of = report.motion;
  const std::size_t count = of.ones.size() + (of.has_trivial ? 1 : 0);
  if (count == 0) return "";
  std::string text = fmt::format("\n{} multiplier{} 1\n", count, count == 1 ? "" : "s");
  if (of.has_trivial) text += "  along the motion itself\n";
  const std::vector<Named> variables = report.variables();
  for (const ZeroEigenvalue& one : of.ones) {
    using Why = ZeroEigenvalue::Why;
    if (one.direction.size() == 0) {
      text += fmt::format(
          "  {}: {}\n", variables[static_cast<std::size_t>(one.variable)].name,
          one.why == Why::kIgnorable ? "ignorable (nothing else depends on the value)" : "keeps its deviation");
      continue;
    }
    const ComplexVector shape = (of.tangent.T * one.direction).cast<std::complex<double>>();
    text += fmt::format("  {}: {}\n", shape_text(report.components, shape, shape.cwiseAbs().cwiseQuotient(of.scale)),
                        one.why == Why::kFamily
                            ? "neighboring motions in this direction are periodic too"
                            : "a deviation in another direction makes this one grow in proportion to time");
  }
  return text;
}

std::vector<std::string> names_at(const PeriodicReport& report, const std::vector<Eigen::Index>& components) {
  std::vector<std::string> names;
  for (const Eigen::Index i : components) names.push_back(report.components[static_cast<std::size_t>(i)].name);
  return names;
}

std::string text_of(const PeriodicReport& report) {
  const PeriodicMotion& of = report.motion;
  std::string text = fmt::format("{} at t = {:.6g} s: a motion with the period {:.12g} s\n{}\n", report.model, of.t,
                                 of.period, stability_line(of));
  const std::vector<std::string> advanced = names_at(report, of.advanced), variables = names_of(report.variables());
  if (!advanced.empty())
    text += fmt::format("after one period {} {} advanced, which changes nothing else\n", listed(advanced),
                        advanced.size() == 1 ? "has" : "have");
  text += fmt::format("after one period {} differs by {:.1e} or less of its typical size\n",
                      advanced.empty() ? "the state" : "the rest of the state", of.distance);
  text += fmt::format("\n{} independent variable{}: {}\n", variables.size(), variables.size() == 1 ? "" : "s",
                      variables.empty() ? "none" : listed(variables));
  return text + multiplier_lines(report) + one_lines(report) + named_matrix_text("M", of.M, variables, variables);
}

}  // namespace

std::vector<Named> PeriodicReport::variables() const {
  std::vector<Named> all;
  for (const Eigen::Index i : motion.tangent.independent) all.push_back(components[static_cast<std::size_t>(i)]);
  return all;
}

std::string_view word_of_multipliers(Stability stability) {
  switch (stability) {
    case Stability::kUnstable: return "unstable";
    case Stability::kStable: return "stable";
    case Stability::kStableUpToZeros: return "stable apart from ones";
    case Stability::kUnknown:
    case Stability::kUndecided: break;
  }
  return "undecided";
}

ComplexVector exponents_of(const PeriodicMotion& motion) {
  return motion.multipliers.unaryExpr([&](std::complex<double> one) {
    return std::log(std::abs(one) < tolerance::kLeast ? tolerance::kLeast : one) / motion.period;
  });
}

Node periodic_report(const PeriodicReport& report) {
  const PeriodicMotion& of = report.motion;
  const ComplexVector exponents = exponents_of(of);
  Node node = Node::object({{"format", kFormat}, {"model", report.model}, {"t", of.t}, {"period", of.period}});
  node.add("stability", word_of_multipliers(of.stability));
  node.add("variables", named_node(report.variables()));
  node.add("components", named_node(report.components));
  node.add("state", of.y);
  Node advanced = Node::list();
  for (std::string& name : names_at(report, of.advanced)) advanced.add(std::move(name));
  node.add("advanced", std::move(advanced));
  node.add("distance", of.distance);
  node.add("trivial", of.has_trivial);
  Node multipliers = Node::list();
  for (Eigen::Index k = 0; k < of.multipliers.size(); ++k) {
    const std::complex<double> value = of.multipliers[k];
    Node one = Node::object({{"re", shown(value.real())}, {"im", shown(value.imag())}});
    one.add("exponent", Node::object({{"re", shown(exponents[k].real())}, {"im", shown(exponents[k].imag())}}));
    one.add("uncertainty", of.uncertainty[k]);
    one.add("vector", complex_node(of.vectors.col(k)));
    multipliers.add(std::move(one));
  }
  node.add("multipliers", std::move(multipliers));
  Node ones = Node::list();
  for (const ZeroEigenvalue& one : of.ones)
    ones.add(Node::object({{"why", word_of(one.why)}, {"direction", direction_of(one, of.M.rows())}}));
  node.add("ones", std::move(ones));
  node.add("M", matrix_node(of.M));
  node.hush();
  Node whole = std::move(node);
  whole.said = text_of(report);
  return whole;
}

Table multiplier_table(const PeriodicReport& report) {
  const PeriodicMotion& of = report.motion;
  Table table{{{"re"}, {"im"}, {"magnitude"}, {"exponent_re", "1/s"}, {"exponent_im", "rad/s"}, {"uncertainty"}},
              static_cast<std::size_t>(of.multipliers.size()),
              {}};
  table.cell = [values = of.multipliers, exponents = exponents_of(of), uncertainty = of.uncertainty](
                   std::size_t row, std::size_t column) -> Node::Value {
    const auto k = static_cast<Eigen::Index>(row);
    switch (column) {
      case 0: return shown(values[k].real());
      case 1: return shown(values[k].imag());
      case 2: return std::abs(values[k]);
      case 3: return shown(exponents[k].real());
      case 4: return shown(exponents[k].imag());
      default: return uncertainty[k];
    }
  };
  return table;
}

}  // namespace vinculum::report
