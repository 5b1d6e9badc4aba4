#pragma once

#include <optional>
#include <vector>

#include "vinculum/expr/enclosure.hpp"
#include "vinculum/run/side_balance.hpp"
#include "vinculum/run/sink.hpp"
#include "vinculum/run/stretch_limits.hpp"

namespace vinculum::sim {

/// Sees on which side of what its equations switch at a motion is, and whether what sticks or slides may, at instants
/// within every stretch of it that neither the steps' stages nor event sources have chosen, and at its end (theory.md
/// §10.5).
///
/// Where the dense output lies beyond, a step to that instant has to, too: the former is an order below the steps.
/// Within the last places of an event nothing is looked at, as it may be met so far from its surface.
class SideAccount final : public Sink {
 public:
  /// \param before  the same up to the sample before the last: a stop may be where sides cease to have a motion.
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
  std::optional<SideBalance> at_sample_;  ///< the last one
  StretchLimits limits_;
  const Watches* watches_ = nullptr;
  std::optional<expr::Enclosure> program_;
  std::vector<double> sides_;    ///< as kernels have them, of the stretch at hand
  std::vector<double> begun_;    ///< [surfaces] side of the first instant, where none is in force
  std::vector<double> largest_;  ///< [surfaces, then slides] sizes so far
  std::vector<double> inputs_;
  std::size_t surfaces_ = 0, slides_ = 0;
  Vector y_, limit_, v_, size_;
  FrictionReading reading_;
};

}  // namespace vinculum::sim
