// Checks the gaps and forces of unilateral constraints.
#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

/// One unilateral constraint at one instant.
struct Contact {
  const model::Constraint& constraint;
  std::size_t row;  ///< in System::rows
  bool is_closed;   ///< by its state
};

std::vector<Contact> contacts_at(const Evidence& e) {
  std::vector<Contact> contacts;
  for (std::size_t i = 0; i < e.model.constraints.size(); ++i) {
    const model::Constraint& constraint = e.model.constraints[i];
    if (!constraint.unilateral) continue;
    const bool is_closed = nth(e.sample.z, constraint.unilateral->closed.index()) > 0.5;
    contacts.push_back({constraint, e.first_row(model::ConstraintId(i)), is_closed});
  }
  return contacts;
}

}  // namespace

GapSize size_of_gap(const Case& of, Evidence& e, model::Term gap) {
  GapSize size;
  for (std::size_t i = 0; i < e.model.coordinates.size(); ++i) {
    const model::Term by = e.model.terms->coordinate(model::CoordinateId(i), 0);
    size.gap += std::abs(e.now().series(e.model.terms->partial(gap, by)).value().value) * nth(of.scales.q, i);
  }
  size.rate = std::abs(e.rest().series(gap).derivative(1).value);
  for (std::size_t r = 0; r < e.model.speeds.size(); ++r)
    size.rate += std::abs(e.unit(r).series(gap).derivative(1).value) * nth(of.scales.u, r);
  return size;
}

AuditLine audit_gaps(const Case& of) {
  Judge judge("no gap is negative; the gap of a closed contact is 0, and so is its rate", "10.3",
              "residual of a projection, and the error of a step at the run's tolerance");
  for (const auto& evidence : of.evidence) {
    Evidence& e = *evidence;
    for (const Contact& contact : contacts_at(e)) {
      const std::string& name = contact.constraint.name;
      const model::Series gap = e.now().series(contact.constraint.rows.front());
      const GapSize size = size_of_gap(of, e, contact.constraint.rows.front());
      judge.see(e.acts(contact.row) == contact.is_closed ? 0.0 : 1.0, 1.0, e.sample.t, name + ", acts while open");
      if (contact.is_closed) {
        judge.see(gap.value(), size.gap, e.sample.t, name + ", gap while closed", tolerance::kStagnation * size.gap);
        judge.see(gap.derivative(1), size.rate, e.sample.t, name + ", rate of the gap while closed",
                  tolerance::kStagnation * size.rate);
      } else {
        const Rounded below{std::min(gap.value().value, 0.0), gap.value().error};
        judge.see(below, size.gap, e.sample.t, name + ", negative gap",
                  tolerance::kDoubt * of.trajectory.tolerance * size.gap);
      }
    }
  }
  return judge.verdict();
}

AuditLine audit_contact_forces(const Case& of) {
  Judge judge("contacts only push: forces of closed contacts are not negative, those of open contacts are 0", "10.3",
              "conditioning of the solve, and the error of a step at the run's tolerance");
  for (const auto& evidence : of.evidence) {
    Evidence& e = *evidence;
    const Vector unit = e.at.units(), forces = e.at.sizes();
    const double whole = forces.size() > 0 ? forces.cwiseProduct(unit).maxCoeff() : 0.0;
    for (const Contact& contact : contacts_at(e)) {
      const Rounded lambda = nth(e.at.lambda, contact.row);
      const double length =
          values_of(e.at.A.row(static_cast<Eigen::Index>(contact.row))).cwiseProduct(unit.transpose()).norm();
      if (!contact.is_closed) {
        judge.see(lambda.value, std::abs(lambda.value), e.sample.t, contact.constraint.name + ", force while open");
        continue;
      }
      const double size = std::abs(lambda.value) + (length > 0.0 ? whole / length : 0.0);
      judge.see({std::min(lambda.value, 0.0), lambda.error}, size, e.sample.t,
                contact.constraint.name + ", pulls while closed",
                std::max(tolerance::kConditioned, tolerance::kDoubt * of.trajectory.tolerance) * size);
    }
  }
  judge.where_nothing("no contact is closed at the instants of the audit");
  return judge.verdict();
}

}  // namespace vinculum::audit
