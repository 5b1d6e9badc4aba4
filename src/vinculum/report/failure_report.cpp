#include "vinculum/report/failure_report.hpp"

#include <fmt/format.h>

#include "vinculum/diag/render.hpp"

namespace vinculum::report {
namespace {

const model::Constraint* constraint_of(const model::Model& model, const equations::System* system, int row) {
  if (system == nullptr || row < 0 || row >= system->nc()) return nullptr;
  return &model.constraint(system->rows[static_cast<std::size_t>(row)].constraint);
}

diag::SourceRange range_of(const model::Model& model, const StatementId& statement) {
  const auto index = static_cast<std::size_t>(statement.index);
  switch (statement.kind) {
    case StatementId::Kind::kStart: return model.starts[index].range;
    case StatementId::Kind::kOutput: return model.outputs[index].range;
    case StatementId::Kind::kExpectation: return model.expectations[index].range;
    case StatementId::Kind::kSpeed: return model.speeds[index].range;
    case StatementId::Kind::kNonlinearSpeed: return model.nonlinear_speeds[index].speed.range;
    case StatementId::Kind::kConserved: return model.conserved[index].range;
    case StatementId::Kind::kLoad: return model.loads[index].range;
    case StatementId::Kind::kState: return model.states[index].range;
    case StatementId::Kind::kEvent: return model.events[index].range;
  }
  return {};
}

}  // namespace

diag::SourceRange failure_place(const model::Model& model, const equations::System* system, const Failure& failure) {
  if (!failure.statements.empty()) return range_of(model, failure.statements.front());
  for (const int row : failure.rows) {
    if (const auto* constraint = constraint_of(model, system, row)) return constraint->range;
  }
  if (!failure.constraints.empty())
    return model.constraints[static_cast<std::size_t>(failure.constraints.front())].range;
  for (const int index : failure.coordinates) {
    if (index >= 0 && index < static_cast<int>(model.coordinates.size())) {
      return model.coordinates[static_cast<std::size_t>(index)].range;
    }
  }
  return model.run ? model.run->range : diag::SourceRange{};
}

std::string failure_where(const model::Model& model, const equations::System* system, const Failure& failure) {
  if (model.source_text.text().empty()) return "";
  const diag::Position place = model.source_text.position(failure_place(model, system, failure).begin);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

std::string why_interrupted(const sim::Trajectory& trajectory) {
  return trajectory.is_out_of_steps ? fmt::format("the run reached its limit of {} steps", trajectory.step_times.size())
                                    : "the run was interrupted";
}

Node stopped_node(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory) {
  const auto node = [](std::string_view kind, const std::string& message, double t, const std::string& where) {
    return Node::object({{"kind", kind}, {"message", message}, {"t", t}, {"where", where}});
  };
  if (const std::optional<Failure>& failure = trajectory.stopped) {
    return node(failure_info(failure->kind).name, failure->message, failure->t,
                failure_where(*compiled.model, compiled.system.get(), *failure));
  }
  if (!trajectory.is_interrupted) return nullptr;
  const double t = trajectory.end().t;
  Node interrupted = node(kInterrupted, why_interrupted(trajectory), t, "");
  interrupted.said = fmt::format("interrupted at t = {:.9g} s: the motion after this time has not been computed\n", t);
  return interrupted;
}

std::string failure_text(const model::Model& model, const equations::System* system, const Failure& failure,
                         std::string_view kind) {
  if (kind.empty()) kind = failure_info(failure.kind).name;
  const std::string sentence = fmt::format("at t = {:.6g} s {}", failure.t, failure.message);
  if (model.source_text.text().empty()) {
    return fmt::format("{}: error: {} [{}]\n  hint: {}\n", model.name, sentence, kind, advice_of(failure));
  }
  diag::Message message{"error",
                        std::string(kind),
                        failure_place(model, system, failure),
                        sentence,
                        "",
                        {},
                        std::string(advice_of(failure))};
  for (std::size_t i = 1; i < failure.statements.size(); ++i) {
    message.labels.push_back({range_of(model, failure.statements[i]), "also concerned"});
  }
  const model::Constraint* first = nullptr;
  for (const int row : failure.rows) {
    const auto* constraint = constraint_of(model, system, row);
    if (constraint == nullptr) continue;
    if (first == nullptr) {
      first = constraint;
    } else if (constraint != first && (message.labels.empty() || message.labels.back().range != constraint->range)) {
      message.labels.push_back({constraint->range, "also concerned"});
    }
  }
  return diag::render_message(model.source_text, message);
}

}  // namespace vinculum::report
