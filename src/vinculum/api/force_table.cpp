#include "vinculum/api/force_table.hpp"

#include <algorithm>

#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/row_multiplier.hpp"
#include "vinculum/motion/report_numbers.hpp"

namespace vinculum {
namespace {

using model::ConstraintId;

/// Index of the element for this constraint and place; −1 if there is none (a penalty realization has none).
template <class Places, class IsIt>
int index_of(const Places& places, IsIt is_it) {
  const auto found = std::ranges::find_if(places, is_it);
  return found == places.end() ? -1 : static_cast<int>(found - places.begin());
}

class Maker {
 public:
  Maker(const sim::Binding& bound, equations::System& system, model::FrameId frame)
      : bound_(bound),
        model_(*bound->model),
        system_(system),
        frame_(frame),
        tree_(model_),
        places_(model_.points.size(), -1),
        table_(std::make_shared<ForceTable>()) {}

  std::shared_ptr<const ForceTable> make() {
    for (std::size_t c = 0; c < model_.constraints.size(); ++c) add_constraint(c);
    for (std::size_t r = 0; r < model_.reveals.size(); ++r) add_reveal(r);
    const codegen::KernelSpec spec{model_.name + ".forces", sim::report_symbols(system_), system_.parameters,
                                   std::move(values_)};
    codegen::CompileOptions on_tape;
    on_tape.backend = codegen::Backend::kTape;
    table_->kernel.kernel = codegen::compile({&spec, 1}, on_tape)[0];
    table_->kernel.constants = table_->kernel.kernel->prepare(bound_.parameters);
    table_->model = bound_->model;
    return table_;
  }

 private:
  int add_columns(model::Term term, model::FrameId frame = model::Model::newtonian()) {
    const int first = static_cast<int>(values_.size());
    for (const expr::Expr value : equations::lower_known(system_, term, frame)) values_.push_back(value);
    return first;
  }
  int place_of(model::PointId point) {
    int& place = places_[point.index()];
    if (place < 0) place = add_columns(model_.terms->position(point, tree_.origin_of(point)));
    return place;
  }

  void add(ForceTable::Kind kind, std::size_t constraint, std::string on, int uniqueness,
           const std::vector<model::Term>& terms, int place = -1) {
    std::vector<ForceTable::Entry>& to = kind == ForceTable::Kind::kRevealed ? table_->reveals : table_->entries;
    ForceTable::Entry entry{kind, constraint, std::move(on), static_cast<int>(values_.size()), 0, uniqueness, place};
    for (const model::Term term : terms) (void)add_columns(term, frame_);
    entry.count = static_cast<int>(values_.size()) - entry.first;
    to.push_back(std::move(entry));
  }

  void add_constraint(std::size_t c) {
    const ConstraintId id(c);
    for (const model::PointId point : model::points_of(model_, id)) {
      const int place =
          index_of(bound_->point_forces, [&](const auto& one) { return one.constraint == id && one.point == point; });
      add(ForceTable::Kind::kForce, c, model_.point(point).name, place, {model::total_force(model_, id, point)},
          place_of(point));
    }
    for (const model::FrameId frame : model::bodies_of(model_, id)) {
      const auto body = model_.frame(frame).body;
      if (!body) continue;
      const int place =
          index_of(bound_->body_wrenches, [&](const auto& one) { return one.constraint == id && one.body == frame; });
      const std::string& name = model_.body(*body).name;
      const int center = place_of(model_.body(*body).center);
      add(ForceTable::Kind::kResultant, c, name, place, {model::resultant_force(model_, id, frame)}, center);
      add(ForceTable::Kind::kCouple, c, name, place, {model::torque_on(model_, id, frame)}, center);
    }
    const model::Constraint& constraint = model_.constraints[c];
    if (constraint.law->has_named_actuators()) return;  // rows enforced by actuators have no multipliers
    const int row = index_of(system_.rows, [&](const auto& one) { return one.constraint == id; });
    std::vector<model::Term> rows;
    for (std::size_t k = 0; k < constraint.rows.size(); ++k) rows.push_back(model::row_multiplier(model_, id, k).term);
    add(ForceTable::Kind::kMultiplier, c, "", row, rows);
  }

  void add_reveal(std::size_t r) {
    const model::Reveal& reveal = model_.reveals[r];
    std::vector<model::Term> numbers;
    for (int k = 0; k < static_cast<int>(reveal.along.size()); ++k)
      numbers.push_back(model::revealed(model_, model::RevealId(r), k));
    const auto& on =
        reveal.point.is_valid() ? model_.point(reveal.point).name : model_.body(*model_.frame(reveal.body).body).name;
    add(ForceTable::Kind::kRevealed, r, on, -1, numbers);
  }

  const sim::Binding& bound_;
  const model::Model& model_;
  equations::System& system_;
  model::FrameId frame_;
  model::KinematicTree tree_;
  std::vector<int> places_;  // [points] first column of the position; −1: none yet
  std::shared_ptr<ForceTable> table_;
  std::vector<expr::Expr> values_;
};

}  // namespace

const ForceTable::Entry* ForceTable::find(Kind kind, std::string_view constraint, std::string_view on) const {
  for (const Entry& entry : entries) {
    if (entry.kind == kind && entry.on == on && model->constraints[entry.constraint].name == constraint) return &entry;
  }
  return nullptr;
}

std::vector<double> ForceTable::at(std::span<const double> numbers) const {
  std::vector<double> output(kernel.kernel->output_count()), workspace(kernel.kernel->workspace_size());
  kernel.kernel->evaluate(numbers.data(), kernel.constants.data(), output.data(), workspace.data());
  return output;
}

std::vector<double> ForceTable::at(const sim::Sample& sample) const {
  std::vector<double> numbers;
  sim::read_report_numbers(sample, numbers);
  return at(numbers);
}

bool ForceTable::is_unique(const Entry& entry, const sim::Sample& sample, int component) const {
  if (entry.kind == Kind::kRevealed)
    return std::ranges::all_of(sample.row_unique, [](char is_unique) { return is_unique != 0; });
  if (entry.uniqueness < 0) return true;
  const auto place = static_cast<std::size_t>(entry.uniqueness), at = static_cast<std::size_t>(component);
  switch (entry.kind) {
    case Kind::kForce: return sample.point_force_unique[place][at] != 0;
    case Kind::kResultant: return sample.body_wrench_unique[place].force[at] != 0;
    case Kind::kCouple: return sample.body_wrench_unique[place].couple[at] != 0;
    case Kind::kMultiplier:
    case Kind::kRevealed: break;
  }
  return sample.row_unique[place + at] != 0;
}

Forces ForceTable::forces(const sim::Sample& sample) const {
  Forces forces{to_std(sample.reaction.u_dot()),
                to_std(sample.z_dot),
                to_std(sample.reaction.lambda()),
                to_std(sample.reaction.lambda_ideal()),
                sample.row_unique,
                to_std(sample.reaction.Q_c),
                to_std(sample.reaction.Q_ideal()),
                to_std(sample.reaction.Q_nonideal),
                to_std(sample.reaction.effort),
                sample.rank,
                {},
                {}};
  const std::vector<double> values = at(sample);
  for (const Entry& entry : entries) {
    if (entry.kind != Kind::kForce && entry.kind != Kind::kCouple) continue;
    const double* first = values.data() + entry.first;
    auto& list = entry.kind == Kind::kForce ? forces.on_points : forces.on_bodies;
    list.push_back({model->constraints[entry.constraint].name,
                    entry.on,
                    {first[0], first[1], first[2]},
                    {is_unique(entry, sample, 0), is_unique(entry, sample, 1), is_unique(entry, sample, 2)}});
  }
  return forces;
}

Outcome<std::shared_ptr<const ForceTable>> make_force_table(const sim::Binding& bound, model::FrameId frame) {
  const auto system = sim::derive_all(bound->model);
  if (!system) return fail(system.error());
  return Maker(bound, **system, frame).make();
}

}  // namespace vinculum
