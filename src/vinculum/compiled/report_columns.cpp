#include "vinculum/compiled/report_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "vinculum/compiled/kernel_outputs.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;

void lower_outputs(const equations::System& system, ReportColumns& columns) {
  std::vector<model::Term> terms;
  std::vector<model::FrameId> frames;
  std::vector<std::size_t> terms_of;  // [outputs] number of terms
  for (const model::Output& output : system.model->outputs) {
    const model::FrameId frame = output.frame.value_or(model::Model::newtonian());
    if (output.components.empty()) terms.push_back(output.value);
    terms.insert(terms.end(), output.components.begin(), output.components.end());
    frames.resize(terms.size(), frame);
    terms_of.push_back(std::max<std::size_t>(1, output.components.size()));
  }
  std::vector<Expr>& all = columns.output_values;
  std::size_t next = 0;
  const auto lowered = equations::lower_all(system, terms, frames);
  for (const std::size_t count : terms_of) {
    const int first = static_cast<int>(all.size());
    for (std::size_t k = 0; k < count; ++k) append(all, lowered[next++]);
    columns.output_columns.push_back({first, static_cast<int>(all.size()) - first});
    const auto free = std::span(system.vectors).first(system.vectors.size() / model::kSystemVectors);
    columns.output_is_of_free_motion.push_back(
        std::ranges::any_of(std::span(all).subspan(static_cast<std::size_t>(first)),
                            [&](Expr value) { return !free.empty() && expr::depends_on(value, free); }));
  }
  columns.output_size = static_cast<int>(all.size());
}

/// Appends the vectors W_s of the rows s of a constraint to `all`, as matrices [3 × rows] row by row.
class WrenchColumns {
 public:
  WrenchColumns(const equations::System& system, std::vector<Expr>& all, int row_count)
      : system_(system), all_(all), row_count_(row_count) {}
  /// Appends a matrix of zeros. \returns the index of its first entry.
  int begin() {
    first_ = static_cast<int>(all_.size());
    all_.resize(all_.size() + static_cast<std::size_t>(3 * row_count_), system_.graph->constant(0.0));
    return first_;
  }
  void add(int row, model::Term vector) {
    const std::vector<Expr> W = equations::lower(system_, vector);
    for (int k = 0; k < 3; ++k)
      all_[static_cast<std::size_t>(first_ + k * row_count_ + row)] += W[static_cast<std::size_t>(k)];
  }

 private:
  const equations::System& system_;
  std::vector<Expr>& all_;
  int row_count_, first_ = 0;
};

/// The friction directions of a constraint in the System. \returns index of the first one, and their number.
std::pair<int, int> slides_of(const equations::System& system, model::ConstraintId id) {
  int first = 0, count = 0;
  for (const equations::Slide& slide : system.slides) {
    if (slide.constraint != id) continue;
    if (count == 0) first = slide.first;
    count += slide.count;
  }
  return {first, count};
}

/// Appends the derivatives of a vector with respect to the symbols `by`: the multipliers of a constraint and its
/// friction directions. \returns the index of the first entry.
int append_changes(const equations::System& system, model::Term vector, std::span<const Expr> by,
                   std::vector<Expr>& all) {
  const int first = static_cast<int>(all.size());
  const std::vector<Expr> components = equations::lower(system, vector);
  append_jacobian(all, system, components, by);
  return first;
}

/// Writes the wrenches of a constraint with friction, whose forces also depend on the friction directions.
void lower_wrenches_of_friction(const equations::System& system, model::ConstraintId id, int first_row, int row_count,
                                ReportColumns& result) {
  const model::Model& model = *system.model;
  const auto [first_slide, slide_count] = slides_of(system, id);
  std::vector<Expr> by(system.lambda.begin() + first_row, system.lambda.begin() + first_row + row_count);
  by.insert(by.end(), system.slide_direction.begin() + first_slide,
            system.slide_direction.begin() + first_slide + slide_count);
  const auto append_vector = [&](model::Term vector) {
    return append_changes(system, vector, by, result.wrench_values);
  };
  for (const model::PointId point : model::points_of(model, id)) {
    result.point_forces.push_back({id, point, first_row, row_count, first_slide, slide_count,
                                   append_vector(model::total_force(model, id, point))});
  }
  for (const model::FrameId body : model::bodies_of(model, id)) {
    const model::PointId center = model.body(*model.frame(body).body).center;
    result.body_wrenches.push_back({id, body, first_row, row_count, first_slide, slide_count,
                                    append_vector(model::resultant_force(model, id, body)),
                                    append_vector(model::torque_on(model, id, body)),
                                    append_vector(model::resultant_moment(model, id, body, center))});
  }
}

void lower_wrenches(const equations::System& system, ReportColumns& result) {
  const model::Model& model = *system.model;
  model::TermPool& pool = *model.terms;
  std::vector<Expr>& all = result.wrench_values;
  int first_row = 0;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const model::ConstraintId id(c);
    // The forces of a constraint without rows are unique, because it has no multipliers.
    if (!model::has_rows(model.constraints[c])) continue;
    const int row_count = static_cast<int>(model.constraints[c].rows.size());
    if (slides_of(system, id).second > 0) {
      lower_wrenches_of_friction(system, id, first_row, row_count, result);
      first_row += row_count;
      continue;
    }
    std::vector<model::RowInspection> rows;
    for (int row = 0; row < row_count; ++row)
      rows.push_back(model::inspect_row(model, id, static_cast<std::size_t>(row)));
    WrenchColumns columns(system, all, row_count);
    for (const model::PointId point : model::points_of(model, id)) {
      result.point_forces.push_back({id, point, first_row, row_count, 0, 0, columns.begin()});
      for (int row = 0; row < row_count; ++row) {
        for (const model::PointReaction& force : rows[static_cast<std::size_t>(row)].forces) {
          if (force.point == point) columns.add(row, force.W);
        }
      }
    }
    for (const model::FrameId body : model::bodies_of(model, id)) {
      const model::PointId center = model.body(*model.frame(body).body).center;
      const auto for_each_force = [&](auto&& what) {
        for (int row = 0; row < row_count; ++row) {
          for (const model::PointReaction& force : rows[static_cast<std::size_t>(row)].forces) {
            const auto carrier = model::carrier_of(model, force.point);
            if (carrier && model.body(*carrier).frame == body) what(row, force);
          }
        }
      };
      const auto add_couples = [&] {
        for (int row = 0; row < row_count; ++row) {
          for (const model::BodyReaction& torque : rows[static_cast<std::size_t>(row)].torques) {
            if (torque.body == body) columns.add(row, torque.tau);
          }
        }
      };
      BodyWrench wrench{id, body, first_row, row_count};
      wrench.force = columns.begin();
      for_each_force([&](int row, const model::PointReaction& force) { columns.add(row, force.W); });
      wrench.couple = columns.begin();
      add_couples();
      wrench.moment = columns.begin();
      add_couples();
      for_each_force([&](int row, const model::PointReaction& force) {
        columns.add(row, pool.cross(pool.position(force.point, center), force.W));
      });
      result.body_wrenches.push_back(wrench);
    }
    first_row += row_count;
  }
}

bool is_comparison(expr::Op op) {
  return op == expr::Op::kLess || op == expr::Op::kLessEqual || op == expr::Op::kEqual || op == expr::Op::kNotEqual;
}

void lower_expectations(const equations::System& system, ReportColumns& result) {
  using Shape = ExpectationColumns::Shape;
  std::vector<Expr>& all = result.expectation_values;
  for (const model::Expectation& expectation : system.model->expectations) {
    ExpectationColumns columns{Shape::kNone, static_cast<int>(all.size()), 0};
    if (expectation.left.is_valid()) {
      const std::vector<Expr> left = equations::lower(system, expectation.left);
      append(all, left);
      columns.count = static_cast<int>(left.size());
      if (expectation.right.is_valid()) {
        columns.shape = Shape::kEquality;
        append(all, equations::lower(system, expectation.right));
      } else if (expectation.left.kind() == model::TermKind::kFunction && is_comparison(expectation.left.op()) &&
                 expectation.left.operand(0).is_scalar()) {
        columns.shape = Shape::kComparison;
        append(all, equations::lower(system, expectation.left.operand(0)));
        append(all, equations::lower(system, expectation.left.operand(1)));
      } else {
        columns.shape = Shape::kCondition;
      }
    }
    result.expectation_columns.push_back(columns);
  }
}

/// Fails if an output or expectation contains a third derivative that the equations of motion do not determine, that
/// is, one that is neither a state nor an unknown.
std::optional<Failure> judge_third_derivatives(const equations::System& system, const ReportColumns& result) {
  if (!system.higher) return std::nullopt;
  const auto is_unknown = [&](Expr value) { return expr::depends_on(value, system.higher->not_known); };
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  constexpr std::string_view kHolds = "contains a third derivative that the equations of motion do not contain";
  for (std::size_t i = 0; i < result.output_columns.size(); ++i) {
    const auto [first, count] = result.output_columns[i];
    if (std::ranges::none_of(std::span(result.output_values).subspan(first, count), is_unknown)) continue;
    failure.statements = {{StatementId::Kind::kOutput, static_cast<int>(i)}};
    failure.message = fmt::format("output `{}` {}", system.model->outputs[i].name, kHolds);
    return failure;
  }
  if (std::ranges::none_of(result.expectation_values, is_unknown)) return std::nullopt;
  failure.message = fmt::format("an expectation {}", kHolds);
  return failure;
}

}  // namespace

Outcome<ReportColumns> report_columns(const equations::System& system) {
  ReportColumns result;
  lower_outputs(system, result);
  if (system.nc() > 0) lower_wrenches(system, result);
  lower_expectations(system, result);
  if (auto failure = judge_third_derivatives(system, result)) return fail(std::move(*failure));
  return result;
}

}  // namespace vinculum::sim
