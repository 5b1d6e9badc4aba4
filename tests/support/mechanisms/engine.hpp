#pragma once

#include <map>
#include <string>

#include "support/mechanisms/oracle.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum::mechanisms {

/// A quantity requested from the engine by an output.
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
  int point = -1, body = -1;  ///< the point or body of the request
  std::string contact = {};   ///< ".P" or ".Q": a contact point
  LinearVector along = {};    ///< direction of a component
  int frame = 0;              ///< frame of a vector's measure numbers
  int k = 0;                  ///< index of an effort or of a revealed component
};
struct Answer {
  Asked asked;
  std::vector<double> values;
  std::vector<char> is_unique;  ///< per entry
};
/// Uniqueness flags of an API with one flag per vector, and of one with a flag per component.
inline bool flag_of(bool whole, std::size_t) { return whole; }
inline bool flag_of(const std::array<bool, 3>& each, std::size_t k) { return each[k]; }
/// A request that the engine rejected.
struct Refusal {
  std::string kind, message, about;
  Asked asked;
};

/// The engine's results for a mechanism.
struct Reading {
  std::string error_kind, error_message;  ///< if the model or its motion was rejected
  State state;  ///< q in the order of the mechanism's coordinates, u and u' in that of its speeds
  Forces forces;
  std::vector<Answer> answers;
  std::vector<Refusal> refused;                      ///< rejected outputs
  std::map<std::string, std::vector<double>> u_dot;  ///< by formulation
  std::map<std::string, std::string> stopped;        ///< by formulation
  std::vector<std::size_t> place_of_speed;           ///< [speeds of the mechanism] index in the engine's list
  std::string text;
  [[nodiscard]] bool has_motion() const { return error_kind.empty(); }
};

/// All requests: forces and torques on everything that a constraint acts on, multipliers, efforts, revealed forces.
[[nodiscard]] std::vector<Asked> questions_about(const Mechanism& mechanism, const Structure& structure);
[[nodiscard]] Question question_of(const Mechanism& mechanism, const Asked& asked, std::size_t number);
[[nodiscard]] Reading read(const Mechanism& mechanism, const Structure& structure);

}  // namespace vinculum::mechanisms
