#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/builder.hpp"
#include "vinculum/mechanics/builder.hpp"
#include "vinculum/mechanics/view.hpp"

// What the builder of the door is made of, and its handles as the rooms have them.
namespace vinculum {

struct Term::Inner {
  mechanics::Term term;
};
struct Builder::Own {
  mechanics::ModelBuilder builder;
  std::shared_ptr<mechanics::View> view = {};  ///< the model's, once something is drawn
};

inline mechanics::Term in(Term term) { return term.inner().term; }
inline Term out_of(mechanics::Term term) { return Term(Term::Inner{term}); }
inline mechanics::PointId in(Builder::Point point) { return mechanics::PointId(std::size_t{point.id}); }
inline mechanics::FrameId in(Builder::Frame frame) { return mechanics::FrameId(std::size_t{frame.id}); }
inline mechanics::ConstraintId in(Builder::Constraint one) { return mechanics::ConstraintId(std::size_t{one.id}); }
template <class Id>
std::uint32_t id_of(Id id) {
  return static_cast<std::uint32_t>(id.index());
}
template <class To, class From>
std::optional<To> in(const std::optional<From>& one) {
  return one ? std::optional<To>(in(*one)) : std::nullopt;
}
inline std::vector<mechanics::Term> in(const std::vector<Term>& terms) {
  std::vector<mechanics::Term> result;
  for (const Term term : terms) result.push_back(in(term));
  return result;
}

/// "kg*m/s^2": SI units by name, whole powers.
[[nodiscard]] Dimension dimension_of(const std::string& unit);

}  // namespace vinculum
