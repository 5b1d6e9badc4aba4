#include "vinculum/hybrid/region_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/contacts.hpp"
#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/hybrid/surface_rounding.hpp"

namespace vinculum::sim {
namespace {

// Uncertainty of a crossing, in tolerances: surfaces are found on the dense output, which has an order less than the
// steps.
constexpr double kOfDenseOutput = 100.0;

}  // namespace

RegionCheck::RegionCheck(const Dynamics& dynamics, double tolerance, double duration)
    : dynamics_(dynamics), watches_(*dynamics.binding()->watches), tolerance_(tolerance), duration_(duration) {
  is_of_gap_.resize(watches_.surface_count(), 0);
  for (const std::size_t surface : GapSurfaces(dynamics.binding()).all) is_of_gap_[surface] = 1;
  if (!watches_.as_stated) return;
  constants_ = watches_.as_stated->prepare(dynamics.binding().parameters);
  input_.resize(watches_.as_stated->input_count());
  output_.resize(watches_.as_stated->output_count());
  workspace_.resize(watches_.as_stated->workspace_size());
}

void RegionCheck::evaluate(double t, const Vector& y) {
  input_[0] = t;
  std::copy_n(y.data(), y.size(), input_.data() + 1);
  watches_.as_stated->evaluate(input_.data(), constants_.data(), output_.data(), workspace_.data());
}

/// Distance by which x is outside of the region: beyond y, or for a floor beyond the whole numbers that limit the
/// region; 0 inside. Equality belongs to the side that the comparison of the surface assigns to it.
/// \param difference  x − y; x of a floor
double RegionCheck::beyond(std::size_t surface, double side, double difference) const {
  const Switches::Surface& at = watches_.switches.surfaces()[surface];
  if (std::isnan(difference))
    return 0.0;  // the surface is in a branch that is not taken, or the next step reports the failure
  if (at.is_floor()) {
    const double above = difference - (side + 1.0);
    return difference < side ? side - difference : above >= 0.0 ? std::max(above, tolerance::kLeast) : 0.0;
  }
  if (side == Switches::kEqual) return difference == 0.0 || at.are_equals_as(difference) ? 0.0 : std::abs(difference);
  if (difference == 0.0) return at.are_equals_as(side) ? 0.0 : tolerance::kLeast;
  return std::max(-side * difference, 0.0);
}

/// \pre `evaluate`
double RegionCheck::beyond(std::size_t surface, double side) const {
  const double x = output_[2 * surface];
  return beyond(surface, side, watches_.switches.surfaces()[surface].is_floor() ? x : x - output_[2 * surface + 1]);
}

/// True if the region contains a state that differs from y by no more than the accuracy of the steps. Tried are: each
/// component perturbed alone, and all components perturbed in the directions that lead back to the region.
bool RegionCheck::is_within_doubt(std::size_t surface, double t, const Vector& y, const Look& look) {
  const double side = look.sides()[surface], here = beyond(surface, side);
  Vector moved = y, back = y;
  double t_back = t;
  const auto way_at = [&](double time, const Vector& state) {
    evaluate(time, state);
    return beyond(surface, side);
  };
  for (const double sign : {1.0, -1.0}) {
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      const double own = y[i];
      moved[i] += sign * (kOfDenseOutput * tolerance_ + tolerance::kRounded) * look.size_of(static_cast<int>(i));
      const double way = way_at(t, moved);
      if (way == 0.0) return true;
      if (way < here) back[i] = moved[i];
      moved[i] = own;
    }
    const double later = t + sign * (tolerance::kSameTime * duration_ + kLastPlaces * std::abs(t));
    const double way = way_at(later, y);
    if (way == 0.0) return true;
    if (way < here) t_back = later;
  }
  if (way_at(t_back, back) == 0.0) return true;
  evaluate(t, y);
  return here <= surface_rounding(dynamics_.binding(), surface, t, y);
}

Failure RegionCheck::failure_of(std::size_t surface, double t, double side) const {
  const Switches::Surface& at = watches_.switches.surfaces()[surface];
  Failure failure;
  failure.kind = FailureKind::kRegionContradiction;
  failure.t = t;
  failure.size = beyond(surface, side);
  failure.message =
      at.is_floor()
          ? fmt::format("the last step was taken with `{}` = {:g}, and where it ends that is {:g}", at.text, side,
                        std::floor(output_[2 * surface]))
          : fmt::format("the last step was taken on one side of `{}`, and it ends on the other side, {:.3g} beyond",
                        at.text, failure.size);
  watches_.places_of_surfaces[surface].join_to(failure);
  return failure;
}

std::optional<Failure> RegionCheck::contradiction(double t, const Vector& y, Look& look) {
  const std::vector<double>& sides = look.sides();
  if (sides.empty()) return std::nullopt;
  evaluate(t, y);
  for (std::size_t k = 0; k < sides.size(); ++k) {
    // The event source of contacts examines a gap that has just opened.
    if (is_of_gap_[k] != 0 && sides[k] == Switches::kEqual) continue;
    if (!look.is_in_force(k) || beyond(k, sides[k]) == 0.0) continue;
    const bool is_doubtful = is_within_doubt(k, t, y, look);
    evaluate(t, y);
    if (is_doubtful) continue;
    // An inner surface may be met here by rounding only. So each surface is compared while the inner
    // ones keep their sides.
    if (beyond(k, sides[k], look.program().difference_at(k, t, y)) == 0.0) continue;
    return failure_of(k, t, sides[k]);
  }
  return std::nullopt;
}

}  // namespace vinculum::sim
