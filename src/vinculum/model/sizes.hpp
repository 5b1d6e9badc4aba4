#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/model/model.hpp"

/// Typical sizes of what a model holds, out of what its text says. No unit enters: a model restated in other units has
/// the same sizes in them. What pivots, ranks or compares quantities of unlike dimensions does so over these.
namespace vinculum::model {

/// For each component the largest of `size` over the components of its kind.
template <class Kind>
Vector largest_of_kind(const std::vector<Kind>& kind, const Vector& size) {
  std::vector<std::size_t> first_of(kind.size());  // component of the same kind; kinds are few
  std::vector<std::size_t> firsts;
  Vector largest = size;
  for (std::size_t i = 0; i < kind.size(); ++i) {
    const auto found = std::ranges::find_if(firsts, [&](std::size_t first) { return kind[first] == kind[i]; });
    first_of[i] = found == firsts.end() ? i : *found;
    if (first_of[i] == i) {
      firsts.push_back(i);
      continue;
    }
    double& of_kind = largest[static_cast<Eigen::Index>(first_of[i])];
    of_kind = std::isnan(of_kind) ? size[static_cast<Eigen::Index>(i)]
                                  : std::max(of_kind, size[static_cast<Eigen::Index>(i)]);
  }
  for (std::size_t i = 0; i < kind.size(); ++i) {
    double& own = largest[static_cast<Eigen::Index>(i)];
    own = std::max(size[static_cast<Eigen::Index>(i)], largest[static_cast<Eigen::Index>(first_of[i])]);
  }
  return largest;
}

/// The length of the run that the text states, 1 s where it states none: the time in which things happen. [s]
[[nodiscard]] double time_scale(const Model& model);

/// A mass, a length and a time out of the model itself: what takes the place of an SI unit where nothing else is known.
/// 0 for a mass and a length that are not there.
struct ModelUnits {
  double mass = 0.0, length = 0.0, time = 1.0;

  /// \param values  of the parameters.   \param q  [nq] places at which masses and inertias are taken.
  ModelUnits(const Model& model, std::span<const double> values, const Vector& q);
  /// What they make of a dimension; 1 in SI for one that is not there.
  [[nodiscard]] double of(const Dimension& dimension) const;
};

/// How far a coordinate may plausibly be from where it is [nq]: the `scale` that it states, or the largest magnitude in
/// `q` and among the parameters of its dimension. Angles and other ratios have at least 1; where the text has
/// no number of that dimension, or only places that are zero to rounding, it is made of a mass and a length of the
/// model and the time of its run (1 in SI for one that is not there).
[[nodiscard]] Vector coordinate_reach(const Model& model, std::span<const double> values, const Vector& q);
/// Typical size of each coordinate [nq]: the largest magnitude in `q` over the coordinates of one dimension, but at
/// least a thousandth of its reach.
[[nodiscard]] Vector coordinate_scale(const Model& model, std::span<const double> values, const Vector& q);

/// The coordinates as `start` states them, 0 where it does not [nq]; right sides that use q see what stands before
/// them.
[[nodiscard]] Vector stated_places(const Model& model, std::span<const double> values);

}  // namespace vinculum::model
