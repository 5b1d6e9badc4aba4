#pragma once

#include <cmath>

#include "vinculum/model/evaluate.hpp"

namespace vinculum::reaction_laws {

/// Seeds of generic states, equal in every run. An identity between model terms counts as true at all states if it
/// holds at these.
inline constexpr double kGeneralStates[] = {0.37, 0.81, 1.13};

/// Generic state for a seed. \param rate  returns the rate q' of a coordinate, from a number that is different for each
/// coordinate.
template <class Rate>
model::Instant general_state(const model::Model& model, double seed, const Rate& rate) {
  model::Instant at;
  at.t = seed;
  at.z.assign(model.states.size(), seed);
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const double x = static_cast<double>(i) + seed;
    at.q.push_back(std::sin(3.1 * x));
    at.q_dot.push_back(rate(x));
    at.q_ddot.push_back(std::sin(7.9 * x));
  }
  return at;
}
inline model::Instant general_state(const model::Model& model, double seed) {
  return general_state(model, seed, [](double x) { return std::sin(5.3 * x); });
}

}  // namespace vinculum::reaction_laws
