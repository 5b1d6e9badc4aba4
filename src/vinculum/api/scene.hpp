#pragma once

#include "vinculum/api/force_table.hpp"
#include "vinculum/run/simulate.hpp"

/// Writes motions in the format `vinculum-scene/1` (docs/report.md).
namespace vinculum {

/// One motion to be drawn.
struct SceneMotion {
  std::string name;
  const sim::Binding* bound = nullptr;
  const sim::Trajectory* run = nullptr;
  std::shared_ptr<const ForceTable> forces;
  std::optional<Energy> energy = {};
};

/// Content of the page in addition to the motions; each text is empty if there is none.
struct SceneFacts {
  std::string explained, audited, compared;  ///< JSON
  std::string latex;                         ///< equations of motion from `derive`
};

/// Sampling interval [s] for a motion of which the drawing will use only some samples.
[[nodiscard]] double scene_step(const sim::SimulateOptions& options);
/// Makes the scene of one or more motions.
/// \pre the motions are of the same model, for example under several reaction laws, and each has samples.
[[nodiscard]] Result<Scene> make_scene(const std::vector<SceneMotion>& motions, const SceneFacts& facts,
                                       SceneSamples samples = SceneSamples::kFewest);

}  // namespace vinculum
