// As foundation.hpp, for modules above the Model.
#pragma once

#include "foundation.hpp"
#include "vinculum/expr/graph.hpp"
#include "vinculum/model/model.hpp"
