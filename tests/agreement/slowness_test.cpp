// A note must report every slow run, and no other run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/models.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum {
namespace slowness_test {

std::string notes_of(const Trajectory& run) {
  std::string text;
  for (const Note& note : run.notes()) {
    if (note.kind != "start") text += note.kind + ": " + note.message + "\n";
  }
  return text;
}

TEST(Slowness, IsSaidOfNoModelByAnyMethod) {
  int runs = 0;
  for (const auto& file : test_support::model_files()) {
    const auto model = Model::load(file, {.cache = ""});
    ASSERT_TRUE(model) << file;
    for (const char* method : {"dop853", "dp5", "tsit5"}) {
      const auto run = model->run({.method = method});
      if (!run) continue;  // the model has no `run`
      EXPECT_EQ(notes_of(*run), "") << file << " by " << method;
      ++runs;
    }
  }
  EXPECT_GT(runs, 300);
}

struct Stiff {
  const char* name;
  std::string text, component, term;
};

const std::string kHead =
    "model stiff\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\n";

const Stiff kStiff[] = {
    {"damper", kHead + "force on P = (-1e6*x' - 1e6*x)*N.x\nstart x = 1, y = 0, x' = 0, y' = 1\nrun 10\n", "x'",
     "force on P"},
    {"viscous law",
     kHead + "gravity -10*N.y\nconstraint rail: y' = x'\n    law viscous kappa = 1e6\n"
             "start x = 0, y = 0, x' = 0, y' = 0\nrun 10\n",
     "x'", "rail"},
    {"state", kHead + "state z' = -1e7*(z - sin(t)) start z = 0\nstart x = 0, y = 0, x' = 1, y' = 1\nrun 10\n", "z",
     ""},
};

TEST(Slowness, NamesWhatIsStiff) {
  for (const Stiff& one : kStiff) {
    for (const char* method : {"dop853", "dp5", "tsit5"}) {
      const auto model = Model::from_text(one.text);
      ASSERT_TRUE(model) << one.name << "\n" << model.error().text();
      std::string told;
      const auto run = model->run(
          {.method = method, .most_steps = 2000, .on_note = [&told](const Note& note) { told += note.kind; }});
      ASSERT_TRUE(run) << one.name << "\n" << run.error().text();
      ASSERT_EQ(run->notes().size(), 1U) << one.name << " by " << method << "\n" << notes_of(*run);
      const Note& note = run->notes().front();
      EXPECT_EQ(note.kind, "stiffness") << one.name;
      EXPECT_EQ(told, "stiffness") << one.name;
      EXPECT_EQ(note.component, one.component) << one.name;
      EXPECT_EQ(note.term, one.term) << one.name;
      EXPECT_NE(run->text().find("note: from t"), std::string::npos) << run->text();
      EXPECT_NE(run->json().find("\"kind\": \"stiffness\""), std::string::npos) << run->json();
      ASSERT_NE(run->stopped(), nullptr);
      EXPECT_EQ(run->stopped()->kind, "interrupted");
    }
  }
}

}  // namespace slowness_test
}  // namespace vinculum
