#pragma once

#include <string>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::audit {

/// By how much a number that is zero by cancellation may be off it: its terms are as large as its rounding tells, and
/// the numbers that a text states are known to some units in their last place.
[[nodiscard]] inline double doubt_of_zero(const Rounded& x) {
  return x.error + tolerance::kEqual * 2.0 * x.error / tolerance::kRounding;
}

/// Collects residuals of one line over the run and judges them in the end, each by itself against what it may be.
class Judge {
 public:
  /// \param from  where the limit comes from besides rounding of the terms: "the conditioning of the solve".
  Judge(std::string identity, std::string section, std::string from = {});
  /// \param residual  its error is what rounding, and the errors of what it was computed from, leave of zero
  /// \param size      sum of the absolute values of the terms that `residual` is the sum of
  /// \param beside    what else it may be: of the tolerance of a run, of a projection
  void see(Rounded residual, double size, double t, const std::string& where, double beside = 0.0);
  /// The same of what is 0 = 0 by the choice of coordinates, against the terms that cancel.
  void see_cancelled(Rounded residual, double t, const std::string& where) {
    see(residual, 2.0 * residual.error / tolerance::kRounding, t, where, doubt_of_zero(residual) - residual.error);
  }
  void does_not_apply(std::string reason) { reason_ = std::move(reason); }
  /// Why there may be nothing to see.
  void where_nothing(std::string reason) { where_nothing_ = std::move(reason); }
  /// The line holds with what was seen; says what was left out.
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
