#include "vinculum/api/streams.hpp"

#include <utility>

#include "vinculum/api/results.hpp"
#include "vinculum/api/shared.hpp"

namespace vinculum {

Result<std::unique_ptr<Streams>> Streams::begin(Results& results, const sim::CompiledModel& plant,
                                                std::optional<sim::EnergyAccount>& account) {
  std::unique_ptr<Streams> streams(new Streams(plant));
  auto& begun = results.own().begun;
  begun.clear();
  const auto begin_file = [&](const char* name) -> Result<std::shared_ptr<files::Unfinished>> {
    auto file = results.own().folder.begin();
    if (!file) return wrong_call(std::move(file.error()));
    return begun[name] = *std::move(file);
  };
  auto file = begin_file(kTrajectoryFile);
  if (!file) return Unexpected<Error>{file.error()};
  streams->trajectory_ = *file;
  streams->rows_.emplace((*file)->stream(), streams->columns_, *plant.model);
  if (!account) return streams;
  file = begin_file(kEnergyFile);
  if (!file) return Unexpected<Error>{file.error()};
  streams->energy_ = *file;
  streams->energy_rows_.emplace((*file)->stream(), *account, *plant.model);
  account->hand_to([rows = &*streams->energy_rows_](const sim::EnergyAccount::Row& row) { rows->write(row); });
  return streams;
}

void Streams::follow(sim::SimulateOptions& options) {
  options.sinks.push_back(&*rows_);
  options.keeps_samples = false;
  options.is_interrupted = [this, asked = std::move(options.is_interrupted)] {
    return has_failed() || (asked && asked());
  };
}

bool Streams::has_failed() const { return trajectory_->has_failed() || (energy_ && energy_->has_failed()); }

}  // namespace vinculum
