#include "support/models.hpp"

#include <gtest/gtest.h>

#include "vinculum/lang/format.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/law/law_table.hpp"

namespace vinculum {
namespace {

TEST(Models, AreInCanonicalLayout) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_MODELS)) {
    if (entry.path().extension() != ".vin") continue;
    ++count;
    const std::string text = test_support::read_text(entry.path());
    const diag::SourceText source(entry.path().filename().string(), text);
    diag::Diagnostics diagnostics;
    EXPECT_EQ(lang::format(lang::parse(source, law::laws().forms(), diagnostics)), text) << entry.path();
  }
  EXPECT_GT(count, 10);
}

}  // namespace
}  // namespace vinculum
