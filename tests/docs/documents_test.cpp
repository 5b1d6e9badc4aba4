#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "support/models.hpp"
#include "vinculum/base/failure.hpp"
#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/model/view.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

namespace vinculum {
namespace documents_test {

namespace fs = std::filesystem;
using test_support::read_text;

const fs::path kRoot = VINCULUM_SOURCE;

std::vector<std::string> blocks(const std::string& text, const std::string& opening) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(opening); at != std::string::npos; at = text.find(opening, at)) {
    const std::size_t begin = text.find('\n', at) + 1;
    const std::size_t end = text.find("\n```", begin);
    found.push_back(text.substr(begin, end - begin + 1));
    at = end + 4;
  }
  return found;
}

TEST(Documents, NameEveryMethodOfTheTable) {
  const std::string language = read_text(kRoot / "docs/language.md");
  for (const std::string& name : integrate::names_of(integrate::method_table()))
    EXPECT_NE(language.find("`" + name + "`"), std::string::npos) << name;
}

TEST(Documents, HoldOnlyModelsThatAreRight) {
  int models = 0;
  std::vector<fs::path> files = {kRoot / "docs/language.md", kRoot / "README.md"};
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/coming_from")) files.push_back(entry.path());
  for (const fs::path& file : files) {
    for (const std::string& text : blocks(read_text(file), "```vin\n")) {
      EXPECT_NO_THROW((void)test_support::model_of_text(text)) << file << "\n" << text;
      ++models;
    }
  }
  EXPECT_GE(models, 7);
}

TEST(CheatSheet, IsOneModelThatIsRight) {
  std::string model;
  for (const std::string& block : blocks(read_text(kRoot / "docs/cheat_sheet.md"), "```vin\n")) model += block + "\n";
  EXPECT_NE(model.find("\nview {"), std::string::npos);
  EXPECT_NO_THROW((void)test_support::model_of_text(model)) << model;
}

TEST(ApiPage, HoldsOnlyProgramsThatAreBuiltAndRun) {
  std::set<std::string> programs;
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/programs")) {
    if (entry.path().extension() == ".cpp") programs.insert(read_text(entry.path()));
  }
  const auto shown = blocks(read_text(kRoot / "docs/api.md"), "```cpp\n");
  EXPECT_EQ(std::set(shown.begin(), shown.end()), programs);
}

TEST(LanguagePage, NamesEveryStatementClauseAndFunctionThatIsSupported) {
  const std::string page = read_text(kRoot / "docs/language.md");
  for (const lang::LawForm& form : reaction_laws::laws().forms())
    EXPECT_NE(page.find("`" + std::string(form.word)), std::string::npos) << form.word;
  for (const model::ColourInfo& colour : model::colour_table())
    EXPECT_NE(page.find("`" + std::string(colour.name) + "`"), std::string::npos) << colour.name;
  for (const model::ShapeInfo& shape : model::shape_table())
    EXPECT_NE(page.find("`" + std::string(shape.name) + "("), std::string::npos) << shape.name;
  for (const auto& table : {lang::statement_table(), lang::clause_table(), lang::view_table()}) {
    for (const lang::KeywordInfo& keyword : table) {
      if (keyword.support != lang::Support::kYes) continue;
      EXPECT_NE(page.find("`" + std::string(keyword.word)), std::string::npos) << keyword.word;
    }
  }
  for (const elaborate::FunctionInfo& function : elaborate::function_table()) {
    if (function.function == elaborate::Function::kNotSupported) continue;
    EXPECT_NE(page.find("`" + std::string(function.name)), std::string::npos) << function.name;
  }
}

TEST(LanguagePage, NamesEveryKindOfStop) {
  const std::string page = read_text(kRoot / "docs/language.md");
  for (const FailureInfo& failure : failure_table()) {
    EXPECT_NE(page.find("`" + std::string(failure.name) + "`"), std::string::npos) << failure.name;
  }
}

TEST(ErrorPages, ExistForEveryKindOfDiagnosticAndForNothingElse) {
  std::size_t pages = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/errors")) {
    if (entry.path().extension() == ".md" && entry.path().stem() != "README") ++pages;
  }
  for (const diag::KindInfo& kind : diag::diagnostic_table()) {
    EXPECT_TRUE(fs::exists(kRoot / "docs/errors" / (std::string(kind.name) + ".md"))) << kind.name;
  }
  for (const FailureInfo& failure : failure_table()) {
    EXPECT_TRUE(fs::exists(kRoot / "docs/errors" / (std::string(failure.name) + ".md"))) << failure.name;
  }
  EXPECT_EQ(pages, diag::diagnostic_table().size() + failure_table().size());
}

TEST(Documents, LinkOnlyToFilesThatExist) {
  const std::regex link(R"(\]\(([^)#:]+)\))");
  std::vector<fs::path> files = {kRoot / "README.md", kRoot / "models/README.md", kRoot / "CONTRIBUTING.md",
                                 kRoot / "CHANGELOG.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  }
  for (const fs::path& file : files) {
    const std::string text = read_text(file);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      EXPECT_TRUE(fs::exists(file.parent_path() / (*it)[1].str())) << file << " -> " << (*it)[1];
    }
  }
}

}  // namespace documents_test
}  // namespace vinculum
