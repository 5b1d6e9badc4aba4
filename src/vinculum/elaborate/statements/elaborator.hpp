#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vinculum/elaborate/check/checker.hpp"
#include "vinculum/elaborate/check/contact_rules.hpp"
#include "vinculum/elaborate/check/context.hpp"
#include "vinculum/elaborate/check/relation_check.hpp"
#include "vinculum/model/friction_force.hpp"
#include "vinculum/model/joint.hpp"
#include "vinculum/model/view.hpp"

namespace vinculum::elaborate {

/// Adds the statements to the model in phases, and within a phase in the order of the file. The phases are kinematics,
/// potentials, other loads, constraints, results, and views.
class Elaborator {
 public:
  explicit Elaborator(Context& context)
      : context_(context),
        model_(context.model),
        builder_(context.builder),
        pool_(context.pool()),
        check_(context),
        relations_(context.model, context.facts) {}

  void run();

 private:
  friend class ParameterConstants;  // reads parameters before the model is built
  // definitions.cpp
  void apply(const lang::ParamStatement& statement);
  void parameter(const lang::ParamItem& item, const lang::Unit* closing);
  void apply(const lang::CoordStatement& statement);
  std::optional<double> scale_of(const lang::Expression& expression, const UnitValue& unit);
  void apply(const lang::SpeedStatement& statement);
  void apply(const lang::LetStatement& statement);
  [[nodiscard]] int highest_rate_of_state() const;
  /// Adds a speed, whose definition may be affine in q' or not.
  model::Speed& add_speed(Symbol& symbol, model::Term definition, diag::SourceRange range);
  void complete_speeds();
  // frames_and_points.cpp
  void apply(const lang::FrameStatement& statement);
  void apply(const lang::PointStatement& statement);
  void apply(const lang::ParticleStatement& statement);
  std::vector<model::SimpleRotation> rotated(const lang::FrameRotated& definition, model::FrameId parent);
  std::vector<model::SimpleRotation> sequence(const lang::FrameSequence& definition);
  std::vector<model::SimpleRotation> axes(const lang::FrameAxes& definition, model::FrameId parent);
  std::vector<model::SimpleRotation> rotations_of(const decltype(lang::FrameStatement::definition)& definition,
                                                  model::FrameId parent);
  /// A substitute for a position with an error.
  Value somewhere();
  void place_somewhere(Symbol* symbol);
  model::Term angle(const lang::Expression& expression);
  /// A nonzero vector that is constant in the frame; an invalid term after an error, which has been reported.
  /// \param wanted  beginning of the message, such as "an axis is a vector".
  model::Term fixed_direction(const lang::Expression& expression, model::FrameId frame, const std::string& frame_name,
                              std::string_view what, std::string_view wanted);
  model::Term in_terms_of(model::Term vector, model::FrameId frame);
  Value place(const lang::Expression& expression);
  // bodies.cpp
  void apply(const lang::BodyStatement& statement);
  std::optional<model::Term> mass(const lang::Expression& expression, const std::string& name);
  std::optional<model::Inertia> inertia(const lang::BodyStatement& statement);
  std::optional<model::Inertia> plane_inertia(const lang::BodyStatement& statement);
  struct MassAndInertia {
    std::optional<model::Term> mass;
    std::optional<model::Inertia> inertia;  ///< about the mass center, unless the statement says `about`
  };
  // solids.cpp
  /// Mass and inertia of a solid of uniform density; nothing after an error.   \pre `statement.solid` is stated
  MassAndInertia solid(const lang::BodyStatement& statement, model::FrameId frame);
  /// Whether the value is positive; reports an error if not. Also requires that it stays positive for parameter values
  /// that are set later.
  bool is_positive(const lang::Expression& expression, const Value& value, std::string_view what);
  bool moves_in_plane(const lang::BodyStatement& statement, model::FrameId frame);
  model::FrameId own_frame(const lang::BodyStatement& statement, model::FrameId given);
  void judge_inertia(const lang::BodyStatement& statement, model::BodyId body);
  std::optional<model::QuaternionRotation> quaternion(const lang::FrameQuaternion& definition);
  /// The frame of a body, given the name of the body or of the frame.
  std::optional<model::FrameId> body_frame_named(const lang::Name& name, bool may_be_newtonian);
  // loads.cpp
  void apply(const lang::GravityStatement& statement, diag::SourceRange range);
  void apply(const lang::SpringStatement& statement, diag::SourceRange range);
  void apply(const lang::DamperStatement& statement, diag::SourceRange range);
  void apply(const lang::PotentialStatement& statement, diag::SourceRange range);
  void apply(const lang::ForceStatement& statement, diag::SourceRange range);
  void apply_at_place(const lang::ForceStatement& statement, diag::SourceRange range);
  void apply(const lang::GeneralizedForceStatement& statement, diag::SourceRange range);
  void apply(const lang::FrictionStatement& statement, diag::SourceRange range);
  std::optional<model::ForceOn> force_on(const lang::Name& target, const lang::Expression& force,
                                         const std::optional<lang::Name>& from, std::string_view what);
  std::optional<model::GeneralizedForceOn> generalized_force_on(const lang::Name& coordinate,
                                                                const lang::Expression& force, std::string_view what);
  void apply(const lang::TorqueStatement& statement, diag::SourceRange range);
  std::optional<model::TorqueOn> torque_on(const lang::Name& target, const lang::Expression& torque,
                                           const std::optional<lang::Name>& from, std::string_view what);
  bool may_move(const lang::Name& target, model::PointId point, const std::optional<lang::Name>& from,
                std::optional<model::PointId> other);
  bool may_turn(const lang::Name& target, model::FrameId body, const std::optional<lang::Name>& from,
                std::optional<model::FrameId> other);
  // constraints.cpp
  void apply(const lang::ConstraintStatement& statement);
  struct Relation;
  std::optional<std::string> state_without_rate(model::Term term);
  bool judge_functional(const lang::ConstraintStatement& statement, const Relation& relation);
  bool may_vary_states(const Relation& relation, const lang::Clause& clause, const std::string& name);
  void read_by_rates(model::ConstraintId id);
  std::optional<Relation> relation(const lang::ConstraintStatement& statement);
  std::optional<Relation> vector_relation(const lang::ConstraintStatement& statement, const Value& left,
                                          const Value& right, const std::vector<Value>& along);
  std::optional<Relation> list_relation(const lang::ConstraintStatement& statement, const Value& left,
                                        const Value& right);
  void judge(const lang::ConstraintStatement& statement, Relation& relation);
  /// Makes the row of a relation with `>=` or `<=` the gap. Reports a relation that is not a scalar of positions and
  /// the time.
  bool is_fixed(model::Term gap);
  bool is_gap(const lang::ConstraintStatement& statement, Relation& relation);
  [[nodiscard]] std::string missed_by(std::optional<double> gap, Dimension dimension) const;
  /// Sets the condition that selects one of several accelerations, for a relation that is not linear in them.
  bool set_branch(model::ConstraintId id, const lang::Clause& clause, const Relation& relation);
  // clauses.cpp
  /// The clauses of a constraint or a joint. They are read before the rows of the constraint exist.
  struct Clauses {
    std::vector<model::Nonideal> nonideal;
    std::vector<model::Actuator> actuators;     ///< `via`
    const lang::Clause* law = nullptr;          ///< the clause `law`, whose arguments are read when the rows exist
    diag::SourceRange law_range;                ///< range of the law, or of the first `via`
    const lang::Clause* branch = nullptr;       ///< the clause `branch`, read when the rows exist
    const lang::Clause* when = nullptr;         ///< the clause `when`, read when the rows exist
    const lang::Clause* restitution = nullptr;  ///< the clause `restitution`, read when the rows exist
    const lang::Clause* compliance = nullptr;   ///< the clause `compliance`, read when the rows exist
    const lang::Clause* limits = nullptr;       ///< the clause `limits` of a joint, read when its rows exist
    bool is_right = true;
  };
  /// \param joint  the joint to which the clauses belong; null for a constraint.
  Clauses read_clauses(const std::vector<lang::Clause>& written, const lang::Name& constraint,
                       const model::JointSpec* joint = nullptr);
  static const lang::Clause** once_only(const lang::Clause& clause, Clauses& clauses);
  bool take_once(const lang::Clause& clause, const lang::Clause*& place);
  bool set_clauses(model::ConstraintId id, Clauses clauses, const lang::ConstraintStatement* relation = nullptr);
  /// Sets the condition under which a constraint acts.   \pre the clause `when` is stated
  bool set_when(model::ConstraintId id, const Clauses& clauses);
  // unilateral.cpp
  /// Lets a constraint act only while its gap is closed.   \pre its row is the gap
  bool set_unilateral(model::ConstraintId id, const lang::ConstraintStatement& statement, const Clauses& clauses);
  /// The stated properties of a unilateral constraint, without its state.
  /// \param written  the clause `restitution`; null: not stated
  static model::Unilateral unilateral(model::Term e, const lang::RestitutionClause* written,
                                      const std::optional<model::Term>& compliance = {});
  /// Reports an error and returns false if the value, computed from parameters, does not satisfy the rule. Also
  /// requires that later values satisfy it.
  bool obeys(const NumberRule& rule, const lang::Expression& written, model::Term value, std::string_view what);
  /// Reports a unilateral constraint in a model with friction or other laws, whose impulses are not computed.
  void check_unilateral();
  /// The coefficient of restitution; 0 if none is stated. Invalid after an error.
  model::Term restitution(const lang::RestitutionClause* clause);
  /// The value of a clause `compliance`; nothing after an error.
  /// \param gap  dimension of the gap
  std::optional<model::Term> compliance(const lang::ComplianceClause& clause, const Dimension& gap);
  // limits.cpp
  void apply(const lang::LimitsStatement& statement);
  /// Declares `OWNER.min` and `OWNER.max`, the constraints of limits.
  void declare_limits(const lang::Name& owner, const lang::LimitsClause& limits);
  /// Declares the constraints of all clauses `limits` of a joint.
  void declare_limits(const lang::JointStatement& joint);
  /// Marks the constraints of limits as faulty, after an error.
  void fail_limits(const std::string& owner);
  struct Bounds;
  std::optional<Bounds> bounds(const lang::LimitsClause& written, const UnitValue& unit, const std::string& of);
  model::Term bound(const lang::Expression& written, const UnitValue& unit, const std::string& of);
  bool are_ordered(const lang::LimitsClause& written, const Bounds& bounds, const std::string& of);
  /// Adds the limits of a joint with one degree of freedom.   \pre `clauses.limits` is stated
  bool limit_joint(const Clauses& clauses, const model::JointSpec& joint, const lang::Name& name);
  struct Limit;
  void add_limit(const Limit& limit, const Bounds& bounds);
  std::optional<model::Nonideal> nonideal(const lang::NonidealClause& clause, diag::SourceRange range);
  std::optional<model::Nonideal> friction(const lang::FrictionClause& clause, diag::SourceRange range,
                                          const lang::Name& constraint);
  std::optional<model::Nonideal> given_friction(const lang::GivenFrictionClause& clause, diag::SourceRange range,
                                                const model::JointSpec* joint);
  /// Reads the coefficients of a `friction` clause; nothing after an error.
  std::optional<model::FrictionCoefficients> friction_coefficients(const lang::FrictionClause& clause);
  /// Reports an error and returns false if the value, computed from parameters, is negative. Also requires that it
  /// stays ≥ 0 for parameter values that are set later.
  bool is_not_negative(const lang::Expression& expression, const Value& value, std::string_view what);
  bool via(const lang::ViaItem& item, Clauses& clauses);
  bool set_scale(model::Term scale, const lang::Expression& written, model::Actuator& actuator);
  Value direction(const lang::Expression& expression);
  // joints.cpp
  void apply(const lang::JointStatement& statement, diag::SourceRange range);
  std::optional<model::JointSpec> joint(const lang::JointStatement& statement);
  struct JointSide;
  std::optional<JointSide> joint_side(const lang::Name& name);
  model::PointId joint_point(const lang::JointPoint& written, const lang::Name& body, const JointSide& side);
  bool may_join(const lang::JointStatement& statement, const model::JointInfo& info, const JointSide& first,
                const JointSide& second);
  bool has_joint_parts(const lang::JointStatement& statement, const model::JointInfo& info);
  model::Term joint_number(const lang::ExpressionPtr& expression, model::JointKind kind, model::JointPart part,
                           std::string_view what);
  /// Reads a surface and its lengths; nothing after an error.
  /// \param frame, body  the frame of the body that has the surface, and its name
  std::optional<model::SurfaceKind> joint_surface(const lang::JointSurface& written, const model::JointSpec& joint,
                                                  model::FrameId frame, const lang::Name& body,
                                                  std::vector<model::Term>& lengths);
  /// Declares the points that a joint has added to the model, from index `first` on.
  void declare_points(std::size_t first, diag::SourceRange range);
  void check_centre(const lang::JointPoint& written, model::PointId point, model::FrameId body,
                    const std::vector<model::Term>& lengths);
  // contact_joints.cpp
  /// Declares the constraints of a joint `contact`.
  void declare_contacts(const lang::JointStatement& statement);
  void apply_contact(const lang::JointStatement& statement);
  struct ContactClauses;
  std::optional<ContactClauses> contact_clauses(const lang::JointStatement& statement);
  bool may_touch(const lang::JointStatement& statement, const model::JointSpec& joint);
  bool add_contact(const model::ContactPlace& place, const ContactClauses& clauses, diag::SourceRange range,
                   const std::string& text);
  // states.cpp
  void apply(const lang::LagrangianStatement& statement, diag::SourceRange range);
  void declare_state(const lang::StateStatement& statement);
  void apply(const lang::InputStatement& statement);
  /// Adds the states of an input, and gives its symbol a value.
  void add_input(Symbol& symbol, const Value& otherwise, const Dimension& dimension, const UnitText& unit,
                 diag::SourceRange range);
  /// Reports a start value that is stated for an input.
  void start_of_input(const lang::StartItem& item, const std::string& name);
  bool has_rates_of_inputs(model::Term row, diag::SourceRange range, const std::string& constraint);
  /// Name of an input that the term contains.   \pre the term contains an input
  [[nodiscard]] std::string input_in(model::Term term) const;
  void find_dimensions_of_states();
  bool may_be_evaluated(const lang::Expression& expression);
  void apply(const lang::StateStatement& statement, diag::SourceRange range);
  // events.cpp
  void apply(const lang::EventStatement& statement, diag::SourceRange range);
  void apply(const lang::TerminateStatement& statement, diag::SourceRange range);
  /// `state x [unit] every T = EXPR`: an event that sets the state.
  void sample_state(const lang::StateStatement& statement, const Symbol& symbol);
  model::Term event_time(const lang::Expression& written, std::string_view what, bool is_period);
  bool is_varying(model::Term term, diag::SourceRange range, const std::string& what, std::string hint);
  model::Term crossing(const lang::EventStatement& statement);
  std::nullopt_t not_a_speed(model::Term rate, diag::SourceRange range);
  std::optional<model::EventAction> action(const lang::Clause& written, const std::string& event);
  std::optional<model::EventAction> set_action(const lang::SetAction& written, const std::string& event,
                                               diag::SourceRange range);
  /// Whether `event` sets this variable only once, and no event sets a sampled state. Reports an error otherwise.
  /// \param event  name of the event; empty if the action belongs to a sampled state
  bool is_set_once(const model::EventAction& action, const std::string& name, const std::string& event,
                   diag::SourceRange range);
  // states.cpp
  void start_of_state(const lang::StartItem& item);
  /// Reports an error and returns false if the variable already has a start value.
  bool is_first_start(const std::string& name, diag::SourceRange range);
  // laws.cpp
  bool set_law(model::ConstraintId id, const lang::Clause& clause, const lang::ConstraintStatement* relation);
  class LawReader;
  bool knows_third_derivatives(const lang::Expression& expression, const Value& value);
  // reveals.cpp
  void apply(const lang::RevealStatement& statement, diag::SourceRange range);
  void complete_reveals();
  void warn_of_nothing(const model::Reveal& reveal);
  // results.cpp
  void apply(const lang::OutputStatement& statement);
  bool is_shown_in(const lang::OutputStatement& statement, const Value& value, const Dimension& unit);
  void apply(const lang::StartStatement& statement);
  void apply(const lang::RunStatement& statement, diag::SourceRange range);
  /// Reads the independent speeds. Reports an error and returns false if a name is not a speed or occurs twice, or if
  /// the formulation is not the minimal one.
  bool read_independent(const lang::RunStatement& statement, model::RunSettings& run);
  void start(const lang::StartItem& item);
  /// Sets the start values of the four coordinates of a quaternion from a rotation angle and an axis.
  void start_turned(const lang::StartItem& item);
  // conserve.cpp
  void apply(const lang::ConserveStatement& statement);
  // expectations.cpp
  void apply(const lang::ExpectStatement& statement, diag::SourceRange range);
  bool expect_value(const lang::ExpectValue& expected, model::Expectation& expectation);
  bool expect_entries(const lang::ExpectValue& expected, const model::Expectation& expectation, const Value& left,
                      const Value& right);
  bool claim(const lang::ExpectValue& expected, const lang::Expression& left_side, Value left,
             const lang::Expression& right_side, Value right, model::Expectation& expectation);
  bool tolerance(const lang::Expression& written, const UnitValue& unit, model::Expectation& expectation);
  /// Converts a number without unit from the given unit to SI.
  void scale(const lang::Expression& number, Value& bare, const UnitValue& unit);
  bool expect_stop(const lang::ExpectStop& expected, model::Expectation& expectation);
  Value expected_condition(const lang::Expression& expression);
  std::optional<double> expectation_time(const lang::Expression& expression);
  void check_expectations();
  // views.cpp
  void apply(const lang::DrawnShape& statement);
  void apply(const lang::DrawnLink& statement);
  void apply(const lang::AxesStatement& statement);
  void apply(const lang::TraceStatement& statement);
  void apply(const lang::ArrowStatement& statement);
  void apply(const lang::ColourStatement& statement);
  void apply(const lang::HideStatement& statement);
  void apply(const lang::NoStatement& statement);
  void apply(const lang::MeshStatement& statement);
  void apply(const lang::LabelStatement& statement);
  void apply(const lang::CameraStatement& statement);
  bool place(const lang::Name& target, const std::optional<lang::Name>& at, const std::string& form, auto& drawn);
  std::optional<model::View::Shape> shape(const lang::DrawnShape& statement);
  bool draw_reaction(const lang::ArrowStatement& statement, const lang::Call& call, bool is_torque);
  model::Term drawn_length(const lang::Expression& expression, std::string_view what);
  std::string drawn_thing(const lang::Name& name);
  std::optional<std::string> colour(const lang::Name& name);
  std::optional<std::string> colour(const std::optional<lang::ColourName>& stated);
  model::View& view();
  // overrides.cpp
  void check_overrides();
  std::optional<double> override_of(const Symbol& parameter);

  // lookup.cpp
  model::FrameId frame_named(const lang::Name& name);
  model::PointId point_named(const lang::Name& name);
  Symbol* named(const lang::Name& name, SymbolKind kind);
  /// Hint for a name that denotes a thing of another kind than the wanted one.
  std::string hint_for_kind(const Symbol& symbol, SymbolKind wanted);
  /// The value of a constant expression. Its parameters are fixed by this: they cannot be changed later.
  std::optional<double> constant(const lang::Expression& expression, const Value& value, std::string_view what);
  /// The value of a constant expression for the current parameter values, which may be changed later.
  std::optional<double> number_now(const lang::Expression& expression, const Value& value, std::string_view what);
  /// Whether the term contains a parameter whose declaration has an error, so that its value is meaningless.
  [[nodiscard]] bool is_guessed(model::Term term) const;
  /// As `number_now`, for an expression that may also be a number without unit, which is taken in `unit`.
  std::optional<double> measured_number(const lang::Expression& expression, const UnitValue& unit,
                                        std::string_view what);
  /// The unit that a number without unit takes if it is compared with this expression.
  UnitValue unit_of(const lang::Expression& expression, const Value& value);
  void fail(Symbol* symbol);
  /// Reports an error. Always returns an empty optional.
  template <class... Rest>
  std::nullopt_t none(diag::Kind kind, diag::SourceRange range, std::string message, Rest&&... rest) {
    context_.reporter.error(kind, range, std::move(message), std::forward<Rest>(rest)...);
    return std::nullopt;
  }
  /// Reports an error; always returns false.
  template <class... Rest>
  bool refuse(diag::Kind kind, diag::SourceRange range, std::string message, Rest&&... rest) {
    context_.reporter.error(kind, range, std::move(message), std::forward<Rest>(rest)...);
    return false;
  }

  // elaborate.cpp
  void declare_all();
  void check_layout();
  // unused_coordinates.cpp
  void check_coordinates();
  // contact_places.cpp
  std::optional<model::BodyId> goes_along_with(model::PointId place);
  void check_contacts();
  Needs needs_of(const lang::Expression& expression);
  [[nodiscard]] bool is_momentum_of_coordinate(const lang::Call& call) const;
  enum class Phase { kKinematics, kPotentials, kLoads, kConstraints, kResults, kView };
  [[nodiscard]] static Phase phase_of(Needs needs);
  template <class Node>
  static constexpr Phase phase_of_statement();
  void run_phase(Phase phase);
  void apply_in_phase(const lang::Statement& statement, Phase phase);
  bool is_mentioned(std::string_view keyword) const;

  Context& context_;
  model::Model& model_;
  model::ModelBuilder& builder_;
  model::TermPool& pool_;
  Checker check_;
  RelationCheck relations_;
  bool has_newtonian_ = false, has_run_ = false;
  std::optional<diag::SourceRange> gravity_range_;
  model::PointId somewhere_;
  diag::SourceRange run_range_;
  std::vector<std::uint32_t> frame_depth_, point_depth_;
  std::unordered_map<model::CoordinateId, diag::SourceRange> quaternion_coordinates_, angle_coordinates_;
  struct OpenState {
    Symbol* symbol;
    const lang::Expression* rate;
    std::size_t statement;
  };
  std::set<std::size_t> visited_states_;  ///< states whose rates `state_without_rate` has already visited
  std::vector<OpenState> open_states_;    ///< states whose dimension is not known yet
  struct Revealed {
    Symbol* symbol;
    std::vector<Dimension> dimensions;
  };
  std::vector<Revealed> revealed_;
  /// The event that sets a speed or a state.
  struct SetBy {
    std::string event;
    diag::SourceRange range;
  };
  std::map<std::pair<model::EventAction::Kind, std::uint32_t>, SetBy> set_by_;
  std::unordered_map<std::string, diag::SourceRange> started_;  ///< variables with a start value, such as `q1'`
  std::vector<std::pair<double, diag::SourceRange>> expectation_times_;
  std::optional<diag::SourceRange> first_expectation_;
  std::shared_ptr<model::View> view_;
};

/// The term, in which every speed is replaced by its definition.
[[nodiscard]] model::Term without_speeds(const model::Model& model, model::Term term);

}  // namespace vinculum::elaborate
