#pragma once

#include <tl/expected.hpp>

#include "vinculum/base/failure.hpp"

namespace vinculum {

/// A value, or the reason why the motion has none.
template <class T>
using Outcome = tl::expected<T, Failure>;

[[nodiscard]] inline tl::unexpected<Failure> fail(Failure failure) {
  return tl::unexpected<Failure>(std::move(failure));
}

}  // namespace vinculum
