#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/dimension.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::elaborate {

enum class ValueKind : std::uint8_t {
  kFault,
  kScalar,
  kCondition,
  kVector,
  kList,
  kMatrix,
  kPlace,
  kFrame,
  kBody,
  kConstraint,
  kText,
};
/// With its article: "a scalar", "a vector", …
[[nodiscard]] std::string_view describe(ValueKind kind);

/// What tells a moment from an energy, both of one dimension: a moment is an energy per angle. Angles count here like a
/// unit, so that a moment, an angle and an angular rate turn, their products with another that turns do not, and a
/// product of a force and a length is left open (docs/language.md, Units).
struct Turning {
  bool turns = false;        ///< it holds an odd power of an angle
  bool is_reaction = false;  ///< made of multipliers or efforts, whose products with lengths are moments
};
[[nodiscard]] constexpr Turning operator*(Turning a, Turning b) {
  return {a.turns != b.turns, a.is_reaction || b.is_reaction};
}
/// Of a sum: what one side shows holds of the other too.
[[nodiscard]] constexpr Turning operator+(Turning a, Turning b) {
  return {a.turns || b.turns, a.is_reaction || b.is_reaction};
}
/// Whether a scalar of this dimension is a moment.
[[nodiscard]] bool is_moment(const Dimension& dimension, Turning turning);

struct Value;
/// With its size too: "a list of 3", "a matrix of 2 by 3".
[[nodiscard]] std::string describe(const Value& value);

/// A scalar of a list or matrix.
struct Entry {
  model::Term term;
  Dimension dimension;
  bool fits_any = false;  ///< zero: of any dimension
  Turning turning = {};
};

/// What an expression of the language means. A fault is a value whose cause is reported already: everything made of it
/// is a fault as well, in silence.
struct Value {
  ValueKind kind = ValueKind::kFault;
  model::Term term;            ///< scalar, condition, vector; of a place the offset from its point, if any
  Dimension dimension;         ///< scalar, vector; of a list or matrix what all entries share, or none
  bool fits_any = false;       ///< the literal 0
  Turning turning;             ///< scalar, vector
  bool is_doubtful = false;    ///< made of a declaration at fault: its dimension is not known, and goes with any
  std::vector<Entry> entries;  ///< of a list; of a matrix row by row
  int rows = 0, columns = 0;   ///< of a list n and 1
  model::PointId point;        ///< of a place; of a body its mass centre
  model::FrameId frame;        ///< of a frame; of a body its own
  model::BodyId body;
  model::ConstraintId constraint;
  int row = -1;  ///< of the constraint, from 0; −1: all
  std::string text;

  [[nodiscard]] bool is_fault() const { return kind == ValueKind::kFault; }
  [[nodiscard]] bool is(ValueKind wanted) const { return kind == wanted; }
  [[nodiscard]] bool is_quantity() const { return kind == ValueKind::kScalar || kind == ValueKind::kVector; }
  [[nodiscard]] bool is_array() const { return kind == ValueKind::kList || kind == ValueKind::kMatrix; }
};

[[nodiscard]] Value make_scalar(model::Term term, const Dimension& dimension);
/// A vector turns where its dimension is that of a moment, an angular momentum or an angular rate.
[[nodiscard]] Value make_vector(model::Term term, const Dimension& dimension);
/// A multiplier, an effort or a generalized force: that of an angle is a moment.
[[nodiscard]] Entry reaction_of(model::Term term, const Dimension& dimension);
[[nodiscard]] Value scalar_of_entry(const Entry& entry);
[[nodiscard]] Value make_condition(model::Term term);
[[nodiscard]] Value make_list(std::vector<Entry> entries);
/// \param entries  row by row
[[nodiscard]] Value make_matrix(int rows, int columns, std::vector<Entry> entries);
/// Of the kind, rows and columns of `like`, with other entries.
[[nodiscard]] Value make_array(const Value& like, std::vector<Entry> entries);

}  // namespace vinculum::elaborate
