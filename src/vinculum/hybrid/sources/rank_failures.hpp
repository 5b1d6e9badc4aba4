#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// What is said of rows that vanish, jump or become dependent.
class RankFailures {
 public:
  static constexpr std::string_view kVanishes = "vanishes";

  /// \param weight  [nu] typical speeds; both are kept by reference.
  RankFailures(const Binding& bound, const Vector& weight) : bound_(bound), weight_(weight) {}

  /// \param y  at t, or as near to it as has been looked.
  [[nodiscard]] Failure not_unique(double t, const Vector& y, int row, std::string_view how) const;
  [[nodiscard]] Failure lost_rank(double t, std::vector<int> rows, std::string message) const;
  /// The rows that a dependent one is a sum of.   \pre A of the pose
  [[nodiscard]] std::string others_of(const Matrix& A, int row) const;

 private:
  [[nodiscard]] std::string speeds_of(int row) const;

  const Binding& bound_;
  const Vector& weight_;
};

}  // namespace vinculum::sim
