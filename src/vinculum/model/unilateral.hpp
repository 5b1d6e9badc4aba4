#pragma once

#include <optional>

#include "vinculum/model/friction_force.hpp"
#include "vinculum/model/joint.hpp"

namespace vinculum::model {

/// Lets a constraint act only while its gap is closed. Adds the state `closed(NAME)` and the event that closes the gap.
/// \param properties  of the contact; the function sets the member `closed`
/// \pre the constraint has one row, which is the gap
void make_unilateral(ModelBuilder& builder, ConstraintId id, Unilateral properties);

/// Adds the unilateral constraint of one place of a joint `contact`.
/// \param dimension  of the gap, as stored in the model
/// \param friction  Coulomb friction between the two bodies; nothing: none
/// \param friction_range  of the clause `friction`
ConstraintId add_contact(ModelBuilder& builder, const ContactPlace& place, const Dimension& dimension,
                         const Unilateral& properties, const std::optional<FrictionCoefficients>& friction,
                         SourceRange range = {}, SourceRange friction_range = {}, std::string text = {});

}  // namespace vinculum::model
