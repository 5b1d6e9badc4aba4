#include "vinculum/report/compare_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/unit_texts.hpp"
#include "vinculum/report/failure_report.hpp"
#include "vinculum/report/impacts.hpp"

namespace vinculum::report {
namespace {

using compare::Group;
using Rows = std::vector<std::vector<std::string>>;

// Largest number of lines per group of quantities in the details of a variant.
constexpr std::size_t kMostRows = 8;
// A variant is reported as limited by stability if stability requires at least this fraction of its steps.
constexpr double kBoundByStability = 0.2;

std::string number_or_dash(double value, bool is_there = true) {
  return is_there && std::isfinite(value) ? fmt::format("{:.3g}", value) : "-";
}

/// Writes a value in the style 100, 0.01, 1e6.
std::string spelled(double value) {
  std::string text = fmt::format("{:g}", value);
  const std::size_t e = text.find('e');
  return e == std::string::npos ? text : text.substr(0, e + 1) + std::to_string(std::stoi(text.substr(e + 1)));
}

std::string seconds(double t) { return fmt::format("{:.4g} s", t); }
Node text_or_null(const std::string& text) { return text.empty() ? Node() : Node(text); }

/// A list of notes. A note that several variants have in common is listed once.
class Notes {
 public:
  void add(const std::string& name, const std::string& note) {
    const auto same = std::ranges::find(notes_, note, &Note::text);
    if (same == notes_.end())
      notes_.push_back({note, {name}});
    else
      same->names.push_back(name);
  }
  [[nodiscard]] std::string text() const {
    std::string result;
    for (const auto& [text, names] : notes_)
      result += fmt::format("{}: {}\n", names.size() > 2 ? names.front() + " to " + names.back() : listed(names), text);
    return result;
  }

 private:
  struct Note {
    std::string text;
    std::vector<std::string> names;
  };
  std::vector<Note> notes_;
};

class Comparing {
 public:
  explicit Comparing(const CompareReport& report) : report_(report), comparison_(report.comparison) {}

  [[nodiscard]] Node report() const {
    Node report = Node::object({{"format", kFormat},
                                {"model", report_.model},
                                {"constraints", report_.constraints},
                                {"start", comparison_.start}});
    report.said = fmt::format("{}: {} {}{}\nstart: {}\n", report_.model, comparison_.variants.size(),
                              report_.is_of_impacts         ? "laws of restitution of "
                              : report_.constraints.empty() ? "formulations"
                                                            : "laws of ",
                              listed(report_.constraints), comparison_.start);
    Node& variants = report.add("variants", Node::list());
    variants.said = variants_text();
    for (std::size_t i = 0; i < comparison_.variants.size(); ++i) variants.add(variant(i));
    report.add("residuals", residuals());
    Node& ladders = report.add("ladders", Node::list());
    for (const compare::LadderResult& ladder : comparison_.ladders) ladders.add(climb(ladder));
    return report;
  }

 private:
  const std::string& name(std::size_t variant) const { return comparison_.variants[variant].name; }
  /// Differences, residuals and ladders exist only if there is a motion.
  bool has_motion() const { return !comparison_.times.empty(); }

  static Node parting(const compare::Parting& one) {
    return Node::object({{"largest", one.largest}, {"t", one.t}, {"end", one.end}});
  }

  static Node event_difference(const compare::EventDifference& event) {
    const bool is_paired = event.in_first > 0 && event.in_other > 0;
    return Node::object({{"kind", event.kind},
                         {"name", event.name},
                         {"in_first", event.in_first},
                         {"count", event.in_other},
                         {"largest", is_paired ? Node(event.largest) : Node()},
                         {"t", is_paired ? Node(event.t) : Node()},
                         {"alone", event.alone ? Node(*event.alone) : Node()}});
  }

  Node variant(std::size_t i) const {
    const compare::Compared& one = comparison_.variants[i];
    const sim::CompiledModel& compiled = *report_.variants[i].bound;
    const bool moves = !one.trajectory.samples.empty();
    Node node = Node::object({{"name", one.name},
                              {"steps", moves ? Node(one.trajectory.statistics.steps) : Node()},
                              {"t", moves ? Node(one.trajectory.samples.back().t) : Node()},
                              {"t_compared", one.t_compared},
                              {"start", text_or_null(one.start)},
                              {"not_run", text_or_null(one.not_run)},
                              {"stopped", stopped_node(compiled, one.trajectory)},
                              {"left_out", report_.left_out[i]}});
    Node& groups = node.add("groups", Node::object());
    for (const Group group : compare::kGroups) {
      const compare::Parting& apart = one.groups[static_cast<std::size_t>(group)];
      if (apart.is_there) groups.add(std::string(to_string(group)), parting(apart));
    }
    node.add("impacts", impacts_of(compiled, one.trajectory)).hush();
    Node& events = node.add("events", Node::list());
    for (const compare::EventDifference& event : one.events) events.add(event_difference(event));
    Node& quantities = node.add("quantities", Node::list());
    quantities.said = detail(i);
    for (std::size_t q = 0; q < one.quantities.size(); ++q) {
      if (!one.quantities[q].is_there) continue;
      const compare::Quantity& quantity = comparison_.quantities[q];
      const compare::Parting& apart = one.quantities[q];
      quantities.add(Node::object({{"name", quantity.name},
                                   {"group", to_string(quantity.group)},
                                   {"unit", stated(quantity.unit.si)},
                                   {"scale", quantity.scale},
                                   {"largest", apart.largest},
                                   {"t", apart.t},
                                   {"end", apart.end}}));
    }
    return node;
  }

  std::string variants_text() const {
    Rows rows{{"", "steps", "until"}};
    Notes notes;
    for (std::size_t i = 0; i < comparison_.variants.size(); ++i) {
      const compare::Compared& one = comparison_.variants[i];
      const bool moves = !one.trajectory.samples.empty();
      rows.push_back({one.name, moves ? std::to_string(one.trajectory.statistics.steps) : "-",
                      moves ? seconds(one.trajectory.samples.back().t) : "-"});
      if (!one.not_run.empty()) notes.add(one.name, "is not run: " + one.not_run);
      if (const auto& stopped = one.trajectory.stopped) {
        notes.add(one.name, fmt::format("stops at t = {:.6g} s: {} [{}]", stopped->t, stopped->message,
                                        failure_info(stopped->kind).name));
        if (i > 0 && one.has_motion()) notes.add(one.name, "is compared up to " + seconds(one.t_compared));
      }
      if (!one.start.empty()) notes.add(one.name, one.start);
      if (one.has_motion() &&
          one.steps_by_stability > kBoundByStability * static_cast<double>(one.trajectory.statistics.steps))
        notes.add(one.name, "stability bounds its steps, not accuracy");
      if (!report_.left_out[i].empty())
        notes.add(one.name, "gives these no meaning, left out: " + listed(report_.left_out[i]));
    }
    return "\n" + aligned(rows) + notes.text() + (has_motion() ? distances() + impacts_text() + events_text() : "");
  }

  /// Numbers, impulses and energies of the impacts of each contact, one column per motion; empty if there are none.
  std::string impacts_text() const {
    Rows rows{{""}};
    for (std::size_t i = 0; i < comparison_.variants.size(); ++i) {
      if (is_inner_rung(comparison_, i) || !comparison_.variants[i].has_motion()) continue;
      const sim::CompiledModel& compiled = *report_.variants[i].bound;
      rows[0].push_back(name(i));
      const std::string energy = compiled.model->has_units ? " J" : "";
      for (const ImpactSummary& one : impact_summaries(compiled, comparison_.variants[i].trajectory)) {
        const std::string& contact = compiled.model->constraint(one.constraint).name;
        const std::string unit = unit_of_impulse(compiled, one.constraint);
        const auto put = [&](const std::string& what, std::string value) {
          auto row = std::ranges::find_if(rows, [&](const auto& known) { return known.front() == what; });
          if (row == rows.end()) row = rows.insert(row, {what});
          row->resize(rows[0].size() - 1, "-");
          row->push_back(std::move(value));
        };
        put(contact + ", impacts", fmt::format("{}", one.count));
        put(contact + ", sum of impulses", fmt::format("{:.6g}{}", one.total, unit.empty() ? "" : " " + unit));
        put(contact + ", greatest impulse", fmt::format("{:.6g}{}", one.greatest, unit.empty() ? "" : " " + unit));
        put(contact + ", change of energy", fmt::format("{:.6g}{}", energy_change(one.work), energy));
      }
    }
    if (rows.size() == 1) return "";
    for (auto& row : rows) row.resize(rows[0].size(), "-");
    return "\nimpacts\n" + aligned(rows);
  }

  /// Compares the events of each motion with those of the first motion; empty if there are none.
  std::string events_text() const {
    Rows rows{{""}};
    std::string only;
    for (std::size_t i = 1; i < comparison_.variants.size(); ++i) {
      const compare::Compared& one = comparison_.variants[i];
      if (is_inner_rung(comparison_, i) || !one.has_motion()) continue;
      rows[0].push_back(name(i));
      for (const compare::EventDifference& event : one.events) {
        const std::string called = event.kind == "constraint" ? event.name
                                   : event.kind == "impact"   ? "impact of " + event.name
                                                              : "event " + event.name;
        auto row = std::ranges::find_if(rows, [&](const auto& known) { return known.front() == called; });
        if (row == rows.end()) row = rows.insert(row, {called});
        row->resize(rows[0].size() - 1, "-");
        const bool is_paired = event.in_first > 0 && event.in_other > 0;
        row->push_back((event.is_same_number() ? fmt::format("{}", event.in_other)
                                               : fmt::format("{} against {}", event.in_other, event.in_first)) +
                       (is_paired ? fmt::format(", within {:.2g} s", event.largest) : ""));
        if (event.alone)
          only += fmt::format("{}: only {} has it at t = {:.6g} s\n", called,
                              event.in_first > event.in_other ? name(0) : name(i), *event.alone);
      }
    }
    if (rows.size() == 1) return "";
    for (auto& row : rows) row.resize(rows[0].size(), "-");
    return fmt::format("\nevents: how often, and how close in time to those of {}\n", name(0)) + aligned(rows) +
           (only.empty() ? fmt::format("all motions have the events of {}\n", name(0)) : only);
  }

  std::string distances() const {
    Rows rows{{""}};
    for (std::size_t i = 1; i < comparison_.variants.size(); ++i) rows.push_back({name(i)});
    for (const Group group : compare::kGroups) {
      const auto apart = [&](std::size_t i) { return comparison_.variants[i].groups[static_cast<std::size_t>(group)]; };
      std::vector<std::string> column{std::string(to_string(group))};
      bool is_there = false;
      for (std::size_t i = 1; i < comparison_.variants.size(); ++i) {
        is_there = is_there || apart(i).is_there;
        column.push_back(number_or_dash(apart(i).largest, apart(i).is_there));
      }
      for (std::size_t i = 0; is_there && i < rows.size(); ++i) rows[i].push_back(column[i]);
    }
    return fmt::format("\nlargest distance from {}, relative to the size of the quantities of the same kind and unit\n",
                       name(0)) +
           aligned(rows);
  }

  /// For a variant that belongs to no ladder: the quantities with the largest differences from the first variant.
  std::string detail(std::size_t variant) const {
    const compare::Compared& one = comparison_.variants[variant];
    const bool is_on_ladder = std::ranges::any_of(comparison_.ladders, [&](const compare::LadderResult& ladder) {
      return std::ranges::find(ladder.ladder.variants, variant) != ladder.ladder.variants.end();
    });
    if (variant == 0 || is_on_ladder || !has_motion() || !one.has_motion()) return "";
    Rows rows{{"", "largest", "at t", "at the end"}};
    for (const Group group : compare::kGroups) {
      std::vector<std::size_t> places;
      for (std::size_t i = 0; i < comparison_.quantities.size(); ++i) {
        if (comparison_.quantities[i].group == group && one.quantities[i].is_there) places.push_back(i);
      }
      const auto relative = [&](std::size_t i) { return one.quantities[i].largest / comparison_.quantities[i].scale; };
      const std::size_t all = places.size();
      if (all > kMostRows) {
        std::ranges::stable_sort(places, std::ranges::greater(), relative);
        places.resize(kMostRows);
        std::ranges::sort(places);
      }
      for (const std::size_t i : places) {
        const compare::Parting& apart = one.quantities[i];
        const UnitText& unit = comparison_.quantities[i].unit;
        const auto number = [&](double value) { return number_or_dash(value / unit.scale) + behind(unit); };
        rows.push_back({comparison_.quantities[i].name, number(apart.largest), seconds(apart.t), number(apart.end)});
      }
      if (all > kMostRows) rows.push_back({fmt::format("and {} more {}, nearer", all - kMostRows, to_string(group))});
    }
    return fmt::format("\n{} against {}\n", name(variant), name(0)) + aligned(rows, "  ");
  }

  Node residuals() const {
    Node list = Node::list();
    list.said = comparison_.residuals.empty() || !has_motion() ? "" : residuals_text();
    for (std::size_t law = 0; law < comparison_.residuals.size(); ++law) {
      for (std::size_t motion = 0; motion < comparison_.residuals[law].size(); ++motion) {
        const compare::LawResidual& one = comparison_.residuals[law][motion];
        const auto number = [&](double value) { return one.is_computed ? Node(value) : Node(); };
        list.add(Node::object({{"law", name(law)},
                               {"motion", name(motion)},
                               {"equations", number(one.equations)},
                               {"t", number(one.t_equations)},
                               {"rows", number(one.rows)},
                               {"reason", text_or_null(one.reason)}}));
      }
    }
    return list;
  }

  std::string residuals_text() const {
    Rows equations{{"law"}}, constraints{{"law"}};
    std::string reasons;
    bool is_broken = false;
    for (std::size_t law = 0; law < comparison_.variants.size(); ++law) {
      if (is_inner_rung(comparison_, law)) continue;
      equations[0].push_back(name(law));
      constraints[0].push_back(name(law));
      equations.push_back({name(law)});
      std::vector<std::string> rows{name(law)};
      for (std::size_t motion = 0; motion < comparison_.variants.size(); ++motion) {
        if (is_inner_rung(comparison_, motion)) continue;
        const compare::LawResidual& one = comparison_.residuals[law][motion];
        equations.back().push_back(one.is_computed ? fmt::format("{:.1e}", one.equations) : "-");
        rows.push_back(one.is_computed ? fmt::format("{:.1e}", one.rows) : "-");
        is_broken = is_broken || (one.is_computed && one.rows > tolerance::kRoot);
        reasons += reason(law, motion, one, reasons);
      }
      if (report_.variants[law].bound->compiled->nc() > 0) constraints.push_back(std::move(rows));
    }
    std::string text =
        "\nresidual of the equations of a law (row) along a motion (column), relative to the size of their terms\n" +
        aligned(equations);
    if (is_broken) {
      text += "\nresidual of the constraints of a law along a motion, relative to the size of their terms\n" +
              aligned(constraints);
    }
    return text + reasons;
  }

  /// Returns the explanation of one number in the table of residuals; empty if `said` already contains it.
  std::string reason(std::size_t law, std::size_t motion, const compare::LawResidual& one,
                     const std::string& said) const {
    std::string text;
    if (law == motion && one.is_computed && one.equations > tolerance::kFloor) {
      text = fmt::format(
          "{}: its multipliers cannot be followed closely along this motion; the numbers of its row are not more "
          "accurate than the number along its own motion\n",
          name(law));
    }
    if (one.reason.empty() || !comparison_.variants[motion].has_motion()) return text;
    // If a law cannot be evaluated at all, the reason is the same along every motion, so it is stated without the name
    // of the motion.
    const std::string line = one.is_computed ? fmt::format("{} along {}: {}\n", name(law), name(motion), one.reason)
                                             : fmt::format("{}: {}\n", name(law), one.reason);
    return said.find(line) == std::string::npos ? text + line : text;
  }

  Node climb(const compare::LadderResult& result) const {
    const compare::Ladder& ladder = result.ladder;
    Node node = Node::object({{"parameter", ladder.parameter},
                              {"reference", name(result.reference)},
                              {"limit", text_or_null(result.limit)},
                              {"theory", result.theory > 0.0 ? Node(result.theory) : Node()}});
    Node& rungs = node.add("rungs", Node::list());
    Rows rows{{ladder.parameter, "coordinates", "order", "speeds", "order"}};
    const auto order = [](double value) { return std::isfinite(value) ? fmt::format("{:.2f}", value) : ""; };
    for (std::size_t k = 0; k < result.rungs.size(); ++k) {
      const auto& rung = result.rungs[k];
      rungs.add(Node::object({{"variant", name(ladder.variants[k])},
                              {"value", ladder.values[k]},
                              {"coordinates", rung.coordinates},
                              {"coordinates_order", rung.coordinates_order},
                              {"speeds", rung.speeds},
                              {"speeds_order", rung.speeds_order}}));
      rows.push_back({spelled(ladder.values[k]), number_or_dash(rung.coordinates), order(rung.coordinates_order),
                      number_or_dash(rung.speeds), order(rung.speeds_order)});
    }
    if (!has_motion()) return node;
    const std::string& first = name(ladder.variants.front());
    const std::string limit = result.limit.empty() ? result.no_limit
                                                   : fmt::format("{}, in theory the coordinates with order {:.0f}",
                                                                 result.limit, result.theory);
    node.said = fmt::format("\n{} towards {}: {}\n{}", first.substr(0, first.find('(')), name(result.reference), limit,
                            aligned(rows, "  "));
    return node;
  }

  const CompareReport& report_;
  const compare::Comparison& comparison_;
};

}  // namespace

bool is_inner_rung(const compare::Comparison& comparison, std::size_t variant) {
  return std::ranges::any_of(comparison.ladders, [&](const compare::LadderResult& one) {
    const auto& rungs = one.ladder.variants;
    return std::ranges::find(rungs, variant) != rungs.end() && variant != rungs.front() && variant != rungs.back();
  });
}

Node compare_report(const CompareReport& report) { return Comparing(report).report(); }

Table compare_table(const CompareReport& report) {
  const compare::Comparison& comparison = report.comparison;
  Table table{{{"t", unit_of_time(model_of(report)).si}}, comparison.times.size(), {}};
  for (const compare::Quantity& quantity : comparison.quantities) {
    for (const compare::Compared& variant : comparison.variants)
      table.columns.push_back({quantity.name + " (" + variant.name + ")", quantity.unit.si});
  }
  table.cell = [&comparison](std::size_t row, std::size_t column) -> Node::Value {
    if (column == 0) return comparison.times[row];
    const std::size_t count = comparison.variants.size(), variant = (column - 1) % count;
    return comparison.values[variant](static_cast<Eigen::Index>(row), static_cast<Eigen::Index>((column - 1) / count));
  };
  return table;
}

Table ladder_table(const CompareReport& report) {
  const compare::Comparison& comparison = report.comparison;
  std::vector<std::vector<Node::Value>> rows;
  for (std::size_t i = 0; i < comparison.ladders.size(); ++i) {
    const compare::LadderResult& one = comparison.ladders[i];
    for (std::size_t k = 0; k < one.rungs.size(); ++k) {
      const auto& rung = one.rungs[k];
      rows.push_back({static_cast<std::int64_t>(i + 1), comparison.variants[one.ladder.variants[k]].name,
                      one.ladder.values[k], rung.coordinates, rung.coordinates_order, rung.speeds, rung.speeds_order});
    }
  }
  const std::size_t count = rows.size();
  return {{{"ladder"}, {"variant"}, {"value"}, {"coordinates"}, {"coordinates order"}, {"speeds"}, {"speeds order"}},
          count,
          [rows = std::move(rows)](std::size_t row, std::size_t column) { return rows[row][column]; }};
}

}  // namespace vinculum::report
