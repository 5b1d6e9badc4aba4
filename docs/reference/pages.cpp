#include "pages.hpp"

#include <fmt/format.h>

#include <string_view>

#include "vinculum/base/failure.hpp"
#include "vinculum/base/unit.hpp"
#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/integrate/method.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/model/joint.hpp"
#include "vinculum/model/solid.hpp"
#include "vinculum/model/view.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

namespace vinculum::reference {
namespace {

/// The text as a cell of a Markdown table, in which `|` must be escaped.
std::string in_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

std::string code(std::string_view text) { return "`" + in_cell(text) + "`"; }

/// A Markdown table. The first row names the columns.
class Table {
 public:
  explicit Table(const std::vector<std::string>& columns) {
    add(columns);
    add(std::vector<std::string>(columns.size(), "---"));
  }
  void add(const std::vector<std::string>& cells) {
    for (const std::string& cell : cells) text_ += "| " + cell + " ";
    text_ += "|\n";
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string keywords(std::span<const lang::KeywordInfo> table) {
  Table rows({"word", "form", "meaning"});
  for (const lang::KeywordInfo& info : table) {
    const bool is_there = info.support == lang::Support::kYes;
    rows.add({code(info.word), code(info.syntax), in_cell(info.meaning) + (is_there ? "" : " (not in this version)")});
  }
  return rows.text();
}

std::string statements() {
  Table solids({"solid", "meaning"});
  for (const model::SolidInfo& info : model::solid_table()) solids.add({code(info.signature), in_cell(info.meaning)});
  return keywords(lang::statement_table()) + "\n## Solids\n\n" + solids.text();
}

std::string view() {
  Table shapes({"shape", "meaning"}), colours({"colour", "value"});
  for (const model::ShapeInfo& info : model::shape_table()) shapes.add({code(info.signature), in_cell(info.meaning)});
  for (const model::ColourInfo& info : model::colour_table()) colours.add({code(info.name), code(info.hex)});
  return keywords(lang::view_table()) + "\n## Shapes\n\n" + shapes.text() + "\n## Colours\n\n" + colours.text();
}

std::string functions() {
  Table rows({"form", "meaning"});
  for (const elaborate::FunctionInfo& info : elaborate::function_table()) {
    const bool is_there = info.function != elaborate::Function::kNotSupported;
    rows.add({code(info.signature), in_cell(info.meaning) + (is_there ? "" : " (not in this version)")});
  }
  return rows.text();
}

std::string units() {
  Table rows({"unit", "meaning", "in SI", "prefixes"});
  for (const UnitInfo& info : unit_table())
    rows.add({code(info.name), in_cell(info.meaning), fmt::format("{} {}", info.scale, si_name(info.name)),
              info.takes_prefixes ? "yes" : ""});
  return rows.text();
}

std::string laws() {
  Table rows({"law", "form", "in `compare`", "meaning"});
  for (const lang::LawForm& form : reaction_laws::laws().forms())
    rows.add({code(form.word), code(lang::clause_syntax(form)), code(lang::list_syntax(form)), in_cell(form.meaning)});
  return rows.text();
}

std::string joints() {
  Table rows({"joint", "rows", "what they say", "what their multipliers measure"});
  for (const model::JointInfo& info : model::joint_table())
    rows.add({code(info.signature), std::to_string(info.rows), in_cell(info.meaning), in_cell(info.multipliers)});
  const model::JointInfo& contact = model::contact_joint();
  rows.add({code(contact.signature), "one for each place of contact", in_cell(contact.meaning),
            in_cell(contact.multipliers)});
  Table surfaces({"surface", "holds points", "rolls", "touches in `contact`"});
  for (const model::SurfaceInfo& info : model::surface_table())
    surfaces.add({code(info.signature), info.holds_points ? "yes" : "", info.rolls ? "yes" : "", "yes"});
  return rows.text() + "\n## Surfaces\n\n" + surfaces.text();
}

std::string methods() {
  Table rows({"method", "order", "order of dense output", "source"});
  for (const integrate::Method& method : integrate::method_table())
    rows.add(
        {code(method.name), std::to_string(method.order), std::to_string(method.dense_order), in_cell(method.source)});
  return rows.text();
}

std::string errors() {
  Table rows({"kind", "meaning"});
  for (const diag::KindInfo& info : diag::diagnostic_table())
    rows.add({fmt::format("[{0}](../errors/{0}.md)", info.name), in_cell(info.meaning)});
  return rows.text();
}

std::string failures() {
  Table rows({"kind", "meaning", "what to try"});
  for (const FailureInfo& info : failure_table())
    rows.add({fmt::format("[{0}](../errors/{0}.md)", info.name), in_cell(info.meaning), in_cell(info.advice)});
  return rows.text();
}

Page page(const std::string& name, const std::string& title, const std::string& beneath, const std::string& table) {
  return {name, "# " + title + "\n\n" + beneath + "\n\n" + table};
}

}  // namespace

std::vector<Page> pages() {
  std::vector<Page> found = {
      page("statements", "Statements", "What each means at length: [the language](../language.md#statements).",
           statements()),
      page("clauses", "Clauses of a constraint",
           "They stand indented under a `constraint` or a `joint`. [Statements](../language.md#statements).",
           keywords(lang::clause_table())),
      page("view", "Items of a view", "They stand in `view { … }`. [Statements](../language.md#statements).", view()),
      page("functions", "Functions and quantities", "[Expressions](../language.md#expressions) says more.",
           functions()),
      page("units", "Units",
           "A unit with prefixes takes those of SI: `mm`, `kN`. [Units](../language.md#units) says how they are used.",
           units()),
      page("laws", "Laws of reaction", "[Laws of reaction](../laws.md) says which is right.", laws()),
      page("joints", "Joints", "[Joints](../joints.md) defines the directions a, b, e1, e2.", joints()),
      page("methods", "Methods of integration", "The first is the usual one. [Numerics](../numerics.md).", methods()),
      page("errors", "Errors of a model", "Each has a page with an example and its cure.", errors()),
      page("failures", "Ends of a motion", "A right model can have a motion that cannot start or go on.", failures())};
  std::string index = "# Reference\n\nTables of all that there is, written by the program itself.\n\n```{toctree}\n";
  for (const Page& one : found) index += one.name + "\n";
  found.push_back({"index", index + "```\n"});
  return found;
}

}  // namespace vinculum::reference
