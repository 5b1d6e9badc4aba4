#include "vinculum/api/load_account.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/api/shared.hpp"

namespace vinculum {
namespace {

constexpr int kPlaces = 16;      // parts of the time between two states, at whose ends the polynomial is evaluated
constexpr int kNarrowings = 4;   // times that the neighborhood of a largest value is searched again
constexpr double kNear = 0.999;  // part of the largest value so far that a neighborhood must reach to be searched

}  // namespace

LoadAccount::LoadAccount(std::shared_ptr<const ForceTable> table, const std::string& frame) : table_(std::move(table)) {
  for (const ForceTable::Entry& entry : table_->entries) {
    const bool is_force = entry.kind == ForceTable::Kind::kForce;
    if (is_force || entry.kind == ForceTable::Kind::kCouple)
      add(entry, table_->model->constraints[entry.constraint].name, is_force, frame);
  }
  for (const ForceTable::Entry& entry : table_->reveals) {
    const model::Reveal& reveal = table_->model->reveals[entry.constraint];
    add(entry, reveal.name, reveal.point.is_valid(), "");
  }
}

void LoadAccount::add(const ForceTable::Entry& entry, const std::string& name, bool is_force,
                      const std::string& frame) {
  entries_.push_back(&entry);
  Sums& sums = sums_.emplace_back();
  sums.most.fill(-std::numeric_limits<double>::infinity());
  sums.load.constraint = name;
  sums.load.on = entry.on;
  sums.load.kind = is_force ? "force" : "torque";
  sums.load.frame = frame;
}

LoadAccount::Instant LoadAccount::instant_of(const sim::Sample& sample) const {
  return {sample.t, state_of(sample), table_->at(sample)};
}

LoadAccount::Measures LoadAccount::measures_of(const Components& v) {
  return {std::hypot(v[0], v[1], v[2]), v[0], v[1], v[2], -v[0], -v[1], -v[2]};
}

void LoadAccount::see(Sums& sums, double t, const Components& value, const State& state) const {
  const Measures here = measures_of(value);
  if (here[0] > sums.most[0]) {
    sums.load.t = t;
    sums.load.at_peak = value;
    sums.load.pose = state;
  }
  for (std::size_t k = 0; k < here.size(); ++k) sums.most[k] = std::max(sums.most[k], here[k]);
}

void LoadAccount::see(const Instant& at) {
  for (std::size_t i = 0; i < entries_.size(); ++i) see(sums_[i], at.t, components_of(i, at), at.state);
}

LoadAccount::Components LoadAccount::components_of(std::size_t i, const Instant& at) const {
  const ForceTable::Entry& entry = *entries_[i];
  Components value{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(entry.count); ++k)
    value[k] = at.values[static_cast<std::size_t>(entry.first) + k];
  return value;
}

void LoadAccount::note_uniqueness(const sim::Sample& sample) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const ForceTable::Entry& entry = *entries_[i];
    for (int k = 0; k < entry.count; ++k)
      if (!table_->is_unique(entry, sample, k)) sums_[i].load.is_unique = false;
  }
}

void LoadAccount::state(const sim::Sample& sample) {
  search(sample.t);
  note_uniqueness(sample);
  see(instant_of(sample));
  t_last_ = sample.t;
}

void LoadAccount::jumped(const sim::Sample& before, const sim::Sample& after) {
  for (const sim::Sample* one : {&before, &after}) {
    note_uniqueness(*one);
    see(instant_of(*one));
  }
}

void LoadAccount::node(const sim::Sample& sample, double weight) {
  note_uniqueness(sample);
  Instant& at = nodes_.emplace_back(instant_of(sample));
  see(at);
  duration_ += weight;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Components value = components_of(i, at);
    const double size = measures_of(value)[0];
    sums_[i].of_size += weight * size;
    sums_[i].of_square += weight * size * size;
    for (std::size_t k = 0; k < value.size(); ++k) sums_[i].of_vector[k] += weight * value[k];
  }
}

LoadAccount::Place LoadAccount::place_at(double t) const {
  Place place{t, std::vector<double>(nodes_.size(), 1.0)};  // values of Lagrange's polynomials
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    for (std::size_t j = 0; j < nodes_.size(); ++j)
      if (i != j) place.weights[i] *= (t - nodes_[j].t) / (nodes_[i].t - nodes_[j].t);
  return place;
}

LoadAccount::Components LoadAccount::value_at(std::size_t i, const Place& place) const {
  Components value{};
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const Components here = components_of(i, nodes_[node]);
    for (std::size_t k = 0; k < value.size(); ++k) value[k] += place.weights[node] * here[k];
  }
  return value;
}

const State& LoadAccount::state_near(double t) const {
  return std::ranges::min_element(nodes_, {}, [&](const Instant& node) { return std::abs(node.t - t); })->state;
}

void LoadAccount::search(double t_end) {
  if (nodes_.size() > 1 && t_end > t_last_) {
    const double step = (t_end - t_last_) / kPlaces;
    std::vector<Place> places;
    for (int place = 0; place <= kPlaces; ++place) places.push_back(place_at(t_last_ + place * step));
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      Measures most;
      most.fill(-std::numeric_limits<double>::infinity());
      std::array<double, most.size()> at{};
      for (const Place& place : places) {
        const Components value = value_at(i, place);
        const Measures here = measures_of(value);
        for (std::size_t k = 0; k < here.size(); ++k) {
          if (!(here[k] > most[k])) continue;
          most[k] = here[k];
          at[k] = place.t;
        }
        see(sums_[i], place.t, value, state_near(place.t));
      }
      for (std::size_t k = 0; k < most.size(); ++k) {
        const double known = sums_[i].most[k], slack = (1.0 - kNear) * std::max(std::abs(known), sums_[i].most[0]);
        if (most[k] >= known - slack) narrow(i, k, std::max(t_last_, at[k] - step), std::min(t_end, at[k] + step));
      }
    }
  }
  nodes_.clear();
}

/// Searches for the largest value of one measure between two times near it.
void LoadAccount::narrow(std::size_t i, std::size_t measure, double from, double to) {
  for (int narrowing = 0; narrowing < kNarrowings; ++narrowing) {
    double most = -std::numeric_limits<double>::infinity(), best = from;
    const double first = from, last = to, step = (to - from) / kPlaces;
    for (int k = 0; k <= kPlaces; ++k) {
      const Place place = place_at(from + k * step);
      const Components value = value_at(i, place);
      see(sums_[i], place.t, value, state_near(place.t));
      if (const double here = measures_of(value)[measure]; here > most) {
        most = here;
        best = place.t;
      }
    }
    from = std::max(first, best - step);
    to = std::min(last, best + step);
  }
}

std::vector<Load> LoadAccount::loads() const {
  std::vector<Load> all;
  for (const Sums& sums : sums_) {
    Load load = sums.load;
    load.peak = std::max(sums.most[0], 0.0);
    for (std::size_t k = 0; k < load.least.size() && std::isfinite(sums.most[0]); ++k) {
      load.largest[k] = sums.most[1 + k];
      load.least[k] = 0.0 - sums.most[4 + k];  // not −0
    }
    if (duration_ > 0.0) {
      load.mean = sums.of_size / duration_;
      load.rms = std::sqrt(sums.of_square / duration_);
      for (std::size_t k = 0; k < load.mean_vector.size(); ++k) load.mean_vector[k] = sums.of_vector[k] / duration_;
    }
    all.push_back(std::move(load));
  }
  return all;
}

}  // namespace vinculum
