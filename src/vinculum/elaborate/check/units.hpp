#pragma once

#include <optional>

#include "vinculum/base/unit.hpp"
#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// Scale and dimension of a unit as written, `[kg*m/s^2]`; reports unknown units, one by one, and exponents without a
/// meaning.  \returns nothing after an error.
[[nodiscard]] std::optional<UnitValue> read_unit(const lang::Unit& unit, Reporter& reporter);
/// The unit as people read it, and every factor of it in SI: "kN*mm" and "N*m".  \pre `read_unit` has read it
[[nodiscard]] UnitText text_of(const lang::Unit& unit);
/// Whether what is measured in it turns: `[deg]`, `[rad/s]`, `[N*m]`; not `[J]`, `[N*m/rad]`, nor `[N*m*s]`, the unit
/// of a coefficient of angular rates.
[[nodiscard]] bool turns(const lang::Unit& unit);

}  // namespace vinculum::elaborate
