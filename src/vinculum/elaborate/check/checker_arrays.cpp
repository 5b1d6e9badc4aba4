#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/elaborate/check/checker.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::Term;
using model::TermKind;

namespace {

std::string entry_name(const Value& array, std::size_t entry) {
  if (array.is(ValueKind::kList)) return "entry " + std::to_string(entry + 1);
  const auto columns = static_cast<std::size_t>(array.columns);
  return "entry (" + std::to_string(entry / columns + 1) + ", " + std::to_string(entry % columns + 1) + ")";
}

/// Entries with these dimensions. An entry that is 0 by form fits any dimension.
std::vector<Entry> entries_of(const TermMatrix& terms, const std::vector<Dimension>& dimensions) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < terms.entries.size(); ++i)
    entries.push_back({terms.entries[i], dimensions[i], terms.entries[i].is_zero()});
  return entries;
}

bool is_variable(Term term) {
  switch (term.kind()) {
    case TermKind::kTime: return true;
    case TermKind::kCoordinate: return term.order() <= 1;
    case TermKind::kSpeed: return term.order() == 0;
    default: return false;
  }
}

constexpr std::string_view kScalingHint =
    "entry (i, j) is of dimension d_i/e_j, with one d for each row and one e for each column";

}  // namespace

TermMatrix terms_of(const Value& array) {
  TermMatrix result{array.rows, array.columns, {}};
  for (const Entry& entry : array.entries) result.entries.push_back(entry.term);
  return result;
}

void Checker::differ_in_entry(diag::SourceRange range, const std::string& what, const Value& array, std::size_t entry,
                              const Dimension& first, const Dimension& second) {
  context_.reporter.error(Kind::kDimensionMismatch, range,
                          what + ": " + entry_name(array, entry) + " is " + vinculum::describe(first) + " and " +
                              vinculum::describe(second));
}

Value Checker::list(const lang::Expression& expression, const lang::List& node) {
  std::vector<Entry> entries;
  bool is_right = true;
  const std::size_t columns = node.rows.empty() ? 0 : node.rows.front().size();
  for (const auto& row : node.rows) {
    for (const auto& written : row) {
      const Value value = evaluate(*written);
      if (!value.is_fault() && !value.is(ValueKind::kScalar)) {
        const bool is_vector = value.is(ValueKind::kVector);
        context_.reporter.error(
            Kind::kWrongKind, written->range,
            "an entry of a list is a scalar, found " + std::string(describe(value.kind)),
            is_vector ? "a vector has measure numbers: `[dot(v, N.x), dot(v, N.y), dot(v, N.z)]`" : "");
      }
      is_right = is_right && value.is(ValueKind::kScalar);
      entries.push_back({value.term, value.dimension, value.fits_any || value.is_doubtful, value.turning});
    }
    if (row.size() == columns) continue;
    context_.reporter.error(Kind::kWrongArgumentCount,
                            row.empty() ? expression.range : cover(row.front()->range, row.back()->range),
                            "the rows of a matrix are of one length: the first has " + std::to_string(columns) +
                                ", this one " + std::to_string(row.size()));
    is_right = false;
  }
  if (is_right && columns == 0) {
    context_.reporter.error(Kind::kWrongArgumentCount, expression.range, "a list has one entry or more");
    is_right = false;
  }
  if (!is_right) return fault();
  return node.rows.size() == 1
             ? make_list(std::move(entries))
             : make_matrix(static_cast<int>(node.rows.size()), static_cast<int>(columns), std::move(entries));
}

Value Checker::sum_of_arrays(const lang::Binary& node, const Value& left, const Value& right) {
  const bool is_sum = node.op == lang::BinaryOperator::kAdd;
  if (left.kind != right.kind || left.rows != right.rows || left.columns != right.columns) {
    return contrast(Kind::kWrongKind,
                    std::string(is_sum ? "`+`" : "`-`") + " needs two lists of one length, or two matrices of one size",
                    {node.left->range, describe(left)}, {node.right->range, describe(right)});
  }
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < left.entries.size(); ++i) {
    const Entry &a = left.entries[i], &b = right.entries[i];
    if (context_.model.has_units && !a.fits_any && !b.fits_any && !(a.dimension == b.dimension)) {
      differ_in_entry(cover(node.left->range, node.right->range),
                      std::string("the two sides of ") + (is_sum ? "`+`" : "`-`") + " differ in dimension", left, i,
                      a.dimension, b.dimension);
      return fault();
    }
    entries.push_back({is_sum ? a.term + b.term : a.term - b.term, a.fits_any ? b.dimension : a.dimension,
                       a.fits_any && b.fits_any, a.turning + b.turning});
  }
  return make_array(left, std::move(entries));
}

Value Checker::product_of_arrays(const lang::Binary& node, const Value& left, const Value& right) {
  if (left.is(ValueKind::kScalar) || right.is(ValueKind::kScalar)) {
    const Value &factor = left.is(ValueKind::kScalar) ? left : right,
                &array = left.is(ValueKind::kScalar) ? right : left;
    std::vector<Entry> entries = array.entries;
    for (Entry& entry : entries) {
      entry = {factor.term * entry.term, factor.dimension * entry.dimension, factor.fits_any || entry.fits_any,
               factor.turning * entry.turning};
    }
    return make_array(array, std::move(entries));
  }
  if (!left.is(ValueKind::kMatrix) || !right.is_array()) {
    std::string hint;
    if (left.is(ValueKind::kList) && right.is_array())
      hint = "a list is used as a column, `A*b`; `transpose(a)` is a row";
    return two_kinds(node, left, right,
                     "a scalar on one side, or a matrix on its left and a list or a matrix on its right",
                     std::move(hint));
  }
  if (left.columns != right.rows) {
    return contrast(Kind::kWrongKind, "the left side of this product has as many columns as the right side has rows",
                    {node.left->range, describe(left)}, {node.right->range, describe(right)});
  }
  const TermMatrix terms = elaborate::product(terms_of(left), terms_of(right));
  std::vector<Entry> entries;
  Value result = make_matrix(left.rows, right.columns, {});
  if (right.is(ValueKind::kList)) result.kind = ValueKind::kList;
  const auto place = [](int row, int column, int columns) { return static_cast<std::size_t>(row * columns + column); };
  for (int i = 0; i < left.rows; ++i) {
    for (int j = 0; j < right.columns; ++j) {
      Entry entry{terms.at(i, j), {}, true};
      for (int k = 0; k < left.columns; ++k) {
        const Entry &a = left.entries[place(i, k, left.columns)], &b = right.entries[place(k, j, right.columns)];
        if (a.fits_any || b.fits_any) continue;
        const Dimension dimension = a.dimension * b.dimension;
        if (context_.model.has_units && !entry.fits_any && !(entry.dimension == dimension)) {
          differ_in_entry(cover(node.left->range, node.right->range),
                          "this product adds quantities that differ in dimension", result, place(i, j, right.columns),
                          entry.dimension, dimension);
          return fault();
        }
        entry.dimension = dimension;
        entry.fits_any = false;
        entry.turning = entry.turning + a.turning * b.turning;
      }
      entries.push_back(entry);
    }
  }
  return make_array(result, std::move(entries));
}

std::optional<int> Checker::whole_number(const lang::Expression& expression, std::size_t largest) {
  const Value value = scalar(expression, "an index");
  if (value.is_fault()) return std::nullopt;
  const double at = value.term.is_number() ? value.term.value() : 0.0;
  if (at == std::floor(at) && at >= 1.0 && at <= static_cast<double>(largest)) return static_cast<int>(at);
  context_.reporter.error(
      Kind::kBadValue, expression.range,
      largest == 1 ? "this index can only be 1" : "this index is a whole number from 1 to " + std::to_string(largest));
  return std::nullopt;
}

Value Checker::entry_of(const lang::Expression& expression, const lang::Index& node, const Value& array) {
  const std::size_t wanted = array.is(ValueKind::kList) ? 1 : 2;
  if (node.indices.size() != wanted)
    return fault(
        Kind::kWrongArgumentCount, expression.range,
        wanted == 1 ? "an entry of a list has one index" : "an entry of a matrix has two indices, row and column");
  const std::optional<int> row = whole_number(*node.indices[0], static_cast<std::size_t>(array.rows));
  const std::optional<int> column =
      wanted == 1 ? 1 : whole_number(*node.indices[1], static_cast<std::size_t>(array.columns));
  if (!row || !column) return fault();
  const Entry& entry = array.entries[static_cast<std::size_t>((*row - 1) * array.columns + *column - 1)];
  Value value = make_scalar(entry.term, entry.dimension);
  value.fits_any = entry.fits_any;
  value.turning = entry.turning;
  return value;
}

Value Checker::apply_to_arrays(const lang::Expression& expression, const lang::Call& node, const FunctionInfo& info,
                               const std::vector<Value>& arguments) {
  const Value& first = arguments[0];
  switch (info.function) {
    case Function::kJacobian: return jacobian(node, first, arguments[1]);
    case Function::kPseudoInverse: return inverse(expression, node, first);
    case Function::kSolve: return solution(expression, node, first, arguments[1]);
    case Function::kTranspose: {
      std::vector<Entry> entries;
      for (int j = 0; j < first.columns; ++j) {
        for (int i = 0; i < first.rows; ++i)
          entries.push_back(first.entries[static_cast<std::size_t>(i * first.columns + j)]);
      }
      return make_matrix(first.columns, first.rows, std::move(entries));
    }
    default: break;
  }
  // the time derivative of each entry, function `dt`
  std::vector<Entry> entries;
  for (const Entry& entry : first.entries) {
    const Term rate = model::time_derivative(context_.model, entry.term);
    if (!rate.is_valid())
      return fault(
          Kind::kDerivativeOrder, expression.range,
          "this derivative would contain derivatives of coordinates above the eighth, or those of multipliers");
    entries.push_back({rate, per_time({1.0, entry.dimension}, 1).dimension, entry.fits_any, entry.turning});
  }
  return make_array(first, std::move(entries));
}

Value Checker::jacobian(const lang::Call& node, const Value& of, const Value& by) {
  const auto* written = std::get_if<lang::List>(&node.arguments[1]->node);
  for (std::size_t j = 0; j < by.entries.size(); ++j) {
    if (is_variable(by.entries[j].term)) continue;
    const lang::Expression& variable = written != nullptr ? *written->rows[0][j] : *node.arguments[1];
    const lang::NameReference* name = as_name(variable);
    const Symbol* symbol = name == nullptr ? nullptr : context_.scope.find(name->name);
    if (symbol != nullptr && symbol->is_nonlinear)
      return fault(
          Kind::kWrongKind, variable.range,
          "`" + symbol->name + "` is not affine in the derivatives of the coordinates: nothing is written in it",
          "take derivatives by those of the coordinates; those by speeds are `solve` of the speeds' own");
    return fault(Kind::kWrongKind, variable.range,
                 "`jacobian` takes derivatives by coordinates, their first derivatives, speeds and `t`, "
                 "found another expression",
                 "write `jacobian([f1, f2], [q1, q2])`");
  }
  if (!holds_only(*node.arguments[0], of, kMotionState, "the first list of `jacobian`")) return fault();
  std::vector<Entry> entries;
  for (const Entry& row : of.entries) {
    for (const Entry& column : by.entries) {
      entries.push_back({pool_.partial(row.term, column.term), row.dimension / column.dimension, row.fits_any,
                         row.turning * column.turning});
    }
  }
  return make_matrix(of.rows, by.rows, std::move(entries));
}

/// If all entries are numbers and parameters, the rank is computed now; otherwise the structural rank decides.
bool Checker::has_full_rank(const lang::Expression& expression, const Value& matrix) {
  if (!context_.guessed.empty()) return true;
  const TermMatrix terms = terms_of(matrix);
  const int full = std::min(matrix.rows, matrix.columns);
  bool has_rank = structural_rank(terms) == full;
  if (has_rank && held(matrix) == kHoldsNothing) {
    model::TermValues values(context_.model, {});
    std::vector<double> numbers;
    for (const Entry& entry : matrix.entries) numbers.push_back(values.scalar(entry.term).value);
    if (std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); })) {
      has_rank = numerical_rank(matrix.rows, matrix.columns, std::move(numbers)) == full;
    }
  }
  if (has_rank) return true;
  const bool is_square = matrix.rows == matrix.columns;
  context_.reporter.error(
      Kind::kBadValue, expression.range,
      is_square ? "this matrix is singular"
                : "this matrix has dependent " + std::string(matrix.rows < matrix.columns ? "rows" : "columns"),
      "`pinv` and `solve` want a matrix of full rank");
  return false;
}

Value Checker::inverse(const lang::Expression& expression, const lang::Call& node, const Value& matrix) {
  if (!has_full_rank(*node.arguments[0], matrix)) return fault();
  std::vector<Dimension> dimensions;
  std::vector<bool> fits_any;
  for (const Entry& entry : matrix.entries) {
    dimensions.push_back(entry.dimension);
    fits_any.push_back(entry.fits_any);
  }
  const std::optional<Scaling> scaling = find_scaling(matrix.rows, matrix.columns, dimensions, fits_any);
  if (!scaling && context_.model.has_units)
    return fault(Kind::kDimensionMismatch, node.arguments[0]->range,
                 "the dimensions of this matrix belong to no linear map", std::string(kScalingHint));
  const std::optional<TermMatrix> terms = pseudo_inverse(terms_of(matrix));
  if (!terms) return fault(Kind::kBadValue, expression.range, "this matrix has no full rank");
  std::vector<Dimension> results;
  for (int i = 0; i < terms->rows; ++i) {
    for (int j = 0; j < terms->columns; ++j) {
      results.push_back(scaling
                            ? scaling->columns[static_cast<std::size_t>(i)] / scaling->rows[static_cast<std::size_t>(j)]
                            : Dimension{});
    }
  }
  return make_matrix(terms->rows, terms->columns, entries_of(*terms, results));
}

Value Checker::solution(const lang::Expression& expression, const lang::Call& node, const Value& matrix,
                        const Value& right) {
  if (matrix.rows != matrix.columns)
    return fault(Kind::kWrongKind, node.arguments[0]->range, "`solve` needs a square matrix, found " + describe(matrix),
                 "`pinv(A)*b` is the solution of least squares or of least size");
  if (right.rows != matrix.rows) {
    return contrast(Kind::kWrongKind, "the right side of `solve` has as many rows as the matrix",
                    {node.arguments[1]->range, describe(right)}, {node.arguments[0]->range, describe(matrix)});
  }
  if (!has_full_rank(*node.arguments[0], matrix)) return fault();
  const std::optional<TermMatrix> terms = solve(terms_of(matrix), terms_of(right));
  if (!terms) return fault(Kind::kBadValue, expression.range, "this matrix is singular");
  // The right side is scaled together with the matrix, as an additional column. The dimension of an unknown is the
  // ratio of its column's dimension to that of the additional column.
  const int n = matrix.rows;
  std::vector<Dimension> results(terms->entries.size());
  for (int k = 0; k < right.columns; ++k) {
    std::vector<Dimension> dimensions;
    std::vector<bool> fits_any;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= n; ++j) {
        const Entry& entry = j < n ? matrix.entries[static_cast<std::size_t>(i * n + j)]
                                   : right.entries[static_cast<std::size_t>(i * right.columns + k)];
        dimensions.push_back(entry.dimension);
        fits_any.push_back(entry.fits_any);
      }
    }
    const std::optional<Scaling> scaling = find_scaling(n, n + 1, dimensions, fits_any);
    if (!scaling && context_.model.has_units)
      return fault(Kind::kDimensionMismatch, cover(node.arguments[0]->range, node.arguments[1]->range),
                   "the dimensions of this matrix and this right side belong to no linear equations",
                   std::string(kScalingHint));
    for (int j = 0; j < n && scaling; ++j) {
      results[static_cast<std::size_t>(j * right.columns + k)] =
          scaling->columns[static_cast<std::size_t>(j)] / scaling->columns[static_cast<std::size_t>(n)];
    }
  }
  return make_array(right, entries_of(*terms, results));
}

}  // namespace vinculum::elaborate
