#pragma once

#include "vinculum/base/failure.hpp"
#include "vinculum/outcome.hpp"

namespace vinculum {

[[nodiscard]] inline Unexpected<Failure> fail(Failure failure) { return {std::move(failure)}; }

}  // namespace vinculum
