#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "vinculum/api/results.hpp"
#include "vinculum/api/shared.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/linear/equilibrium.hpp"
#include "vinculum/report/linear_report.hpp"

namespace vinculum {

struct Linearization::Shared {
  report::LinearReport report;
};

namespace {

using Index = Eigen::Index;

/// A failure of the module `linear`: its refusals have kinds of their own.
Unexpected<Error> not_linearized(const model::Model& model, const sim::CompiledModel& compiled,
                                 const Failure& failure) {
  const std::string_view kind = failure.kind == FailureKind::kNotUnique  ? "not-linear"
                                : failure.kind == FailureKind::kAssembly ? "no-equilibrium"
                                                                         : "";
  return {motion_error(model, compiled.system.get(), failure, kind)};
}

std::vector<std::complex<double>> by_rows(const linear::ComplexMatrix& values) {
  std::vector<std::complex<double>> all;
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) all.push_back(values(i, j));
  }
  return all;
}

/// One model at one state, with the names of its quantities.
class AtState {
 public:
  AtState(std::shared_ptr<const Model::Shared> model, Model::Shared::SharedBinding bound)
      : model_(std::move(model)), bound_(std::move(bound)), dynamics_(bound_) {
    using Group = report::Column::Group;
    for (const report::Column& column : report::columns_of(*bound_)) {
      for (int k = 0; k < column.count; ++k) {
        const report::LinearReport::Named named{entry_name(column, k), report::stated(column.unit(k).si)};
        if (column.group == Group::kState) components_.push_back(named);
      }
    }
  }

  /// Reads the state, or the start of the model if none is given.
  [[nodiscard]] Result<void> place(const std::optional<State>& given, const Result<State>& start) {
    if (!given && !start) return Unexpected<Error>{start.error()};
    const State& state = given ? *given : *start;
    if (given) {
      if (const auto checked = start_in(bound_, state, tolerance::kHalfDigits); !checked)
        return Unexpected<Error>{checked.error()};
    }
    const auto packed_state = packed(*bound_, state);
    if (!packed_state) return Unexpected<Error>{packed_state.error()};
    t_ = state.t;
    y_ = to_vector(*packed_state);
    return {};
  }

  [[nodiscard]] Result<void> make(const linear::LinearEquations::Quantities& wanted) {
    const auto lock = model_->growing();
    auto made = linear::LinearEquations::make(bound_, wanted);
    if (!made) return failed(made.error());
    equations_.emplace(*std::move(made));
    return {};
  }
  /// The accelerations at the state, from which nonlinear relations are solved. \returns an Error if there are none
  [[nodiscard]] Result<Vector> accelerations() {
    learn_scales(dynamics_, t_, {y_.data(), static_cast<std::size_t>(y_.size())});
    Vector rates = Vector::Zero(y_.size());
    if (const auto done = dynamics_.derivative(t_, y_.data(), rates.data()); !done)
      return Unexpected<Error>{motion_error(*model_->model, bound_->compiled->system.get(), done.error())};
    return Vector(rates.segment(bound_->compiled->nq(), bound_->compiled->nu()));
  }
  [[nodiscard]] Unexpected<Error> failed(const Failure& failure) const {
    return not_linearized(*model_->model, *bound_, failure);
  }

  /// Indices of named components of y.
  [[nodiscard]] Result<std::vector<Index>> components(const std::vector<std::string>& names) const {
    std::vector<Index> found;
    for (const std::string& name : names) {
      const auto at = std::ranges::find(components_, name, &report::LinearReport::Named::name);
      if (at == components_.end()) return no_such("coordinate, speed or state", name, report::names_of(components_));
      found.push_back(at - components_.begin());
    }
    return found;
  }

  [[nodiscard]] Result<State> equilibrium(const EquilibriumOptions& options) {
    const auto unknown = components(options.unknowns), fixed = components(options.hold),
               moving = components(options.moving);
    for (const auto* names : {&unknown, &fixed, &moving}) {
      if (!*names) return Unexpected<Error>{names->error()};
    }
    if (auto made = make({}); !made) return Unexpected<Error>{made.error()};
    const auto u_dot = accelerations();
    if (!u_dot) return Unexpected<Error>{u_dot.error()};
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
  [[nodiscard]] bool is_held(Index component) const {
    const Index z = component - equations_->nq() - equations_->nu();
    return z >= 0 && equations_->is_held()[static_cast<std::size_t>(z)] != 0;
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
                                         std::vector<report::LinearReport::Named>& named) const {
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
                                          std::vector<report::LinearReport::Named>& named) const {
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

  [[nodiscard]] static std::vector<Entity> entities(const std::vector<report::LinearReport::Named>& all) {
    std::vector<Entity> result;
    for (const auto& [name, unit] : all) result.push_back({name, unit, ""});
    return result;
  }
  [[nodiscard]] Linearization public_of(report::LinearReport report) const {
    const linear::Linearization& of = report.system;
    const auto state = [&](double t, const Vector& y) {
      return unpacked(*bound_, t, {y.data(), static_cast<std::size_t>(y.size())});
    };
    Linearization result;
    result.state = state(of.t, of.y);
    result.rates = state(1.0, of.y_dot);
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
    result.eigenvalues = {of.modes.eigenvalues.begin(), of.modes.eigenvalues.end()};
    result.right = by_rows(of.modes.right);
    result.left = by_rows(of.modes.left);
    for (const linear::ZeroEigenvalue& zero : of.modes.zeros)
      result.zeros.push_back({std::string(report::word_of(zero.why)), to_std(report::direction_of(zero, of.A.rows()))});
    result.shared = std::make_shared<const Linearization::Shared>(Linearization::Shared{std::move(report)});
    return result;
  }

  std::shared_ptr<const Model::Shared> model_;
  Model::Shared::SharedBinding bound_;
  sim::Dynamics dynamics_;
  std::vector<report::LinearReport::Named> components_;
  double t_ = 0.0;
  Vector y_;
  std::optional<linear::LinearEquations> equations_;
};

}  // namespace

Result<State> Model::equilibrium(const EquilibriumOptions& options) const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  return within_memory([&]() -> Result<State> {
    AtState at(shared_, *bound);
    if (auto placed = at.place(options.near, options.near ? Result<State>(*options.near) : assemble()); !placed)
      return Unexpected<Error>{placed.error()};
    return at.equilibrium(options);
  });
}

Result<Linearization> Model::linearize(const LinearizeOptions& options) const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  return within_memory([&]() -> Result<Linearization> {
    AtState at(shared_, *bound);
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
