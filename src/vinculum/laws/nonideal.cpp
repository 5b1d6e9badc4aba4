#include "vinculum/laws/reaction.hpp"

namespace vinculum::laws {

Outcome<void> nonideal_reaction(solve::ConstrainedSolve& solve, ConstVector f, ConstVector C, ConstVector b,
                                Reaction& reaction) {
  if (auto solved = solve.solve(f, b, reaction.ideal); !solved) return solved;
  reaction.Q_c = f + C;  // a place for the sum: solve wants a vector
  if (auto solved = solve.solve(reaction.Q_c, b, reaction.total); !solved) return solved;
  reaction.Q_c = C + reaction.total.Q;
  reaction.Q_nonideal = reaction.Q_c - reaction.ideal.Q;
  return {};
}

}  // namespace vinculum::laws
