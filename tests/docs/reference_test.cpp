#include <gtest/gtest.h>

#include <map>

#include "reference/pages.hpp"
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

namespace vinculum {
namespace reference_test {

/// Whether a page has a row that begins with each name, as code or as a link.
void expect_rows(const std::string& page, const auto& table, const auto& name_of) {
  for (const auto& entry : table) {
    const std::string name(name_of(entry));
    EXPECT_TRUE(page.find("\n| `" + name) != std::string::npos || page.find("\n| [" + name + "]") != std::string::npos)
        << name;
  }
}

TEST(Reference, HasARowForEveryEntryOfEveryTable) {
  std::map<std::string, std::string> text;
  for (const reference::Page& page : reference::pages()) text[page.name] = page.text;
  const auto by_word = [](const auto& entry) { return entry.word; };
  const auto by_name = [](const auto& entry) { return entry.name; };
  expect_rows(text["statements"], lang::statement_table(), by_word);
  expect_rows(text["statements"], model::solid_table(), by_name);
  expect_rows(text["clauses"], lang::clause_table(), by_word);
  expect_rows(text["view"], lang::view_table(), by_word);
  expect_rows(text["view"], model::shape_table(), by_name);
  expect_rows(text["view"], model::colour_table(), by_name);
  expect_rows(text["functions"], elaborate::function_table(), by_name);
  expect_rows(text["units"], unit_table(), by_name);
  expect_rows(text["laws"], reaction_laws::laws().forms(), by_word);
  expect_rows(text["joints"], model::joint_table(), by_name);
  expect_rows(text["joints"], model::surface_table(), by_name);
  expect_rows(text["methods"], integrate::method_table(), by_name);
  expect_rows(text["errors"], diag::diagnostic_table(), by_name);
  expect_rows(text["failures"], failure_table(), by_name);
}

TEST(Reference, NamesEachOfItsPagesInItsIndex) {
  const auto pages = reference::pages();
  const std::string& index = pages.back().text;
  ASSERT_EQ(pages.back().name, "index");
  for (std::size_t i = 0; i + 1 < pages.size(); ++i)
    EXPECT_NE(index.find("\n" + pages[i].name + "\n"), std::string::npos) << pages[i].name;
}

}  // namespace reference_test
}  // namespace vinculum
