#include "vinculum/audit/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::audit {
Judge::Judge(std::string identity, std::string section, double allowed) {
  line_.identity = std::move(identity);
  line_.section = std::move(section);
  line_.allowed = allowed;
}

void Judge::see(double residual, double size, double t, const std::string& where, const std::string& group) {
  entries_.push_back({std::abs(residual), size, t, where, group});
}

AuditLine Judge::verdict() const {
  AuditLine line = line_;
  if (!reason_.empty() || entries_.empty()) {
    line.verdict = AuditLine::Verdict::kDoesNotApply;
    line.reason = reason_.empty() ? "there is nothing of this kind in the model" : reason_;
    return line;
  }
  std::map<std::string, double> largest;
  for (const Entry& entry : entries_) largest[entry.group] = std::max(largest[entry.group], entry.size);
  line.worst = -1.0;
  for (const Entry& entry : entries_) {
    const double size = entry.size + tolerance::kFloor * largest.at(entry.group);
    double ratio = entry.residual == 0.0 ? 0.0 : entry.residual / size;
    if (!(ratio <= std::numeric_limits<double>::max())) ratio = std::numeric_limits<double>::infinity();
    if (ratio <= line.worst) continue;
    line.worst = ratio;
    line.t = entry.t;
    line.where = entry.where;
  }
  line.verdict = line.worst <= line.allowed ? AuditLine::Verdict::kHolds : AuditLine::Verdict::kBroken;
  line.reason = note_;
  return line;
}

}  // namespace vinculum::audit
