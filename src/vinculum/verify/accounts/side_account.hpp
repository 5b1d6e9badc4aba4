#pragma once

#include <optional>
#include <vector>

#include "vinculum/expr/enclosure.hpp"
#include "vinculum/hybrid/contacts.hpp"
#include "vinculum/run/side_balance.hpp"
#include "vinculum/run/sink.hpp"
#include "vinculum/run/stretch_limits.hpp"

namespace vinculum::sim {

/// Checks the discrete state of a motion (theory.md §10.5). No switching function may have a sign that contradicts the
/// region in force, and contacts that stick or slip must satisfy the conditions of that state. Every stretch is sampled
/// at its end and at interior instants that depend neither on the stages nor on event sources.
///
/// If the dense output violates a condition, a separate step to the same instant must violate it too, because the dense
/// output is one order less accurate than the steps. Instants closer to an event than its time resolution are skipped,
/// because the event may be located that far from its switching surface.
class SideAccount final : public Sink {
 public:
  /// \param before  result up to the sample before the last. If a run stops, the region at its end may have no motion.
  SideAccount(std::optional<SideBalance>& balance, std::optional<SideBalance>& before)
      : balance_(balance), before_(before) {}
  void sample(const Sample&) override;
  void passed(const Stretch& stretch) override;

 private:
  using Miss = SideBalance::Miss;
  void begin(const Stretch& stretch);
  void take_sides(const Stretch& stretch);
  void set_limits(const Stretch& stretch);
  void look_at(const Stretch& stretch, double t, double nearby);
  void see(const Stretch& stretch, double t, std::size_t thing, double nearby);
  void evaluate(double t);
  [[nodiscard]] double beyond(const Stretch& stretch, double t, std::size_t thing);
  [[nodiscard]] double beyond_surface(std::size_t surface) const;
  [[nodiscard]] double beyond_slide(const Stretch& stretch, double t, std::size_t slide);
  void note_size(const Stretch& stretch, std::size_t thing);
  [[nodiscard]] double doubt(const Stretch& stretch, double t, std::size_t thing);
  [[nodiscard]] std::vector<Miss>& entries(std::size_t thing, std::size_t& at);

  std::optional<SideBalance>&balance_, &before_;
  std::optional<SideBalance> at_sample_;  ///< value of `balance_` at the last sample
  StretchLimits limits_;
  const Watches* watches_ = nullptr;
  std::optional<expr::Enclosure> program_;
  std::vector<double> sides_;    ///< regions in force along the current stretch (truth values), as inputs of kernels
  std::vector<double> begun_;    ///< [surfaces] regions at the begin of a stretch without a region in force
  std::vector<double> largest_;  ///< [surfaces, then contacts] largest magnitudes so far of the compared quantities
  std::vector<double> inputs_;
  std::vector<ContactRow> contacts_;
  std::size_t surfaces_ = 0, slides_ = 0;
  std::vector<char> slides_that_act_;  ///< [slides] see `acting_slides`, in the present stretch
  Vector y_, limit_, v_, size_;
  FrictionReading reading_;
};

}  // namespace vinculum::sim
