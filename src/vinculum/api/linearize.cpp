#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "vinculum/api/at_state.hpp"
#include "vinculum/api/results.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/linear/equilibrium.hpp"
#include "vinculum/linear/symmetry.hpp"
#include "vinculum/report/linear_report.hpp"

namespace vinculum {

struct Linearization::Shared {
  report::LinearReport report;
};

namespace {

using Index = Eigen::Index;

std::vector<std::complex<double>> by_rows(const linear::ComplexMatrix& values) {
  std::vector<std::complex<double>> all;
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) all.push_back(values(i, j));
  }
  return all;
}

/// The linear system and the equilibria near a state.
class LinearizedState : public AtState {
 public:
  using AtState::AtState;

  [[nodiscard]] Result<State> equilibrium(const EquilibriumOptions& options) {
    const auto unknown = components(options.unknowns), fixed = components(options.hold),
               moving = components(options.moving);
    for (const auto* names : {&unknown, &fixed, &moving}) {
      if (!*names) return Unexpected<Error>{names->error()};
    }
    if (auto made = make({}); !made) return Unexpected<Error>{made.error()};
    const auto u_dot = accelerations();
    if (!u_dot) return Unexpected<Error>{u_dot.error()};
    if (options.steady) return steady_motion(*fixed, *u_dot);
    linear::EquilibriumSearch search;
    search.is_fixed.assign(components_.size(), 0);
    search.may_move.assign(components_.size(), 0);
    for (const Index i : *moving) search.may_move[static_cast<std::size_t>(i)] = 1;
    if (!unknown->empty()) {
      if (auto done = fix_all_but(*unknown, *u_dot, search); !done) return failed(done.error());
    }
    for (const Index i : *fixed) search.is_fixed[static_cast<std::size_t>(i)] = 1;
    const auto found = linear::find_equilibrium(*equations_, *bound_, t_, y_, *u_dot, search);
    if (!found) return failed(found.error());
    return unpacked(*bound_, t_, {found->data(), static_cast<std::size_t>(found->size())});
  }

  [[nodiscard]] Result<Linearization> linearize(const LinearizeOptions& options) {
    std::vector<linear::LinearInput> inputs;
    linear::LinearEquations::Quantities wanted;
    report::LinearReport report;
    report.model = model_->model->name;
    report.coordinates = bound_->compiled->nq();
    report.speeds = bound_->compiled->nu();
    report.components = components_;
    if (auto found = find_inputs(options.inputs, inputs, wanted, report.inputs); !found)
      return Unexpected<Error>{found.error()};
    if (auto found = find_outputs(options.outputs, wanted, report.outputs); !found)
      return Unexpected<Error>{found.error()};
    if (auto made = make(wanted); !made) return Unexpected<Error>{made.error()};
    for (const linear::LinearInput& input : inputs) {
      if (!input.is_parameter && !is_held(input.index))
        return wrong_call(fmt::format("state `{}` changes by itself, so it cannot be an input",
                                      components_[static_cast<std::size_t>(input.index)].name));
    }
    const auto u_dot = accelerations();
    if (!u_dot) return Unexpected<Error>{u_dot.error()};
    auto system = linear::linearize(*equations_, *bound_, t_, y_, *u_dot, inputs);
    if (!system) return failed(system.error());
    report.system = *std::move(system);
    return public_of(std::move(report));
  }

 private:
  [[nodiscard]] Result<State> steady_motion(const std::vector<Index>& fixed, const Vector& u_dot) {
    std::vector<char> is_fixed(components_.size(), 0);
    for (const Index i : fixed) is_fixed[static_cast<std::size_t>(i)] = 1;
    const auto found = linear::find_steady_motion(*equations_, *bound_, t_, y_, u_dot, is_fixed);
    if (!found) return failed(found.error());
    return state_of_components(t_, *found);
  }

  /// Fixes all independent components except for the unknown ones and speeds that must become 0.
  [[nodiscard]] Outcome<void> fix_all_but(const std::vector<Index>& unknown, const Vector& u_dot,
                                          linear::EquilibriumSearch& search) {
    linear::NearState near;
    if (auto done = equations_->at(t_, y_, u_dot, near); !done) return done;
    linear::Preference preference{sizes_near(*equations_, *bound_, y_), Vector::Ones(y_.size()), {}};
    preference.is_held.assign(components_.size(), 0);
    for (Index i = 0; i < y_.size(); ++i) preference.is_held[static_cast<std::size_t>(i)] = is_held(i) ? 1 : 0;
    constexpr double kIndependentSooner = 0.001;  // weight of unknowns in the choice of dependent components
    for (const Index i : unknown) preference.weight[i] = kIndependentSooner;
    const Index nq = equations_->nq(), nu = equations_->nu();
    for (const Index i : choose_tangent(*equations_, near.c_y, preference).independent) {
      const bool becomes_zero = i >= nq && i < nq + nu && search.may_move[static_cast<std::size_t>(i)] == 0;
      if (!becomes_zero && std::ranges::find(unknown, i) == unknown.end())
        search.is_fixed[static_cast<std::size_t>(i)] = 1;
    }
    return {};
  }

  [[nodiscard]] Result<void> find_inputs(const std::vector<std::string>& names,
                                         std::vector<linear::LinearInput>& inputs,
                                         linear::LinearEquations::Quantities& wanted,
                                         std::vector<report::Named>& named) const {
    const model::Model& model = *model_->model;
    const auto first_state = static_cast<Index>(model.coordinates.size() + model.speeds.size());
    for (const std::string& name : names) {
      const auto input = std::ranges::find(model.inputs, name, &model::Input::name);
      const auto parameter = std::ranges::find(model.parameters, name, &model::Parameter::name);
      const auto state = std::ranges::find(model.states, name, &model::State::name);
      if (input != model.inputs.end()) {
        inputs.push_back({false, first_state + static_cast<Index>(input->given.index())});
        named.push_back({name, report::stated(unit_of(model, input->dimension).si)});
      } else if (parameter != model.parameters.end()) {
        inputs.push_back({true, static_cast<Index>(wanted.parameters.size())});
        wanted.parameters.push_back(static_cast<std::size_t>(parameter - model.parameters.begin()));
        named.push_back({name, report::stated(unit_of(model, *parameter).si)});
      } else if (state != model.states.end()) {
        inputs.push_back({false, first_state + (state - model.states.begin())});
        named.push_back({name, report::stated(unit_of(model, *state).si)});
      } else {
        std::vector<std::string> known;
        for (const auto& one : model.inputs) known.push_back(one.name);
        for (const auto& one : model.parameters) known.push_back(one.name);
        return no_such("input or parameter", name, known);
      }
    }
    return {};
  }

  [[nodiscard]] Result<void> find_outputs(const std::vector<std::string>& names,
                                          linear::LinearEquations::Quantities& wanted,
                                          std::vector<report::Named>& named) const {
    const auto& outputs = model_->model->outputs;
    std::vector<std::string> known;
    for (const auto& output : outputs) known.push_back(output.name);
    const std::vector<report::Column> columns = report::columns_of(*bound_);
    for (const std::string& name : names) {
      const auto output = std::ranges::find(outputs, name, &model::Output::name);
      if (output == outputs.end()) return no_such("output", name, known);
      wanted.outputs.push_back(static_cast<std::size_t>(output - outputs.begin()));
      for (const report::Column& column : columns) {
        if (column.group != report::Column::Group::kOutput || column.name != name) continue;
        for (int k = 0; k < column.count; ++k)
          named.push_back({entry_name(column, k), report::stated(column.unit(k).si)});
      }
    }
    return {};
  }

  [[nodiscard]] Linearization public_of(report::LinearReport report) const {
    const linear::Linearization& of = report.system;
    Linearization result;
    result.state = state_of_components(of.t, of.y);
    result.rates = state_of_components(1.0, of.y_dot);
    result.reference = report::word_of(of.reference);
    result.stability = report::word_of(of.stability);
    result.components = entities(report.components);
    for (const Index i : of.tangent.independent)
      result.variables.push_back(result.components[static_cast<std::size_t>(i)]);
    result.inputs = entities(report.inputs);
    result.outputs = entities(report.outputs);
    result.output_values = to_std(of.outputs);
    result.A = to_array(of.A);
    result.B = to_array(of.B);
    result.C = to_array(of.C);
    result.D = to_array(of.D);
    result.T = to_array(of.tangent.T);
    result.S = to_array(of.S);
    result.eigenvalues = {of.modes.eigenvalues.begin(), of.modes.eigenvalues.end()};
    result.right = by_rows(of.modes.right);
    result.left = by_rows(of.modes.left);
    for (const linear::ZeroEigenvalue& zero : of.modes.zeros)
      result.zeros.push_back({std::string(report::word_of(zero.why)), to_std(report::direction_of(zero, of.A.rows()))});
    result.shared = std::make_shared<const Linearization::Shared>(Linearization::Shared{std::move(report)});
    return result;
  }
};

}  // namespace

Result<State> Model::equilibrium(const EquilibriumOptions& options) const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  return within_memory([&]() -> Result<State> {
    LinearizedState at(shared_, *bound);
    if (auto placed = at.place(options.near, options.near ? Result<State>(*options.near) : assemble()); !placed)
      return Unexpected<Error>{placed.error()};
    return at.equilibrium(options);
  });
}

Result<Linearization> Model::linearize(const LinearizeOptions& options) const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  return within_memory([&]() -> Result<Linearization> {
    LinearizedState at(shared_, *bound);
    if (auto placed = at.place(options.state, options.state ? Result<State>(*options.state) : assemble()); !placed)
      return Unexpected<Error>{placed.error()};
    return at.linearize(options);
  });
}

Report Model::describe_state(const State& state) const {
  const model::Model& model = *shared_->model;
  report::Node node = report::Node::object({{"format", report::kFormat}, {"model", model.name}, {"t", state.t}});
  std::string text = fmt::format("{} at t = {:.6g} s\n", model.name, state.t);
  std::vector<std::vector<std::string>> cells;
  const auto add = [&](const char* kind, std::span<const Entity> names, const std::vector<double>& values) {
    report::Node all = report::Node::object();
    for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) {
      all.add(names[i].name, report::shown(values[i]));
      cells.push_back(
          {names[i].name, fmt::format("{:.12g}", report::shown(values[i])), names[i].unit == "1" ? "" : names[i].unit});
    }
    node.add(kind, std::move(all));
  };
  add("coordinates", coordinates(), state.q);
  add("speeds", speeds(), state.u);
  add("states", states(), state.z);
  return {text + report::aligned(cells, "  "), report::to_json(node)};
}

std::string Linearization::text() const { return report::to_text(report::linear_report(shared->report)); }
std::string Linearization::json() const { return report::to_json(report::linear_report(shared->report)); }

Result<std::vector<std::string>> Linearization::write(Results& results) const {
  const report::LinearReport& of = shared->report;
  const std::vector<std::string> of_variables = report::variable_names(of);
  const std::vector<std::string> of_inputs = report::names_of(of.inputs), of_outputs = report::names_of(of.outputs);
  const auto matrix = [](const Matrix& values, std::vector<std::string> rows, std::vector<std::string> columns) {
    return [&values, rows = std::move(rows), columns = std::move(columns)](std::ostream& s) {
      report::write_csv(s, report::matrix_table(values, rows, columns));
    };
  };
  std::vector<files::NamedFile> files{{"A.csv", matrix(of.system.A, of_variables, of_variables)}};
  if (!of_inputs.empty()) files.push_back({"B.csv", matrix(of.system.B, of_variables, of_inputs)});
  if (!of_outputs.empty()) files.push_back({"C.csv", matrix(of.system.C, of_outputs, of_variables)});
  if (!of_inputs.empty() && !of_outputs.empty()) files.push_back({"D.csv", matrix(of.system.D, of_outputs, of_inputs)});
  files.push_back({"modes.csv", [&](std::ostream& s) { report::write_csv(s, report::mode_table(of)); }});
  files.push_back({"linear.json", [this](std::ostream& s) { s << json(); }});
  return write_files(results, linear_files(), files);
}

Result<std::vector<std::string>> Linearization::write(const std::filesystem::path& folder) const {
  return write_alone(*this, folder);
}

}  // namespace vinculum
