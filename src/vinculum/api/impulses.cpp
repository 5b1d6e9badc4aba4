#include "vinculum/api/impulses.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum {
namespace {

/// The vectors of one recorded impulse.
class Vectors {
 public:
  Vectors(const sim::CompiledModel& compiled, const sim::Impulse& impulse, const ForceTable& table)
      : compiled_(compiled),
        impulse_(impulse),
        table_(table),
        first_(static_cast<std::size_t>(1 + impulse.state.size() + compiled.nu())),
        numbers_(table.kernel.kernel->input_count(), 0.0) {
    numbers_[0] = impulse.t;
    std::ranges::copy(impulse.state, numbers_.begin() + 1);
    for (const sim::ContactImpact& one : impulse.contacts)  // also if they have opened by the impact
      nth(numbers_, 1 + compiled.nq() + compiled.nu() +
                        static_cast<int>(compiled.model->constraint(one.constraint).unilateral->closed.index())) = 1.0;
    without_ = table_.at(numbers_);
    set_rows(impulse.rows);
    normal_ = table_.at(numbers_);
    values_ = normal_;
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k] -= without_[k];
    for (std::size_t slide = 0; slide < impulse.friction.size(); ++slide) add_friction(slide);
  }

  void add_to(std::vector<ExertedImpulse>& all) {
    double size[2] = {0.0, 0.0};  // largest impulse and moment
    for (const ForceTable::Entry& entry : table_.entries)
      if (is_drawn(entry)) size[is_couple(entry)] = std::max(size[is_couple(entry)], norm(entry));
    for (const ForceTable::Entry& entry : table_.entries) {
      const bool is_moment = is_couple(entry);
      if (!is_drawn(entry) || norm(entry) <= tolerance::kZero * size[is_moment]) continue;
      ExertedImpulse one;
      one.t = impulse_.t;
      one.is_couple = is_moment;
      one.impulse.constraint = table_.model->constraints[entry.constraint].name;
      one.impulse.on = entry.on;
      for (std::size_t k = 0; k < 3; ++k) {
        one.impulse.value[k] = values_[static_cast<std::size_t>(entry.first) + k];
        one.at[k] = without_[static_cast<std::size_t>(entry.place) + k];
      }
      note_uniqueness(entry, one.impulse);
      all.push_back(std::move(one));
    }
  }

 private:
  /// Sets the multipliers and their ideal parts.
  void set_rows(const Vector& rows) {
    const auto at = numbers_.begin() + static_cast<std::ptrdiff_t>(first_);
    std::ranges::copy(rows, at);
    std::ranges::copy(rows, at + rows.size());
  }
  /// Adds the tangential impulse of a contact. The force of a unit of its direction of friction shows on which points
  /// friction acts, and in which directions.
  void add_friction(std::size_t slide) {
    const Vector& tangential = impulse_.friction[slide];
    const auto first = first_ + static_cast<std::size_t>(2 * compiled_.nc() + compiled_.effort_count() +
                                                         compiled_.system->slides[slide].first);
    for (Eigen::Index k = 0; k < tangential.size(); ++k) {
      double& direction = numbers_[first + static_cast<std::size_t>(k)];
      direction = 1.0;
      const std::vector<double> with = table_.at(numbers_);
      direction = 0.0;
      for (const ForceTable::Entry& entry : table_.entries) {
        Eigen::Vector3d change;
        if (!is_drawn(entry)) continue;
        for (int c = 0; c < 3; ++c) change[c] = nth(with, entry.first + c) - nth(normal_, entry.first + c);
        const double size = change.norm();
        for (int c = 0; c < 3 && size > 0.0; ++c) nth(values_, entry.first + c) -= tangential[k] * change[c] / size;
      }
    }
  }
  [[nodiscard]] static bool is_couple(const ForceTable::Entry& entry) {
    return entry.kind == ForceTable::Kind::kCouple;
  }
  [[nodiscard]] static bool is_drawn(const ForceTable::Entry& entry) {
    return entry.kind == ForceTable::Kind::kForce || entry.kind == ForceTable::Kind::kCouple;
  }
  [[nodiscard]] double norm(const ForceTable::Entry& entry) const {
    return Eigen::Map<const Eigen::Vector3d>(values_.data() + entry.first).norm();
  }
  /// A component is not unique if a row with such an impulse contributes to it.
  void note_uniqueness(const ForceTable::Entry& entry, Exerted& exerted) {
    for (int row = 0; row < compiled_.nc(); ++row) {
      if (nth(impulse_.unique, row) != 0 || nth(compiled_.system->rows, row).constraint.index() != entry.constraint)
        continue;
      set_rows(Vector::Unit(compiled_.nc(), row));
      const std::vector<double> of_row = table_.at(numbers_);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto at = static_cast<std::size_t>(entry.first) + k;
        if (std::abs(of_row[at] - without_[at]) > tolerance::kUnique) exerted.is_unique[k] = false;
      }
    }
  }

  const sim::CompiledModel& compiled_;
  const sim::Impulse& impulse_;
  const ForceTable& table_;
  const std::size_t first_;                        // place of the first multiplier in `numbers_`
  std::vector<double> numbers_;                    // values of the symbols of a report
  std::vector<double> without_, normal_, values_;  // columns without impulses, without and with those of friction
};

}  // namespace

bool has_impulses(const sim::Trajectory& run) {
  return std::ranges::any_of(run.events, [](const auto& one) { return std::holds_alternative<sim::Impulse>(one); });
}

std::string unit_of_impulse(const model::Model& model, bool is_couple) {
  if (!model.has_units) return "";
  return is_couple ? "N*m*s" : "N*s";
}

std::vector<ExertedImpulse> impulses_of(const sim::CompiledModel& compiled, const sim::Trajectory& run,
                                        const ForceTable& table) {
  std::vector<ExertedImpulse> all;
  for (const sim::RunEvent& event : run.events)
    if (const auto* impulse = std::get_if<sim::Impulse>(&event)) Vectors(compiled, *impulse, table).add_to(all);
  std::ranges::stable_sort(all, {}, &ExertedImpulse::t);
  return all;
}

report::Table impulses_table(const model::Model& model, std::vector<ExertedImpulse> impulses) {
  const std::string length = model.has_units ? "m" : "1", time = model.has_units ? "s" : "1";
  const std::size_t rows = impulses.size();
  return {{{"t", time},
           {"constraint"},
           {"on"},
           {"kind"},
           {"x", length},
           {"y", length},
           {"z", length},
           {"p.x"},
           {"p.y"},
           {"p.z"},
           {"unit"},
           {"unique"}},
          rows,
          [all = std::move(impulses), units = std::array{unit_of_impulse(model, false), unit_of_impulse(model, true)}](
              std::size_t row, std::size_t column) -> report::Node::Value {
            const ExertedImpulse& one = all[row];
            const auto& unique = one.impulse.is_unique;
            switch (column) {
              case 0: return one.t;
              case 1: return one.impulse.constraint;
              case 2: return one.impulse.on;
              case 3: return std::string(one.is_couple ? "moment" : "impulse");
              case 4:
              case 5:
              case 6: return one.at[column - 4];
              case 7:
              case 8:
              case 9: return one.impulse.value[column - 7];
              case 10: return units[one.is_couple ? 1 : 0];
              default: return std::int64_t{unique[0] && unique[1] && unique[2] ? 1 : 0};
            }
          }};
}

}  // namespace vinculum
