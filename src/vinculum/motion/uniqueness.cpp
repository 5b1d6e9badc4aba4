#include "vinculum/motion/uniqueness.hpp"

#include <algorithm>
#include <numeric>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/expr/rounding.hpp"
#include "vinculum/motion/dynamics_impl.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

std::vector<char> unaffected_by(const Matrix& gradient, const Matrix& N, std::span<double> clear,
                                const WithNoise& with_noise) {
  VINCULUM_EXPECTS(gradient.cols() == N.rows() && static_cast<Eigen::Index>(clear.size()) == gradient.rows());
  constexpr double kOfThisOrder = tolerance::kFloor, kFarAbove = 1.0 / tolerance::kBeside;
  std::vector<char> unique(clear.size(), 1);
  if (N.cols() == 0) return unique;
  // The columns of N are of one size, and entries of one column that belong to another one are rounding.
  const Vector products = (gradient * N).cwiseAbs().rowwise().maxCoeff();
  const Vector sizes = (gradient.cwiseAbs() * N.cwiseAbs()).rowwise().maxCoeff();
  std::vector<int> doubtful;
  for (Eigen::Index row = 0; row < gradient.rows(); ++row) {
    if (products[row] <= tolerance::kUnique * sizes[row]) continue;
    const double known = nth(clear, row);
    if (known > 0.0 && products[row] > kOfThisOrder * known)
      nth(unique, row) = 0;
    else
      doubtful.push_back(static_cast<int>(row));
  }
  if (doubtful.empty()) return unique;

  // Numbers that a text states are known to some units in their last place.
  const double slack = 1.0 + 2.0 * tolerance::kEqual / tolerance::kRounding;
  const Vector errors = slack * (errors_of(with_noise(doubtful)) * N.cwiseAbs()).rowwise().maxCoeff();
  for (std::size_t k = 0; k < doubtful.size(); ++k) {
    const Eigen::Index row = doubtful[k];
    if (products[row] <= tolerance::kUnique * sizes[row] + nth(errors, k)) continue;
    nth(unique, row) = 0;
    if (products[row] > kFarAbove * nth(errors, k)) nth(clear, row) = std::max(nth(clear, row), products[row]);
  }
  return unique;
}

void Dynamics::Impl::note_all_unique(Sample& sample) const {
  sample.point_force_unique.assign(at_.compiled->point_forces.size(), {1, 1, 1});
  sample.body_wrench_unique.assign(at_.compiled->body_wrenches.size(), {});
  sample.output_unique.assign(static_cast<std::size_t>(at_.compiled->output_size), 1);
}

/// The expressions at the instant that `report_input` holds, with what rounding does to them, and what the state does
/// that lies on the constraints up to `kZero` of its typical size.
std::vector<Rounded> Dynamics::Impl::with_noise(std::span<const expr::Expr> values) const {
  const equations::System& system = *at_.compiled->system;
  std::vector<expr::Expr> symbols = report_symbols(system);
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  std::vector<Rounded> numbers(report_input.begin(), report_input.end());
  numbers.insert(numbers.end(), at_.bound->parameters.begin(), at_.bound->parameters.end());
  const double* const q = report_input.data() + 1;
  const Vector q_scale = coordinate_scale(*at_.bound, Eigen::Map<const Vector>(q, at_.nq));
  for (int i = 0; i < at_.nq; ++i) nth(numbers, 1 + i).error = tolerance::kZero * q_scale[i];
  for (int i = 0; i < at_.nu; ++i) nth(numbers, 1 + at_.nq + i).error = tolerance::kZero * at_.sizes.scale[at_.nq + i];
  return expr::interpret_with_noise(values, symbols, numbers);
}

/// \param N  [at_.nc + slides × r] changes of the multipliers and of the friction that leave the motion as it is
std::vector<char> Dynamics::Impl::unique_outputs(const Matrix& N) {
  const Eigen::Index width = 2 * at_.nc + at_.compiled->slide_size();
  const Eigen::Index size = at_.compiled->output_size;
  std::vector<char> unique(static_cast<std::size_t>(size), 1);
  clear_outputs.resize(static_cast<std::size_t>(2 * size), 0.0);
  evaluate_report(at_.bound->output_gradient);
  const Matrix gradient = Eigen::Map<const RowMajor>(at_.result.data(), size, width);
  // Changes of λ with those of friction, and of λ_ideal: columns of the gradient, and rows of N.
  std::vector<int> total(static_cast<std::size_t>(N.rows())), ideal(static_cast<std::size_t>(at_.nc));
  std::iota(total.begin(), total.end(), 0);
  for (int i = at_.nc; i < N.rows(); ++i) nth(total, i) += at_.nc;
  std::iota(ideal.begin(), ideal.end(), at_.nc);
  for (const auto [first, count] : at_.compiled->output_columns) {
    for (const bool is_ideal : {false, true}) {
      const std::vector<int>& of = is_ideal ? ideal : total;
      const auto noise = [&, first = first](std::span<const int> rows) {
        std::vector<expr::Expr> values;
        for (const int row : rows) {
          for (const int column : of)
            values.push_back(nth(at_.compiled->output_gradient_values, (first + row) * width + column));
        }
        const std::vector<Rounded> all = with_noise(values);
        return RoundedMatrix(
            RoundedMatrix::Map(all.data(), static_cast<Eigen::Index>(of.size()), static_cast<Eigen::Index>(rows.size()))
                .transpose());
      };
      const Matrix part = gradient.middleRows(first, count)(Eigen::all, of);
      const auto clear =
          std::span(clear_outputs)
              .subspan(static_cast<std::size_t>(first + (is_ideal ? size : 0)), static_cast<std::size_t>(count));
      const std::vector<char> found = unaffected_by(part, is_ideal ? N.topRows(at_.nc) : N, clear, noise);
      for (std::size_t k = 0; k < found.size(); ++k) unique[static_cast<std::size_t>(first) + k] &= found[k];
    }
  }
  return unique;
}

void Dynamics::Impl::fill_uniqueness(Sample& sample) {
  // Rows that are integrals of the motion are independent of the others, and their multipliers are 0.
  sample.rank = at_.nc == 0 ? 0 : pivoted.rows().rank() + static_cast<int>(at_.compiled->integrals.size());
  if (at_.nc == 0) {
    sample.row_unique.clear();
  } else if (directed) {
    sample.row_unique = directed->unique(at_.nc);
  } else {
    sample.row_unique = pivoted.rows().unique();
  }
  for (const int row : at_.compiled->integrals) sample.row_unique[static_cast<std::size_t>(row)] = 1;
  note_all_unique(sample);
  const bool has_shares = free_forces.s.cols() > 0;
  if (sample.rank == at_.nc && !has_shares) return;

  Matrix N = has_shares ? free_forces.lambda
             : directed ? directed->indeterminate_multipliers(at_.nc)
                        : pivoted.rows().left_null_space();
  for (const int row : at_.compiled->integrals) N.row(row).setZero();
  for (int row = 0; row < at_.nc && has_shares; ++row)
    if (!N.row(row).isZero(0.0)) sample.row_unique[static_cast<std::size_t>(row)] = 0;
  if (has_shares) {
    N.conservativeResize(at_.nc + free_forces.s.rows(), Eigen::NoChange);
    N.bottomRows(free_forces.s.rows()) = free_forces.s;
  }
  if (at_.nc > 0) evaluate_report(at_.bound->wrenches);
  // \p place: a point force or wrench, for its rows and slides
  const auto is_unique = [&](int columns, const auto& place) {
    const int row_count = place.row_count, width = row_count + place.slide_count;
    const Matrix W = Eigen::Map<const RowMajor>(at_.result.data() + columns, 3, width);
    const auto noise = [&](std::span<const int> rows) {
      RoundedMatrix with_errors(static_cast<Eigen::Index>(rows.size()), width);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto at = static_cast<std::size_t>(columns + rows[k] * width);
        const std::vector<Rounded> row =
            with_noise(std::span(at_.compiled->wrench_values).subspan(at, static_cast<std::size_t>(width)));
        for (int i = 0; i < width; ++i) with_errors(static_cast<Eigen::Index>(k), i) = nth(row, i);
      }
      return with_errors;
    };
    Matrix allowed = Matrix::Zero(width, N.cols());
    allowed.topRows(row_count) = N.middleRows(place.first_row, row_count);
    if (has_shares) allowed.bottomRows(place.slide_count) = N.middleRows(at_.nc + place.first_slide, place.slide_count);
    std::array<double, 3>& clear = clear_wrenches[columns];
    const std::vector<char> found = unaffected_by(W, allowed, clear, noise);
    return std::array<char, 3>{found[0], found[1], found[2]};
  };
  for (std::size_t i = 0; i < at_.compiled->point_forces.size(); ++i)
    sample.point_force_unique[i] = is_unique(at_.compiled->point_forces[i].columns, at_.compiled->point_forces[i]);
  for (std::size_t i = 0; i < at_.compiled->body_wrenches.size(); ++i) {
    const BodyWrench& wrench = at_.compiled->body_wrenches[i];
    sample.body_wrench_unique[i] = {is_unique(wrench.force, wrench), is_unique(wrench.couple, wrench),
                                    is_unique(wrench.moment, wrench)};
  }
  sample.output_unique = unique_outputs(N);
}

}  // namespace vinculum::sim
