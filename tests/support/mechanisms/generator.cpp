#include "support/mechanisms/generator.hpp"

#include <algorithm>
#include <cmath>

#include "support/mechanisms/assembly.hpp"
#include "support/mechanisms/bodies_at_random.hpp"
#include "support/mechanisms/constraints_at_random.hpp"
#include "support/mechanisms/loads_at_random.hpp"

namespace vinculum::mechanisms {

Mechanism random_mechanism(std::uint64_t seed, GeneratorOptions options) {
  Chance chance(seed);
  Mechanism m;
  m.seed = seed;
  m.is_plane = chance.is(0.3);
  BodiesAtRandom bodies(m, chance, options.has_turns, options.shares);
  bodies.add();
  ConstraintsAtRandom constraints(m, chance, bodies);
  constraints.add();
  add_loads(m, chance, bodies);
  add_reveals(m, chance, bodies);
  for (Coordinate& c : m.coordinates) {
    c.q = std::round(c.q * 1e9) / 1e9;  // few digits for readability; the engine's assembly finds the exact start
    c.rate = std::round(c.rate * 1e9) / 1e9;
  }
  for (double& w : m.spin) w = std::round(w * 1e9) / 1e9;
  return m;
}

}  // namespace vinculum::mechanisms
