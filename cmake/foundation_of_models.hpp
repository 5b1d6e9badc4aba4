// Precompiled header for modules above `model`: foundation.hpp and the Model.
#pragma once

#include "foundation.hpp"
#include "vinculum/expr/graph.hpp"
#include "vinculum/model/model.hpp"
