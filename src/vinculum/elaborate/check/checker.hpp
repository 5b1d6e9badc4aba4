#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "vinculum/elaborate/check/context.hpp"
#include "vinculum/elaborate/check/matrix.hpp"
#include "vinculum/elaborate/check/value.hpp"

namespace vinculum::elaborate {

/// Evaluates expressions of a model text: checks kinds, dimensions and names, and returns a Value made of terms of the
/// model. If an expression has an error, the error is reported once and the value is a fault. A value that is computed
/// from a fault is a fault too, without a report.
class Checker {
 public:
  explicit Checker(Context& context) : context_(context), pool_(context.pool()) {}

  [[nodiscard]] Value evaluate(const lang::Expression& expression);
  /// Records that a number without unit has the unit of the quantity with which it is compared, so that no warning
  /// about it is needed.
  void note_unit_of_bare(const lang::Expression& number) { has_unit_.insert(&number); }

  /// \name Evaluation with a required kind or dimension; otherwise they report an error and return a fault.
  /// @{
  [[nodiscard]] Value scalar(const lang::Expression& expression, std::string_view what);
  [[nodiscard]] Value vector(const lang::Expression& expression, std::string_view what);
  /// With a required dimension.  \param what  the required thing with its article, "a force", for messages.
  [[nodiscard]] Value scalar_of(const lang::Expression& expression, const Dimension& dimension, std::string_view what);
  [[nodiscard]] Value vector_of(const lang::Expression& expression, const Dimension& dimension, std::string_view what);
  /// A number without unit is taken in `unit`; any other value must have the dimension of `unit`.
  [[nodiscard]] Value measured(const lang::Expression& expression, const UnitValue& unit, std::string_view what);
  /// The value of a declaration with `unit` at its end: arithmetic of numbers without units is taken in that unit.
  [[nodiscard]] Value closed_by(const lang::Expression& expression, const UnitValue& unit, std::string_view what);
  /// @}

  /// The variables on which the value depends, as bits of Holds.
  [[nodiscard]] std::uint8_t held(const Value& value);
  /// Warns about a number without unit, such as `a = 90`, that is compared with a coordinate in degrees.
  void warn_of_bare_angle(const lang::Expression& number, const lang::Expression& beside);
  /// True if the value contains only variables that `allowed` (bits of Holds) permits. Otherwise reports the innermost
  /// expression that contains another variable.
  /// \pre the value has been evaluated from the expression
  bool holds_only(const lang::Expression& expression, const Value& value, std::uint8_t allowed, std::string_view what);
  /// True if the two sides have the same dimension; reports an error otherwise. A literal 0 fits any dimension.
  bool agree(const lang::Expression& left, const Value& left_value, const lang::Expression& right,
             const Value& right_value, std::string message, std::string hint = {});
  bool has_dimension(const lang::Expression& expression, const Value& value, const Dimension& wanted,
                     std::string_view what);
  /// Call it for an expression that is used as an angle. Warns about parameters in it that have no unit, if the next
  /// parameter of their statement is in degrees.
  void used_as_angle(const lang::Expression& expression);
  /// The value of a comparison, `and` or `or`. The two sides must have been evaluated and must not be faults.
  [[nodiscard]] Value combine(const lang::Binary& node, const Value& left, const Value& right);
  /// The zero vector for a literal 0; other values are unchanged. For places where a vector is needed.
  [[nodiscard]] Value as_vector(Value value) const;
  /// A list of `length` zeros for a literal 0; other values are unchanged. For places where a list is needed.
  [[nodiscard]] Value as_list(Value value, int length) const;
  /// The mass center for a body; other values are unchanged. For places where a point is needed.
  [[nodiscard]] Value as_place(Value value) const;
  [[nodiscard]] Value fault() const { return {}; }
  /// Reports an error and returns a fault.
  template <class... Rest>
  Value fault(diag::Kind kind, diag::SourceRange range, std::string message, Rest&&... rest) {
    context_.reporter.error(kind, range, std::move(message), std::forward<Rest>(rest)...);
    return {};
  }
  /// Reports that the value is not of the kind `wanted`.
  Value wrong_kind(const lang::Expression& expression, const Value& value, std::string_view wanted);
  /// Makes the two sides equal in kind and size by converting a literal 0.
  /// \returns false after an error, which has been reported.
  /// \param what  beginning of the message, such as "two sides of an expectation are of one ".
  bool alike(const lang::Expression& left, Value& left_value, const lang::Expression& right, Value& right_value,
             const std::string& what, std::string_view size);

 private:
  /// Records the parameters in these values for which the unit of the next parameter (or its inverse or square), as a
  /// factor, would turn the wrong dimension of the value into the wanted one.
  void note_units(std::initializer_list<std::pair<const Value*, Dimension>> sides);
  Value contrast(diag::Kind kind, std::string message, diag::Label first, diag::Label second, std::string hint = {}) {
    context_.reporter.contrast(kind, std::move(message), std::move(first), std::move(second), std::move(hint));
    return {};
  }
  Value dispatch(const lang::Expression& expression);
  Value number(const lang::Expression& expression, const lang::NumberLiteral& node);
  Value name(const lang::Expression& expression, const lang::NameReference& node);
  Value meaning_of(const lang::Expression& expression, const Symbol& named);
  Value put_off(diag::SourceRange range, const Symbol& symbol);
  Value prime(const lang::Expression& expression, const lang::Prime& node);
  Value rate_of_nonlinear_speed(const lang::Expression& expression, const lang::Prime& node, Value speed);
  Value index(const lang::Expression& expression, const lang::Index& node);
  Value member(const lang::Expression& expression, const lang::Member& node);
  Value default_speed(const lang::Member& node, model::FrameId frame, int axis);
  Value unary(const lang::Unary& node);
  Value binary(const lang::Binary& node);
  Value sum(const lang::Binary& node, Value left, Value right);
  Value product(const lang::Binary& node, const Value& left, const Value& right);
  Value quotient(const lang::Binary& node, const Value& left, const Value& right);
  Value power_of(const lang::Binary& node, const Value& left, const Value& right);
  Value comparison(const lang::Binary& node, const Value& left, const Value& right);
  Value conditional(const lang::Conditional& node);
  Value select(const Value& condition, const Value& first, const Value& second);
  Value absolute(const lang::Absolute& node);
  Value two_kinds(const lang::Binary& node, const Value& left, const Value& right, std::string_view wanted,
                  std::string hint = {});

  // checker_call.cpp
  Value call(const lang::Expression& expression, const lang::Call& node);
  Value named_energy(const lang::Expression& expression, const FunctionInfo& info);
  bool is_known(diag::SourceRange range, const FunctionInfo& info);
  /// Hint that says where forces of constraints may be used, and what to write in a load instead.
  [[nodiscard]] std::string hint_for_reactions() const;
  bool argument_fits(const FunctionInfo& info, std::size_t place, const lang::Call& node, std::vector<Value>& values);
  Value apply(const lang::Expression& expression, const lang::Call& node, const FunctionInfo& info,
              const std::vector<Value>& arguments);
  Value apply_algebra(const lang::Call& node, const FunctionInfo& info, const std::vector<Value>& arguments);
  Value product_of_vectors(Function function, const Value& left, const Value& right);
  Value apply_kinematics(const lang::Expression& expression, const FunctionInfo& info,
                         const std::vector<Value>& arguments);
  Value table(const lang::Call& node, const std::vector<Value>& arguments);
  /// Whether the value can be the body that the function needs as an argument. For functions of reactions the newtonian
  /// frame means the ground.
  bool body_fits(const FunctionInfo& info, const lang::Expression& argument, Value& value);

  // checker_results.cpp
  Value apply_results(const lang::Call& node, const FunctionInfo& info, const std::vector<Value>& arguments);
  Value generalized_momentum(const lang::Call& node, const Value& coordinate);
  Value multipliers(const lang::Call& node, const FunctionInfo& info, const Value& constraint);
  Value no_ideal_part(const lang::Call& node, const model::Constraint& constraint);
  Value residual(const Value& constraint);
  // checker_vectors.cpp
  Value list_of_forces(std::span<const model::Term> forces);
  Value generalized_forces(const lang::Call& node, const FunctionInfo& info, model::ConstraintId id);
  Value departure(const lang::Call& node, const Value& constraint);
  /// A result with one entry per row of a constraint: a scalar for one row, otherwise a list.
  /// \param row  index of the only row to use; −1: all rows
  [[nodiscard]] Value of_rows(const model::Constraint& constraint, int row,
                              const std::function<Entry(std::size_t)>& of_row) const;
  Value of_system(const lang::Expression& expression, const FunctionInfo& info);
  Value effort(const lang::Call& node, const std::vector<Value>& arguments);
  Value force_on_point(const lang::Call& node, const FunctionInfo& info, model::ConstraintId id, model::PointId point);
  Value action_on_solid(const lang::Call& node, const FunctionInfo& info, model::ConstraintId id, model::FrameId solid);
  /// Reports that a reaction acts on coordinates and not on points (theory.md §5.6), so it has no force there.
  Value reaction_of_coordinates(const lang::Call& node, model::ConstraintId id);

  // checker_arrays.cpp
  Value list(const lang::Expression& expression, const lang::List& node);
  Value sum_of_arrays(const lang::Binary& node, const Value& left, const Value& right);
  Value product_of_arrays(const lang::Binary& node, const Value& left, const Value& right);
  Value entry_of(const lang::Expression& expression, const lang::Index& node, const Value& array);
  Value apply_to_arrays(const lang::Expression& expression, const lang::Call& node, const FunctionInfo& info,
                        const std::vector<Value>& arguments);
  Value jacobian(const lang::Call& node, const Value& of, const Value& by);
  Value inverse(const lang::Expression& expression, const lang::Call& node, const Value& matrix);
  Value solution(const lang::Expression& expression, const lang::Call& node, const Value& matrix, const Value& right);
  bool has_full_rank(const lang::Expression& expression, const Value& matrix);
  void differ_in_entry(diag::SourceRange range, const std::string& what, const Value& array, std::size_t entry,
                       const Dimension& first, const Dimension& second);

  std::optional<int> whole_number(const lang::Expression& expression, std::size_t largest);
  // checker_hints.cpp
  std::string unit_hint(const lang::Expression& expression, const Dimension& dimension);
  std::string factor_hint(const lang::Expression& expression, const Dimension& lacking, std::string_view what,
                          const Dimension& wanted);
  [[nodiscard]] std::string in_brackets_if_sum(const lang::Expression& expression) const;
  /// Text of the vector that was probably meant by a scalar. If the scalar contains one number without unit, that
  /// number gets the missing unit.
  std::string as_vector_along(const lang::Expression& scalar, const Value& value, const Dimension& wanted,
                              std::string_view what);
  [[nodiscard]] std::string direction_meant(const lang::Expression& scalar, std::string_view what) const;
  /// An axis such as "N.z" if the frame turns about that axis only; otherwise empty.
  [[nodiscard]] std::string axis_of_turn(model::FrameId frame) const;
  std::string hint_of_shared_unit(const lang::Expression& expression, const Dimension& found, const Dimension& wanted,
                                  std::string_view what);
  std::string hint_of_added_inertia(const lang::Expression& expression, diag::SourceRange acceleration,
                                    std::string_view what) const;
  [[nodiscard]] std::string hint_of_measure(const lang::Expression& vector, int axis) const;
  /// Whether the unit at the end of a declaration turns its value, a plain number, into a quantity.
  [[nodiscard]] bool is_number_to_be_closed(const lang::Expression& expression, const Value& value,
                                            const UnitValue& unit) const;
  // checker_blame.cpp
  [[nodiscard]] bool is_suspect(const Symbol& symbol, const Dimension& found) const;
  /// If the dimension of an expression comes from one declaration without unit, reports that declaration instead of the
  /// expression. \returns false if there is no such declaration, or more than one.
  bool blame_declaration(const lang::Expression& expression, const Dimension& found, const Dimension& wanted,
                         std::string_view what);
  [[nodiscard]] std::string hint_of_bare_parameter(const lang::Expression& expression, const Dimension& lacking) const;
  [[nodiscard]] bool is_angle(const lang::Expression& expression) const;
  void warn_of_bare_arithmetic(const lang::Expression& value, std::string_view what);
  const lang::Expression& innermost(const lang::Expression& expression, std::uint8_t not_allowed);

  Context& context_;
  model::TermPool& pool_;
  std::unordered_map<const lang::Expression*, std::uint8_t> held_;  ///< results of `held`
  std::unordered_set<const lang::Expression*> has_unit_;  ///< numbers without unit recorded by `note_unit_of_bare`
  std::unordered_set<const lang::Expression*> doubtful_;  ///< evaluated expressions whose dimension is unknown
};

/// Whether the function is a result of the whole model: generalized forces of all constraints, the free acceleration,
/// Gauss' function.
[[nodiscard]] bool is_of_system(Function function);
/// The entries of a list or matrix as terms, without their dimensions.
[[nodiscard]] TermMatrix terms_of(const Value& array);

/// Text for messages, such as "velocity, m/s".  \pre the value is not a literal 0.
[[nodiscard]] std::string describe_dimension(const Value& value);
/// The unit of a time derivative of the given order: mm/s for mm and order 1.
[[nodiscard]] UnitValue per_time(const UnitValue& unit, int order);

}  // namespace vinculum::elaborate
