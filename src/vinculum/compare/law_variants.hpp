#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/elaborate/statements/elaborate.hpp"
#include "vinculum/lang/law_list.hpp"

/// One model under several laws of reaction: the clauses of its constraints are written anew, before anything means
/// something, so that every law is read, measured and diagnosed as if the file had stated it.
namespace vinculum::compare {

/// A law with one value for each of its arguments.
struct LawVariant {
  struct Argument {
    std::string word;  ///< "kappa", "mu"
    int order = 0;     ///< primes behind it
    std::shared_ptr<const lang::Expression> value;
  };
  std::string name;  ///< as shown: "NAME(kappa=100)"
  std::string law;   ///< a word of the table of laws, or "stated"
  std::vector<Argument> arguments;
  diag::SourceRange range;  ///< of the law in the list
};

/// Variants of one law with rising or falling values of the argument that its form calls a ladder.
struct LawLadder {
  std::string parameter;              ///< "kappa", "c"
  std::vector<std::size_t> variants;  ///< two or more, in the order written
  diag::SourceRange range;            ///< of the values
};

struct LawVariants {
  std::vector<LawVariant> variants;  ///< in the order written, several values in their place
  std::vector<LawLadder> ladders;
};

/// Several values written out as variants: `10, 100` as they stand, `1e1..1e4` by decades, up or down.
/// Reported: a range that is no whole number of decades or of one value only, two arguments with several values in one
/// law, a law written twice.   \returns no variants after an error.
[[nodiscard]] LawVariants law_variants(const std::vector<lang::LawText>& list, lang::LawForms laws,
                                       const diag::SourceText& source, diag::Sink& sink);

/// A model with the law of some constraints replaced.
struct VariantModel {
  std::shared_ptr<const model::Model> model;          ///< null after an error
  diag::SourceText source;                            ///< what `diagnostics` point into
  diag::Diagnostics diagnostics;                      ///< errors, notices: those at a law show the constraint beside it
  std::vector<std::string> left_out;                  ///< outputs, revealed forces and starts without a meaning
  std::vector<std::string> forces, powers, energies;  ///< outputs added: of every constraint, and of the whole
};

/// The model with `law` in place of all clauses of the constraints named, which are names behind expansion: `edge[2]`,
/// `x.tie`. What a law states no start of, of μ and each of its derivatives, starts as in the clause it replaces.
/// Expectations, which belong to the laws stated, are left out, and starts of q'' where these are no states;
/// generalized forces and powers of all constraints and the energies are added to the outputs, where they have a
/// meaning.
/// \param law  null: all laws stay as stated.   \pre the model as it stands is right.
[[nodiscard]] VariantModel elaborate_variant(const lang::ModelFile& file, const diag::SourceText& source,
                                             const elaborate::Options& options, const LawVariant* law,
                                             std::span<const std::string> on);

/// Names of all constraints and joints that may have every one of the laws, in the order of the model.
/// \param refused  the first diagnostics against a law, where no constraint may have them all.
[[nodiscard]] std::vector<std::string> constraints_for(const lang::ModelFile& file, const diag::SourceText& source,
                                                       const elaborate::Options& options, const model::Model& stated,
                                                       std::span<const LawVariant> laws,
                                                       std::optional<VariantModel>& refused);

/// What a ladder goes along of a constraint (Law::ladder); nothing where its law has none, or it is no constant.
[[nodiscard]] std::optional<double> ladder_value(const model::Model& model, const std::string& constraint);

}  // namespace vinculum::compare
