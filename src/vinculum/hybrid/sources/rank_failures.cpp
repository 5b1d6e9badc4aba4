#include "vinculum/hybrid/sources/rank_failures.hpp"

#include <fmt/format.h>

#include <utility>

#include "vinculum/compiled/vanishing_divisor.hpp"
#include "vinculum/motion/row_space.hpp"

namespace vinculum::sim {
namespace {

constexpr std::size_t kMostNamed = 6;

/// "`a`, `b` and `c`" for a few names; otherwise the text `all`.
std::string in_words(const std::vector<std::string>& names, const char* all) {
  if (names.empty() || names.size() > kMostNamed) return all;
  std::string text = "`" + names.front() + "`";
  for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 < names.size() ? ", `" : " and `") + names[i] + "`";
  return text;
}

}  // namespace

Failure RankFailures::not_unique(double t, const Vector& y, int row, std::string_view how) const {
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  failure.t = t;
  failure.rows = {row};
  const equations::Row& of = bound_->system->rows[static_cast<std::size_t>(row)];
  const auto divisor =
      // A and b of other rows depend on u'
      of.chi.is_valid() ? std::nullopt : vanishing_divisor(bound_, of.A.values(), t, y.data());
  const std::string pose = !of.phi.is_valid() ? ""
                           : how != kVanishes
                               ? "the pose is singular, and "
                               : fmt::format("the pose is singular, as none of {} changes it, and ", speeds_of(row));
  failure.message = fmt::format(
      "the gradient of constraint `{}` {} here: {}the motion from here on is not unique{}", bound_->row_name(row), how,
      pose,
      divisor ? "; it divides by " + *divisor +
                    ", which vanishes: a vector without a length, or a matrix that `solve` or `pinv` cannot invert"
              : "");
  return failure;
}

std::string RankFailures::others_of(const Matrix& A, int row) const {
  std::vector<std::string> names;
  for (const int other : rows_that_make(A, weight_, row)) names.push_back(bound_->row_name(other));
  return in_words(names, "the others");
}

/// Names of the speeds in a row.
std::string RankFailures::speeds_of(int row) const {
  const auto& A = bound_->system->rows[static_cast<std::size_t>(row)].A;
  std::vector<std::string> names;
  for (const auto& [j, entry] : A) names.push_back(bound_->speed_name(static_cast<int>(j)));
  return in_words(names, "its speeds");
}

Failure RankFailures::lost_rank(double t, std::vector<int> rows, std::string message) const {
  Failure failure;
  failure.kind = FailureKind::kRankDrop;
  failure.t = t;
  failure.rows = std::move(rows);
  failure.message = std::move(message);
  return failure;
}

}  // namespace vinculum::sim
