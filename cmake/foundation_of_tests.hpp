// The same for test programs: adds gtest.
#pragma once

#include <gtest/gtest.h>

#include "foundation_of_models.hpp"
