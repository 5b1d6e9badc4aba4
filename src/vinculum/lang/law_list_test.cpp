#include "vinculum/lang/law_list.hpp"

#include <gtest/gtest.h>

#include <string>

#include "vinculum/diag/render.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

namespace vinculum::lang {
namespace {

struct Read {
  std::vector<LawText> laws;
  std::string errors;
};

Read read(const std::string& text) {
  diag::SourceText source("m.vin", "model m\n");
  const SourceRange part = source.append("--laws", text);
  diag::Diagnostics sink;
  Read result;
  result.laws = parse_law_list(source, part, reaction_laws::laws().forms(), sink);
  result.errors = diag::render_text(source, sink.all());
  return result;
}

TEST(LawList, HoldsLawsAndTheirArguments) {
  const Read list = read("ideal, kozlov(c=2/tau, mu=-1 [kg*m/s]),vakonomic(mu=[1, 2]),directed(along=N.x)");
  EXPECT_EQ(list.errors, "");
  ASSERT_EQ(list.laws.size(), 4U);
  EXPECT_EQ(list.laws[0].law.text, "ideal");
  EXPECT_TRUE(list.laws[0].arguments.empty());
  ASSERT_EQ(list.laws[1].arguments.size(), 2U);
  EXPECT_EQ(format(*list.laws[1].arguments[0].values[0]), "2/tau");
  EXPECT_EQ(format(*list.laws[1].arguments[1].values[0]), "-1 [kg*m/s]");
  EXPECT_EQ(list.laws[2].arguments[0].values.size(), 1U);  // a list counts as one value
  EXPECT_EQ(format(*list.laws[3].arguments[0].values[0]), "N.x");
}

TEST(LawList, TakesSeveralValuesAndRanges) {
  const Read list = read("viscous(kappa=10, 100, k0),kozlov(c=1,2,mu=3),stiff(kappa=1e2..1e5 [N/m])");
  EXPECT_EQ(list.errors, "");
  ASSERT_EQ(list.laws.size(), 3U);
  EXPECT_EQ(list.laws[0].arguments[0].values.size(), 3U);
  ASSERT_EQ(list.laws[1].arguments.size(), 2U);
  EXPECT_EQ(list.laws[1].arguments[0].values.size(), 2U);
  EXPECT_TRUE(list.laws[2].arguments[0].is_range);
  EXPECT_EQ(format(*list.laws[2].arguments[0].values[1]), "1e5 [N/m]");
}

TEST(LawList, TakesStartsOfDerivatives) {
  const Read list = read("vakonomic(mu=1, 2, mu'=3, mu''=[4, 5]),kozlov(c=1)");
  EXPECT_EQ(list.errors, "");
  ASSERT_EQ(list.laws.size(), 2U);
  ASSERT_EQ(list.laws[0].arguments.size(), 3U);
  EXPECT_EQ(list.laws[0].arguments[0].values.size(), 2U);
  EXPECT_EQ(list.laws[0].arguments[1].order, 1);
  EXPECT_EQ(format(*list.laws[0].arguments[1].values[0]), "3");
  EXPECT_EQ(list.laws[0].arguments[2].order, 2);
  EXPECT_NE(read("vakonomic(mu'=1, mu'=2)").errors.find("`mu'` is given twice"), std::string::npos);
  EXPECT_NE(read("kozlov(c=1, mu'=2)").errors.find("expected `=`"), std::string::npos);
  EXPECT_NE(read("viscous(kappa'=2)").errors.find("expected `=`"), std::string::npos);
}

TEST(LawList, NamesTheNearestLaw) {
  EXPECT_EQ(read("ideal,vakonomc").errors,
            "--laws:1:7: error: expected the name of a law, found `vakonomc` [unexpected-token]\n"
            "  1 | ideal,vakonomc\n"
            "    |       ^^^^^^^^\n"
            "  hint: did you mean `vakonomic`?\n");
  EXPECT_NE(read("").errors.find("expected the name of a law"), std::string::npos);
  EXPECT_NE(read("ideal,").errors.find("laws are stated, ideal"), std::string::npos);
}

TEST(LawList, SaysWhatALawTakes) {
  EXPECT_NE(read("viscous").errors.find("`law viscous` needs `kappa`"), std::string::npos);
  EXPECT_NE(read("viscous(c=1)").errors.find("expected an argument of `law viscous`"), std::string::npos);
  EXPECT_NE(read("ideal(c=1)").errors.find("`law ideal` has no arguments"), std::string::npos);
  EXPECT_NE(read("kozlov(c=1, c=2)").errors.find("`c` is given twice"), std::string::npos);
  EXPECT_NE(read("kozlov(c=1").errors.find("not closed"), std::string::npos) << read("kozlov(c=1").errors;
  EXPECT_NE(read("ideal vakonomic").errors.find("expected"), std::string::npos);
  for (const char* faulty :
       {"viscous", "viscous(kappa=)", "viscous(kappa=1e2..)", "kozlov(mu=1)", "stiff(kappa=1 2)", "3", "ideal;"}) {
    EXPECT_TRUE(read(faulty).laws.empty()) << faulty;
    EXPECT_NE(read(faulty).errors, "") << faulty;
  }
}

}  // namespace
}  // namespace vinculum::lang
