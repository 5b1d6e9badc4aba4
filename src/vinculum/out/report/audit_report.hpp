#pragma once

#include <string>
#include <string_view>

#include "vinculum/audit/audit.hpp"

namespace vinculum::out {

/// "holds", "BROKEN", "does not apply".
[[nodiscard]] std::string_view to_string(audit::AuditLine::Verdict verdict);

/// A line an identity: its section of theory.md, verdict, worst residual, what is allowed, when and where; a second
/// line with what of it does not apply, and why.
[[nodiscard]] std::string audit_text(const std::string& model, const audit::Audit& audit);
/// Lines that are broken only, for `test`.
[[nodiscard]] std::string broken_lines(const audit::Audit& audit);
/// {"model", "holds", "samples", "lines": [{"identity", "section", "verdict", "worst", "allowed", "t", "where",
/// "reason"}]}; docs/json.md.
[[nodiscard]] std::string audit_json(const std::string& model, const audit::Audit& audit);

}  // namespace vinculum::out
