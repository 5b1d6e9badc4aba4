#include "vinculum/elaborate/value.hpp"

namespace vinculum::elaborate {

std::string_view describe(ValueKind kind) {
  switch (kind) {
    case ValueKind::kFault: return "nothing";
    case ValueKind::kScalar: return "a scalar";
    case ValueKind::kCondition: return "a condition";
    case ValueKind::kVector: return "a vector";
    case ValueKind::kList: return "a list";
    case ValueKind::kPlace: return "a point";
    case ValueKind::kFrame: return "a frame";
    case ValueKind::kConstraint: return "a constraint";
    case ValueKind::kText: return "a text";
  }
  return {};
}

Value make_scalar(mechanics::Term term, const Dimension& dimension) {
  Value value;
  value.kind = ValueKind::kScalar;
  value.term = term;
  value.dimension = dimension;
  return value;
}

Value make_vector(mechanics::Term term, const Dimension& dimension) {
  Value value = make_scalar(term, dimension);
  value.kind = ValueKind::kVector;
  return value;
}

Value make_condition(mechanics::Term term) {
  Value value = make_scalar(term, {});
  value.kind = ValueKind::kCondition;
  return value;
}

}  // namespace vinculum::elaborate
