#include "vinculum/linear/periodic.hpp"

#include <fmt/format.h>

#include <cmath>

#include "vinculum/api/at_state.hpp"
#include "vinculum/api/results.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/report/periodic_report.hpp"

namespace vinculum {

struct PeriodicMotion::Shared {
  report::PeriodicReport report;
};

namespace {

class PeriodicState : public AtState {
 public:
  using AtState::AtState;

  [[nodiscard]] Result<PeriodicMotion> follow(const PeriodicOptions& options) {
    linear::PeriodicSearch search;
    search.run = sim::options_of(*model_->model);
    search.period = options.period;
    search.tolerance = options.tolerance.value_or(tolerance::kZero);
    search.searches = options.search;
    if (!(std::isfinite(search.period) && search.period > 0.0))
      return wrong_call(fmt::format("the period must be positive, not {:g} s", search.period));
    if (!(search.tolerance >= tolerance::kFinestRun && search.tolerance <= tolerance::kCoarsestRun))
      return wrong_call(fmt::format("the tolerance must be between {:g} and {:g}, not {:g}", tolerance::kFinestRun,
                                    tolerance::kCoarsestRun, search.tolerance));
    if (auto made = make({}); !made) return Unexpected<Error>{made.error()};
    const auto u_dot = accelerations();
    if (!u_dot) return Unexpected<Error>{u_dot.error()};
    auto motion = [&] {
      const auto lock = model_->growing();
      return linear::periodic_motion(*equations_, dynamics_, t_, y_, *u_dot, search);
    }();
    if (!motion) return failed(motion.error(), "not-periodic");
    return public_of({model_->model->name, components_, *std::move(motion)});
  }

 private:
  [[nodiscard]] PeriodicMotion public_of(report::PeriodicReport report) const {
    const linear::PeriodicMotion& of = report.motion;
    PeriodicMotion result;
    result.state = state_of_components(of.t, of.y);
    result.period = of.period;
    result.stability = report::word_of_multipliers(of.stability);
    result.variables = entities(report.variables());
    result.components = entities(report.components);
    for (const Index i : of.advanced) result.advanced.push_back(result.components[static_cast<std::size_t>(i)]);
    result.M = to_array(of.M);
    const linear::ComplexVector exponents = report::exponents_of(of);
    result.multipliers = {of.multipliers.begin(), of.multipliers.end()};
    result.exponents = {exponents.begin(), exponents.end()};
    const linear::ComplexVector by_rows = of.vectors.transpose().reshaped();
    result.vectors = {by_rows.begin(), by_rows.end()};
    result.uncertainty = to_std(of.uncertainty);
    result.has_trivial = of.has_trivial;
    for (const linear::ZeroEigenvalue& one : of.ones)
      result.ones.push_back({std::string(report::word_of(one.why)), to_std(report::direction_of(one, of.M.rows()))});
    result.distance = of.distance;
    result.shared = std::make_shared<const PeriodicMotion::Shared>(PeriodicMotion::Shared{std::move(report)});
    return result;
  }
};

}  // namespace

Result<PeriodicMotion> Model::periodic_motion(const PeriodicOptions& options) const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  return within_memory([&]() -> Result<PeriodicMotion> {
    PeriodicState at(shared_, *bound);
    if (auto placed = at.place(options.state, options.state ? Result<State>(*options.state) : assemble()); !placed)
      return Unexpected<Error>{placed.error()};
    return at.follow(options);
  });
}

std::string PeriodicMotion::text() const { return report::to_text(report::periodic_report(shared->report)); }
std::string PeriodicMotion::json() const { return report::to_json(report::periodic_report(shared->report)); }

Result<std::vector<std::string>> PeriodicMotion::write(Results& results) const {
  const report::PeriodicReport& of = shared->report;
  const std::vector<std::string> names = report::names_of(of.variables());
  const std::vector<files::NamedFile> files{
      {"M.csv", [&](std::ostream& s) { report::write_csv(s, report::matrix_table(of.motion.M, names, names)); }},
      {"multipliers.csv", [&](std::ostream& s) { report::write_csv(s, report::multiplier_table(of)); }},
      {"periodic.json", [this](std::ostream& s) { s << json(); }}};
  return write_files(results, periodic_files(), files);
}

Result<std::vector<std::string>> PeriodicMotion::write(const std::filesystem::path& folder) const {
  return write_alone(*this, folder);
}

}  // namespace vinculum
