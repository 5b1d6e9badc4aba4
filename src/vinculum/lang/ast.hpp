#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vinculum/lang/expression.hpp"

/// Abstract syntax tree of the model language: the structure of the text without its meaning. Grammar: GRAMMAR.md.
namespace vinculum::lang {

struct ModelStatement {
  Name name;
  std::optional<std::string> title;
};
struct SourceStatement {
  std::string text;
};
struct ParamItem {
  Name name;
  ExpressionPtr value;
  std::optional<Unit> unit;
};  ///< unit: the unit at the end of the item, as in `m = 2 [kg]`
struct ParamStatement {
  std::vector<ParamItem> items;
};
/// All names before a unit or a scale share it: `coord x, y [m], phi [rad]` has two groups.
struct CoordGroup {
  std::vector<Name> names;
  std::optional<Unit> unit;
  ExpressionPtr scale;  ///< null if none is written
};
struct CoordStatement {
  std::vector<CoordGroup> groups;
};
struct SpeedItem {
  Name name;
  ExpressionPtr definition;
  std::optional<Unit> unit;
};
struct SpeedStatement {
  std::vector<SpeedItem> items;
};
/// let NAME = EXPR, or a function: let NAME(x, y) = EXPR
struct LetStatement {
  Name name;
  ExpressionPtr value;
  std::vector<Name> parameters = {};  ///< empty for a name of an expression
};

struct FrameNewtonian {};
struct FrameRotated {
  Name parent;
  ExpressionPtr angle;
  ExpressionPtr axis;
};  ///< axis: x, y or z as a NameReference, or a vector
struct FrameSequence {
  Name parent;
  Name sequence;
  std::vector<ExpressionPtr> angles;
};  ///< sequence: a rotation sequence such as body123 or space312
struct FrameQuaternion {
  Name parent;
  std::vector<Name> coordinates;
};  ///< quaternion(e0, e1, e2, e3); the elaboration reports any number of coordinates other than four
/// axes x VEC, y VEC: two different axes of the new frame. The first axis has the given direction. The second given
/// direction is made orthogonal to the first axis.
struct FrameAxes {
  Name parent;
  Name first_axis;
  ExpressionPtr first;
  Name second_axis;
  ExpressionPtr second;
};
struct FrameStatement {
  Name name;
  std::variant<FrameNewtonian, FrameRotated, FrameSequence, FrameQuaternion, FrameAxes> definition;
};

struct PointFixed {
  Name frame;
};  ///< point O fixed in N
struct PointAt {
  std::optional<Name> on;
  ExpressionPtr position;
};  ///< point P [on B] = O + VEC
struct PointStatement {
  Name name;
  std::variant<PointFixed, PointAt> definition;
};
struct ParticleStatement {
  Name name;
  ExpressionPtr mass;
  ExpressionPtr position;
};

/// body B frame F mass m|density EXPR inertia … at POINT [about P], with the inertia in numbers or as a solid of
/// uniform density: `inertia cylinder(r, h [, axis VEC])`
struct BodyStatement {
  Name name, frame;
  ExpressionPtr mass;                  ///< null if the density is written
  bool is_plane = false;               ///< inertia plane Izz
  std::vector<ExpressionPtr> inertia;  ///< 3 or 6 values: Ixx, Iyy, Izz [, Ixy, Iyz, Izx]; 1 value if is_plane; the
                                       ///< sizes of a solid
  std::optional<Unit> inertia_unit;    ///< unit after the bracket
  ExpressionPtr position;
  std::optional<Name> about;
  ExpressionPtr density = {};      ///< null if the mass is written
  std::optional<Name> solid = {};  ///< kind of the solid: rod, box, …
  ExpressionPtr solid_axis = {};   ///< null if none is written
};

/// force on POINT = FORCE [from OTHER], or of a body: force on BODY = FORCE at PLACE [from OTHER]
struct ForceStatement {
  Name point;
  ExpressionPtr force;
  std::optional<Name> from;
  ExpressionPtr at = {};  ///< null if none is written
};
struct TorqueStatement {
  Name body;
  ExpressionPtr torque;
  std::optional<Name> from;
};
struct GravityStatement {
  ExpressionPtr acceleration;
};
struct SpringStatement {
  Name first, second;
  ExpressionPtr stiffness, length;
  ExpressionPtr damping;
};  ///< damping may be null
/// damper P Q damping c
struct DamperStatement {
  Name first, second;
  ExpressionPtr damping;
};
struct PotentialStatement {
  ExpressionPtr energy;
};
struct GeneralizedForceStatement {
  Name coordinate;
  ExpressionPtr force;
};

/// friction on COORDINATE = BOUND [static BOUND] [viscous c]; expressions that are not written are null
struct FrictionStatement {
  Name coordinate;
  ExpressionPtr bound, static_bound, viscous;
};

struct NonidealClause {
  Name target;
  ExpressionPtr value;
  std::optional<Name> from;
};  ///< nonideal on TARGET = VALUE [from OTHER]
/// friction [on TARGET] mu = EXPR [static EXPR] [from OTHER] [sliding VEC]; expressions that are not written are null
struct FrictionClause {
  Name target;  ///< empty if it is not written, in a joint `contact`
  ExpressionPtr mu;
  ExpressionPtr static_mu;
  std::optional<Name> from;
  ExpressionPtr sliding;
};
/// friction BOUND [static BOUND] [viscous c] of a joint; expressions that are not written are null
struct GivenFrictionClause {
  ExpressionPtr bound, static_bound, viscous;
};
/// An argument of a reaction law, in the form that the law's table row states: `kappa = EXPR`, `along VEC, …`, or a
/// start value `mu' = EXPR, …`.
struct LawArgument {
  std::string word;
  int order = 0;  ///< number of primes after the word
  bool is_start = false;
  bool has_equals = true;
  std::vector<ExpressionPtr> values;  ///< one or more
  std::optional<Name> of = {};        ///< the state z in a start value `mu(z) = EXPR`
};
/// law NAME [arguments] [start mu = EXPR, …]
struct LawClause {
  Name law;
  std::vector<LawArgument> arguments;  ///< as written, in the order of the law's form
};
/// `via force on P along VEC [from Q] [scale EXPR], torque on B from A along VEC, …`
struct ViaItem {
  bool is_torque;
  Name target;
  std::optional<Name> from;
  ExpressionPtr along;
  ExpressionPtr scale;
  SourceRange range;
};
struct ViaClause {
  std::vector<ViaItem> items;
};
/// branch CONDITION: selects one of several possible accelerations
struct BranchClause {
  ExpressionPtr condition;
};
/// when CONDITION: the constraint acts while the condition is true
struct WhenClause {
  ExpressionPtr condition;
};
/// restitution EXPR [energetic | newton | poisson | moreau] [sequential]
struct RestitutionClause {
  ExpressionPtr value;
  std::optional<Name> law = {};
  bool is_sequential = false;
};
/// compliance EXPR: ratio in which contacts whose forces are not unique yield
struct ComplianceClause {
  ExpressionPtr value;
};
/// limits [a] .. [b] [restitution EXPR …] of a joint; a bound that is not written is null
struct LimitsClause {
  ExpressionPtr lower, upper;
  std::optional<RestitutionClause> restitution = {};
};
/// stop: the event ends the run
struct StopAction {};
/// record: the event adds a sample to the results
struct RecordAction {};
/// set u = EXPR: the event sets a speed or a state to this value
struct SetAction {
  ExpressionPtr target, value;
};
struct Clause;
/// if CONDITION { clauses } [else { clauses }]: decided during expansion, before names are checked. For an `else if`,
/// `otherwise` contains a single choice.
struct ClauseChoice {
  ExpressionPtr condition;
  std::vector<Clause> then;
  SourceRange then_range;  ///< range of the first branch, including its braces
  int first_line = 0;      ///< line of the `{`
  std::vector<std::string> comments_at_end_of_then;
  bool has_else = false;
  std::vector<Clause> otherwise;
  std::vector<std::string> comments_at_end_of_else;
};
struct Clause {
  std::variant<LawClause, NonidealClause, FrictionClause, GivenFrictionClause, ViaClause, BranchClause, WhenClause,
               RestitutionClause, ComplianceClause, LimitsClause, ClauseChoice, StopAction, RecordAction, SetAction>
      what;
  SourceRange range;
  std::vector<std::string> comments_before = {};  ///< whole lines above the clause, including `#`
  std::string comment_behind = {};                ///< comment at the end of the clause's first line; may be empty
};
struct ConstraintStatement {
  enum class Sign { kEqual, kAtLeast, kAtMost };  ///< =, >=, <=
  Name name;
  Sign sign = Sign::kEqual;
  ExpressionPtr left, right;
  std::vector<ExpressionPtr> along;  ///< empty if none is written
  std::vector<Clause> clauses;
  bool lacks_clauses = false;  ///< some clauses were left out after an error report
};

/// joint NAME: KIND between P of A and Q of B [axis VEC] [axis2 VEC] [ratio EXPR] [pitch EXPR] [length EXPR] [radius
/// EXPR] [surface KIND(EXPR, …)] [surface2 KIND(EXPR, …)] [prescribed VEC]. Options that are not written are null
/// (JointStatement).
struct JointSurface {
  Name kind;
  std::vector<ExpressionPtr> arguments;
};
/// A point P, or center(B); for the latter, `name` is the name of the body B.
struct JointPoint {
  Name name;
  bool is_center = false;
};
struct JointStatement {
  Name name, kind;
  JointPoint first_point;
  Name first_body;
  JointPoint second_point;
  Name second_body;
  ExpressionPtr axis, axis2, ratio, pitch, length, radius, prescribed;
  std::optional<JointSurface> surface, surface2;
  std::vector<Clause> clauses;  ///< reaction laws and other clauses, as in ConstraintStatement
  bool lacks_clauses = false;   ///< some clauses were left out after an error report
};

/// limits [NAME] of COORDINATE = [a] .. [b] [restitution EXPR …]
struct LimitsStatement {
  std::optional<Name> name;
  Name coordinate;
  LimitsClause limits;
};

struct LagrangianStatement {
  ExpressionPtr L;
};
/// state z' = EXPR [start z = EXPR], or sampled: state z [unit] every T = EXPR [start z = EXPR]
struct StateStatement {
  Name name;
  ExpressionPtr rate;         ///< right side of `z' = EXPR`; of a sampled state its next value
  ExpressionPtr start;        ///< start value; null if none is written
  std::optional<Unit> unit;   ///< only for a sampled state
  ExpressionPtr period = {};  ///< time between samples; null if the state is not sampled
};
/// input u [unit] [= EXPR]
struct InputStatement {
  Name name;
  std::optional<Unit> unit;
  ExpressionPtr value;  ///< value if none is given from outside; null means 0
};
/// event NAME: EXPR = 0 [rising|falling] ACTION, event NAME: at T ACTION, event NAME: every T ACTION
struct EventStatement {
  enum class Trigger { kCrossing, kAt, kEvery };
  Name name;
  Trigger trigger = Trigger::kCrossing;
  ExpressionPtr left, right;  ///< the two sides of an equation; for `at` and `every` only `left`, the time T
  bool is_rising = false, is_falling = false;
  std::vector<Clause> clauses;  ///< its actions
};
/// terminate when CONDITION
struct TerminateStatement {
  ExpressionPtr condition;
};
struct RevealStatement {
  Name name;
  bool is_torque;
  Name target;
  std::vector<ExpressionPtr> along;
};

struct OutputStatement {
  Name name;
  ExpressionPtr value;
  std::optional<Name> frame;
  std::optional<Unit> unit;
};  ///< output NAME = VALUE [in FRAME] [as [unit]]
enum class StartKind { kHeld, kGuess };  ///< `=` and `~`
struct StartItem {
  ExpressionPtr variable;
  StartKind kind;
  ExpressionPtr value;
  std::optional<Unit> unit;
  ExpressionPtr axis = nullptr;
};  ///< with an axis: `B = rotated VALUE about AXIS`, for the frame of a quaternion
struct StartStatement {
  std::vector<StartItem> items;
};
struct RunStatement {
  ExpressionPtr duration;
  ExpressionPtr step;  ///< null if not written, like `max_step` and `tolerance`
  ExpressionPtr max_step;
  ExpressionPtr tolerance;
  std::optional<Name> method;
  std::optional<Name> formulation;
  std::vector<ExpressionPtr> independent;  ///< speeds; empty if none are written
};
struct ConserveStatement {
  std::vector<ExpressionPtr> invariants;
};

enum class ExpectWhen { kAt, kStart, kEnd, kAlways };
struct ExpectValue {  ///< EXPR = VALUE ± TOL, or a comparison such as EXPR < VALUE. A comparison is in `left`; `right`
                      ///< and `tolerance` are null.
  ExpectWhen when;
  ExpressionPtr time;  ///< for kAt
  ExpressionPtr left, right, tolerance;
};
struct ExpectStop {
  Name kind;
  ExpressionPtr time, tolerance;
};  ///< expect stop: KIND [at T ± TOL]
struct ExpectStatement {
  std::variant<ExpectValue, ExpectStop> what;
};

struct Statement;
/// Build-time statements are expanded before names are checked: elaborate/expand.hpp.
struct ForStatement {
  Name variable;
  ExpressionPtr from, to;
  std::vector<Statement> body;
  std::vector<std::string> comments_at_end;
};
struct IfStatement {  ///< for an `else if`, `otherwise` contains a single IfStatement
  ExpressionPtr condition;
  std::vector<Statement> then;
  std::vector<std::string> comments_at_end_of_then;
  bool has_else = false;
  std::vector<Statement> otherwise;
  std::vector<std::string> comments_at_end_of_else;
};
struct IncludeStatement {
  std::string file;
  SourceRange file_range;
};
struct ComponentStatement {
  Name name;
  std::vector<Name> parameters;
  std::vector<Statement> body;
  std::vector<std::string> comments_at_end;
};
struct UseStatement {
  Name component;
  std::vector<ExpressionPtr> arguments;
  Name as;
};

/// view { … }: each of its items is a statement of its own type; loops and choices are allowed among the items.
struct ViewStatement {
  std::vector<Statement> body;
  std::vector<std::string> comments_at_end;
};
struct ColourName {
  Name name;  ///< a code such as "#ff8800" is stored with its quotes
};
/// shape TARGET = KIND(EXPR, … [, axis VEC]) [at P] [color COLOR]; `surface` is drawn transparent.
struct DrawnShape {
  Name target, kind;
  std::vector<ExpressionPtr> sizes;
  ExpressionPtr axis;  ///< may be null
  std::optional<Name> at;
  std::optional<ColourName> colour;
  bool is_surface = false;
};
struct ShapeStatement : DrawnShape {};
struct SurfaceStatement : DrawnShape {
  SurfaceStatement() { is_surface = true; }
};
/// rod P Q [radius EXPR] [color COLOR]; `coil` is drawn as a spring, `capsule` with round ends.
struct DrawnLink {
  Name first, second;
  ExpressionPtr radius;  ///< may be null
  std::optional<ColourName> colour;
  enum class Kind { kRod, kCoil, kCapsule } kind = Kind::kRod;
};
struct RodStatement : DrawnLink {};
struct CoilStatement : DrawnLink {
  CoilStatement() { kind = Kind::kCoil; }
};
struct AxesStatement {
  Name frame;
  std::optional<Name> at;
  ExpressionPtr length;
};  ///< axes F [at P] [length EXPR]; length may be null
struct TraceStatement {
  std::vector<Name> points;
  std::optional<ColourName> colour;
};
struct ArrowStatement {
  ExpressionPtr value;
  std::optional<Name> at;
  std::optional<ColourName> colour;
};
struct ColourItem {
  Name target;
  Name colour;
};
struct ColourStatement {
  std::vector<ColourItem> items;
};
struct HideStatement {
  std::vector<Name> targets;
};
struct NoStatement {
  Name word;
};  ///< such as `no ground`
struct CapsuleStatement : DrawnLink {
  CapsuleStatement() { kind = Kind::kCapsule; }
};
/// mesh "FILE" on TARGET [at P] [scale EXPR] [color COLOR]
struct MeshStatement {
  std::string file;
  SourceRange file_range;
  Name target;
  std::optional<Name> at;
  ExpressionPtr scale;  ///< may be null
  std::optional<ColourName> colour;
};
struct LabelStatement {
  Name target;
  std::string text;
  std::optional<ColourName> colour;
};
struct CameraStatement {
  Name target;
};  ///< camera follow TARGET

using StatementNode =
    std::variant<ModelStatement, SourceStatement, ParamStatement, CoordStatement, SpeedStatement, LetStatement,
                 FrameStatement, PointStatement, ParticleStatement, ForceStatement, GravityStatement, SpringStatement,
                 PotentialStatement, GeneralizedForceStatement, ConstraintStatement, OutputStatement, StartStatement,
                 RunStatement, ExpectStatement, BodyStatement, TorqueStatement, JointStatement, RevealStatement,
                 ForStatement, IfStatement, IncludeStatement, ComponentStatement, UseStatement, LagrangianStatement,
                 StateStatement, ConserveStatement, ViewStatement, ShapeStatement, SurfaceStatement, RodStatement,
                 CoilStatement, AxesStatement, TraceStatement, ArrowStatement, ColourStatement, HideStatement,
                 NoStatement, FrictionStatement, EventStatement, TerminateStatement, InputStatement, LimitsStatement,
                 CapsuleStatement, MeshStatement, LabelStatement, CameraStatement, DamperStatement>;

/// A statement with its comments and blank lines, so that formatting loses nothing.
struct Statement {
  StatementNode node;
  SourceRange range;  ///< from the keyword to the last token, including clauses
  bool blank_line_before = false;
  std::vector<std::string> comments_before;  ///< whole lines above it, including `#`; an empty text is a blank line
  std::string comment_behind;  ///< comment at the end of the statement's first line, including `#`; may be empty
  /// Comments on the statement's further lines, or directly below it; the formatter writes them below the statement
  std::vector<std::string> comments_under;
  /// After expansion, the `use` statement that produced this statement. If uses are nested, the outermost `use` is the
  /// second element.
  std::vector<SourceRange> written_out_by = {};
};

struct ModelFile {
  std::vector<Statement> statements;
  std::vector<std::string> comments_at_end;
  /// Names that left-out, faulty text may have declared, with their places. Later uses of these names are not reported.
  std::vector<Name> names_at_fault;
  /// After this byte unknown names are not reported: an included file that could not be read, or text that was skipped,
  /// may have declared them.
  std::optional<std::uint32_t> names_lost_from;
  bool has_faults = false;  ///< statements were left out after errors, so a missing declaration may be one of them
  bool begins_with_no_statement = false;  ///< the file is perhaps not a model: its first line is no statement
  /// Parameters whose values decided the expansion, each with what it decided, "the condition of an `if`".
  std::vector<std::pair<std::string, std::string>> fixed_parameters;
};

}  // namespace vinculum::lang
