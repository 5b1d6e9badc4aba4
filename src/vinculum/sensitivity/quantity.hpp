#pragma once

#include <string>

#include "vinculum/compiled/binding.hpp"

namespace vinculum::sensitivity {

/// A quantity by which a run is differentiated: a parameter, or the value of a coordinate, speed or state at the start.
struct Quantity {
  enum class Of { kParameter, kStart } of{};
  std::size_t index = 0;  ///< index into Model::parameters, or component of y = (q, u, z)
  std::string name;
};

}  // namespace vinculum::sensitivity
