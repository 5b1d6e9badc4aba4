#include "vinculum/hybrid/surface_program.hpp"

#include <algorithm>
#include <limits>

namespace vinculum::sim {
namespace {

constexpr std::size_t kFew = 4;  // some surfaces are enclosed alone if there are this many times as many in the model

}  // namespace

SurfaceProgram::SurfaceProgram(const Watches& watches)
    : expr::Enclosure(watches.program()),
      watches_(watches),
      inputs_(watches.known.size() + watches.unknown.size(), std::numeric_limits<double>::quiet_NaN()) {}

void SurfaceProgram::set_inputs(double t, const Vector& y) {
  inputs_[0] = t;
  std::copy_n(y.data(), static_cast<std::ptrdiff_t>(watches_.known.size()) - 1, inputs_.data() + 1);
}

void SurfaceProgram::evaluate_at(double t, const Vector& y) {
  set_inputs(t, y);
  evaluate(inputs_.data());
}

void SurfaceProgram::evaluate_at(double t, const Vector& y, std::size_t surface) {
  set_inputs(t, y);
  if (!knows_one_ || one_ != surface) {
    knows_one_ = true;
    one_ = surface;
    looks_ = {x_of(surface), x_of(surface) + 1};
    find_nodes(looks_, of_one_);
  }
  evaluate(inputs_.data(), of_one_);
}

void SurfaceProgram::enclose_some(std::span<const int> surfaces, const expr::Jet* jets, double h) {
  if (kFew * surfaces.size() > watches_.surface_count()) return enclose(jets, h);
  looks_.clear();
  const auto add = [this](std::size_t k) { looks_.insert(looks_.end(), {x_of(k), x_of(k) + 1}); };
  for (const int k : surfaces) {
    add(static_cast<std::size_t>(k));
    for (const std::size_t inner : watches_.switches.surfaces()[static_cast<std::size_t>(k)].inner) add(inner);
  }
  find_nodes(looks_, of_some_);
  enclose(jets, h, of_some_);
}

double SurfaceProgram::difference(std::size_t surface) const {
  const double x = value(x_of(surface));
  return watches_.switches.surfaces()[surface].is_floor() ? x : x - value(x_of(surface) + 1);
}

double SurfaceProgram::difference_at(std::size_t surface, double t, const Vector& y) {
  evaluate_at(t, y, surface);
  return difference(surface);
}

std::vector<double> SurfaceProgram::differences_at(double t, const Vector& y) {
  evaluate_at(t, y);
  std::vector<double> all(watches_.surface_count());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = difference(k);
  return all;
}

}  // namespace vinculum::sim
