// The ideal law of d'Alembert, Lagrange, Appell and Chetaev. The base class model::Law implements it. Source: theory.md
// §6.1.
#include "vinculum/reaction_laws/kinds.hpp"

namespace vinculum::reaction_laws {

Kind ideal_kind() {
  return {.form = {"ideal", "d'Alembert's principle, the default", {}},
          .read = [](Reader&) { return true; },
          .is_ideal = true};
}

}  // namespace vinculum::reaction_laws
