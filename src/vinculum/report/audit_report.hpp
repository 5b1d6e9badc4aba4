#pragma once

#include <string_view>

#include "vinculum/report/tree.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::report {

/// "holds", "broken", "does not apply".
[[nodiscard]] std::string_view to_string(audit::AuditLine::Verdict verdict);

/// An identity a line: its section of theory.md, verdict, worst residual, what is allowed, when and where, and what of
/// it does not apply, and why (docs/json.md). Text begins with the whole verdict in a sentence and shows the lines that
/// are broken. \param is_listed  text shows all lines
[[nodiscard]] Node audit_report(const std::string& model, const audit::Audit& audit, bool is_listed = false);

/// {"holds", "broken": names of identities}; text has the broken lines whole.
[[nodiscard]] Node audit_verdict(const audit::Audit& audit);

}  // namespace vinculum::report
