#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "vinculum/api/results.hpp"
#include "vinculum/api/shared.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/report/tree.hpp"

namespace vinculum {
namespace {

using Complex = std::complex<double>;

constexpr int kMostHalvings = 60;       // of an interval in which stability changes
constexpr int kMostValues = 1'000'000;  // of the parameter

Complex missing() { return {std::nan(""), std::nan("")}; }

/// Assigns eigenvalues to modes by the shortest distances first.
/// \param expected  [modes] values by extrapolation; NaN for a mode that has none yet
std::vector<Complex> assigned(const std::vector<Complex>& expected, const std::vector<Complex>& found) {
  struct Pair {
    double distance;
    std::size_t mode, value;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double distance = std::abs(expected[i] - found[k]);
      pairs.push_back({std::isnan(distance) ? std::numeric_limits<double>::max() : distance, i, k});
    }
  }
  std::ranges::stable_sort(pairs, {}, &Pair::distance);
  std::vector<Complex> result(expected.size(), missing());
  std::vector<char> is_taken(found.size(), 0), is_set(expected.size(), 0);
  for (const auto& [distance, mode, value] : pairs) {
    if (is_set[mode] != 0 || is_taken[value] != 0) continue;
    result[mode] = found[value];
    is_set[mode] = is_taken[value] = 1;
  }
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (is_taken[k] == 0) result.push_back(found[k]);
  }
  return result;
}

class Locus {
 public:
  Locus(const Model& model, const RootLocusOptions& options) : model_(model), options_(options) {}

  [[nodiscard]] Result<RootLocus> run() {
    const auto known = std::ranges::find(model_.parameters(), options_.parameter, &Parameter::name);
    if (known == model_.parameters().end()) {
      std::vector<std::string> names;
      for (const Parameter& one : model_.parameters()) names.push_back(one.name);
      return no_such("parameter", options_.parameter, names);
    }
    if (options_.values.size() < 2 || !std::ranges::is_sorted(options_.values))
      return wrong_call("a root locus needs two or more values in ascending order");
    RootLocus result;
    result.model = model_.name();
    result.parameter = known->name;
    result.unit = known->unit;
    result.values = options_.values;
    std::vector<std::vector<Complex>> rows;
    for (std::size_t i = 0; i < options_.values.size(); ++i) {
      auto here = at(options_.values[i]);
      if (!here) return Unexpected<Error>{here.error()};
      if (i > 0 && is_unstable(*here) != is_unstable(*before_)) {
        auto change = change_between(options_.values[i - 1], options_.values[i], is_unstable(*here));
        if (!change) return Unexpected<Error>{change.error()};
        result.changes.push_back(*change);
      }
      rows.push_back(assigned(expected(rows), here->eigenvalues));
      result.stability.push_back(here->stability);
      if (options_.equilibrium) near_ = here->state;
      before_ = *std::move(here);
    }
    result.modes = rows.back().size();
    for (auto& row : rows) {
      row.resize(result.modes, missing());
      result.eigenvalues.insert(result.eigenvalues.end(), row.begin(), row.end());
    }
    return result;
  }

 private:
  [[nodiscard]] Result<Linearization> at(double value) const {
    const auto model = model_.with({{options_.parameter, value}});
    if (!model) return Unexpected<Error>{model.error()};
    LinearizeOptions where;
    if (options_.equilibrium) {
      EquilibriumOptions search = options_.search;
      if (near_) search.near = *near_;
      const auto state = model->equilibrium(search);
      if (!state) return named(state.error(), value);
      where.state = *state;
    }
    auto system = model->linearize(where);
    return system ? system : named(system.error(), value);
  }
  [[nodiscard]] Unexpected<Error> named(Error error, double value) const {
    error.message = fmt::format("{} = {:.9g}: {}", options_.parameter, value, error.message);
    error.set_text(fmt::format("{}with {} = {:.9g}\n", error.text(), options_.parameter, value));
    return Unexpected<Error>{std::move(error)};
  }
  [[nodiscard]] static bool is_unstable(const Linearization& system) { return system.stability == "unstable"; }

  /// Linear extrapolation of the last two rows; the last row where the one before has no value.
  [[nodiscard]] std::vector<Complex> expected(const std::vector<std::vector<Complex>>& rows) const {
    if (rows.empty()) return {};
    std::vector<Complex> result = rows.back();
    if (rows.size() == 1) return result;
    const std::size_t n = rows.size();
    const auto& values = options_.values;
    const double last = values[n - 1] - values[n - 2];
    const double ratio = last > 0.0 ? (values[n] - values[n - 1]) / last : 0.0;
    for (std::size_t k = 0; k < rows[n - 2].size(); ++k) {
      const Complex change = (rows[n - 1][k] - rows[n - 2][k]) * ratio;
      if (!std::isnan(change.real())) result[k] += change;
    }
    return result;
  }

  /// The value at which stability changes, by bisection.
  [[nodiscard]] Result<RootLocus::Change> change_between(double low, double high, bool is_unstable_above) const {
    const double range = std::abs(options_.values.back() - options_.values.front());
    const auto is_wide = [&] {
      return high - low > tolerance::kConditioned * std::max({std::abs(low), std::abs(high), tolerance::kRoot * range});
    };
    for (int k = 0; k < kMostHalvings && is_wide(); ++k) {
      const double middle = low + (high - low) / 2.0;
      const auto system = at(middle);
      if (!system) return Unexpected<Error>{system.error()};
      (is_unstable(*system) == is_unstable_above ? high : low) = middle;
    }
    const double value = low + (high - low) / 2.0;
    const auto system = at(is_unstable_above ? high : low);  // at the other end the eigenvalue may count as 0
    if (!system) return Unexpected<Error>{system.error()};
    const auto largest = std::ranges::max_element(system->eigenvalues, {}, [](Complex one) { return one.real(); });
    const Complex crossing = largest == system->eigenvalues.end() ? Complex() : *largest;
    return RootLocus::Change{value, is_unstable_above, {crossing.real(), std::abs(crossing.imag())}};
  }

  const Model& model_;
  const RootLocusOptions& options_;
  std::optional<State> near_;
  std::optional<Linearization> before_;
};

report::Node finite_number(double value) {
  return std::isfinite(value) ? report::Node(report::shown(value)) : report::Node();
}

std::string stretch_lines(const RootLocus& of) {
  std::vector<std::vector<std::string>> cells{{of.parameter + (of.unit == "1" ? "" : " in " + of.unit), "stability"}};
  for (std::size_t first = 0; first < of.values.size();) {
    std::size_t last = first;
    while (last + 1 < of.values.size() && of.stability[last + 1] == of.stability[first]) ++last;
    cells.push_back({last == first ? fmt::format("{:.6g}", of.values[first])
                                   : fmt::format("{:.6g} … {:.6g}", of.values[first], of.values[last]),
                     of.stability[first]});
    first = last + 1;
  }
  return report::aligned(cells, "  ");
}

}  // namespace

Result<RootLocusOptions> RootLocusOptions::parse(const Model& model, std::string_view text) {
  const std::size_t equals = text.find('='), dots = text.find(".."), colon = text.rfind(':');
  RootLocusOptions options;
  int count = 0;
  bool is_number = false;
  if (equals < dots && dots < colon && colon != std::string_view::npos) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + colon + 1, end, count);
    is_number = read.ec == std::errc() && read.ptr == end;
  }
  if (!is_number || count < 2 || count > kMostValues)
    return wrong_call("a root locus needs a parameter, a range and a number of values, such as \"v=1..10:19\"");
  options.parameter = text.substr(0, equals);
  std::vector<double> ends;
  for (const std::string_view end :
       {text.substr(equals + 1, dots - equals - 1), text.substr(dots + 2, colon - dots - 2)}) {
    const auto set = model.with({{options.parameter, std::string(end)}});
    if (!set) return Unexpected<Error>{set.error()};
    ends.push_back(std::ranges::find(set->parameters(), options.parameter, &Parameter::name)->value);
  }
  for (int k = 0; k < count; ++k) options.values.push_back(ends[0] + (ends[1] - ends[0]) * k / (count - 1));
  return options;
}

Result<RootLocus> Model::root_locus(const RootLocusOptions& options) const { return Locus(*this, options).run(); }

std::string RootLocus::text() const {
  const std::string in = unit == "1" ? "" : " " + unit;
  std::string text = fmt::format("{}: {} values of `{}`, {} mode{}\n\n", model, values.size(), parameter, modes,
                                 modes == 1 ? "" : "s") +
                     stretch_lines(*this);
  for (const Change& change : changes) {
    text +=
        fmt::format("\n{} at {} = {:.9g}{}: ", change.becomes_unstable ? "becomes unstable" : "ceases to be unstable",
                    parameter, change.value, in);
    text += std::abs(change.eigenvalue.imag()) > 0.0
                ? fmt::format("an oscillation with {:.6g} rad/s", std::abs(change.eigenvalue.imag()))
                : "a real eigenvalue passes 0";
  }
  return text + (changes.empty() ? "" : "\n");
}

std::string RootLocus::json() const {
  using report::Node;
  Node node = Node::object({{"format", report::kFormat}, {"model", model}, {"parameter", parameter}, {"unit", unit}});
  Node all = Node::list();
  for (std::size_t i = 0; i < values.size(); ++i) {
    Node row = Node::object({{"value", report::shown(values[i])}, {"stability", stability[i]}});
    Node re = Node::list(), im = Node::list();
    for (std::size_t k = 0; k < modes; ++k) {
      re.add(finite_number(eigenvalues[i * modes + k].real()));
      im.add(finite_number(eigenvalues[i * modes + k].imag()));
    }
    row.add("re", std::move(re));
    row.add("im", std::move(im));
    all.add(std::move(row));
  }
  node.add("values", std::move(all));
  Node turns = Node::list();
  for (const Change& change : changes)
    turns.add(Node::object({{"value", change.value},
                            {"becomes_unstable", change.becomes_unstable},
                            {"frequency", report::shown(std::abs(change.eigenvalue.imag()))}}));
  node.add("changes", std::move(turns));
  return report::to_json(node);
}

Result<std::vector<std::string>> RootLocus::write(Results& results) const {
  report::Table table{
      {{parameter, unit}, {"mode"}, {"re", "1/s"}, {"im", "rad/s"}, {"stability"}}, values.size() * modes, {}};
  table.cell = [this](std::size_t row, std::size_t column) -> report::Node::Value {
    const std::size_t i = row / modes;
    switch (column) {
      case 0: return report::shown(values[i]);
      case 1: return static_cast<std::int64_t>(row % modes + 1);
      case 2: return report::shown(eigenvalues[row].real());
      case 3: return report::shown(eigenvalues[row].imag());
      default: return stability[i];
    }
  };
  const std::vector<files::NamedFile> files{{"eigenvalues.csv", [&](std::ostream& s) { report::write_csv(s, table); }},
                                            {"root_locus.json", [this](std::ostream& s) { s << json(); }}};
  return write_files(results, root_locus_files(), files);
}

Result<std::vector<std::string>> RootLocus::write(const std::filesystem::path& folder) const {
  return write_alone(*this, folder);
}

}  // namespace vinculum
