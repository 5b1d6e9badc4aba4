#pragma once

#include "vinculum/api/force_table.hpp"
#include "vinculum/run/simulate.hpp"

/// From motions to `vinculum-scene/1` (docs/report.md).
namespace vinculum {

/// A motion to be drawn.
struct SceneMotion {
  std::string name;
  const sim::Binding* bound = nullptr;
  const sim::Trajectory* run = nullptr;
  std::shared_ptr<const ForceTable> forces;
  std::optional<Energy> energy = {};
};

/// What stands on the page beside the motions, as JSON or text; empty where there is none.
struct SceneFacts {
  std::string explained, audited, compared;  ///< JSON
  std::string latex;                         ///< of `derive`
};

/// Seconds between samples that are close enough to be thinned for a drawing.
[[nodiscard]] double scene_step(const sim::SimulateOptions& options);
/// \pre motions are of one model under several laws or formulations; one or more, each with samples.
[[nodiscard]] Result<Scene> make_scene(const std::vector<SceneMotion>& motions, const SceneFacts& facts,
                                       SceneSamples samples = SceneSamples::kFewest);

}  // namespace vinculum
