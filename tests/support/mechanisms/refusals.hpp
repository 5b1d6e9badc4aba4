#pragma once

#include "support/mechanisms/judge.hpp"

namespace vinculum::mechanisms {

/// Judges an error by the state that the mechanism guesses: whether its motion is there and unique, whether a
/// constraint acts as the error says.
void judge_refusal(const Mechanism& mechanism, const Structure& structure, const Reading& reading, Verdict& verdict);

}  // namespace vinculum::mechanisms
