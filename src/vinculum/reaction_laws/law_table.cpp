#include "vinculum/reaction_laws/law_table.hpp"

#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/reaction_laws/kinds.hpp"

namespace vinculum::reaction_laws {

Table::Table(std::vector<Kind> kinds) {
  for (Kind& kind : kinds) add(std::move(kind));
}

void Table::add(Kind kind) {
  VINCULUM_EXPECTS(find(kind.form.word) == nullptr);
  forms_.push_back(kind.form);
  kinds_.push_back(std::move(kind));
}

const Kind* Table::find(std::string_view word) const {
  const auto row = std::ranges::find(kinds_, word, [](const Kind& kind) { return kind.form.word; });
  return row == kinds_.end() ? nullptr : &*row;
}

std::string Table::names_of_third() const {
  std::string names;
  for (const Kind& kind : kinds_) {
    if (kind.highest >= Level::kThird)
      names += (names.empty() ? "`law " : ", `law ") + std::string(kind.form.word) + "`";
  }
  return names;
}

const Table& laws() {
  static const Table kLaws({ideal_kind(), vakonomic_kind(), kozlov_kind(), adiabatic_kind(), gyroscopic_kind(),
                            stiff_kind(), viscous_kind(), inertial_kind(), directed_kind()});
  return kLaws;
}

}  // namespace vinculum::reaction_laws
