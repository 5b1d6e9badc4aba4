// The ideal law: d'Alembert, Lagrange, Appell and Chetaev. What it does is mechanics::Law.   Source: theory.md §6.1.
#include "vinculum/law/kinds.hpp"

namespace vinculum::law {

Kind ideal_kind() {
  return {.form = {"ideal", "d'Alembert's principle, the default", {}},
          .read = [](Reader&) { return true; },
          .is_ideal = true};
}

}  // namespace vinculum::law
