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
/// Text for messages, with an article: "a scalar", "a vector", …
[[nodiscard]] std::string_view describe(ValueKind kind);

/// Distinguishes a moment from an energy, which has the same dimension: a moment is an energy per angle, if angles
/// count as a unit. Quantities with an odd power of an angle (moments, angles, angular rates) "turn". A product of two
/// turning quantities does not turn. A product of a force and a length may be either (docs/language.md, Units).
struct Turning {
  bool turns = false;        ///< contains an odd power of an angle
  bool is_reaction = false;  ///< computed from multipliers or efforts; its products with lengths are moments
};
[[nodiscard]] constexpr Turning operator*(Turning a, Turning b) {
  return {a.turns != b.turns, a.is_reaction || b.is_reaction};
}
/// For a sum: if one side has the property, the sum has it too.
[[nodiscard]] constexpr Turning operator+(Turning a, Turning b) {
  return {a.turns || b.turns, a.is_reaction || b.is_reaction};
}
/// Whether a scalar of this dimension is a moment and not an energy.
[[nodiscard]] bool is_moment(const Dimension& dimension, Turning turning);

struct Value;
/// Text for messages, with the size of lists and matrices: "a list of 3", "a matrix of 2 by 3".
[[nodiscard]] std::string describe(const Value& value);

/// An entry of a list or matrix.
struct Entry {
  model::Term term;
  Dimension dimension;
  bool fits_any = false;  ///< a zero, which fits any dimension
  Turning turning = {};
};

/// The value of an expression. A fault is a value whose cause has been reported; every value that is computed from a
/// fault is a fault too, without a report.
struct Value {
  ValueKind kind = ValueKind::kFault;
  model::Term term;          ///< for a scalar, condition or vector; for a place the offset from `point`, if it has one
  Dimension dimension;       ///< for a scalar or vector; for a list or matrix the common dimension of its entries
  bool fits_any = false;     ///< the literal 0
  Turning turning;           ///< for a scalar or vector
  bool is_doubtful = false;  ///< computed from a faulty declaration, so its dimension is unknown and fits any other
  std::vector<Entry> entries;  ///< for a list; for a matrix, row by row
  int rows = 0, columns = 0;   ///< size of a list (n, 1) or matrix
  model::PointId point;        ///< for a place; for a body its mass center
  model::FrameId frame;        ///< for a frame; for a body its frame
  model::BodyId body;
  model::ConstraintId constraint;
  int row = -1;  ///< index of the constraint's row, from 0; −1: all rows
  std::string text;

  [[nodiscard]] bool is_fault() const { return kind == ValueKind::kFault; }
  [[nodiscard]] bool is(ValueKind wanted) const { return kind == wanted; }
  [[nodiscard]] bool is_quantity() const { return kind == ValueKind::kScalar || kind == ValueKind::kVector; }
  [[nodiscard]] bool is_array() const { return kind == ValueKind::kList || kind == ValueKind::kMatrix; }
};

[[nodiscard]] Value make_scalar(model::Term term, const Dimension& dimension);
/// A vector. It turns (see Turning) if it has the dimension of a moment, an angular momentum or an angular rate.
[[nodiscard]] Value make_vector(model::Term term, const Dimension& dimension);
/// A multiplier, an effort or a generalized force. For an angle, such a force is a moment.
[[nodiscard]] Entry reaction_of(model::Term term, const Dimension& dimension);
[[nodiscard]] Value scalar_of_entry(const Entry& entry);
[[nodiscard]] Value make_condition(model::Term term);
[[nodiscard]] Value make_list(std::vector<Entry> entries);
/// \param entries  row by row
[[nodiscard]] Value make_matrix(int rows, int columns, std::vector<Entry> entries);
/// A list or matrix with the kind, rows and columns of `like` and other entries.
[[nodiscard]] Value make_array(const Value& like, std::vector<Entry> entries);

}  // namespace vinculum::elaborate
