#include "vinculum/motion/reports/unique_quantities.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "vinculum/base/index.hpp"
#include "vinculum/motion/reports/uniqueness.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

void UniqueQuantities::note_all(Sample& sample) const {
  sample.point_force_unique.assign(at_.compiled->point_forces.size(), {1, 1, 1});
  sample.body_wrench_unique.assign(at_.compiled->body_wrenches.size(), {});
  sample.output_unique.assign(static_cast<std::size_t>(at_.compiled->output_size), 1);
}

/// Whether each entry of the outputs is unique [output_size].
/// \param N  [(nc + ns) × r] basis of the changes of the multipliers and of the friction directions that do not change
/// the motion
std::vector<char> UniqueQuantities::unique_outputs(const Matrix& N) {
  const Eigen::Index width = 2 * at_.nc + at_.compiled->slide_size();
  const Eigen::Index size = at_.compiled->output_size;
  std::vector<char> unique(static_cast<std::size_t>(size), 1);
  clear_outputs_.resize(static_cast<std::size_t>(2 * size), 0.0);
  input_.evaluate(at_.bound->output_gradient);
  const Matrix gradient = Eigen::Map<const RowMajor>(at_.result.data(), size, width);
  // The columns of the gradient form two groups: derivatives by (λ, friction directions), and by λ_ideal. Both groups
  // are multiplied by the corresponding rows of N.
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
        const std::vector<Rounded> all = input_.with_noise(values);
        return RoundedMatrix(
            RoundedMatrix::Map(all.data(), static_cast<Eigen::Index>(of.size()), static_cast<Eigen::Index>(rows.size()))
                .transpose());
      };
      const Matrix part = gradient.middleRows(first, count)(Eigen::all, of);
      const auto clear =
          std::span(clear_outputs_)
              .subspan(static_cast<std::size_t>(first + (is_ideal ? size : 0)), static_cast<std::size_t>(count));
      const std::vector<char> found = unaffected_by(part, is_ideal ? N.topRows(at_.nc) : N, clear, noise);
      for (std::size_t k = 0; k < found.size(); ++k) unique[static_cast<std::size_t>(first) + k] &= found[k];
    }
  }
  return unique;
}

void UniqueQuantities::fill(const FreeForces& free_forces, Sample& sample) {
  // Rows that are integrals of the motion add to the rank, because they are independent of the other rows. Their
  // multipliers are 0, and so are the multipliers of rows that do not act.
  sample.rank = at_.nc == 0 ? 0 : routes_.pivoted.rows().rank() + static_cast<int>(at_.compiled->integrals.size());
  routes_.read_unique_rows(sample.row_unique);
  std::vector<int> without_force = at_.compiled->integrals;
  int acting = at_.nc;
  for (std::size_t row = 0; row < sample.acts.size(); ++row) {
    if (sample.acts[row] != 0) continue;
    without_force.push_back(static_cast<int>(row));
    --acting;
  }
  for (const int row : without_force) sample.row_unique[static_cast<std::size_t>(row)] = 1;
  note_all(sample);
  const bool has_shares = free_forces.s.cols() > 0;
  if (sample.rank == acting && !has_shares) return;

  Matrix N = has_shares ? free_forces.lambda : routes_.free_multipliers();
  for (const int row : without_force) N.row(row).setZero();
  for (int row = 0; row < at_.nc && has_shares; ++row)
    if (!N.row(row).isZero(0.0)) sample.row_unique[static_cast<std::size_t>(row)] = 0;
  if (has_shares) {
    N.conservativeResize(at_.nc + free_forces.s.rows(), Eigen::NoChange);
    N.bottomRows(free_forces.s.rows()) = free_forces.s;
  }
  if (at_.nc > 0) input_.evaluate(at_.bound->wrenches);
  // \param place  a point force or a body wrench, with the constraint rows and friction contacts that contribute to it
  const auto is_unique = [&](int columns, const auto& place) {
    const int row_count = place.row_count, width = row_count + place.slide_count;
    const Matrix W = Eigen::Map<const RowMajor>(at_.result.data() + columns, 3, width);
    const auto noise = [&](std::span<const int> rows) {
      RoundedMatrix with_errors(static_cast<Eigen::Index>(rows.size()), width);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto at = static_cast<std::size_t>(columns + rows[k] * width);
        const std::vector<Rounded> row =
            input_.with_noise(std::span(at_.compiled->wrench_values).subspan(at, static_cast<std::size_t>(width)));
        for (int i = 0; i < width; ++i) with_errors(static_cast<Eigen::Index>(k), i) = nth(row, i);
      }
      return with_errors;
    };
    Matrix allowed = Matrix::Zero(width, N.cols());
    allowed.topRows(row_count) = N.middleRows(place.first_row, row_count);
    if (has_shares) allowed.bottomRows(place.slide_count) = N.middleRows(at_.nc + place.first_slide, place.slide_count);
    std::array<double, 3>& clear = clear_wrenches_[columns];
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
