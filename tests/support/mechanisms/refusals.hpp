#pragma once

#include "support/mechanisms/judge.hpp"

namespace vinculum::mechanisms {

/// Judges an error at the mechanism's guessed state: whether the motion exists and is unique, and whether a
/// constraint acts as the error states.
void judge_refusal(const Mechanism& mechanism, const Structure& structure, const Reading& reading, Verdict& verdict);

}  // namespace vinculum::mechanisms
