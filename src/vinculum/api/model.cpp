#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>

#include "vinculum/api/force_table.hpp"
#include "vinculum/api/handles.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/builder.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/diag/render.hpp"
#include "vinculum/hybrid/contacts.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/integrate/method.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/start/assembly.hpp"
#include "vinculum/verify/invariants/invariants.hpp"

namespace vinculum {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Result<Model> read(diag::SourceText source, std::shared_ptr<Model::Shared> shared) {
  const auto begin = std::chrono::steady_clock::now();
  diag::Diagnostics said;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), said);
  shared->seconds_parse = seconds_since(begin);
  const auto overrides = overrides_of(shared->settings.set);
  shared->model = elaborate::elaborate(file, source, elaborate_options(shared->folder, overrides), said);
  if (said.has_errors()) return wrong_text(Error::About::kModel, source, said.all());
  shared->diagnostics = diagnostics_of(source, said.all());
  describe_entities(*shared);
  shared->seconds_read = seconds_since(begin);
  return Model(std::move(shared));
}

/// Describes the largest residual, such as "constraint `rod` by 0.1 m"; if no row has one, why the state is not
/// possible.
std::string worst_of_rows(sim::Dynamics& dynamics, double t, const std::vector<double>& y) {
  const sim::CompiledModel& compiled = dynamics.binding();
  sim::Matrices m;
  if (!dynamics.matrices(dynamics.mode(), t, y.data(), m)) return "its constraints";
  double most = 0.0;
  std::string text = "that a quaternion has length 1";
  for (int row = 0; row < compiled.nc(); ++row) {
    for (const auto& [value, level] :
         {std::pair(m.phi[row], model::Level::kPosition), std::pair(m.psi[row], model::Level::kVelocity)}) {
      if (!(std::abs(value) > most)) continue;
      most = std::abs(value);
      text = fmt::format("constraint `{}` by {:.3g}{}", compiled.row_name(row), value, compiled.row_unit(row, level));
    }
  }
  return text;
}

Error stopped_by(const sim::Dynamics& dynamics, const Failure& failure) {
  return motion_error(*dynamics.binding()->model, dynamics.binding()->system.get(), failure);
}

}  // namespace

Vector to_vector(std::span<const double> values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

void learn_scales(sim::Dynamics& dynamics, double t, std::span<const double> y) {
  const sim::Binding& bound = dynamics.binding();
  const int nq = bound->nq(), nu = bound->nu(), nz = bound->nz();
  const Vector state = to_vector(y);
  Vector rates = Vector::Zero(state.size());
  if (!dynamics.derivative(t, y.data(), rates.data())) rates.setZero();
  const Vector q_scale = sim::coordinate_scale(bound, state.head(nq));
  const Vector u_scale = sim::speed_scale(bound, state.segment(nq, nu), rates.segment(nq, nu), q_scale);
  Vector scale(state.size());
  scale << q_scale, u_scale, sim::state_scale(bound, state.tail(nz), rates.tail(nz), q_scale, u_scale);
  dynamics.set_scale(scale, tolerance::kDefaultRun);
  sim::Mode mode = dynamics.mode();
  dynamics.learn_row_sizes(mode, t, state);
  dynamics.set_mode(std::move(mode));
}

namespace {

/// Whether the text is a number without a unit, which is then in SI units.
bool is_number(const std::string& text, double& number) {
  const char* const end = text.data() + text.size();
  return std::from_chars(text.data(), end, number).ptr == end;
}

}  // namespace

std::string Value::text() const {
  if (const auto* written = std::get_if<std::string>(&stated)) return *written;
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, std::get<double>(stated)).ptr};
}

static_assert(static_cast<int>(Backend::kNative) == static_cast<int>(codegen::Backend::kNative) &&
              static_cast<int>(Backend::kTape) == static_cast<int>(codegen::Backend::kTape) &&
              static_cast<int>(Formulation::kMinimal) == static_cast<int>(equations::Formulation::kMinimal) &&
              static_cast<int>(Formulation::kAugmented) == static_cast<int>(equations::Formulation::kAugmented));

std::string_view to_string(Backend backend) { return codegen::to_string(static_cast<codegen::Backend>(backend)); }

std::string_view to_string(Formulation formulation) { return equations::to_string(inner(formulation)); }

std::optional<Formulation> find_formulation(std::string_view name) {
  const auto found = equations::find_formulation(name);
  if (!found) return std::nullopt;
  return static_cast<Formulation>(*found);
}

equations::Formulation inner(Formulation formulation) { return static_cast<equations::Formulation>(formulation); }

std::vector<elaborate::ParameterOverride> overrides_of(const Values& set) {
  std::vector<elaborate::ParameterOverride> overrides;
  for (const auto& [name, value] : set) overrides.push_back({name, value.text()});
  return overrides;
}

elaborate::Options elaborate_options(const std::filesystem::path& folder,
                                     std::span<const elaborate::ParameterOverride> overrides) {
  return {folder, overrides, integrate::names_of(integrate::method_table())};
}

codegen::CompileOptions codegen_options(const Settings& settings, Backend backend) {
  return {static_cast<codegen::Backend>(backend), settings.cache ? *settings.cache : codegen::default_cache_folder()};
}

void describe_entities(Model::Shared& shared) {
  const model::Model& model = *shared.model;
  const auto entity = [&](const std::string& name, const std::string& unit, diag::SourceRange range) {
    Entity result{name, report::stated(unit), ""};
    if (model.source_text.text().empty()) return result;
    const diag::Position at = model.source_text.position(range.begin);
    result.place = at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    return result;
  };
  const auto all = [&](std::vector<Entity>& entities, const auto& from) {
    for (const auto& one : from) entities.push_back(entity(one.name, unit_of(model, one).si, one.range));
  };
  for (const model::Parameter& one : model.parameters)
    shared.parameters.push_back({entity(one.name, unit_of(model, one).si, one.range), one.value});
  all(shared.coordinates, model.coordinates);
  all(shared.speeds, model.speeds);
  all(shared.states, model.states);
  for (const model::Input& one : model.inputs)
    shared.inputs.push_back(entity(one.name, unit_of(model, one.dimension).si, one.range));
  for (const model::Constraint& one : model.constraints)
    shared.constraints.push_back(entity(one.name, unit_of_residual(model, one).si, one.range));
  for (const model::Output& one : model.outputs)
    shared.outputs.push_back(entity(one.name, units_of(model, one).front().si, one.range));
}

Result<Model::Shared::SharedBinding> Model::Shared::compiled(Backend backend, bool judges_conserved) const {
  const auto lock = growing();
  const std::pair key(backend, judges_conserved && !model->conserved.empty());
  if (const auto known = compiled_.find(key); known != compiled_.end()) return known->second;
  sim::CompileSettings compile;
  compile.codegen = codegen_options(settings, backend);
  if (judges_conserved) compile.conserved_judge = sim::judge_conserved;
  const auto result = within_memory([&]() -> Result<SharedBinding> {
    auto made = sim::compile_model(model, compile);
    if (!made) return Unexpected<Error>{motion_error(*model, nullptr, made.error())};
    if (bound.empty()) return *made;
    auto other = sim::with(**made, bound);
    return other ? Result<SharedBinding>(*other) : wrong_call(other.error().reason);
  });
  compiled_.emplace(key, result);
  return result;
}

Result<std::shared_ptr<const ForceTable>> Model::Shared::force_table() const {
  const auto lock = growing();
  if (forces_ != nullptr) return forces_;
  const auto binding = compiled();
  if (!binding) return Unexpected<Error>{binding.error()};
  auto made = make_force_table(**binding);
  if (!made) return Unexpected<Error>{motion_error(*model, nullptr, made.error())};
  return forces_ = *made;
}

Result<std::vector<double>> packed(const sim::CompiledModel& compiled, const State& state) {
  const auto nq = static_cast<std::size_t>(compiled.nq()), nu = static_cast<std::size_t>(compiled.nu()),
             nz = static_cast<std::size_t>(compiled.nz());
  if (state.q.size() != nq || state.u.size() != nu || state.z.size() != nz) {
    return wrong_call("a state of this model has " + std::to_string(nq) + " coordinates, " + std::to_string(nu) +
                      " speeds and " + std::to_string(nz) + " extra states");
  }
  std::vector<double> y(state.q);
  y.insert(y.end(), state.u.begin(), state.u.end());
  y.insert(y.end(), state.z.begin(), state.z.end());
  for (const double value : y) {
    if (!std::isfinite(value)) return wrong_call("a state is made of finite numbers");
  }
  if (!std::isfinite(state.t)) return wrong_call("the time of a state is finite");
  return y;
}

State unpacked(const sim::CompiledModel& compiled, double t, std::span<const double> y) {
  const auto nq = static_cast<std::size_t>(compiled.nq()), nu = static_cast<std::size_t>(compiled.nu());
  const auto q = y.first(nq), u = y.subspan(nq, nu), z = y.subspan(nq + nu);
  return {t, {q.begin(), q.end()}, {u.begin(), u.end()}, {z.begin(), z.end()}};
}

std::vector<double> to_std(const Vector& values) { return {values.begin(), values.end()}; }

Array to_array(const Matrix& values) {
  Array array{static_cast<int>(values.rows()), static_cast<int>(values.cols()), {}};
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    for (Eigen::Index j = 0; j < values.cols(); ++j) array.values.push_back(values(i, j));
  }
  return array;
}

Result<Matrices> matrices_at(sim::Dynamics& dynamics, const State& state) {
  auto y = packed(dynamics.binding(), state);
  if (!y) return Unexpected<Error>{y.error()};
  const bool is_settled = bool(sim::settle_friction(dynamics, state.t, y->data()));
  sim::Matrices m;
  if (auto done = dynamics.matrices(dynamics.mode(), state.t, y->data(), m); !done)
    return Unexpected<Error>{stopped_by(dynamics, done.error())};
  Matrices all;
  all.G = to_array(m.G);
  all.q_dot = to_std(m.q_dot);
  all.M = to_array(m.M);
  all.f = to_std(m.f);
  all.C = to_std(m.C);
  all.A = to_array(m.A);
  all.b = to_std(m.b);
  all.phi = to_std(m.phi);
  all.psi = to_std(m.psi);
  if (!is_settled) return all;
  const auto geometry = sim::EquationsOf(dynamics).geometry(state.t, y->data());
  if (!geometry) return all;
  all.rank = geometry->rank;
  all.Q_ideal = to_std(geometry->Q_ideal);
  all.Q_nonideal = to_std(geometry->Q_nonideal());
  all.Q_constraint = to_std(geometry->Q_constraint);
  all.a = to_std(geometry->free.a);
  all.e = to_std(geometry->e);
  all.L = to_array(geometry->L);
  all.B = to_array(geometry->B);
  all.T = to_array(geometry->T);
  all.N = to_array(geometry->N);
  all.gauss = geometry->gauss();
  return all;
}

Result<Forces> forces_at(sim::Dynamics& dynamics, const ForceTable& table, const State& state) {
  auto y = packed(dynamics.binding(), state);
  if (!y) return Unexpected<Error>{y.error()};
  sim::Sample sample;
  auto done = sim::settle_friction(dynamics, state.t, y->data());
  if (done) done = dynamics.report(state.t, y->data(), sample);
  if (!done) return Unexpected<Error>{stopped_by(dynamics, done.error())};
  return table.forces(sample);
}

Result<State> nearest_state(sim::Dynamics& dynamics, const State& near) {
  auto y = packed(dynamics.binding(), near);
  if (!y) return Unexpected<Error>{y.error()};
  learn_scales(dynamics, near.t, *y);
  Vector found = to_vector(*y);
  sim::open_contacts(dynamics.binding(), found);
  if (const auto moved = dynamics.project(near.t, found.data()); !moved)
    return Unexpected<Error>{stopped_by(dynamics, moved.error())};
  sim::close_contacts(dynamics, near.t, found);
  return unpacked(dynamics.binding(), near.t, {found.data(), static_cast<std::size_t>(found.size())});
}

Result<sim::Start> start_in(const Model::Shared::SharedBinding& bound, const State& state, double tolerance) {
  const auto branched =
      std::ranges::find_if(bound->compiled->model->constraints, [](const auto& one) { return one.branch.is_valid(); });
  if (branched != bound->compiled->model->constraints.end())
    return wrong_call(
        fmt::format("several accelerations satisfy `{}`, and a state does not say which of them a motion follows: a "
                    "run of this model begins at its `start`",
                    branched->name));
  auto y = packed(*bound, state);
  if (!y) return Unexpected<Error>{y.error()};
  sim::Dynamics dynamics(bound);
  Vector opened = to_vector(*y);
  sim::open_contacts(dynamics.binding(), opened);  // the run decides which are closed
  *y = to_std(opened);
  auto nearest = *y;
  learn_scales(dynamics, state.t, nearest);
  if (const auto moved = dynamics.project(state.t, nearest.data()); !moved)
    return Unexpected<Error>{stopped_by(dynamics, moved.error())};
  const Vector missed = to_vector(nearest) - to_vector(*y);
  if ((missed.array().abs() > tolerance * dynamics.scale().array()).any())
    return wrong_call(
        fmt::format("the state in which the run begins violates {}: `assemble` finds the nearest state that satisfies "
                    "all constraints",
                    worst_of_rows(dynamics, state.t, *y)));
  return sim::Start{state.t, to_vector(state.q), to_vector(state.u), opened.tail(bound->compiled->nz())};
}

Result<Model> Model::load(const std::filesystem::path& path, Settings settings) {
  Result<std::string> text = read_text(path);
  if (!text) return Unexpected<Error>{text.error()};
  return from_text(*std::move(text), std::move(settings), path.string());
}

Result<Model> Model::from_text(std::string text, Settings settings, const std::string& name) {
  auto shared = std::make_shared<Shared>();
  shared->file = name;
  shared->folder = std::filesystem::absolute(name).parent_path();
  shared->settings = std::move(settings);
  return read(diag::SourceText(name, std::move(text)), std::move(shared));
}

const std::string& Model::name() const { return shared_->model->name; }
const Diagnostics& Model::diagnostics() const { return shared_->diagnostics; }

Result<Model> Model::with(const Values& values) const {
  auto other = shared_->with(values);
  if (!other) return Unexpected<Error>{other.error()};
  return Model(*std::move(other));
}

Result<Model> Model::with(ParameterHandle parameter, double value) const {
  if (auto fits = check_handle(*shared_, parameter, "parameter", parameters().size()); !fits)
    return Unexpected<Error>{fits.error()};
  return with({{parameters()[parameter.index].name, value}});
}

std::uint64_t Model::Shared::next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

Result<std::shared_ptr<const Model::Shared>> Model::Shared::with(const Values& values) const {
  Settings changed = settings;
  for (const auto& [name, value] : values) {
    std::erase_if(changed.set, [&name](const auto& before) { return before.first == name; });
    changed.set.emplace_back(name, value);
  }
  std::optional<Model> anew;  // for values with units: the text is read again with these values
  std::vector<sim::ParameterValue> numbers;
  for (const auto& [name, value] : values) {
    double number = 0.0;
    if (const auto* stated = std::get_if<double>(&value.stated)) {
      number = *stated;
    } else if (!is_number(std::get<std::string>(value.stated), number)) {
      if (!anew) {
        auto reread = this->reread(changed);
        if (!reread) return Unexpected<Error>{reread.error()};
        anew = *std::move(reread);
      }
      const auto found = std::ranges::find(anew->parameters(), name, &Parameter::name);
      if (found != anew->parameters().end()) number = found->value;
    }
    numbers.push_back({name, number});
  }
  const auto binding = compiled();
  if (!binding) return Unexpected<Error>{binding.error()};
  auto other = sim::with(**binding, numbers);
  if (!other) return wrong_call(other.error().reason);
  return with(*std::move(other), std::move(changed), numbers);
}

Result<Model> Model::Shared::reread(Settings changed) const {
  if (model->source_text.text().empty())
    return wrong_call("`" + model->name + "` has no text: build it with these values, as numbers");
  return Model::from_text(std::string(model->source_text.text()), std::move(changed), file);
}

std::shared_ptr<const Model::Shared> Model::Shared::with(SharedBinding own, Settings changed,
                                                         std::span<const sim::ParameterValue> values) const {
  auto other = std::make_shared<Shared>();
  other->id = id;
  other->file = file;
  other->folder = folder;
  other->settings = std::move(changed);
  other->model = model;
  other->diagnostics = diagnostics;
  other->bound = bound;
  other->bound.insert(other->bound.end(), values.begin(), values.end());
  describe_entities(*other);
  for (std::size_t i = 0; i < own->parameters.size(); ++i) other->parameters[i].value = own->parameters[i];
  other->compiled_.emplace(std::pair(settings.backend, !model->conserved.empty()), std::move(own));
  return other;
}

Result<State> Model::assemble() const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  sim::Dynamics dynamics(*bound);
  const auto start = sim::assemble(dynamics);
  if (!start) return Unexpected<Error>{stopped_by(dynamics, start.error())};
  Vector y(start->q.size() + start->u.size() + start->z.size());
  y << start->q, start->u, start->z;
  sim::close_contacts(dynamics, start->t0, y);
  return unpacked(dynamics.binding(), start->t0, {y.data(), static_cast<std::size_t>(y.size())});
}

Result<State> Model::assemble(const State& near) const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  sim::Dynamics dynamics(*bound);
  return nearest_state(dynamics, near);
}

Result<Matrices> Model::matrices(const State& state) const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  sim::Dynamics dynamics(*bound);
  return matrices_at(dynamics, state);
}

Result<Forces> Model::forces(const State& state) const {
  const auto bound = shared_->compiled();
  if (!bound) return Unexpected<Error>{bound.error()};
  const auto table = shared_->force_table();
  if (!table) return Unexpected<Error>{table.error()};
  sim::Dynamics dynamics(*bound);
  return forces_at(dynamics, **table, state);
}

}  // namespace vinculum
