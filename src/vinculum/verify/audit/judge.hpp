#pragma once

#include <string>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::audit {

/// Bound of |x| for a number x that is zero by cancellation. The magnitude of the cancelling terms is estimated as
/// x.error divided by half the machine epsilon. The bound adds a few units in the last place of these terms, because
/// the numbers in a model text are only accurate to that.
[[nodiscard]] inline double doubt_of_zero(const Rounded& x) {
  return x.error + tolerance::kEqual * 2.0 * x.error / tolerance::kRounding;
}

/// Collects the residuals of one audit line over the run and compares each with its own limit at the end.
class Judge {
 public:
  /// \param from  origin of the limit in addition to rounding of the terms, for example "the conditioning of the
  /// solve".
  Judge(std::string identity, std::string section, std::string from = {});
  /// \param residual  value of the residual; its error member bounds the effects of rounding and of errors of its
  /// inputs
  /// \param size      sum of the absolute values of the terms of `residual`
  /// \param beside    additional limit: the tolerance of the run, or the residual that a projection leaves
  void see(Rounded residual, double size, double t, const std::string& where, double beside = 0.0);
  /// As `see`, for a residual that the coordinates satisfy identically. The magnitude of its cancelling terms follows
  /// from its rounding error.
  void see_cancelled(Rounded residual, double t, const std::string& where) {
    see(residual, 2.0 * residual.error / tolerance::kRounding, t, where, doubt_of_zero(residual) - residual.error);
  }
  void does_not_apply(std::string reason) { reason_ = std::move(reason); }
  /// Reason to show if no residual was collected.
  void where_nothing(std::string reason) { where_nothing_ = std::move(reason); }
  /// Sets a remark on cases that were left out. It is shown with the verdict, in particular if the line passes.
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
