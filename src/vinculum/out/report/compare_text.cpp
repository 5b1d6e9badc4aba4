#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/out/report/columns.hpp"
#include "vinculum/out/report/compare_report.hpp"

namespace vinculum::out {
namespace {

using compare::Group;

constexpr std::size_t kMostRows = 8;       // of one group in the detail of a variant
constexpr double kBroken = 1e-6;           // constraints are shown where a motion is farther from them than this
constexpr double kBoundByStability = 0.2;  // of the steps made, those that stability asks for at the least
constexpr double kUncertain = 1e-3;        // of a law along its own motion
constexpr std::string_view kNothing = "-";

std::string number_or_dash(double value, bool is_there = true) {
  return is_there && std::isfinite(value) ? fmt::format("{:.3g}", value) : std::string(kNothing);
}

/// 100, 0.01, 1e6.
std::string spelled(double value) {
  std::string text = fmt::format("{:g}", value);
  const std::size_t e = text.find('e');
  return e == std::string::npos ? text : text.substr(0, e + 1) + std::to_string(std::stoi(text.substr(e + 1)));
}

std::string seconds(double t) { return fmt::format("{:.4g} s", t); }

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Columns as wide as their widest entry, the first to the left and the others to the right.
std::string table(const std::vector<std::vector<std::string>>& rows, std::string_view indent = "") {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i == 0 ? fmt::format("{:<{}}", row[i], widths[i]) : fmt::format("  {:>{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

class Text {
 public:
  explicit Text(const CompareReport& report)
      : report_(report), comparison_(report.comparison), model_(*report.variants.front().compiled->model) {}

  std::string run() {
    head();
    variants();
    if (comparison_.times.empty()) return text_;
    distances();
    for (std::size_t i = 1; i < comparison_.variants.size(); ++i) {
      if (!is_on_ladder(i)) detail(i);
    }
    residuals();
    for (const compare::LadderResult& ladder : comparison_.ladders) climb(ladder);
    return text_;
  }

 private:
  const std::string& name(std::size_t variant) const { return comparison_.variants[variant].name; }

  bool is_on_ladder(std::size_t variant) const {
    return std::ranges::any_of(comparison_.ladders, [&](const compare::LadderResult& one) {
      return std::ranges::find(one.ladder.variants, variant) != one.ladder.variants.end();
    });
  }

  void head() {
    const bool has_laws = !report_.constraints.empty();
    text_ += fmt::format("{}: {} {}{}\n", report_.model, comparison_.variants.size(),
                         has_laws ? "laws of " : "formulations", listed(report_.constraints));
    text_ += fmt::format("start: {}\n", comparison_.start);
  }

  /// Notes, those that several variants share once.
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
      for (const Note& one : notes_) {
        const std::string names =
            one.names.size() > 2 ? one.names.front() + " to " + one.names.back() : listed(one.names);
        result += fmt::format("{}: {}\n", names, one.text);
      }
      return result;
    }

   private:
    struct Note {
      std::string text;
      std::vector<std::string> names;
    };
    std::vector<Note> notes_;
  };

  void variants() {
    std::vector<std::vector<std::string>> rows{{"", "steps", "until"}};
    Notes notes;
    for (std::size_t i = 0; i < comparison_.variants.size(); ++i) {
      const compare::Compared& one = comparison_.variants[i];
      const bool moves = !one.trajectory.samples.empty();
      rows.push_back({one.name, moves ? std::to_string(one.trajectory.statistics.steps) : std::string(kNothing),
                      moves ? seconds(one.trajectory.samples.back().t) : std::string(kNothing)});
      if (!one.not_run.empty()) notes.add(one.name, "is not run: " + one.not_run);
      if (const auto& stopped = one.trajectory.stopped) {
        notes.add(one.name, fmt::format("stops at t = {:.6g} s: {} [{}]", stopped->t, stopped->message,
                                        failure_info(stopped->kind).name));
        if (i > 0 && one.has_motion()) notes.add(one.name, "is compared up to " + seconds(one.t_compared));
      }
      if (!one.start.empty()) notes.add(one.name, one.start);
      const bool is_limited =
          one.steps_by_stability > kBoundByStability * static_cast<double>(one.trajectory.statistics.steps) &&
          one.has_motion();
      if (is_limited) notes.add(one.name, "stability bounds its steps, not accuracy");
      if (!report_.left_out[i].empty())
        notes.add(one.name, "gives these results no meaning, left out: " + listed(report_.left_out[i]));
    }
    text_ += "\n" + table(rows) + notes.text();
  }

  void distances() {
    std::vector<Group> groups;
    for (const Group group : compare::kGroups) {
      const auto has = [&](const compare::Compared& one) {
        return one.groups[static_cast<std::size_t>(group)].is_there;
      };
      if (std::any_of(comparison_.variants.begin() + 1, comparison_.variants.end(), has)) groups.push_back(group);
    }
    std::vector<std::vector<std::string>> rows{{""}};
    for (const Group group : groups) rows[0].emplace_back(to_string(group));
    for (std::size_t i = 1; i < comparison_.variants.size(); ++i) {
      rows.push_back({name(i)});
      for (const Group group : groups) {
        const compare::Parting& apart = comparison_.variants[i].groups[static_cast<std::size_t>(group)];
        rows.back().push_back(number_or_dash(apart.largest, apart.is_there));
      }
    }
    text_ += fmt::format("\nlargest distance from {}, over the size that things of one kind and unit have there\n",
                         name(0)) +
             table(rows);
  }

  void detail(std::size_t variant) {
    const compare::Compared& one = comparison_.variants[variant];
    if (!one.has_motion()) return;
    std::vector<std::vector<std::string>> rows{{"", "largest", "at t", "at the end"}};
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
        const std::string unit = unit_suffix(model_, comparison_.quantities[i].dimension);
        rows.push_back({comparison_.quantities[i].name, number_or_dash(apart.largest) + unit, seconds(apart.t),
                        number_or_dash(apart.end) + unit});
      }
      if (all > kMostRows) rows.push_back({fmt::format("and {} more {}, nearer", all - kMostRows, to_string(group))});
    }
    text_ += fmt::format("\n{} against {}\n", name(variant), name(0)) + table(rows, "  ");
  }

  /// All variants but the inner rungs of ladders.
  std::vector<std::size_t> shown() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < comparison_.variants.size(); ++i) {
      const bool is_inner = std::ranges::any_of(comparison_.ladders, [&](const compare::LadderResult& one) {
        const auto& rungs = one.ladder.variants;
        return std::ranges::find(rungs, i) != rungs.end() && i != rungs.front() && i != rungs.back();
      });
      if (!is_inner) result.push_back(i);
    }
    return result;
  }

  void residuals() {
    if (comparison_.residuals.empty()) return;
    const std::vector<std::size_t> places = shown();
    std::vector<std::vector<std::string>> equations{{"law"}}, constraints{{"law"}};
    for (const std::size_t motion : places) {
      equations[0].push_back(name(motion));
      constraints[0].push_back(name(motion));
    }
    std::string reasons;
    bool is_broken = false;
    for (const std::size_t law : places) {
      const bool keeps_any = report_.variants[law].compiled->nc() > 0;
      equations.push_back({name(law)});
      if (keeps_any) constraints.push_back({name(law)});
      for (const std::size_t motion : places) {
        const compare::LawResidual& one = comparison_.residuals[law][motion];
        equations.back().push_back(one.is_computed ? fmt::format("{:.1e}", one.equations) : std::string(kNothing));
        if (keeps_any)
          constraints.back().push_back(one.is_computed ? fmt::format("{:.1e}", one.rows) : std::string(kNothing));
        is_broken = is_broken || (one.is_computed && one.rows > kBroken);
        if (law == motion && one.is_computed && one.equations > kUncertain) {
          reasons += fmt::format(
              "{}: its multipliers cannot be followed closely along this motion, numbers of its line are no better "
              "than that along its own\n",
              name(law));
        }
        if (!one.reason.empty() && comparison_.variants[motion].has_motion()) {
          // What keeps a law from being evaluated at all is the same along every motion.
          const std::string line = one.is_computed
                                       ? fmt::format("{} along {}: {}\n", name(law), name(motion), one.reason)
                                       : fmt::format("{}: {}\n", name(law), one.reason);
          if (reasons.find(line) == std::string::npos) reasons += line;
        }
      }
    }
    text_ += "\nwhat remains of the equations of a law (line) along a motion (column), over the size of their terms\n" +
             table(equations);
    if (is_broken)
      text_ +=
          "\nhow far the constraints that a law keeps are from holding along a motion, over the size of their terms\n" +
          table(constraints);
    text_ += reasons;
  }

  void climb(const compare::LadderResult& ladder) {
    const std::string& first = name(ladder.ladder.variants.front());
    const std::string law = first.substr(0, first.find('('));
    text_ += fmt::format("\n{} towards {}: ", law, name(ladder.reference));
    text_ += ladder.limit.empty()
                 ? ladder.no_limit + "\n"
                 : fmt::format("{}, in theory the coordinates with order {:.0f}\n", ladder.limit, ladder.theory);
    std::vector<std::vector<std::string>> rows{{ladder.ladder.parameter, "coordinates", "order", "speeds", "order"}};
    const auto order = [](double value) { return std::isfinite(value) ? fmt::format("{:.2f}", value) : std::string(); };
    for (std::size_t k = 0; k < ladder.rungs.size(); ++k) {
      const auto& rung = ladder.rungs[k];
      rows.push_back({spelled(ladder.ladder.values[k]), number_or_dash(rung.coordinates), order(rung.coordinates_order),
                      number_or_dash(rung.speeds), order(rung.speeds_order)});
    }
    text_ += table(rows, "  ");
  }

  const CompareReport& report_;
  const compare::Comparison& comparison_;
  const mechanics::Model& model_;
  std::string text_;
};

}  // namespace

std::string compare_text(const CompareReport& report) { return Text(report).run(); }

}  // namespace vinculum::out
