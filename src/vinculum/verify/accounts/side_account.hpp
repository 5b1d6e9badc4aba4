#pragma once

#include <optional>
#include <vector>

#include "vinculum/expr/enclosure.hpp"
#include "vinculum/run/side_balance.hpp"
#include "vinculum/run/sink.hpp"
#include "vinculum/run/stretch_limits.hpp"

namespace vinculum::sim {

/// Checks the discrete state of a motion (theory.md §10.5): that no switching function has the other sign than the
/// region in force, and that contacts that stick or slip may do so. It samples every stretch at interior instants that
/// were chosen neither by stages nor by event sources, and at its end.
///
/// If the dense output violates a condition, a step to the same instant must violate it too, because the dense output
/// is one order less accurate. Instants within the time resolution of an event are skipped: the event may be located
/// that far from its surface.
class SideAccount final : public Sink {
 public:
  /// \param before  result up to the sample before the last: at a stop the region may have no motion.
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
  std::vector<double> sides_;    ///< of the regions in force along the current stretch, as inputs of the kernels
  std::vector<double> begun_;    ///< [surfaces] side at the first instant of a stretch, if no region is in force
  std::vector<double> largest_;  ///< [surfaces, then contacts] largest magnitudes so far
  std::vector<double> inputs_;
  std::size_t surfaces_ = 0, slides_ = 0;
  Vector y_, limit_, v_, size_;
  FrictionReading reading_;
};

}  // namespace vinculum::sim
