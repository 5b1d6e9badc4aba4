#include "vinculum/verify/audit/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::audit {
namespace {

/// Error of a residual because a term underflows. An operation whose result is below the smallest normal number 2⁻¹⁰²²
/// has no relative accuracy: its error may be as large as the smallest number 2⁻¹⁰⁷⁴. The constant allows for later
/// factors up to 2⁵². So an audit cannot check terms below 2⁻¹⁰²², for example the power of a speed that has decayed to
/// 5e-324.
constexpr double kUnderflow = std::numeric_limits<double>::min();

double ratio(double residual, double to) {
  if (residual == 0.0) return 0.0;
  const double of = residual / to;
  return of <= std::numeric_limits<double>::max() ? of : std::numeric_limits<double>::infinity();
}

}  // namespace

Judge::Judge(std::string identity, std::string section, std::string from) {
  line_.identity = std::move(identity);
  line_.section = std::move(section);
  line_.allowed_from = "rounding" + (from.empty() ? "" : ", " + from);
}

void Judge::see(Rounded residual, double size, double t, const std::string& where, double beside) {
  if (residual.is_zero() && size == 0.0) return;  // 0 = 0 checks nothing
  // The limit is at least a few units in the last place of the residual's terms, even if the propagated rounding error
  // is smaller. For example, two vectors are perpendicular only up to the rounding of their lengths.
  const double rounding = std::max(residual.error, tolerance::kEqual * size);
  entries_.push_back({std::abs(residual.value), rounding + beside + kUnderflow, size, t, where});
}

AuditLine Judge::verdict() const {
  AuditLine line = line_;
  const auto without = [&](std::string reason) {
    line.verdict = AuditLine::Verdict::kDoesNotApply;
    line.reason = std::move(reason);
    return line;
  };
  if (!reason_.empty() || entries_.empty()) return without(reason_.empty() ? where_nothing_ : reason_);
  // If the limit of a residual is of the order of its terms, the comparison checks nothing, so the residual is not
  // counted as checked. But a residual above its limit always breaks the line.
  const Entry* worst = nullptr;
  std::size_t unchecked = 0;
  for (const Entry& one : entries_) {
    const bool breaks = !(one.residual <= one.limit), checks = one.limit <= tolerance::kFloor * one.size;
    if (!breaks && !checks) ++unchecked;
    if (!breaks && !checks) continue;
    const double own = ratio(one.residual, one.limit);
    if (worst == nullptr || own > ratio(worst->residual, worst->limit) || std::isnan(one.residual)) worst = &one;
  }
  if (worst == nullptr) return without("rounding error leaves no correct digit");
  line.worst = ratio(worst->residual, worst->size);
  line.allowed = ratio(worst->limit, worst->size);
  line.t = worst->t;
  line.where = worst->where;
  line.verdict = worst->residual <= worst->limit ? AuditLine::Verdict::kHolds : AuditLine::Verdict::kBroken;
  line.reason = note_;
  if (2 * unchecked > entries_.size()) {
    line.reason += fmt::format("{}of {} in {} residuals rounding error leaves no correct digit",
                               note_.empty() ? "" : "; ", unchecked, entries_.size());
  }
  return line;
}

}  // namespace vinculum::audit
