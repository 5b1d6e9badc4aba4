#include <nlohmann/json.hpp>

#include "vinculum/base/failure.hpp"
#include "vinculum/base/unit.hpp"
#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/equations/formulation.hpp"
#include "vinculum/integrate/method.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/model/joint.hpp"
#include "vinculum/model/view.hpp"
#include "vinculum/reaction_laws/law_table.hpp"
#include "vinculum/tools.hpp"

namespace vinculum {
namespace vocabulary_detail {

using Json = nlohmann::ordered_json;

Json row(std::string_view word, std::string_view form, std::string_view meaning) {
  return {{"word", word}, {"form", form}, {"meaning", meaning}};
}

Json keywords(std::span<const lang::KeywordInfo> table) {
  Json rows = Json::array();
  for (const lang::KeywordInfo& info : table) {
    rows.push_back(row(info.word, info.syntax, info.meaning));
    rows.back()["is_supported"] = info.support == lang::Support::kYes;
  }
  return rows;
}

Json functions() {
  Json rows = Json::array();
  for (const elaborate::FunctionInfo& info : elaborate::function_table()) {
    rows.push_back(row(info.name, info.signature, info.meaning));
    rows.back()["is_quantity"] = info.max_arguments == 0;
    rows.back()["is_supported"] = info.function != elaborate::Function::kNotSupported;
  }
  return rows;
}

Json joints() {
  Json rows = Json::array();
  for (const model::JointInfo& info : model::joint_table())
    rows.push_back(row(info.name, info.signature, info.meaning));
  const model::JointInfo& contact = model::contact_joint();
  rows.push_back(row(contact.name, contact.signature, contact.meaning));
  return rows;
}

Json units() {
  Json rows = Json::array();
  for (const UnitInfo& info : unit_table()) {
    rows.push_back(row(info.name, si_name(info.name), info.meaning));
    rows.back()["scale"] = info.scale;
    rows.back()["takes_prefixes"] = info.takes_prefixes;
  }
  return rows;
}

/// \param more  a row of a table → its word, form and meaning
template <class Rows, class More>
Json listed(const Rows& table, const More& more) {
  Json rows = Json::array();
  for (const auto& info : table) rows.push_back(more(info));
  return rows;
}

Json all_words() {
  Json words;
  words["statements"] = keywords(lang::statement_table());
  words["clauses"] = keywords(lang::clause_table());
  words["view"] = keywords(lang::view_table());
  words["functions"] = functions();
  words["laws"] = listed(reaction_laws::laws().forms(),
                         [](const lang::LawForm& one) { return row(one.word, lang::clause_syntax(one), one.meaning); });
  words["joints"] = joints();
  words["surfaces"] = listed(model::surface_table(), [](const auto& one) { return row(one.name, one.signature, ""); });
  words["shapes"] =
      listed(model::shape_table(), [](const auto& one) { return row(one.name, one.signature, one.meaning); });
  words["colours"] = listed(model::colour_table(), [](const auto& one) { return row(one.name, one.hex, ""); });
  words["units"] = units();
  words["methods"] =
      listed(integrate::method_table(), [](const auto& one) { return row(one.name, one.name, one.source); });
  words["formulations"] = listed(equations::kFormulations, [](equations::Formulation one) {
    return row(equations::to_string(one), equations::to_string(one), "");
  });
  words["stops"] = listed(failure_table(), [](const auto& one) { return row(one.name, one.name, one.meaning); });
  words["operators"] = lang::word_operators();
  words["connectives"] = lang::connectives();
  return words;
}

}  // namespace vocabulary_detail

std::string vocabulary() { return vocabulary_detail::all_words().dump(); }

}  // namespace vinculum
