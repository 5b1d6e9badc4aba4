#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Creates the failures for constraint rows whose gradient vanishes or jumps, and for rows that become dependent.
class RankFailures {
 public:
  static constexpr std::string_view kVanishes = "vanishes";

  /// \param weight  [nu] typical speeds. Both references must outlive this object.
  RankFailures(const Binding& bound, const Vector& weight) : bound_(bound), weight_(weight) {}

  /// \param y  the state at t, or the nearest one that was evaluated
  [[nodiscard]] Failure not_unique(double t, const Vector& y, int row, std::string_view how) const;
  [[nodiscard]] Failure lost_rank(double t, std::vector<int> rows, std::string message) const;
  /// Names of the rows of which `row` is a linear combination.
  /// \param A  constraint Jacobian at the configuration where the row is dependent
  [[nodiscard]] std::string others_of(const Matrix& A, int row) const;

 private:
  [[nodiscard]] std::string speeds_of(int row) const;

  const Binding& bound_;
  const Vector& weight_;
};

}  // namespace vinculum::sim
