#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/elaborate/statements/elaborate.hpp"
#include "vinculum/lang/law_list.hpp"

/// Creates variants of a model under several reaction laws. The law clauses of its constraints are replaced in the
/// syntax tree, before elaboration. So every law is read, checked and diagnosed as if the model text contained it.
namespace vinculum::compare {

/// A law with one value for each of its arguments.
struct LawVariant {
  struct Argument {
    std::string word;  ///< "kappa", "mu"
    int order = 0;     ///< number of primes after the word: order of the derivative
    std::shared_ptr<const lang::Expression> value;
  };
  std::string name;  ///< name as shown, for example "NAME(kappa=100)"
  std::string law;   ///< a word of the table of laws, or "stated"
  std::vector<Argument> arguments;
  diag::SourceRange range;  ///< position of the law in the list
};

/// Variants of one law with increasing or decreasing values of one argument: the argument that the form of the law
/// declares as its ladder argument (Law::ladder).
struct LawLadder {
  std::string parameter;              ///< "kappa", "c"
  std::vector<std::size_t> variants;  ///< two or more, in the order written
  diag::SourceRange range;            ///< position of the values
};

struct LawVariants {
  /// Variants in the order written. An argument with several values gives consecutive variants.
  std::vector<LawVariant> variants;
  std::vector<LawLadder> ladders;
};

/// Expands arguments with several values into variants. `10, 100`: the values as given. `1e1..1e4`: powers of ten,
/// increasing or decreasing. Errors: a range that is not a positive whole number of powers of ten, two arguments with
/// several values in one law, a law written twice.   \returns no variants after an error.
[[nodiscard]] LawVariants law_variants(const std::vector<lang::LawText>& list, lang::LawForms laws,
                                       const diag::SourceText& source, diag::Sink& sink);

/// A model in which the laws of some constraints are replaced.
struct VariantModel {
  std::shared_ptr<const model::Model> model;  ///< null after an error
  diag::SourceText source;                    ///< text that the ranges of `diagnostics` refer to
  diag::Diagnostics diagnostics;              ///< errors and notices; those about a law also show the constraint
  bool changes_laws = false;                  ///< whether the clauses of some constraint were replaced
  std::vector<std::string> left_out;  ///< outputs, revealed forces and starts that have no meaning under this law
  /// Names of the outputs that were added for each constraint and for the whole model.
  std::vector<std::string> forces, powers, energies;
};

/// Elaborates the model with `law` instead of all law clauses of the constraints named in `on`. Constraints have their
/// names after expansion of loops and components: `edge[2]`, `x.tie`. If `law` does not state a start of μ or of one of
/// its derivatives, the start stated in the replaced clause is used.
/// Left out: `expect` statements, because they belong to the original laws, and starts of q'' that are not states under
/// `law`. Added, if they have a meaning: outputs of the generalized forces and powers of all constraints, and of the
/// energies.
/// Kept are the clauses `when`, `limits`, `restitution` and `compliance`.
/// \param law  null: all laws as stated.   \pre the original model has no errors.
/// \param change  applied to the elaborated model
[[nodiscard]] VariantModel elaborate_variant(const lang::ModelFile& file, const diag::SourceText& source,
                                             const elaborate::Options& options, const LawVariant* law,
                                             std::span<const std::string> on,
                                             const std::function<void(model::ModelBuilder&)>& change = {});

/// Returns the names of all constraints and joints that admit every one of the laws, in the order of the model.
///
/// \param refused  receives the first diagnostics against a law if no constraint admits all laws.
[[nodiscard]] std::vector<std::string> constraints_for(const lang::ModelFile& file, const diag::SourceText& source,
                                                       const elaborate::Options& options, const model::Model& stated,
                                                       std::span<const LawVariant> laws,
                                                       std::optional<VariantModel>& refused);

/// Returns the value of the ladder parameter of a constraint (Law::ladder). Nothing if its law has no such parameter,
/// or if the value is not constant.
[[nodiscard]] std::optional<double> ladder_value(const model::Model& model, const std::string& constraint);

}  // namespace vinculum::compare
