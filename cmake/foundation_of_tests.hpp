// Precompiled header for test programs: foundation_of_models.hpp and gtest.
#pragma once

#include <gtest/gtest.h>

#include "foundation_of_models.hpp"
