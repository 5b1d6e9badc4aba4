#include <gtest/gtest.h>

#include <algorithm>

#include "support/models.hpp"
#include "vinculum/vinculum.hpp"

// The multiplier in the public API equals `multiplier(c)` of the language under every law, and every motion can be
// plotted.
namespace vinculum {
namespace multiplier_columns_test {

class MultiplierColumns : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(MultiplierColumns, AreThoseOfTheText) {
  const Settings settings{.backend = Backend::kTape};
  const Model plain = Model::load(GetParam(), settings).value();
  std::string text = test_support::read_text(GetParam());
  text = text.substr(0, text.find("\nexpect "));
  std::vector<std::string> asked;  // probe outputs for the constraints that have multipliers
  for (const Entity& one : plain.constraints()) {
    const std::string probe = "\noutput probe_" + std::to_string(asked.size()) + " = multiplier(" + one.name + ")\n";
    const auto name = (GetParam().parent_path() / "probed.vin").string();
    if (!Model::from_text(text + probe, settings, name)) continue;
    text += probe;
    asked.push_back(one.name);
  }
  const Model model = Model::from_text(text, settings, (GetParam().parent_path() / "probed.vin").string()).value();
  const auto whole = plain.run({.until = 0.0});
  if (!whole) GTEST_SKIP() << "without a run";
  const auto run = model.run({.until = 0.05});
  if (!run || run->t().empty()) GTEST_SKIP() << "no motion";
  for (std::size_t k = 0; k < asked.size(); ++k) {
    const auto stated = run->column("probe_" + std::to_string(k));
    const auto column = run->multiplier(asked[k]);
    ASSERT_TRUE(column) << asked[k] << ": " << column.error().text();
    EXPECT_EQ(column->values, stated.value().values) << asked[k];
    EXPECT_EQ(column->unit, stated->unit) << asked[k];
  }
  EXPECT_TRUE(run->scene());
}

INSTANTIATE_TEST_SUITE_P(OfModels, MultiplierColumns, testing::ValuesIn(test_support::model_files()),
                         [](const auto& instance) { return instance.param.stem().string(); });

}  // namespace multiplier_columns_test
}  // namespace vinculum
