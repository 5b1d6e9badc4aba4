// As foundation_of_models.hpp, for test programs.
#pragma once

#include <gtest/gtest.h>

#include "foundation_of_models.hpp"
