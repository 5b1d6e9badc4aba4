// As foundation.hpp, for rooms that stand above the Model.
#pragma once

#include "foundation.hpp"
#include "vinculum/expr/graph.hpp"
#include "vinculum/model/model.hpp"
