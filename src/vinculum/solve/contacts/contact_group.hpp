#pragma once

#include <utility>
#include <vector>

#include "vinculum/solve/contacts/contact_problem.hpp"

namespace vinculum::solve {

/// Values of a contact problem that are known before the modes of the contacts are known.
struct KnownForces {
  std::vector<char> is_varying;  ///< [contacts] 1 if the bound depends on unknown forces
  std::vector<char> is_known;    ///< [contacts] 1 if the contact slides with a known bound, so that its force is known
  std::vector<double> bound;     ///< [contacts] friction bound g if it is known
  std::vector<Vector> normal;    ///< [contacts] direction of the normal force if it is known
  Vector x;                      ///< [n] known forces, 0 for unknown forces
};
[[nodiscard]] KnownForces known_forces(const ContactProblem& problem);

/// Searches for the valid modes of a group of contacts whose forces affect each other's motion (contact_problem.hpp).
class ContactGroup {
 public:
  explicit ContactGroup(const ContactProblem& problem) : problem_(problem), known_(known_forces(problem)) {}
  [[nodiscard]] ContactAnswers solve();

 private:
  static constexpr int kStartsOfDirection = 4;    ///< starts per sliding direction if several directions are unknown
  static constexpr double kMostSearches = 500.0;  ///< modes times starts, of unilateral contacts in space

  /// Response of one contact to its own tangential force x_t, with given modes of all other contacts: rate of the
  /// sliding velocity w_t = w0 + K x_t, normal force n0 + ν·x_t.
  struct Response {
    Vector w0;
    Matrix K;
    double n0 = 0.0;
    Vector nu;
  };

  [[nodiscard]] const Contact& contact(std::size_t c) const { return problem_.contacts[c]; }
  [[nodiscard]] std::size_t count() const { return problem_.contacts.size(); }
  [[nodiscard]] std::vector<Vector> normals_of(std::size_t c) const;
  [[nodiscard]] ContactModes assumed() const;
  [[nodiscard]] std::pair<int, double> moves_with(std::size_t c) const;
  [[nodiscard]] double count_modes();
  void try_all(std::size_t c, const ContactModes& modes);
  void try_in_line(std::size_t c, const ContactModes& modes, ContactModes next);
  void try_modes(const ContactModes& modes);
  [[nodiscard]] ContactModes against_sticking(const std::vector<std::size_t>& turning, const ContactModes& modes) const;
  [[nodiscard]] bool has_likely_normals(const ContactModes& modes) const;
  [[nodiscard]] std::vector<std::size_t> unknown_directions(const ContactModes& modes) const;
  [[nodiscard]] Response response_of(std::size_t c, const ContactModes& modes) const;
  [[nodiscard]] std::vector<Vector> directions_of(std::size_t c, const ContactModes& modes) const;
  [[nodiscard]] bool turn_all(const std::vector<std::size_t>& turning, ContactModes& modes) const;
  [[nodiscard]] double turn_each(const std::vector<std::size_t>& turning, ContactModes& modes) const;
  [[nodiscard]] bool polish(const std::vector<std::size_t>& turning, ContactModes& modes) const;
  [[nodiscard]] bool solve_convex();
  [[nodiscard]] bool sweep(const std::vector<double>& bound, Vector& x, int most) const;
  [[nodiscard]] bool take_convex(const Vector& x, const std::vector<double>& bound);
  void add_neighbors(const ContactAnswer& answer);
  [[nodiscard]] bool solve_by_sweeps();
  [[nodiscard]] ContactModes sticking_modes(const Vector& x, const Vector& w) const;
  [[nodiscard]] bool try_swept(ContactModes modes);
  [[nodiscard]] bool has_few_modes();
  void iterate_bounds();
  void prefer_sticking();
  void add(ContactAnswer answer);

  const ContactProblem& problem_;
  KnownForces known_;
  std::vector<std::pair<int, double>> tied_;  // [contacts] result of `moves_with`
  std::vector<ContactAnswer> answers_;
  bool is_complete_ = true;  // false if several unknown directions were sought from a limited number of starts
};

}  // namespace vinculum::solve
