#pragma once

#include "support/mechanisms/bodies_at_random.hpp"

namespace vinculum::mechanisms {

void add_loads(Mechanism& m, Chance& chance, BodiesAtRandom& bodies);
void add_reveals(Mechanism& m, Chance& chance, BodiesAtRandom& bodies);

}  // namespace vinculum::mechanisms
