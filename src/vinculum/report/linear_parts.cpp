#include "vinculum/report/linear_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::report {
namespace {

constexpr double kShownAmplitude = 0.001;  // smallest amplitude in a mode that text shows, relative to the largest

}  // namespace

using linear::ComplexVector;

std::string shape_text(const std::vector<Named>& components, const ComplexVector& shape, const Vector& relative) {
  std::vector<Eigen::Index> order;
  const double least = kShownAmplitude * (relative.size() > 0 ? relative.maxCoeff() : 0.0);
  for (Eigen::Index i = 0; i < shape.size(); ++i) {
    if (relative[i] > least) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](auto a, auto b) { return relative[a] > relative[b] * (1.0 + tolerance::kTie); });
  std::string text;
  for (std::size_t n = 0; n < order.size() && n < static_cast<std::size_t>(kMostPrinted); ++n) {
    const std::complex<double> one = shape[order[n]];
    const auto& [name, unit] = components[static_cast<std::size_t>(order[n])];
    text += n == 0 ? "" : ", ";
    const bool is_real = std::abs(one.imag()) <= tolerance::kHalfDigits * std::abs(one);
    text += fmt::format("{} {:.4g}{}", name, is_real ? one.real() : std::abs(one), unit == "1" ? "" : " " + unit);
    if (!is_real) text += fmt::format(" at {:.4g} deg", std::arg(one) * 180.0 / std::numbers::pi);
  }
  return text + (order.size() > static_cast<std::size_t>(kMostPrinted) ? ", …" : "");
}

std::string named_matrix_text(const char* name, const Matrix& matrix, const std::vector<std::string>& rows,
                              const std::vector<std::string>& columns) {
  if (matrix.size() == 0) return "";
  if (std::max(matrix.rows(), matrix.cols()) > kMostPrinted)
    return fmt::format("\n{} is {} × {}, in --json\n", name, matrix.rows(), matrix.cols());
  const double least = tolerance::kRounded * matrix.cwiseAbs().maxCoeff();  // smaller entries are rounding errors
  std::vector<std::vector<std::string>> cells{{""}};
  cells[0].insert(cells[0].end(), columns.begin(), columns.end());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    cells.push_back({rows[static_cast<std::size_t>(i)]});
    for (const double entry : matrix.row(i))
      cells.back().push_back(std::abs(entry) <= least ? "0" : fmt::format("{:.6g}", entry));
  }
  return fmt::format("\n{}, in SI units\n", name) + aligned(cells, "  ");
}

Table matrix_table(const Matrix& matrix, std::vector<std::string> rows, const std::vector<std::string>& columns) {
  Table table{{{"row"}}, rows.size(), {}};
  for (const std::string& name : columns) table.columns.push_back({name});
  table.cell = [matrix, rows = std::move(rows)](std::size_t row, std::size_t column) -> Node::Value {
    if (column == 0) return rows[row];
    return shown(matrix(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column) - 1));
  };
  return table;
}

Node matrix_node(const Matrix& matrix) {
  Node rows = Node::list();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Node row = Node::list();
    for (const double entry : matrix.row(i)) row.add(shown(entry));
    rows.add(std::move(row));
  }
  return rows;
}

Node complex_node(const ComplexVector& values) {
  Node re = Node::list(), im = Node::list();
  for (const std::complex<double>& value : values) re.add(shown(value.real())), im.add(shown(value.imag()));
  return Node::object({{"re", std::move(re)}, {"im", std::move(im)}});
}

Node named_node(const std::vector<Named>& all) {
  Node list = Node::list();
  for (const auto& [name, unit] : all) list.add(Node::object({{"name", name}, {"unit", unit}}));
  return list;
}

std::string_view word_of(linear::ZeroEigenvalue::Why why) {
  switch (why) {
    case linear::ZeroEigenvalue::Why::kIgnorable: return "ignorable";
    case linear::ZeroEigenvalue::Why::kConstant: return "constant";
    case linear::ZeroEigenvalue::Why::kFamily: return "family";
    case linear::ZeroEigenvalue::Why::kDrift: break;
  }
  return "drift";
}

Vector direction_of(const linear::ZeroEigenvalue& zero, Eigen::Index variables) {
  return zero.direction.size() > 0 ? zero.direction : Vector(Vector::Unit(variables, zero.variable));
}

std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const auto& one : all) names.push_back(one.name);
  return names;
}

}  // namespace vinculum::report
