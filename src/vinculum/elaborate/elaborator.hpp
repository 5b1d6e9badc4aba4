#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "vinculum/elaborate/checker.hpp"
#include "vinculum/elaborate/context.hpp"
#include "vinculum/elaborate/relation_check.hpp"

namespace vinculum::elaborate {

/// One statement at a time into the model. Statements come in phases, within a phase in the order of the file: first what
/// defines the kinematics, then potentials, then the other loads, at last what asks for results.
class Elaborator {
 public:
  explicit Elaborator(Context& context)
      : context_(context), model_(context.model), builder_(context.builder), pool_(context.pool()), check_(context),
        relations_(context.model, context.facts) {}

  void run();

 private:
  // definitions.cpp
  void apply(const lang::ParamStatement& statement);
  void apply(const lang::CoordStatement& statement);
  void apply(const lang::SpeedStatement& statement);
  void apply(const lang::LetStatement& statement);
  void complete_speeds();
  // frames_and_points.cpp
  void apply(const lang::FrameStatement& statement);
  void apply(const lang::PointStatement& statement);
  void apply(const lang::ParticleStatement& statement);
  std::vector<mechanics::SimpleRotation> rotated(const lang::FrameRotated& definition, mechanics::FrameId parent);
  std::vector<mechanics::SimpleRotation> sequence(const lang::FrameSequence& definition);
  mechanics::Term angle(const lang::Expression& expression);
  Value place(const lang::Expression& expression);
  // loads.cpp
  void apply(const lang::GravityStatement& statement, diag::SourceRange range);
  void apply(const lang::SpringStatement& statement, diag::SourceRange range);
  void apply(const lang::PotentialStatement& statement, diag::SourceRange range);
  void apply(const lang::ForceStatement& statement, diag::SourceRange range);
  void apply(const lang::GeneralizedForceStatement& statement, diag::SourceRange range);
  std::optional<mechanics::ForceOn> force_on(const lang::Name& target, const lang::Expression& force,
                                             const std::optional<lang::Name>& from, std::string_view what);
  std::optional<mechanics::GeneralizedForceOn> generalized_force_on(const lang::Name& coordinate, const lang::Expression& force,
                                                                    std::string_view what);
  bool moves(mechanics::PointId point);
  // constraints.cpp
  void apply(const lang::ConstraintStatement& statement);
  struct Relation;
  std::optional<Relation> relation(const lang::ConstraintStatement& statement);
  void judge(const lang::ConstraintStatement& statement, const Relation& relation);
  std::optional<mechanics::Nonideal> nonideal(const lang::NonidealClause& clause, diag::SourceRange range);
  // results.cpp
  void apply(const lang::OutputStatement& statement);
  void apply(const lang::StartStatement& statement);
  void apply(const lang::RunStatement& statement, diag::SourceRange range);
  void start(const lang::StartItem& item);
  // expectations.cpp
  void apply(const lang::ExpectStatement& statement, diag::SourceRange range);
  bool expect_value(const lang::ExpectValue& expected, mechanics::Expectation& expectation);
  bool expect_stop(const lang::ExpectStop& expected, mechanics::Expectation& expectation);
  Value expected_condition(const lang::Expression& expression);
  std::optional<double> expectation_time(const lang::Expression& expression);
  void check_expectations();
  // overrides.cpp
  void check_overrides();
  std::optional<double> override_of(const Symbol& parameter);

  // lookup.cpp
  mechanics::FrameId frame_named(const lang::Name& name);
  mechanics::PointId point_named(const lang::Name& name);
  Symbol* named(const lang::Name& name, SymbolKind kind);
  /// The number that a constant expression has now.
  std::optional<double> constant(const lang::Expression& expression, const Value& value, std::string_view what);
  /// What a bare number beside this expression is measured in.
  UnitValue unit_of(const lang::Expression& expression, const Value& value);
  void fail(Symbol* symbol);

  // elaborate.cpp
  void declare_all();
  void check_layout();
  Needs needs_of(const lang::Expression& expression);
  enum class Phase { kKinematics, kPotentials, kLoads, kResults };
  void run_phase(Phase phase);
  void apply_in_phase(const lang::Statement& statement, Phase phase);
  bool is_mentioned(std::string_view keyword) const;

  Context& context_;
  mechanics::Model& model_;
  mechanics::ModelBuilder& builder_;
  mechanics::TermPool& pool_;
  Checker check_;
  RelationCheck relations_;
  bool has_newtonian_ = false, has_run_ = false;
  diag::SourceRange run_range_;
  std::vector<std::uint32_t> frame_depth_, point_depth_;
  std::unordered_map<std::string, diag::SourceRange> started_;   ///< variables with a start, as `q1'`
  std::vector<std::pair<double, diag::SourceRange>> expectation_times_;
  std::optional<diag::SourceRange> first_expectation_;
};

}  // namespace vinculum::elaborate
