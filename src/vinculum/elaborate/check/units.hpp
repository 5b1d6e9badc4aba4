#pragma once

#include <optional>

#include "vinculum/base/unit.hpp"
#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// Scale and dimension of a written unit, `[kg*m/s^2]`. Reports each unknown unit, and exponents without meaning.
/// \returns nothing after an error.
[[nodiscard]] std::optional<UnitValue> read_unit(const lang::Unit& unit, Reporter& reporter);
/// The unit as text for people, and with every factor in SI: "kN*mm" and "N*m".  \pre `read_unit` succeeded for it
[[nodiscard]] UnitText text_of(const lang::Unit& unit);
/// Whether a quantity in this unit contains an odd power of an angle: `[deg]`, `[rad/s]`, `[N*m]`; not `[J]`,
/// `[N*m/rad]` or `[N*m*s]` (a coefficient of angular rates).
[[nodiscard]] bool turns(const lang::Unit& unit);

}  // namespace vinculum::elaborate
