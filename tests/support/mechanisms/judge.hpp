#pragma once

#include "support/mechanisms/engine.hpp"

namespace vinculum::mechanisms {

/// A disagreement between the engine and the oracle.
struct Finding {
  std::string check;   ///< "wrench", "balance", "torque", "flag raised", …
  std::string about;   ///< kind of joint or relation, and the point or body
  double size = 0.0;   ///< relative
  std::string detail;  ///< names and numbers
};
struct Verdict {
  std::vector<Finding> findings;
  std::string refused;  ///< kind of error, if the engine has no motion
  std::string refusal_message;
  bool is_refusal_justified = true;
  std::string refusal_class;  ///< why the rejection is right, or the fault
  bool is_clear = true;       ///< rank and conditioning are clear, so values and flags were judged
  int values = 0, flags = 0;  ///< number of comparisons
};

/// Relative difference above which forces disagree.
inline constexpr double kAgreement = 1e-9;

/// Whether an entry may be flagged or not: a coordinate or speed is 0 up to rounding, and so is the entry's
/// coefficient of an unknown that the motion does not determine. If the motion determines all unknowns of the entry,
/// however small their influence, a flag is wrong.
[[nodiscard]] bool is_flag_open(const Oracle& oracle, const Reading& reading, const Vector& gradient);

[[nodiscard]] Verdict judge(const Mechanism& mechanism, const Structure& structure, const Reading& reading);
[[nodiscard]] Verdict judge(const Mechanism& mechanism);
/// Such as "joint revolute", "relation of velocities", with the clauses.
[[nodiscard]] std::string kind_of(const Constraint& constraint);

}  // namespace vinculum::mechanisms
