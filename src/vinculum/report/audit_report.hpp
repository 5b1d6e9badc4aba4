#pragma once

#include <string_view>

#include "vinculum/report/tree.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::report {

/// Returns the text of a verdict: "holds", "broken", "does not apply".
[[nodiscard]] std::string_view to_string(audit::AuditLine::Verdict verdict);

/// Builds one entry per identity: its section of theory.md, verdict, largest residual, limit, time and place. If the
/// identity, or a part of it, does not apply, the entry also has the reason (docs/json.md). The text begins with the
/// verdict in one sentence, followed by the broken lines.
/// \param is_listed  true: the text contains all lines
[[nodiscard]] Node audit_report(const std::string& model, const audit::Audit& audit, bool is_listed = false);

/// Returns the node {"holds", "broken"}, where "broken" lists the names of broken identities. The text shows the broken
/// lines.
[[nodiscard]] Node audit_verdict(const audit::Audit& audit);

}  // namespace vinculum::report
