#pragma once

#include <string>
#include <vector>

#include "vinculum/audit/audit.hpp"

namespace vinculum::audit {

/// Collects residuals of one line over the run and judges them in the end.
class Judge {
 public:
  Judge(std::string identity, std::string section, double allowed);
  /// \param size   sum of the absolute values of the terms that `residual` is the sum of
  /// \param group  residuals of one unit: one thousandth of the largest size among them over the run counts beside
  /// `size`, so that
  ///               rounding of what is zero by symmetry breaks nothing
  void see(double residual, double size, double t, const std::string& where, const std::string& group = {});
  void does_not_apply(std::string reason) { reason_ = std::move(reason); }
  /// The line holds with what was seen; says what was left out.
  void note(std::string note) { note_ = std::move(note); }
  void allow(double at_least) { line_.allowed = std::max(line_.allowed, at_least); }
  [[nodiscard]] AuditLine verdict() const;

 private:
  struct Entry {
    double residual, size, t;
    std::string where, group;
  };
  AuditLine line_;
  std::vector<Entry> entries_;
  std::string reason_, note_;
};

}  // namespace vinculum::audit
