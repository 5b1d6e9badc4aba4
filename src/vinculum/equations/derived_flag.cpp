#include "vinculum/equations/derived_flag.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/equations/form_parts.hpp"
#include "vinculum/equations/form_probes.hpp"
#include "vinculum/equations/pfaffian_forms.hpp"
#include "vinculum/equations/rate_solver.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;

// Largest number of nodes that the search may add to the graph for one set of rows; it takes about one second. If more
// are needed, the search stops without a result.
constexpr std::size_t kMostExpressions = 300000;

/// Rows in reduced row echelon form, as expressions.
struct Reduced {
  ExprMatrix rows;                  ///< [rank] rows with the identity in the columns `pivots`
  ExprMatrix beside;                ///< a second matrix to which the row operations of `rows` were applied too
  std::vector<std::size_t> pivots;  ///< [rank] pivot column of each row
};

class Flag {
 public:
  /// \param probes  states that give values to the variables of `part`
  Flag(expr::Graph& graph, const FormPart& part, const FormProbes& probes)
      : graph_(graph), read_(part.read), x_(part.x), probes_(probes), size_before_(graph.size()) {}

  [[nodiscard]] DerivedFlag find() {
    DerivedFlag flag;
    ExprMatrix theta, coefficients;
    for (std::size_t a = 0; a < read_.forms.size(); ++a) {
      theta.push_back(read_.forms[a].theta);
      coefficients.emplace_back(read_.forms.size(), constant(0.0))[a] = constant(1.0);
    }
    std::vector<std::size_t> all_columns(read_.x.size());
    for (std::size_t j = 0; j < all_columns.size(); ++j) all_columns[j] = j;
    Reduced basis = reduce(std::move(theta), std::move(coefficients), all_columns, x_);
    while (!is_too_large()) {
      flag.dimensions.push_back(static_cast<int>(basis.rows.size()));
      if (basis.rows.empty()) break;
      ExprMatrix null = closing_combinations(basis);
      if (is_too_large() || null.size() == basis.rows.size()) break;
      basis = reduce(combined(null, basis.rows), combined(null, basis.beside), all_columns, x_);
    }
    if (!is_too_large()) write_combinations(basis, flag);
    if (is_too_large()) {
      flag.not_sought = fmt::format("given up, as combining {} rows in {} coordinates takes more than {} expressions",
                                    read_.forms.size(), read_.x.size(), kMostExpressions);
    }
    flag.is_by_form = is_by_form_;
    flag.probes = static_cast<int>(probes_.count());
    return flag;
  }

 private:
  Expr constant(double value) { return graph_.constant(value); }
  [[nodiscard]] bool is_too_large() const { return graph_.size() > size_before_ + kMostExpressions; }

  static ExprMatrix combined(const ExprMatrix& weights, const ExprMatrix& rows) {
    ExprMatrix result;
    for (const auto& weight : weights) {
      auto& sum = result.emplace_back(rows[0].size(), weight[0].graph().constant(0.0));
      for (std::size_t a = 0; a < rows.size(); ++a) {
        if (weight[a].is_zero()) continue;
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += weight[a] * rows[a][j];
      }
    }
    return result;
  }

  /// Replaces entries whose values at all probes are rounding errors relative to `size_at` by 0. Replaces entries that
  /// are ±1 at all probes by that number if `is_number` allows it.
  template <class SizeAt, class IsNumber>
  void clean(ExprMatrix& rows, const SizeAt& size_at, const IsNumber& is_number) {
    const std::vector<Matrix> at = probes_.of(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < rows[i].size(); ++j) {
        if (rows[i][j].is_constant()) continue;
        const auto is_everywhere = [&](double value) {
          for (std::size_t k = 0; k < at.size(); ++k) {
            const double entry = at[k](static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
            const double size = value == 0.0 ? size_at(k, i, j) : 1.0;
            if (!(std::abs(entry - value) <= tolerance::kAtStates * size)) return false;
          }
          return true;
        };
        for (const double value : {0.0, 1.0, -1.0}) {
          if ((value != 0.0 && !is_number(i, j)) || !is_everywhere(value)) continue;
          rows[i][j] = constant(value);
          is_by_form_ = false;
          break;
        }
      }
    }
  }

  /// Gauss–Jordan elimination with pivots in the given columns. Pivots are chosen by their values at the probes:
  /// constants first, then entries that are far from zero at every probe.
  /// \param of  scales of all columns of `rows`
  Reduced reduce(ExprMatrix rows, ExprMatrix beside, const std::vector<std::size_t>& columns, const Columns& of) {
    if (rows.empty()) return {};
    const std::vector<Matrix> before = probes_.of(rows, of);
    std::vector<Matrix> in_columns;
    for (const Matrix& at : before) {
      Matrix& part = in_columns.emplace_back(at.rows(), static_cast<Eigen::Index>(columns.size()));
      for (std::size_t j = 0; j < columns.size(); ++j)
        part.col(static_cast<Eigen::Index>(j)) = at.col(static_cast<Eigen::Index>(columns[j]));
      // An entry counts as 0 if it is below tolerance::kGeneric times the length of its row.
      for (Eigen::Index i = 0; i < at.rows(); ++i) {
        const double least = tolerance::kGeneric * at.row(i).norm();
        part.row(i) = (part.row(i).array().abs() <= least).select(0.0, part.row(i));
      }
    }
    const int rank = generic_rank(in_columns);
    Reduced result;
    std::vector<bool> is_used(rows.size(), false);
    std::vector<std::size_t> order;
    for (int k = 0; k < rank && !is_too_large(); ++k) {
      const auto [row, column] = pivot_of(rows, before, columns, of, is_used);
      is_used[row] = true;
      order.push_back(row);
      result.pivots.push_back(column);
      eliminate(rows, beside, row, column);
    }
    for (const std::size_t row : order) {
      result.rows.push_back(rows[row]);
      result.beside.push_back(beside[row]);
    }
    const std::vector<Vector> sizes = column_sizes(before);
    const auto size_at = [&](std::size_t k, std::size_t i, std::size_t j) {
      const std::size_t p = result.pivots[i];
      return sizes[k][static_cast<Eigen::Index>(j)] / of.size[j] * of.size[p] / sizes[k][static_cast<Eigen::Index>(p)];
    };
    clean(result.rows, size_at,
          [&](std::size_t i, std::size_t j) { return of.dimension[j] == of.dimension[result.pivots[i]]; });
    return result;
  }

  /// For each probe, the largest entry of each column after scaling the rows to unit length.
  static std::vector<Vector> column_sizes(const std::vector<Matrix>& at_probes) {
    std::vector<Vector> sizes;
    for (const Matrix& at : at_probes) {
      Vector& size = sizes.emplace_back(Vector::Zero(at.cols()));
      for (Eigen::Index i = 0; i < at.rows(); ++i) {
        if (const double length = at.row(i).norm(); length > 0.0)
          size = size.cwiseMax(at.row(i).transpose().cwiseAbs() / length);
      }
    }
    return sizes;
  }

  std::pair<std::size_t, std::size_t> pivot_of(const ExprMatrix& rows, const std::vector<Matrix>& before,
                                               const std::vector<std::size_t>& columns, const Columns& of,
                                               const std::vector<bool>& is_used) const {
    const std::vector<Matrix> at = probes_.of(rows, of);
    std::pair<std::size_t, std::size_t> best{0, columns[0]};
    double best_score = -1.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (is_used[i]) continue;
      for (const std::size_t j : columns) {
        double score = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < at.size(); ++k) {
          const auto row = static_cast<Eigen::Index>(i);
          const double size = before[k].row(row).norm();
          const double entry = std::abs(at[k](row, static_cast<Eigen::Index>(j)));
          score = std::min(score, std::isfinite(entry) && size > 0.0 ? entry / size : 0.0);
        }
        if (rows[i][j].is_constant() && score > tolerance::kNamed) score += 1e3;
        if (score > best_score) best_score = score, best = {i, j};
      }
    }
    return best;
  }

  static void eliminate(ExprMatrix& rows, ExprMatrix& beside, std::size_t row, std::size_t column) {
    const Expr pivot = rows[row][column];
    for (ExprMatrix* side : {&rows, &beside}) {
      for (Expr& entry : (*side)[row]) {
        if (!entry.is_zero()) entry = entry / pivot;
      }
    }
    rows[row][column] = pivot.graph().constant(1.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Expr factor = rows[i][column];
      if (i == row || factor.is_zero()) continue;
      for (ExprMatrix* side : {&rows, &beside}) {
        for (std::size_t j = 0; j < (*side)[i].size(); ++j) {
          if (!(*side)[row][j].is_zero()) (*side)[i][j] -= factor * (*side)[row][j];
        }
      }
      rows[i][column] = pivot.graph().constant(0.0);
    }
  }

  /// Combinations c of the basis forms that are closed: the null space of S c = 0 with S_(jk),a = dη_a(Z_j, Z_k). Here
  /// η_a = dx_p + Σ R_aj dx_j are the forms of the basis, with pivot variable p, and Z_j = e_j − Σ R_bj e_p(b) spans
  /// their kernel.
  ExprMatrix closing_combinations(const Reduced& basis) {
    const std::size_t m = basis.rows.size();
    std::vector<std::size_t> free;
    for (std::size_t j = 0; j < read_.x.size(); ++j) {
      if (std::ranges::find(basis.pivots, j) == basis.pivots.end()) free.push_back(j);
    }
    // slope[a][k][j] is the derivative of R_ak along Z_j
    std::vector<ExprMatrix> slope(m, ExprMatrix(free.size(), std::vector<Expr>(free.size(), constant(0.0))));
    ExprMatrix derivatives;
    std::vector<double> size_of_derivative;  // typical magnitude of each differentiated entry R_ak
    for (std::size_t a = 0; a < m; ++a) {
      for (std::size_t k = 0; k < free.size(); ++k) {
        const Expr R = basis.rows[a][free[k]];
        if (R.is_constant() || is_too_large()) continue;
        derivatives.push_back(expr::gradient(R, read_.x));
        size_of_derivative.push_back(x_.size[basis.pivots[a]] / x_.size[free[k]]);
        const std::vector<Expr>& by = derivatives.back();
        for (std::size_t j = 0; j < free.size(); ++j) {
          Expr sum = by[free[j]];
          for (std::size_t b = 0; b < m; ++b) sum -= basis.rows[b][free[j]] * by[basis.pivots[b]];
          slope[a][k][j] = sum;
        }
      }
    }
    Rows S;
    if (is_too_large()) return {};
    for (std::size_t j = 0; j < free.size(); ++j) {
      for (std::size_t k = j + 1; k < free.size(); ++k) {
        std::vector<Expr> row;
        for (std::size_t a = 0; a < m; ++a) row.push_back(slope[a][k][j] - slope[a][j][k]);
        if (std::ranges::all_of(row, [](Expr entry) { return entry.is_zero(); })) continue;
        S.entries.push_back(std::move(row));
        S.size.push_back(1.0 / (x_.size[free[j]] * x_.size[free[k]]));
      }
    }
    Columns of;
    for (const std::size_t p : basis.pivots) {
      of.size.push_back(1.0 / x_.size[p]);
      of.dimension.push_back(x_.dimension[p]);
    }
    return null_space_of(std::move(S), sizes_of(basis, derivatives, size_of_derivative), of);
  }

  /// For each probe, the magnitude of the summands that form the entries of S, with rows and columns scaled.
  std::vector<double> sizes_of(const Reduced& basis, const ExprMatrix& derivatives,
                               const std::vector<double>& size_of_derivative) const {
    const std::vector<Matrix> R = probes_.of(basis.rows, x_), by = probes_.of(derivatives, x_);
    std::vector<double> sizes;
    for (std::size_t probe = 0; probe < probes_.count(); ++probe) {
      double largest_slope = 0.0, largest = 0.0;
      for (std::size_t i = 0; i < derivatives.size(); ++i)
        largest_slope = std::max(
            largest_slope, by[probe].row(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff() / size_of_derivative[i]);
      for (std::size_t a = 0; a < basis.pivots.size(); ++a)
        largest = std::max(largest,
                           R[probe].row(static_cast<Eigen::Index>(a)).cwiseAbs().maxCoeff() / x_.size[basis.pivots[a]]);
      sizes.push_back(largest_slope * (1.0 + largest));
    }
    return sizes;
  }

  /// Rows of S. An entry is of order 1 after division by the row's `size` and multiplication by its column's scale.
  struct Rows {
    ExprMatrix entries;
    std::vector<double> size;
  };

  ExprMatrix null_space_of(Rows rows, const std::vector<double>& sizes, const Columns& of) {
    ExprMatrix& S = rows.entries;
    clean(
        S, [&](std::size_t k, std::size_t i, std::size_t j) { return sizes[k] * rows.size[i] / of.size[j]; },
        [](std::size_t, std::size_t) { return false; });
    std::erase_if(S, [](const auto& row) { return std::ranges::all_of(row, [](Expr e) { return e.is_zero(); }); });
    const std::size_t m = of.size.size();
    std::vector<std::size_t> columns(m);
    for (std::size_t a = 0; a < m; ++a) columns[a] = a;
    Reduced solved;
    if (!S.empty()) solved = reduce(S, ExprMatrix(S.size()), columns, of);
    ExprMatrix null;
    for (std::size_t f = 0; f < m; ++f) {
      if (std::ranges::find(solved.pivots, f) != solved.pivots.end()) continue;
      auto& c = null.emplace_back(m, constant(0.0));
      c[f] = constant(1.0);
      for (std::size_t i = 0; i < solved.rows.size(); ++i) c[solved.pivots[i]] = -solved.rows[i][f];
    }
    return null;
  }

  void write_combinations(const Reduced& basis, DerivedFlag& flag) {
    std::vector<std::size_t> of_velocity;
    for (std::size_t a = 0; a < read_.forms.size(); ++a) {
      if (!read_.forms[a].is_position) of_velocity.push_back(a);
    }
    if (basis.rows.empty()) return;
    const Reduced solved = reduce(basis.beside, basis.rows, of_velocity, of_forms());
    const std::size_t first = flag.combinations.size();
    for (std::vector<Expr> c : solved.rows) {
      IntegrableCombination& combination = flag.combinations.emplace_back();
      if (!is_closed(c)) {
        // The forms dφ and the norms are closed, and 0 on states that satisfy the constraints. So the combination
        // without them is still integrable on these states.
        for (std::size_t a = 0; a < c.size(); ++a)
          if (read_.forms[a].is_position) c[a] = constant(0.0);
      }
      combination.kind = kind_of(c);
      for (std::size_t a = 0; a < read_.forms.size(); ++a) {
        if (read_.forms[a].row >= 0 && !c[a].is_zero()) combination.parts.push_back({read_.forms[a].row, c[a]});
      }
    }
    note_what_stands_beside(std::span(flag.combinations).subspan(first));
  }

  /// For each combination that is integrable only together with others, records the rows of all other combinations.
  static void note_what_stands_beside(std::span<IntegrableCombination> combinations) {
    using Kind = IntegrableCombination::Kind;
    for (IntegrableCombination& one : combinations) {
      if (one.kind != Kind::kTogether) continue;
      for (const IntegrableCombination& other : combinations) {
        if (&other == &one) continue;
        for (const IntegrableCombination::Part& part : other.parts) {
          const auto is_part = [&](const IntegrableCombination::Part& own) { return own.row == part.row; };
          if (std::ranges::find(one.beside, part.row) == one.beside.end() && std::ranges::none_of(one.parts, is_part))
            one.beside.push_back(part.row);
        }
      }
      std::ranges::sort(one.beside);
    }
  }

  /// Scale of each form's coefficient: the inverse of the largest length of the form over the probes.
  Columns of_forms() const {
    Columns of;
    ExprMatrix theta;
    for (const PfaffianForm& form : read_.forms) theta.push_back(form.theta);
    const std::vector<Matrix> at = probes_.of(theta, x_);
    for (std::size_t a = 0; a < theta.size(); ++a) {
      double length = 0.0;
      for (const Matrix& rows : at) length = std::max(length, rows.row(static_cast<Eigen::Index>(a)).norm());
      of.size.push_back(length > 0.0 ? length : 1.0);
      of.dimension.push_back(read_.forms[a].dimension);
    }
    return of;
  }

  /// The form ω = Σ c_a θ_a.
  std::vector<Expr> form_of(const std::vector<Expr>& c) const {
    ExprMatrix theta;
    for (const PfaffianForm& form : read_.forms) theta.push_back(form.theta);
    return combined({c}, theta)[0];
  }

  /// For each probe, the matrix with entry ∂ω_j/∂x_i at (j, i) of a form ω, multiplied by the scales of x.
  std::vector<Matrix> slopes_of(const std::vector<Expr>& form) const {
    ExprMatrix slopes;
    for (const Expr entry : form) slopes.push_back(expr::gradient(entry, read_.x));
    const Eigen::Map<const Vector> size(x_.size.data(), static_cast<Eigen::Index>(x_.size.size()));
    std::vector<Matrix> all = probes_.of(slopes, x_);
    for (Matrix& by : all) by = size.asDiagonal() * by;
    return all;
  }

  /// Whether dω = 0 for the form ω = Σ c_a θ_a.
  bool is_closed(const std::vector<Expr>& c) const {
    return std::ranges::all_of(slopes_of(form_of(c)), [](const Matrix& by) {
      return (by - by.transpose()).norm() <= tolerance::kAtStates * by.norm();
    });
  }

  /// Frobenius' condition for ω = Σ c_a θ_a alone: dω = 0 on the kernel of ω and of the norms, and if `on_positions`
  /// also of the position-level rows.
  bool is_integrable(const std::vector<Expr>& c, bool on_positions) const {
    const std::vector<Expr> form = form_of(c);
    ExprMatrix held{form};
    for (const PfaffianForm& one : read_.forms)
      if (one.is_position && (on_positions || one.row < 0)) held.push_back(one.theta);
    const std::vector<Matrix> slopes = slopes_of(form), rows = probes_.of(held, x_);
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      Matrix scaled = rows[k];
      for (Eigen::Index i = 0; i < scaled.rows(); ++i)
        if (const double length = scaled.row(i).norm(); length > 0.0) scaled.row(i) /= length;
      Eigen::FullPivLU<Matrix> lu(scaled);
      lu.setThreshold(tolerance::kGeneric);
      if (lu.rank() == scaled.cols()) continue;
      const Matrix Z = lu.kernel();
      const Matrix restricted = Z.transpose() * (slopes[k] - slopes[k].transpose()) * Z;
      if (restricted.norm() > tolerance::kAtStates * slopes[k].norm() * (1.0 + Z.squaredNorm())) return false;
    }
    return true;
  }

  IntegrableCombination::Kind kind_of(const std::vector<Expr>& c) const {
    using Kind = IntegrableCombination::Kind;
    if (is_closed(c)) return Kind::kTotalDerivative;
    if (is_integrable(c, false)) return Kind::kByItself;
    return is_integrable(c, true) ? Kind::kOnPositions : Kind::kTogether;
  }

  expr::Graph& graph_;
  const PfaffianForms& read_;
  const Columns& x_;
  const FormProbes& probes_;
  std::size_t size_before_;
  bool is_by_form_ = true;
};

/// Adds to `sum` the flag of another set of forms, which shares no variable with the forms of `sum`.
void join(DerivedFlag part, DerivedFlag& sum) {
  std::vector<int>& dimensions = sum.dimensions;
  const std::size_t steps = std::max(dimensions.size(), part.dimensions.size());
  for (std::vector<int>* one : {&dimensions, &part.dimensions}) one->resize(steps, one->empty() ? 0 : one->back());
  for (std::size_t k = 0; k < steps; ++k) dimensions[k] += part.dimensions[k];
  std::ranges::move(part.combinations, std::back_inserter(sum.combinations));
  sum.is_by_form = sum.is_by_form && part.is_by_form;
  sum.probes = part.probes;
  if (sum.not_sought.empty()) sum.not_sought = std::move(part.not_sought);
}

}  // namespace

DerivedFlag derived_flag(const System& system, std::span<const double> parameters,
                         const std::vector<std::vector<double>>& probes, std::span<const double> sizes) {
  const PfaffianForms read = pfaffian_forms(system);
  DerivedFlag found;
  if (std::ranges::all_of(read.forms, &PfaffianForm::is_position)) return found;
  const FormProbes at(system, read.x, parameters, probes);
  if (at.count() < 2) {
    found.not_sought = "no states on the constraints were found to judge at";
    return found;
  }
  for (const FormPart& part : independent_parts(read, sizes)) join(Flag(*system.graph, part, at).find(), found);
  return found;
}

}  // namespace vinculum::equations
