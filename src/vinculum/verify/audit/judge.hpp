#pragma once

#include <string>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::audit {

/// Bound of |x| for a number that is zero by cancellation. The size of its terms follows from its rounding error; the
/// numbers in a model text are accurate to a few units in the last place.
[[nodiscard]] inline double doubt_of_zero(const Rounded& x) {
  return x.error + tolerance::kEqual * 2.0 * x.error / tolerance::kRounding;
}

/// Collects the residuals of one audit line over the run and compares each with its own limit at the end.
class Judge {
 public:
  /// \param from  origin of the limit in addition to rounding of the terms: "the conditioning of the solve".
  Judge(std::string identity, std::string section, std::string from = {});
  /// \param residual  its error is the bound due to rounding and to the errors of its inputs
  /// \param size      sum of the absolute values of the terms of `residual`
  /// \param beside    further allowance: tolerance of the run, residual of a projection
  void see(Rounded residual, double size, double t, const std::string& where, double beside = 0.0);
  /// The same for a residual that holds identically in the coordinates: `size` is the size of the cancelling terms.
  void see_cancelled(Rounded residual, double t, const std::string& where) {
    see(residual, 2.0 * residual.error / tolerance::kRounding, t, where, doubt_of_zero(residual) - residual.error);
  }
  void does_not_apply(std::string reason) { reason_ = std::move(reason); }
  /// Reason shown if no residual was collected.
  void where_nothing(std::string reason) { where_nothing_ = std::move(reason); }
  /// A remark about omissions, shown on a line that holds.
  void note(std::string note) { note_ = std::move(note); }
  [[nodiscard]] bool has_seen() const { return !entries_.empty(); }
  [[nodiscard]] AuditLine verdict() const;

 private:
  struct Entry {
    double residual, limit, size, t;
    std::string where;
  };
  AuditLine line_;
  std::vector<Entry> entries_;
  std::string reason_, note_, where_nothing_ = "there is nothing of this kind in the model";
};

}  // namespace vinculum::audit
