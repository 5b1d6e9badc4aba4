#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vinculum/lang/expression.hpp"

/// The model language as text: what stands where, and nothing of what it means. GRAMMAR.md has the grammar.
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
};  ///< the unit that closes the declaration
struct ParamStatement {
  std::vector<ParamItem> items;
};
/// Names up to a closing unit or scale share it: `coord x, y [m], phi [rad]` is two groups.
struct CoordGroup {
  std::vector<Name> names;
  std::optional<Unit> unit;
  ExpressionPtr scale;  ///< null where none is written
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
struct LetStatement {
  Name name;
  ExpressionPtr value;
};

struct FrameNewtonian {};
struct FrameRotated {
  Name parent;
  ExpressionPtr angle;
  ExpressionPtr axis;
};  ///< axis: NameReference x|y|z or a vector
struct FrameSequence {
  Name parent;
  Name sequence;
  std::vector<ExpressionPtr> angles;
};  ///< body123, space312, …
struct FrameQuaternion {
  Name parent;
  std::vector<Name> coordinates;
};  ///< quaternion(e0, e1, e2, e3); four, or reported
/// axes x VEC, y VEC: two different axes of the new frame; the first has the direction given, the second is made
/// orthogonal to it.
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

struct BodyStatement {
  Name name, frame;
  ExpressionPtr mass;
  bool is_plane = false;               ///< inertia plane Izz
  std::vector<ExpressionPtr> inertia;  ///< 3 or 6: Ixx, Iyy, Izz [, Ixy, Iyz, Izx]; 1 of a plane one
  std::optional<Unit> inertia_unit;    ///< behind the bracket
  ExpressionPtr position;
  std::optional<Name> about;
};

struct ForceStatement {
  Name point;
  ExpressionPtr force;
  std::optional<Name> from;
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
struct PotentialStatement {
  ExpressionPtr energy;
};
struct GeneralizedForceStatement {
  Name coordinate;
  ExpressionPtr force;
};

/// friction on COORDINATE = BOUND [static BOUND] [viscous c]; what is not written is null
struct FrictionStatement {
  Name coordinate;
  ExpressionPtr bound, static_bound, viscous;
};

struct NonidealClause {
  Name target;
  ExpressionPtr value;
  std::optional<Name> from;
};  ///< nonideal on TARGET = VALUE [from OTHER]
/// friction on TARGET mu = EXPR [static EXPR] [from OTHER] [sliding VEC]; what is not written is null
struct FrictionClause {
  Name target;
  ExpressionPtr mu;
  ExpressionPtr static_mu;
  std::optional<Name> from;
  ExpressionPtr sliding;
};
/// friction BOUND [static BOUND] [viscous c] of a joint; what is not written is null
struct GivenFrictionClause {
  ExpressionPtr bound, static_bound, viscous;
};
/// An argument of a law as its form has it: `kappa = EXPR`, `along VEC, …`, or of a start `mu' = EXPR, …`.
struct LawArgument {
  std::string word;
  int order = 0;  ///< primes behind the word
  bool is_start = false;
  bool has_equals = true;
  std::vector<ExpressionPtr> values;  ///< one or more
  std::optional<Name> of = {};        ///< of a start `mu(z) = EXPR`: the state z
};
/// law NAME [arguments] [start mu = EXPR, …]
struct LawClause {
  Name law;
  std::vector<LawArgument> arguments;  ///< as written, in the order of the form
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
/// branch CONDITION: which of several accelerations the motion takes
struct BranchClause {
  ExpressionPtr condition;
};
/// when CONDITION: the constraint acts while the condition is true
struct WhenClause {
  ExpressionPtr condition;
};
/// stop: an event ends the run
struct StopAction {};
/// record: an event has a sample
struct RecordAction {};
/// set u = EXPR: an event gives a speed or a state another value
struct SetAction {
  ExpressionPtr target, value;
};
struct Clause;
/// if CONDITION { clauses } [else { clauses }]: chosen before anything means something. `else if` is a choice alone in
/// `otherwise`.
struct ClauseChoice {
  ExpressionPtr condition;
  std::vector<Clause> then;
  SourceRange then_range;  ///< with its braces
  int first_line = 0;      ///< of the `{`
  std::vector<std::string> comments_at_end_of_then;
  bool has_else = false;
  std::vector<Clause> otherwise;
  std::vector<std::string> comments_at_end_of_else;
};
struct Clause {
  std::variant<LawClause, NonidealClause, FrictionClause, GivenFrictionClause, ViaClause, BranchClause, WhenClause,
               ClauseChoice, StopAction, RecordAction, SetAction>
      what;
  SourceRange range;
  std::vector<std::string> comments_before = {};  ///< whole lines, with their `#`
  std::string comment_behind = {};                ///< at the end of its first line; may be empty
};
struct ConstraintStatement {
  Name name;
  ExpressionPtr left, right;
  std::vector<ExpressionPtr> along;  ///< empty: none written
  std::vector<Clause> clauses;
  bool lacks_clauses = false;  ///< some were left out, and reported
};

/// joint NAME: KIND between P of A and Q of B [axis VEC] [axis2 VEC] [ratio EXPR] [pitch EXPR] [length EXPR] [radius
/// EXPR]
///     [surface KIND(EXPR, …)] [prescribed VEC]; what is not written is null.
struct JointSurface {
  Name kind;
  std::vector<ExpressionPtr> arguments;
};
/// P, or center(B): then `name` is that of B.
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
  std::optional<JointSurface> surface;
  std::vector<Clause> clauses;  ///< as those of a constraint
  bool lacks_clauses = false;   ///< likewise
};

struct LagrangianStatement {
  ExpressionPtr L;
};
/// state z' = EXPR [start z = EXPR], or sampled: state z [unit] every T = EXPR [start z = EXPR]
struct StateStatement {
  Name name;
  ExpressionPtr rate;         ///< of a sampled state its next value
  ExpressionPtr start;        ///< null: none
  std::optional<Unit> unit;   ///< of a sampled state
  ExpressionPtr period = {};  ///< null: not sampled
};
/// event NAME: EXPR = 0 [rising|falling] ACTION, event NAME: at T ACTION, event NAME: every T ACTION
struct EventStatement {
  enum class Trigger { kCrossing, kAt, kEvery };
  Name name;
  Trigger trigger = Trigger::kCrossing;
  ExpressionPtr left, right;  ///< the sides of an equation; `left` alone: T
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
};  ///< with an axis: `B = rotated VALUE about AXIS`, of the frame of a quaternion
struct StartStatement {
  std::vector<StartItem> items;
};
struct RunStatement {
  ExpressionPtr duration;
  ExpressionPtr step;  ///< these may be null
  ExpressionPtr max_step;
  ExpressionPtr tolerance;
  std::optional<Name> method;
  std::optional<Name> formulation;
  std::vector<ExpressionPtr> independent;  ///< speeds; empty: none written
};
struct ConserveStatement {
  std::vector<ExpressionPtr> invariants;
};

enum class ExpectWhen { kAt, kStart, kEnd, kAlways };
struct ExpectValue {  ///< EXPR = VALUE ± TOL, or a comparison EXPR < VALUE (then `right` and `tolerance` are null)
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
/// What is expanded before anything means something: elaborate/expand.hpp.
struct ForStatement {
  Name variable;
  ExpressionPtr from, to;
  std::vector<Statement> body;
  std::vector<std::string> comments_at_end;
};
struct IfStatement {  ///< `else if` is an IfStatement alone in `otherwise`
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

/// view { … }: its items are statements of their own kind, with loops and choices among them.
struct ViewStatement {
  std::vector<Statement> body;
  std::vector<std::string> comments_at_end;
};
struct ColourName {
  Name name;
};
/// shape TARGET = KIND(EXPR, … [, axis VEC]) [at P] [colour NAME]; `surface` is seen through.
struct DrawnShape {
  Name target, kind;
  std::vector<ExpressionPtr> sizes;
  ExpressionPtr axis;  ///< may be null
  std::optional<Name> at;
  std::optional<ColourName> colour;
};
struct ShapeStatement : DrawnShape {};
struct SurfaceStatement : DrawnShape {};
/// rod P Q [radius EXPR] [colour NAME]; `coil` is drawn as a spring.
struct DrawnLink {
  Name first, second;
  ExpressionPtr radius;  ///< may be null
  std::optional<ColourName> colour;
};
struct RodStatement : DrawnLink {};
struct CoilStatement : DrawnLink {};
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
};  ///< no ground

using StatementNode =
    std::variant<ModelStatement, SourceStatement, ParamStatement, CoordStatement, SpeedStatement, LetStatement,
                 FrameStatement, PointStatement, ParticleStatement, ForceStatement, GravityStatement, SpringStatement,
                 PotentialStatement, GeneralizedForceStatement, ConstraintStatement, OutputStatement, StartStatement,
                 RunStatement, ExpectStatement, BodyStatement, TorqueStatement, JointStatement, RevealStatement,
                 ForStatement, IfStatement, IncludeStatement, ComponentStatement, UseStatement, LagrangianStatement,
                 StateStatement, ConserveStatement, ViewStatement, ShapeStatement, SurfaceStatement, RodStatement,
                 CoilStatement, AxesStatement, TraceStatement, ArrowStatement, ColourStatement, HideStatement,
                 NoStatement, FrictionStatement, EventStatement, TerminateStatement>;

/// A statement with the comments and blank lines that belong to it, so that formatting loses nothing.
struct Statement {
  StatementNode node;
  SourceRange range;  ///< from its keyword to its last token, clauses included
  bool blank_line_before = false;
  std::vector<std::string> comments_before;  ///< whole lines, with their `#`; an empty one is a blank line
  std::string comment_behind;                ///< at the end of its first line, with its `#`; may be empty
  std::vector<std::string> comments_under;   ///< on its further lines or under them, set under it on formatting
  /// Behind `elaborate`'s expansion: the `use` that it was written out for, and the outermost where uses stand in
  /// components.
  std::vector<SourceRange> written_out_by = {};
};

struct ModelFile {
  std::vector<Statement> statements;
  std::vector<std::string> comments_at_end;
  /// Names that text left out for an error may declare, each at its place: their use behind it is no second error.
  std::vector<Name> names_at_fault;
  /// From here on any name may be declared, by a file not included or by text not read: an unknown one is no second
  /// error.
  std::optional<std::uint32_t> names_lost_from;
  bool has_faults = false;  ///< statements were left out for errors: what is not here may be in one of them
  bool begins_with_no_statement = false;  ///< its first line is no statement at all: perhaps no model
  /// Parameters by whose values the text was written out, each with what they decided, "the condition of an `if`".
  std::vector<std::pair<std::string, std::string>> fixed_parameters;
};

}  // namespace vinculum::lang
