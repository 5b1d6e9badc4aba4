#pragma once

#include <map>
#include <string>

#include "support/mechanisms/oracle.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum::mechanisms {

/// One thing that is asked of the engine by an output.
struct Asked {
  enum class What {
    kForce,
    kIdealForce,
    kNonidealForce,
    kReaction,
    kForceAlong,
    kResultant,
    kTorque,
    kTorqueAlong,
    kMultiplier,
    kEffort,
    kGeneralized,
    kReveal,
    kGroundForce,
    kGroundTorque,
    kGroundResultant
  } what = What::kForce;
  int constraint = -1;
  int point = -1, body = -1;  ///< the point or body asked about
  std::string contact = {};   ///< ".P" or ".Q": a contact's point
  LinearVector along = {};    ///< of a component
  int frame = 0;              ///< of a vector's measure numbers
  int k = 0;                  ///< effort; reveal
};
struct Answer {
  Asked asked;
  std::vector<double> values;
  std::vector<char> is_unique;  ///< by entry
};
/// Flags of an API that has one for a whole vector, and of one that has them by component.
inline bool flag_of(bool whole, std::size_t) { return whole; }
inline bool flag_of(const std::array<bool, 3>& each, std::size_t k) { return each[k]; }
/// Something that the engine would not answer.
struct Refusal {
  std::string kind, message, about;
  Asked asked;
};

/// What the engine says of a mechanism.
struct Reading {
  std::string error_kind, error_message;  ///< of a model or a motion that is refused
  State state;                            ///< q by the mechanism's coordinates, u and u' by its speeds
  Forces forces;
  std::vector<Answer> answers;
  std::vector<Refusal> refused;                      ///< outputs
  std::map<std::string, std::vector<double>> u_dot;  ///< by formulation
  std::map<std::string, std::string> stopped;        ///< by formulation
  std::vector<std::size_t> place_of_speed;           ///< [speeds of the mechanism] in the engine's list
  std::string text;
  [[nodiscard]] bool has_motion() const { return error_kind.empty(); }
};

/// Asks for everything: forces and torques on all that the constraint acts on, multipliers, efforts, revealed forces.
[[nodiscard]] std::vector<Asked> questions_about(const Mechanism& mechanism, const Structure& structure);
[[nodiscard]] Question question_of(const Mechanism& mechanism, const Asked& asked, std::size_t number);
[[nodiscard]] Reading read(const Mechanism& mechanism, const Structure& structure);

}  // namespace vinculum::mechanisms
