#include "vinculum/report/shown_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/output_rounding.hpp"

namespace vinculum::report {
namespace {

constexpr int kFewestDigits = 2, kMostDigits = 15;

}  // namespace

std::string with_digits_of(double value, double resolution) {
  if (value == 0.0 || !std::isfinite(value)) return fmt::format("{}", shown(value));
  int digits = kMostDigits;
  if (resolution > 0.0) {
    const double wanted = std::floor(std::log10(std::fabs(value))) - std::floor(std::log10(resolution)) + 1.0;
    digits = static_cast<int>(std::clamp(wanted, double{kFewestDigits}, double{kMostDigits}));
  }
  return fmt::format("{:.{}g}", value, digits);
}

ShownNumbers::ShownNumbers(const sim::Binding& bound, const std::vector<Column>& columns,
                           const sim::Trajectory& trajectory)
    : bound_(bound), columns_(columns), trajectory_(trajectory) {
  for (const Vector* some : {&trajectory.largest_q, &trajectory.largest_u, &trajectory.largest_z})
    states_.insert(states_.end(), some->begin(), some->end());
  std::size_t state = 0, output = 0;
  for (const Column& column : columns) {
    Place& place = places_.emplace_back();
    if (column.group == Column::Group::kState && state < states_.size()) place = {Place::Of::kState, state++};
    const auto size = static_cast<std::size_t>(trajectory.largest_outputs.size()),
               count = static_cast<std::size_t>(column.count);
    if (column.group != Column::Group::kOutput || output + count > size) continue;
    place = {Place::Of::kOutput, output};
    output += count;
  }
}

double ShownNumbers::largest(const Place& place, std::size_t entry) const {
  if (place.of == Place::Of::kState) return states_[place.first + entry];
  if (place.of == Place::Of::kNone) return 0.0;
  return trajectory_.largest_outputs[static_cast<Eigen::Index>(place.first + entry)];
}

double ShownNumbers::rounding(std::size_t column, std::size_t entry, const sim::Sample& sample) {
  const Place& place = places_[column];
  const double own = tolerance::kRounded * largest(place, entry);
  if (place.of == Place::Of::kState) {
    // A coordinate or speed that constraints keep at zero contains rounding errors of the coordinates or speeds with
    // the same unit.
    const std::size_t nq = static_cast<std::size_t>(bound_->nq()), nu = static_cast<std::size_t>(bound_->nu());
    const bool is_speed = place.first >= nq;
    if (place.first >= nq + nu) return own;
    const auto& coordinates = bound_->model->coordinates;
    if (!is_speed && coordinates[place.first].scale) return own;
    double size = 0.0;
    for (std::size_t i = is_speed ? nq : 0; i < (is_speed ? nq + nu : nq); ++i) {
      if (columns_[i].unit().si == columns_[column].unit().si) size = std::max(size, states_[i]);
    }
    return std::max(own, tolerance::kEqual * size);
  }
  if (place.of == Place::Of::kNone) return 0.0;
  auto found = rounding_.find(&sample);
  if (found == rounding_.end()) {
    found = rounding_
                .emplace(&sample, sim::rounding_of_outputs(
                                      bound_, sample,
                                      {trajectory_.largest_q, trajectory_.largest_u, trajectory_.largest_z, {}, {}}))
                .first;
  }
  // A single component may be small only because of the choice of frame, so the scale is the length of the vector.
  double size = 0.0;
  const Column& its = columns_[column];
  for (int k = 0; !its.frame.empty() && k < its.count; ++k)
    size = std::max(size, largest(place, static_cast<std::size_t>(k)));
  return std::max({own, found->second[place.first + entry], tolerance::kRounded * size});
}

std::string ShownNumbers::text(std::size_t column, int entry, const sim::Sample& sample) {
  const Column& its = columns_[column];
  const double value = its.read(sample, entry), scale = its.unit(entry).scale;
  const auto k = static_cast<std::size_t>(entry);
  const double noise = rounding(column, k, sample);
  if (value != 0.0 && std::fabs(value) <= noise) {
    has_zeros_ = true;
    return "~0";
  }
  // If the run took no steps, the number depends only on the model text and on the assembly of the start.
  const double tolerance = trajectory_.statistics.steps > 0 ? trajectory_.tolerance : tolerance::kZero;
  const double error = std::max(noise, tolerance * std::max(largest(places_[column], k), std::fabs(value)));
  return with_digits_of(value / scale, error / scale);
}

std::string ShownNumbers::note() const {
  return has_zeros_ ? "  ~0 is zero within rounding error; result.json has the number\n" : "";
}

}  // namespace vinculum::report
