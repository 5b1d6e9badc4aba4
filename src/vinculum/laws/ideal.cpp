#include "vinculum/laws/reaction.hpp"

namespace vinculum::laws {

Outcome<void> ideal_reaction(solve::ConstrainedSolve& solve, ConstVector f, ConstVector b, Reaction& reaction) {
  if (auto solved = solve.solve(f, b, reaction.total); !solved) return solved;
  reaction.ideal = reaction.total;
  reaction.Q_nonideal.setZero(f.size());
  reaction.Q_c = reaction.total.Q;
  return {};
}

}  // namespace vinculum::laws
