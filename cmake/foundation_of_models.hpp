// The same for modules above `model`: adds the Model.
#pragma once

#include "foundation.hpp"
#include "vinculum/expr/graph.hpp"
#include "vinculum/model/model.hpp"
