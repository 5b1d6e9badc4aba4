#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/dimension.hpp"
#include "vinculum/mechanics/model.hpp"

namespace vinculum::elaborate {

enum class ValueKind : std::uint8_t { kFault, kScalar, kCondition, kVector, kList, kPlace, kFrame, kConstraint, kText };
/// With its article: "a scalar", "a vector", …
[[nodiscard]] std::string_view describe(ValueKind kind);

/// What an expression of the language means. A fault is a value whose cause is reported already: everything made of it is
/// a fault as well, in silence.
struct Value {
  ValueKind kind = ValueKind::kFault;
  mechanics::Term term;                  ///< scalar, condition, vector; of a place the offset from its point, if any
  Dimension dimension;                   ///< scalar, vector, list; of a constraint that of its rows
  bool fits_any = false;                 ///< the literal 0
  std::vector<mechanics::Term> list;
  std::vector<Dimension> list_dimensions;   ///< of each entry; empty where `dimension` is that of all
  mechanics::PointId point;              ///< of a place
  mechanics::FrameId frame;
  mechanics::ConstraintId constraint;
  int row = -1;                          ///< of the constraint, from 0; −1: all
  std::string text;

  [[nodiscard]] bool is_fault() const { return kind == ValueKind::kFault; }
  [[nodiscard]] bool is(ValueKind wanted) const { return kind == wanted; }
  [[nodiscard]] bool is_quantity() const { return kind == ValueKind::kScalar || kind == ValueKind::kVector; }
};

[[nodiscard]] Value make_scalar(mechanics::Term term, const Dimension& dimension);
[[nodiscard]] Value make_vector(mechanics::Term term, const Dimension& dimension);
[[nodiscard]] Value make_condition(mechanics::Term term);

}  // namespace vinculum::elaborate
