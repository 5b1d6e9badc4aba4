#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "support/folder.hpp"
#include "vinculum/vinculum.hpp"

// Records of inputs: files, messages, and runs that are repeated and continued.
namespace vinculum {
namespace {

using test_support::Folder;

constexpr const char* kPushed = R"(model pushed
frame N newtonian
point O fixed in N
coord x [m]
particle P mass 2 [kg] at O + x*N.x
input push [N] = 4 [N]
force on P = push*N.x
run 3 [s]
)";

Model pushed() { return Model::from_text(kPushed).value(); }

struct InputFile : testing::Test {
  Folder folder;

  [[nodiscard]] std::filesystem::path file(const std::string& text) const {
    const auto path = folder.path() / "push.csv";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  [[nodiscard]] Result<Trajectory> run(const std::string& text, bool is_linear = false) const {
    return pushed().run({.inputs = {{"push", file(text), is_linear}}});
  }
  /// The message of the run without the name of the file.
  [[nodiscard]] std::string refused(const std::string& text) const {
    const auto result = run(text);
    if (result) return "runs";
    EXPECT_EQ(result.error().about, Error::About::kCall);
    std::string message = result.error().message;
    const std::string name = "`" + (folder.path() / "push.csv").string() + "`";
    if (const auto at = message.find(name); at != message.npos) message.replace(at, name.size(), "FILE");
    return message;
  }
};

TEST_F(InputFile, GivesValuesInItsUnits) {
  const Trajectory run = this->run("# recorded\nt [ms], push [kN]\n0, 0.002\n\n1000, 0.004\n4000, 0\n").value();
  EXPECT_NEAR(run.u()(run.u().rows - 1, 0), 1.0 + 4.0, 1e-9);
  EXPECT_EQ(run.column("push")->values.back(), 4.0);
}

TEST_F(InputFile, MayHaveSeveralColumns) {
  const Trajectory run = this->run("t [s],angle [deg],push [N]\n0,5,2\n3,6,2\n").value();
  EXPECT_NEAR(run.u()(run.u().rows - 1, 0), 3.0, 1e-9);
}

TEST_F(InputFile, IsLinearIfAsked) {
  const Trajectory run = this->run("t [s],push [N]\n0,0\n3,6\n", true).value();
  EXPECT_NEAR(run.u()(run.u().rows - 1, 0), 4.5, 1e-9);
}

TEST_F(InputFile, TellsWhatIsWrong) {
  const std::string titles = "t [s],push [N]\n", of = "the record of input `push` in FILE: ";
  EXPECT_EQ(refused(""), of + "it is empty");
  EXPECT_EQ(refused(titles), of + "it has a title line and no rows");
  EXPECT_EQ(refused("0,1\n3,1\n"), of + "its first line gives no titles: write `t [s], push [unit]` above the numbers");
  EXPECT_EQ(refused("push [N]\n1\n"), of + "it has one column: a record has a time and a value, divided by a comma");
  EXPECT_EQ(refused("t [s],push [parsec]\n0,1\n"), of + "line 1: the unit of `push [parsec]` cannot be read");
  EXPECT_EQ(refused("x [m],push [N]\n0,1\n"), of + "its first column, `x`, is not a time");
  EXPECT_EQ(refused("t [s],a [N],b [N]\n0,1,2\n"),
            of + "it has 2 columns after the time, and none of them is titled `push`");
  EXPECT_EQ(refused(titles + "0,1\n1\n"), of + "line 3 has 1 instead of 2 columns");
  EXPECT_EQ(refused(titles + "0,1\n1,nan\n"), of + "line 3: `nan` is not a finite number");
  EXPECT_EQ(refused(titles + "0,1\n1,1\n0.5,1\n"),
            of + "line 4: the time 0.5 is not after 1, the time of the row before");
  EXPECT_EQ(refused("t [s],push [m]\n0,1\n3,1\n"),
            "the record of input `push` in FILE is in another unit than [N], the input's");
  EXPECT_EQ(refused("t [s],push\n0,1\n3,1\n"),
            "the record of input `push` in FILE gives no unit: write `push [N]` as the title of its column");
  EXPECT_EQ(refused(titles + "0.5,1\n3,1\n"),
            "the record of input `push` begins at 0.5 s, after the run, which begins at 0 s");
  EXPECT_EQ(
      refused(titles + "0,1\n2,1\n"),
      "the record of input `push` ends at 2 s, before the run, which ends at 3 s: add rows, or end the run there");
}

TEST(InputRecord, IsRefusedIfItFitsNoInput) {
  const Model model = pushed();
  const auto refused = [&](InputRecord record) { return model.run({.inputs = {std::move(record)}}).error().message; };
  EXPECT_EQ(refused({"pus", {}, false, {0, 3}, {1, 1}}), "the model has no input `pus`; did you mean `push`?");
  EXPECT_EQ(refused({"push", "nowhere.csv"}), "the record of input `push` in `nowhere.csv`: there is no such file");
  EXPECT_EQ(refused({"push", {}, false, {0, 3}, {1}}), "the record of input `push` has 2 times and 1 values");
  EXPECT_EQ(refused({"push", {}, false, {0, 1, 1}, {1, 1, 1}}),
            "the record of input `push`: the time 1 s is not after 1 s, in row 2");
  EXPECT_EQ(refused({"push"}), "the record of input `push` has no rows: it came from a program, or was left out");
  EXPECT_EQ(
      model.run({.inputs = {{"push", {}, false, {0, 3}, {1, 1}}, {"push", {}, false, {0, 3}, {1, 1}}}}).error().message,
      "input `push` has two records");
}

TEST(InputRecord, IsWrittenAsAnOption) {
  const InputRecord held = InputRecord::parse("u=a, b.csv").value(),
                    linear = InputRecord::parse("u=f.csv, linear").value();
  EXPECT_EQ(held.file, "a, b.csv");
  EXPECT_FALSE(held.is_linear);
  EXPECT_EQ(linear.file, "f.csv");
  EXPECT_TRUE(linear.is_linear);
  for (const char* text : {"u", "=f.csv", "u=", ""}) EXPECT_FALSE(InputRecord::parse(text)) << text;
}

/// Results name the file, so that `audit DIR` and `show DIR` repeat the motion.
TEST_F(InputFile, IsReadAgainForResults) {
  const Trajectory run = this->run("t [s],push [N]\n0,0\n1,6\n3,2\n", true).value();
  ASSERT_TRUE(run.write(folder.path() / "results"));
  const FinishedRun finished = FinishedRun::read(folder.path() / "results").value();
  ASSERT_EQ(finished.options.inputs.size(), 1u);
  EXPECT_TRUE(finished.is_of(pushed().run(finished.options).value()));
  // Continued, the last value holds unless another record is given.
  const State end = finished.end(pushed()).value();
  const Trajectory rest = pushed().run({.start = end, .until = 4.0}).value();
  EXPECT_NEAR(rest.u()(rest.u().rows - 1, 0) - end.u[0], 1.0, 1e-9);
}

TEST(Simulation, TakesInputsWithEveryBackEnd) {
  std::vector<double> ends;
  for (const Backend backend : {Backend::kNative, Backend::kTape, Backend::kInterpreter}) {
    Simulation simulation = Model::from_text(kPushed, {.backend = backend, .cache = ""}).value().simulation().value();
    const auto push = simulation.input("push").value();
    for (int k = 0; k < 30; ++k) {
      ASSERT_TRUE(simulation.set_input(push, k % 3));
      ASSERT_TRUE(simulation.advance(0.1 * (k + 1)));
    }
    EXPECT_NEAR(simulation.state().u[0], 10 * 0.1 * (0.5 + 1.0), 1e-12);
    ends.push_back(simulation.state().q[0]);
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

}  // namespace
}  // namespace vinculum
