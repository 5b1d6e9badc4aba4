#include "vinculum/sim/plant/own_system.hpp"

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/laws/higher_order.hpp"

namespace vinculum::sim {

Outcome<std::shared_ptr<dynamics::System>> own_system(const CompiledModel& compiled) {
  auto system = dynamics::derive(compiled.model);
  if (!system) return system;
  if (auto failure = laws::write_higher_order(**system)) return fail(std::move(*failure));
  return system;
}

}  // namespace vinculum::sim
