#include "vinculum/report/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/sliding.hpp"
#include "vinculum/report/events.hpp"
#include "vinculum/report/failure_report.hpp"
#include "vinculum/report/impacts.hpp"
#include "vinculum/report/plane.hpp"
#include "vinculum/report/shown_numbers.hpp"

namespace vinculum::report {
namespace {

// An output of a run that stopped counts as unbounded if its last value exceeds this many times its largest value at
// earlier samples.
constexpr double kUnbounded = 1e6;

/// Whether a state of an input is not the value of the input itself: `rate(u)`, `own(u)`, `given(u)`.
bool is_aside(const model::Model& model, const std::string& state) {
  const auto named = [&](model::StateId id) { return id.is_valid() && model.states[id.index()].name == state; };
  return std::ranges::any_of(model.inputs, [&](const model::Input& input) {
    return named(input.rate) || named(input.own) || (named(input.given) && state != input.name);
  });
}

/// Text of a state: each coordinate with its speed on one line, followed by the extra states.
std::string state_text(const model::Model& model, const Node& state) {
  const std::size_t nq = model.coordinates.size(), nu = model.speeds.size();
  std::size_t width = 0;
  for (const Node& one : state.parts)
    if (!is_aside(model, one.name)) width = std::max(width, one.name.size());
  const auto cell = [&](std::size_t i) {
    const Node& one = state.at(i);
    return fmt::format("{:<{}} = {:>22}{:<8}", one.name, width, one.shown_as, behind(one.unit));
  };
  const std::size_t pairs = std::max(nq, nu);
  std::string text;
  for (std::size_t i = 0; i < pairs + state.parts.size() - nq - nu; ++i) {
    std::string line = "  ";
    if (i < pairs) {
      line += i < nq ? cell(i) : std::string(width + 33, ' ');
      if (i < nu) line += "  " + cell(nq + i);
    } else {
      if (is_aside(model, state.at(nq + nu + i - pairs).name)) continue;
      line += cell(nq + nu + i - pairs);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

/// Returns the constraints of which at least one row is redundant at the end of the run.
std::vector<char> redundant_constraints(const sim::Binding& bound, const sim::Trajectory& trajectory) {
  std::vector<char> redundant(bound->model->constraints.size(), 0);
  if (trajectory.samples.empty()) return redundant;
  const std::vector<char>& unique = trajectory.end().row_unique;
  for (std::size_t row = 0; row < std::min(unique.size(), bound->system->rows.size()); ++row) {
    if (unique[row] == 0) redundant[bound->system->rows[row].constraint.index()] = 1;
  }
  return redundant;
}

Node residuals_of(const model::Model& model, const sim::Trajectory& trajectory, const std::vector<char>& redundant) {
  Node residuals = Node::object();
  const bool is_one = std::ranges::count(redundant, 1) == 1;
  std::string names;
  std::size_t width = 0;
  for (const auto& constraint : model.constraints) width = std::max(width, constraint.name.size());
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    const model::Constraint& constraint = model.constraints[i];
    const auto at = static_cast<Eigen::Index>(i);
    const bool is_known = !trajectory.samples.empty() && at < trajectory.worst_residual.size();
    Node& node = residuals.add(constraint.name, is_known ? Node(trajectory.worst_residual[at]) : nullptr);
    if (!is_known) continue;
    node.unit = unit_of_residual(model, constraint);
    node.said = fmt::format("  {:<{}}   {:.2g}{} at t = {:.6g} s{}\n", constraint.name, width,
                            trajectory.worst_residual[at], behind(node.unit), trajectory.worst_residual_t[at],
                            redundant[i] != 0 && is_one ? "   (redundant: its multiplier is not unique)" : "");
    if (redundant[i] != 0) names += (names.empty() ? "`" : ", `") + constraint.name + "`";
    residuals.said = "\nconstraints, worst residual along the run\n";
  }
  if (!is_one && !names.empty() && !residuals.parts.empty())
    residuals.parts.back().said += fmt::format("  redundant, so their multipliers are not unique: {}\n", names);
  return residuals;
}

Node rank_drops_of(const sim::Trajectory& trajectory) {
  Node drops = Node::list();
  for (const sim::RankDrop& drop : trajectory.all<sim::RankDrop>()) {
    drops.add(Node::object({{"t", drop.t}, {"rank", drop.rank}, {"generic_rank", drop.generic_rank}})).said =
        fmt::format("\nat t = {:.9g} s the constraints had rank {} instead of {}; the motion continued\n", drop.t,
                    drop.rank, drop.generic_rank);
  }
  return drops;
}

Node friction_of(const model::Model& model, const sim::Trajectory& trajectory) {
  constexpr std::size_t kMostChanges = 8;  // lines of text; the list itself has all
  using To = sim::FrictionChange::To;
  Node changes = Node::list();
  for (const sim::FrictionChange& change : trajectory.all<sim::FrictionChange>()) {
    const model::Slide& slide = model.slides[static_cast<std::size_t>(change.slide)];
    const std::string name = model::name_of(model, slide);
    const auto [to, what] = change.to == To::kSticks   ? std::pair("sticks", "comes to rest and sticks")
                            : change.to == To::kSlides ? std::pair("slides", "begins to slide")
                                                       : std::pair("slides on", "passes through rest and slides on");
    Node& node =
        changes.add(Node::object({{"t", change.t}, {slide.load.is_valid() ? "load" : "constraint", name}, {"to", to}}));
    if (changes.parts.size() <= kMostChanges)
      node.said = fmt::format("at t = {:.9g} s `{}` {}\n", change.t, name, what);
    changes.said = "\n";
  }
  if (changes.parts.size() > kMostChanges)
    changes.parts.back().said = fmt::format("and {} more changes between sliding and sticking, in events.csv\n",
                                            changes.parts.size() - kMostChanges);
  return changes;
}

/// Results of the enclosure checks of the steps; empty if the model contains nothing to check.
Node looking_of(const sim::Looking& looking) {
  Node unproven = looking.not_proven == 0
                      ? Node()
                      : Node::object({{"t", looking.first_not_proven}, {"expression", looking.not_proven_of}});
  Node node = Node::object({{"steps", looking.steps},
                            {"closer", looking.closer},
                            {"surfaces", looking.crossings},
                            {"shortened", looking.shortened},
                            {"not_proven", looking.not_proven}});
  node.add("first_not_proven", std::move(unproven));
  Node& unknown = node.add("not_watched", Node::list());
  for (const std::string& text : looking.not_watched) unknown.add(text);
  if (looking.steps == 0) return node;
  node.said = fmt::format(
      "checked between stages: {} steps, {} of them in detail; {} switching surfaces met, {} steps shortened\n",
      looking.steps, looking.closer, looking.crossings, looking.shortened);
  if (looking.not_proven > 0) {
    node.said +=
        fmt::format("note: {} times it is not proven that nothing was missed, first at t = {:.9g} s for `{}`\n",
                    looking.not_proven, looking.first_not_proven, looking.not_proven_of);
  }
  for (const std::string& text : looking.not_watched)
    node.said += fmt::format(
        "note: `{}` depends on unknown forces or accelerations: steps check it only at their stages\n", text);
  return node;
}

/// Returns a node with the notes on why the run was slow.
Node notes_of(const sim::Trajectory& trajectory) {
  Node notes = Node::list();
  for (const sim::Note& note : trajectory.notes) {
    notes
        .add(Node::object({{"kind", note.kind},
                           {"t", note.t},
                           {"message", note.text},
                           {"component", note.component},
                           {"term", note.term},
                           {"rate", note.rate},
                           {"steps", note.steps}}))
        .said = fmt::format("note: from t = {:.6g} s: {}\n", note.t, note.text);
  }
  return notes;
}

/// Sets the text of the numbers in a node that `values_at` made.
void show(Node& values, const std::vector<Column>& columns, Column::Group group, const sim::Sample& sample,
          ShownNumbers& numbers) {
  std::size_t member = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].group != group) continue;
    Node& node = values.parts[member++];
    if (node.parts.empty()) node.shown_as = numbers.text(i, 0, sample);
    for (std::size_t k = 0; k < node.parts.size(); ++k)
      node.parts[k].shown_as = numbers.text(i, static_cast<int>(k), sample);
  }
}

/// Writes one line per quantity and one column per requested time; if there are many times, in several blocks. A star
/// marks numbers that are not unique.
std::string samples_text(const std::vector<Column>& columns, const model::Model& model,
                         const std::vector<sim::Sample>& samples, ShownNumbers& numbers) {
  constexpr std::size_t kSideBySide = 4;
  std::string text;
  bool is_starred = false;
  for (std::size_t first = 0; first < samples.size(); first += kSideBySide) {
    const std::size_t last = std::min(first + kSideBySide, samples.size());
    std::vector<std::vector<std::string>> rows{{"t" + behind(unit_of_time(model))}};
    for (std::size_t i = first; i < last; ++i) rows[0].push_back(fmt::format("{:.15g}", samples[i].t));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Column& column = columns[c];
      if (column.group == Column::Group::kResidual || is_aside(model, column.name)) continue;
      for (int k = 0; k < column.count; ++k) {
        auto& row = rows.emplace_back();
        row.push_back(entry_name(column, k) + behind(column.unit(k), column.frame));
        for (std::size_t i = first; i < last; ++i) {
          const bool is_unique = !column.is_unique || column.is_unique(samples[i], k);
          row.push_back(numbers.text(c, k, samples[i]) + (is_unique ? "" : "*"));
          is_starred = is_starred || !is_unique;
        }
      }
    }
    text += "\n" + aligned(rows, "  ");
  }
  if (is_starred) text += "  * not unique: redundant constraints\n";
  return text;
}

/// Writes a note on coordinates for which the tolerance is smaller than their own rounding error.
std::string below_resolution(const model::Model& model, const sim::Trajectory& trajectory) {
  std::string text;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    if (!model.coordinates[i].scale) continue;
    const double largest = trajectory.largest_q.size() > 0 ? nth(trajectory.largest_q, i) : 0.0;
    const double asked = trajectory.tolerance * *model.coordinates[i].scale, left = tolerance::kEqual * largest;
    if (asked >= left) continue;
    text += fmt::format("note: `{}` reaches {:.3g}, where numbers are {:.1e} apart: {:.1e} of it cannot be resolved\n",
                        model.coordinates[i].name, largest, left, asked);
  }
  return text;
}

Node seconds_of(const sim::Binding& bound, const StageSeconds& seconds) {
  const auto milliseconds = [](double s) { return fmt::format("{:.3g} ms", s * 1e3); };
  Node result = Node::object({{"parse", seconds.parse},
                              {"derive", seconds.derive},
                              {"compile", seconds.compile},
                              {"simulate", seconds.simulate}});
  result.said = fmt::format("parse {}, derive {}, compile {} ({}{}), simulate {}\n", milliseconds(seconds.parse),
                            milliseconds(seconds.derive), milliseconds(seconds.compile),
                            codegen::to_string(bound->report.backend),
                            bound->report.from_cache ? ", from the cache" : "", milliseconds(seconds.simulate));
  if (!bound->report.note.empty()) result.said += "note: " + bound->report.note + "\n";
  return result;
}

/// Returns the computing time per task, and how often generated solvers fell back to the pivoted solver.
Node profile_of(const sim::Trajectory& trajectory, const StageSeconds& seconds) {
  Node node = Node::object();
  std::vector<std::vector<std::string>> lines{{"part", "ms", "calls"}};
  const auto add = [&](std::string_view name, double share, long calls) {
    Node& part = node.add(std::string(name), Node::object({{"seconds", share}}));
    if (calls > 0) part.add("calls", calls);
    lines.push_back({std::string(name), fmt::format("{:.3f}", share * 1e3), calls > 0 ? fmt::format("{}", calls) : ""});
  };
  add("parse", seconds.statements, 0);
  add("elaborate", seconds.parse - seconds.statements, 0);
  add("derive", seconds.derive, 0);
  add("compile", seconds.compile, 0);
  for (std::size_t i = 0; i < sim::Profile::kNames.size(); ++i)
    add(sim::Profile::kNames[i], trajectory.profile->shares[i].seconds, trajectory.profile->shares[i].calls);
  node.add("generated", trajectory.counts.static_solves);
  node.add("handed_over", trajectory.counts.fallbacks);
  node.said = "\ntime of each part\n" + aligned(lines, "  ") +
              fmt::format("solves by generated code {}, by the pivoted method {}\n", trajectory.counts.static_solves,
                          trajectory.counts.fallbacks);
  return node;
}

/// Removes outputs without a meaningful value from the text of a run that stopped early. If it stopped before the first
/// step, these are all outputs; otherwise the outputs that grow without bound towards the stop.
void leave_out_unbounded(Node& outputs, const sim::Binding& bound, const sim::Trajectory& trajectory) {
  if (!trajectory.stopped || outputs.parts.empty()) return;
  if (trajectory.step_times.empty()) return outputs.hush();
  std::string names;
  for (std::size_t i = 0; i < outputs.parts.size(); ++i) {
    const sim::OutputColumns& columns = bound->output_columns[i];
    const double now = trajectory.end().outputs.segment(columns.first, columns.count).cwiseAbs().maxCoeff();
    const double before = trajectory.outputs_before_end.segment(columns.first, columns.count).maxCoeff();
    if (now <= kUnbounded * before) continue;
    names += (names.empty() ? "`" : ", `") + outputs.parts[i].name + "`";
    outputs.parts[i].hush();
  }
  if (!names.empty()) outputs.said += "  not shown, as they grow without bound towards the stop: " + names + "\n";
}

Node outputs_at(const std::vector<Column>& columns, const sim::Sample& end, ShownNumbers& numbers) {
  Node outputs = values_at(columns, Column::Group::kOutput, end);
  show(outputs, columns, Column::Group::kOutput, end, numbers);
  outputs.said = outputs.parts.empty() ? "" : "\noutputs\n";
  outputs.is_listed = true;
  return outputs;
}

/// In a plane model, forces perpendicular to the plane are not marked as "not unique" one by one.
/// \returns one line that names all of them.
std::string leave_to_the_plane(Node& outputs, Node& across, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    across.add(name);
    for (Node& one : outputs.parts) std::erase(one.not_unique, name);
  }
  if (names.empty()) return "";
  return fmt::format("  {} {} not determined by a plane model\n", listed(names), names.size() == 1 ? "is" : "are");
}

}  // namespace

Node run_report(const sim::Binding& bound, const std::vector<Column>& columns, const sim::Trajectory& trajectory,
                const StageSeconds& seconds, bool with_samples) {
  const model::Model& model = *bound->model;
  const sim::Sample* end = trajectory.samples.empty() ? nullptr : &trajectory.end();
  Node report = Node::object({{"format", kFormat}, {"model", model.name}});
  report.said = model.name + (model.title.empty() ? "" : "  " + model.title) + "\n";
  Node& t = report.add("t", end == nullptr ? Node() : Node(end->t));
  Node state = Node::object(), outputs = Node::object(), not_unique = Node::list(), across = Node::list();
  std::string plane_note;
  ShownNumbers numbers(bound, columns, trajectory);
  if (end != nullptr) {
    const bool has_failed = trajectory.stopped && !is_stated_end(trajectory.stopped->kind);
    t.said = fmt::format("\n{} t = {:.15g} s\n", has_failed ? "last valid state," : "state at", end->t);
    if (trajectory.stopped && !has_failed) t.said = "\n" + trajectory.stopped->message + t.said;
    state = values_at(columns, Column::Group::kState, *end);
    show(state, columns, Column::Group::kState, *end, numbers);
    state.said = state_text(model, state);
    outputs = outputs_at(columns, *end, numbers);
    for (const Node& one : outputs.parts)
      for (const std::string& name : one.not_unique) not_unique.add(name);
    plane_note = leave_to_the_plane(outputs, across, out_of_plane(model, columns, *end));
    leave_out_unbounded(outputs, bound, trajectory);
  } else if (trajectory.stopped) {
    report.said += fmt::format("\nno motion: {}\n", trajectory.stopped->message);
  }
  report.add("state", std::move(state));
  report.add("outputs", std::move(outputs));
  if (!plane_note.empty()) report.say(plane_note);
  if (with_samples) report.say(samples_text(columns, model, trajectory.asked, numbers));
  if (const std::string note = numbers.note(); !note.empty()) report.say(note);
  const std::vector<char> is_redundant = redundant_constraints(bound, trajectory);
  report.add("residuals", residuals_of(model, trajectory, is_redundant));
  report.add("units", units_of(columns, model));
  report.add("not_unique", std::move(not_unique));
  report.add("out_of_plane", std::move(across));
  Node& redundant = report.add("redundant", Node::list());
  for (std::size_t i = 0; i < is_redundant.size(); ++i) {
    if (is_redundant[i] != 0) redundant.add(model.constraints[i].name);
  }
  report.add("rank_drops", rank_drops_of(trajectory));
  report.add("friction", friction_of(model, trajectory));
  report.add("impacts", impacts_of(bound, trajectory));
  report.add("events", event_counts(bound, trajectory));
  const integrate::Statistics& statistics = trajectory.statistics;
  report.add("steps", statistics.steps).said = fmt::format(
      "\n{} steps, {} rejected, {} evaluations{}\n", statistics.steps, statistics.rejected, statistics.evaluations,
      trajectory.counts.fallbacks > 0 ? fmt::format(", {} solves by the pivoted method", trajectory.counts.fallbacks)
                                      : "");
  if (const std::string note = below_resolution(model, trajectory); !note.empty()) report.say(note);
  report.add("looking", looking_of(trajectory.looking));
  report.add("notes", notes_of(trajectory));
  report.add("rejected", statistics.rejected);
  report.add("evaluations", statistics.evaluations);
  report.add("fallbacks", trajectory.counts.fallbacks);
  report.add("seconds", seconds_of(bound, seconds));
  report.add("backend", codegen::to_string(bound->report.backend));
  if (trajectory.profile) report.add("profile", profile_of(trajectory, seconds));
  report.add("stopped", stopped_node(bound, trajectory));
  if (end == nullptr && trajectory.stopped)
    for (Node& part : report.parts) part.hush();
  if (!with_samples) return report;
  Node& samples = report.add("samples", Node::list());
  for (const sim::Sample& sample : trajectory.asked) {
    samples
        .add(Node::object({{"t", sample.t},
                           {"state", values_at(columns, Column::Group::kState, sample)},
                           {"outputs", values_at(columns, Column::Group::kOutput, sample)}}))
        .hush();
  }
  return report;
}

std::string energy_line(const model::Model& model, const sim::EnergyAccount& account) {
  const sim::EnergyAccount::Worst worst = account.worst();
  return fmt::format("energy balance: worst {:.1e}{} ({:.1e} of the largest energy or work) at t = {:.6g} s\n",
                     worst.error, model.has_units ? " J" : "", worst.relative, worst.t);
}

}  // namespace vinculum::report
