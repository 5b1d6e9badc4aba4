#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/model/model.hpp"

/// Typical sizes of the quantities of a model, derived from its text. They do not depend on units: a model restated in
/// other units has the same sizes. Pivoting, rank decisions and comparisons of quantities with different dimensions are
/// relative to them.
namespace vinculum::model {

/// For each component, the largest `size` of all components of its kind.
template <class Kind>
Vector largest_of_kind(const std::vector<Kind>& kind, const Vector& size) {
  std::vector<std::size_t> first_of(kind.size());  // index of the first component of the same kind; there are few kinds
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

/// The typical time [s]: the length of the run that the text states, or 1 s.
[[nodiscard]] double time_scale(const Model& model);

/// A mass, a length and a time derived from the model itself, which replace SI units if nothing else is known. Mass and
/// length are 0 if the model has none.
struct ModelUnits {
  double mass = 0.0, length = 0.0, time = 1.0;

  /// \param values  of the parameters.   \param q  [nq] coordinates at which masses and inertias are taken.
  ModelUnits(const Model& model, std::span<const double> values, const Vector& q);
  /// The typical size of a quantity of this dimension; a missing mass or length counts as 1 in SI.
  [[nodiscard]] double of(const Dimension& dimension) const;
};

/// How far a coordinate may plausibly move [nq]: its stated `scale`, or the largest magnitude in `q` and among the
/// parameters of its dimension. Dimensionless coordinates, such as angles, have at least 1. If the text has no number
/// of that dimension, or only coordinates that are zero up to rounding, the size is formed from a mass and a length of
/// the model and the time of its run (1 in SI for a missing one).
[[nodiscard]] Vector coordinate_reach(const Model& model, std::span<const double> values, const Vector& q);
/// Typical size of each coordinate [nq]: the largest magnitude in `q` among the coordinates of the same dimension, but
/// at least a thousandth of its reach.
[[nodiscard]] Vector coordinate_scale(const Model& model, std::span<const double> values, const Vector& q);

/// The coordinates as `start` states them, 0 if not stated [nq]. Right-hand sides that contain q use the values stated
/// before them.
[[nodiscard]] Vector stated_places(const Model& model, std::span<const double> values);

}  // namespace vinculum::model
