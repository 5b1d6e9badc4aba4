#include "vinculum/hybrid/played_inputs.hpp"

#include <algorithm>
#include <limits>

namespace vinculum::sim {

InputPlaces places_of(const CompiledModel& compiled, std::size_t input) {
  const model::Input& one = compiled.model->inputs[input];
  const Eigen::Index first = compiled.nq() + compiled.nu();
  return {first + static_cast<Eigen::Index>(one.given.index()), first + static_cast<Eigen::Index>(one.rate.index()),
          one.own.is_valid() ? first + static_cast<Eigen::Index>(one.own.index()) : -1};
}

void hold_input(const InputPlaces& places, double value, Vector& y) {
  y[places.given] = value;
  y[places.rate] = 0.0;
  if (places.own >= 0) y[places.own] = 0.0;
}

PlayedInputs::PlayedInputs(const CompiledModel& compiled, std::span<const InputRecord> records) {
  for (const InputRecord& record : records) played_.push_back({&record, places_of(compiled, record.input)});
}

double PlayedInputs::slope(const InputRecord& record, std::size_t row) {
  if (!record.is_linear || row + 1 >= record.t.size()) return 0.0;
  return (record.value[row + 1] - record.value[row]) / (record.t[row + 1] - record.t[row]);
}

/// Rows that change nothing are passed over, so that no step ends there.
void PlayedInputs::find_next(Played& played) {
  const InputRecord& record = *played.record;
  played.next = played.row + 1;
  const auto is_change = [&](std::size_t row) {
    return record.is_linear ? slope(record, row) != slope(record, row - 1) : record.value[row] != record.value[row - 1];
  };
  while (played.next < record.t.size() && !is_change(played.next)) ++played.next;
}

void PlayedInputs::set(const Played& played, double t, Vector& y) {
  const InputRecord& record = *played.record;
  const double rate = slope(record, played.row);
  hold_input(played.places, record.value[played.row] + rate * (t - record.t[played.row]), y);
  y[played.places.rate] = rate;
}

void PlayedInputs::begin(double t, double same, Vector& y) {
  for (Played& played : played_) {
    const std::vector<double>& times = played.record->t;
    const auto after = std::ranges::upper_bound(times, t + same);
    played.row = after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
    set(played, std::max(t, times[played.row]), y);
    find_next(played);
  }
}

double PlayedInputs::next_time() const {
  double next = std::numeric_limits<double>::infinity();
  for (const Played& played : played_)
    if (played.next < played.record->t.size()) next = std::min(next, played.record->t[played.next]);
  return next;
}

bool PlayedInputs::apply(double t, double same, Vector& y) {
  bool is_any = false;
  for (Played& played : played_) {
    const std::vector<double>& times = played.record->t;
    bool changes = false;
    for (; played.next < times.size() && times[played.next] <= t + same; changes = true) {
      played.row = played.next;
      find_next(played);
    }
    if (!changes) continue;
    set(played, times[played.row], y);
    is_any = true;
  }
  return is_any;
}

}  // namespace vinculum::sim
