#pragma once

#include <iosfwd>
#include <string>

#include "vinculum/sim/invariants/energy_account.hpp"

namespace vinculum::out {

/// One line a sample: t and the columns of the account, SI, 17 digits, as `write_csv` does.
void write_energy_csv(std::ostream& stream, const sim::EnergyAccount& account, const sim::Trajectory& trajectory);

/// "energy balance: worst 1.2e-11 J (3.4e-13 of the energy) at t = 0.25 s", a line.
[[nodiscard]] std::string energy_line(const mechanics::Model& model, const sim::EnergyAccount& account);

}  // namespace vinculum::out
