#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/model/model.hpp"

/// Typical magnitudes (scales) of the quantities of a model, derived from its text. A model restated in other units has
/// the same scales. Pivoting, rank decisions and comparisons of quantities with different dimensions are relative to
/// them.
namespace vinculum::model {

/// For each component, the largest entry of `size` among the components of the same `kind`.
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

/// A mass, a length and a time derived from the model. They replace kg, m and s where a scale is needed and no number
/// of the text has its dimension. Mass and length are 0 if the model has none.
struct ModelUnits {
  double mass = 0.0, length = 0.0, time = 1.0;

  /// \param values  values of the parameters.   \param q  [nq] coordinates at which masses and inertias are evaluated.
  ModelUnits(const Model& model, std::span<const double> values, const Vector& q);
  /// The typical magnitude of a quantity of this dimension; a missing mass or length counts as 1 in SI.
  [[nodiscard]] double of(const Dimension& dimension) const;
};

/// Estimate of how far a coordinate may move [nq]. It is the stated `scale`, or else the largest magnitude in `q` and
/// among the parameters of the same dimension. Angles and other dimensionless coordinates have at least 1. If the text
/// has no number of the dimension, or if the coordinates are zero up to rounding, the estimate is formed from
/// `ModelUnits`.
[[nodiscard]] Vector coordinate_reach(const Model& model, std::span<const double> values, const Vector& q);
/// Typical magnitude of each coordinate [nq]: the largest magnitude in `q` among the coordinates of the same dimension,
/// but at least a thousandth of `coordinate_reach`.
[[nodiscard]] Vector coordinate_scale(const Model& model, std::span<const double> values, const Vector& q);

/// The start values of the coordinates in the `start` statements; 0 for a coordinate without such a statement. [nq] A
/// right-hand side that contains q uses the values of the earlier statements.
[[nodiscard]] Vector stated_places(const Model& model, std::span<const double> values);

}  // namespace vinculum::model
