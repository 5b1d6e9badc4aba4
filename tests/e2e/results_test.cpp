// The files that a run leaves in its folder, also if it does not reach its end.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "e2e/process.hpp"

namespace vinculum {
namespace results_test {

namespace fs = std::filesystem;
using nlohmann::json;
using test_support::Folder;
using test_support::Process;
using test_support::Ran;
using test_support::run_command;
using test_support::wait_until;

const std::string kModels = VINCULUM_MODELS;

TEST(Results, OfAnEarlierRunLeaveNothingBehind) {
  const Folder folder;
  ASSERT_EQ(run_command(folder, "run --energy -o out " + kModels + "/pucks_parallel.vin").status, 0);
  EXPECT_TRUE(fs::exists(folder.path() / "out/energy.csv"));
  folder.write("out/notes.txt", "mine");
  ASSERT_EQ(run_command(folder, "run -o out " + kModels + "/pucks_parallel.vin").status, 0);
  EXPECT_FALSE(fs::exists(folder.path() / "out/energy.csv"));
  EXPECT_EQ(folder.read("out/notes.txt"), "mine");
}

TEST(Results, OfTwoCommandsStandBesideEachOther) {
  const Folder folder;
  ASSERT_EQ(run_command(folder, "run -o out " + kModels + "/pucks_parallel.vin").status, 0);
  ASSERT_EQ(run_command(folder, "compare --laws ideal,vakonomic -o out " + kModels + "/pucks_parallel.vin").status, 0);
  for (const char* name : {"trajectory.csv", "result.json", "compare.csv", "compare.json"})
    EXPECT_TRUE(fs::exists(folder.path() / "out" / name)) << name;
}

TEST(Results, OfAMotionWithoutAStartAreNone) {
  const Folder folder;
  folder.write("apart.vin",
               "model apart\nframe N newtonian\npoint O fixed in N\ncoord x, y\n"
               "particle P mass 1 at O + x*N.x + y*N.y\nconstraint a: x^2 + y^2 = 1\nstart x = 2, y = 2\nrun 1\n");
  const Ran ran = run_command(folder, "run apart.vin");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out.find("wrote"), std::string::npos) << ran.out;
  EXPECT_FALSE(fs::exists(folder.path() / "results"));
  folder.write("wrong.vin", "model wrong\ncoord x\nrun 1 1\n");
  EXPECT_EQ(run_command(folder, "run wrong.vin").status, 1);
  EXPECT_FALSE(fs::exists(folder.path() / "results"));
  EXPECT_EQ(run_command(folder, "run --until=-1 " + kModels + "/kepler.vin").status, 2);
  EXPECT_FALSE(fs::exists(folder.path() / "results"));
}

TEST(Events, OfFrictionAreWrittenWithWhatChanged) {
  const Folder folder;
  ASSERT_EQ(run_command(folder, "run -o out " + kModels + "/friction_incline_sticks.vin").status, 0);
  const std::string csv = folder.read("out/events.csv");
  ASSERT_TRUE(csv.starts_with("t,kind,where,before,after,unit\n# s,1,1,1,1,1\n# vinculum-csv 1 {")) << csv;
  EXPECT_NEAR(std::stod(csv.substr(csv.rfind("}\n") + 2)), 0.345112230031227651, 1e-12);
  EXPECT_TRUE(csv.ends_with(",friction,contact,slides,sticks,\n")) << csv;
}

TEST(Results, SayFromWhatTheyCome) {
  const Folder folder;
  const std::string kepler = kModels + "/kepler.vin";
  ASSERT_EQ(run_command(folder, "run -o out --energy --set m1=4 --until 1 " + kepler).status, 0);
  const json from = json::parse(folder.read("out/result.json"))["provenance"];
  EXPECT_EQ(from["model"], "kepler");
  EXPECT_EQ(from["file"], kepler);
  EXPECT_EQ(from["set"], json({{"m1", "4"}}));
  EXPECT_EQ(from["until"], 1.0);
  EXPECT_EQ(from["tolerance"], 1e-11);
  EXPECT_EQ(from["text_hash"].get<std::string>().size(), 32U);
  for (const char* name : {"out/trajectory.csv", "out/energy.csv", "out/events.csv"}) {
    const std::string csv = folder.read(name);
    const std::size_t at = csv.find("\n# vinculum-csv 1 ");
    ASSERT_NE(at, std::string::npos) << name;
    const json said = json::parse(csv.substr(at + 18, csv.find('\n', at + 1) - at - 18));
    for (const char* key : {"version", "model", "text_hash", "set"}) EXPECT_EQ(said[key], from[key]) << name;
  }
}

TEST(Results, AreGoneOnFrom) {
  const Folder folder;
  const std::string kepler = kModels + "/kepler.vin";
  ASSERT_EQ(run_command(folder, "run -o first --set m1=4 --until 1 --method tsit5 " + kepler).status, 0);
  const Ran rest = run_command(folder, "run -o rest --from first --until 2 " + kepler);
  ASSERT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(rest.err, "");
  const json first = json::parse(folder.read("first/result.json")),
             result = json::parse(folder.read("rest/result.json"));
  const json from = result["provenance"];
  EXPECT_EQ(result["t"], 2.0);
  EXPECT_EQ(from["set"], json({{"m1", "4"}}));
  EXPECT_EQ(from["method"], "tsit5");
  EXPECT_EQ(from["start"]["t"], 1.0);
  std::vector<double> state = from["start"]["q"], speeds = from["start"]["u"], left;
  state.insert(state.end(), speeds.begin(), speeds.end());
  for (const auto& [name, value] : first["state"].items()) left.push_back(value);
  EXPECT_TRUE(std::ranges::is_permutation(state, left));
  ASSERT_EQ(run_command(folder, "run -o whole --set m1=4 --until 2 --method tsit5 " + kepler).status, 0);
  const json whole = json::parse(folder.read("whole/result.json"))["state"];
  for (const auto& [name, value] : whole.items())
    EXPECT_NEAR(result["state"][name].get<double>(), value.get<double>(), 1e-8) << name;
  const Ran own = run_command(folder, "run -o own --from first --set m1=5 --method dp5 --until 2 " + kepler);
  ASSERT_EQ(own.status, 0) << own.err;
  EXPECT_EQ(json::parse(folder.read("own/result.json"))["provenance"]["set"], json({{"m1", "5"}}));
  EXPECT_EQ(json::parse(folder.read("own/result.json"))["provenance"]["method"], "dp5");
}

TEST(Results, AreGoneOnFromWhereThatIsPossible) {
  const Folder folder;
  const std::string kepler = kModels + "/kepler.vin";
  ASSERT_EQ(run_command(folder, "run -o out --until 1 " + kepler).status, 0);
  const std::string before = folder.read("out/result.json");
  const auto refused = [&](const std::string& arguments) {
    const Ran ran = run_command(folder, arguments);
    EXPECT_EQ(ran.status, 2) << arguments << ran.err;
    return ran.err;
  };
  EXPECT_NE(refused("run -o out --from out --until 2 " + kepler).find("would be overwritten"), std::string::npos);
  EXPECT_NE(refused("run -o rest --from nowhere " + kepler).find("contains no results"), std::string::npos);
  EXPECT_NE(refused("run -o rest --from out " + kModels + "/rolling_disk.vin").find("the results have no"),
            std::string::npos);
  EXPECT_NE(refused("run -o rest --from out --until 0.5 " + kepler).find("the run ends at 0.5 s"), std::string::npos);
  EXPECT_EQ(folder.read("out/result.json"), before);
  EXPECT_FALSE(fs::exists(folder.path() / "rest"));
}

TEST(Svg, IsWrittenWholeOrNotAtAllBesideTheSameResults) {
  const Folder folder;
  const std::string disk = kModels + "/rolling_disk.vin";
  const Ran plain = run_command(folder, "run -o plain --until 1 " + disk);
  const Ran ran = run_command(folder, "run -o out --until 1 --svg lines.svg " + disk);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(ran.out.ends_with("wrote lines.svg\n")) << ran.out;
  const std::string svg = folder.read("lines.svg");
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find(">Coordinates [rad]<"), std::string::npos);
  EXPECT_EQ(folder.read("out/trajectory.csv"), folder.read("plain/trajectory.csv"));

  const Ran chosen =
      run_command(folder, "run -o out --until 1 --json --svg lines.svg --plot 'lean, force(roll, contact)' " + disk);
  EXPECT_EQ(chosen.status, 0) << chosen.err;
  EXPECT_TRUE(json::accept(chosen.out));  // the output is JSON only
  EXPECT_NE(folder.read("lines.svg").find(">force(roll, contact).x<"), std::string::npos);
  EXPECT_EQ(folder.read("lines.svg").find(">yaw<"), std::string::npos);

  const Ran wrong = run_command(folder, "run -o early --until 1 --svg other.svg --plot leen " + disk);
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("did you mean `lean`?"), std::string::npos) << wrong.err;
  EXPECT_FALSE(fs::exists(folder.path() / "other.svg"));
  const Ran nowhere = run_command(folder, "run -o early --until 1 --svg none/a.svg " + disk);
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_NE(nowhere.err.find("there is no folder `none`"), std::string::npos) << nowhere.err;
  EXPECT_FALSE(fs::exists(folder.path() / "early")) << "both are said before the run";
  const Ran lost = run_command(folder, "run -o out --plot lean " + disk);
  EXPECT_EQ(lost.status, 2);
  EXPECT_EQ(lost.err, "vinculum: `--plot` chooses the lines of a picture: add `--svg FILE` or `--png FILE`\n");
}

TEST(Png, NeedsAProgramThatIsAskedForBeforeTheRun) {
  const Folder folder;
  const std::string run = " \"$VINCULUM\" run -o early --until 1 --png lines.png " + kModels + "/rolling_disk.vin";
  const Ran without = run_line(folder, "PATH=/nowhere" + run);
  EXPECT_EQ(without.status, 2);
  EXPECT_EQ(without.err,
            "vinculum: `--png` needs the program rsvg-convert, which is not installed (Debian: librsvg2-bin); `--svg` "
            "needs no other program\n");
  EXPECT_FALSE(fs::exists(folder.path() / "early"));

  folder.write("rsvg-convert", "#!/bin/sh\necho no such font >&2\nexit 3\n");
  fs::permissions(folder.path() / "rsvg-convert", fs::perms::owner_all);
  const Ran broken = run_line(folder, "PATH=$PWD:$PATH" + run);
  EXPECT_EQ(broken.status, 2);
  EXPECT_EQ(broken.err, "vinculum: rsvg-convert: no such font\n");
  EXPECT_FALSE(fs::exists(folder.path() / "lines.png"));
  EXPECT_TRUE(fs::exists(folder.path() / "early/result.json")) << "the results stand";
}

TEST(Png, IsThePictureInPixels) {
  const Folder folder;
  if (run_line(folder, "rsvg-convert --version").status != 0) GTEST_SKIP() << "no rsvg-convert (librsvg2-bin)";
  const Ran ran = run_command(folder, "run -o out --until 1 --svg lines.svg --png lines.png --plot 'lean, spin' " +
                                          kModels + "/rolling_disk.vin");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(ran.out.ends_with("wrote lines.svg\nwrote lines.png\n")) << ran.out;
  const std::string svg = folder.read("lines.svg"), png = folder.read("lines.png");
  ASSERT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n"));
  const auto byte = [&](std::size_t k) { return static_cast<int>(static_cast<unsigned char>(png.at(k))); };
  const auto told = [&](const std::string& name) { return std::stoi(svg.substr(svg.find(name) + name.size())); };
  EXPECT_EQ(256 * byte(18) + byte(19), 2 * told(" width=\""));
  EXPECT_EQ(256 * byte(22) + byte(23), 2 * told(" height=\""));

  folder.write("bare.svg", svg.substr(0, svg.find("<text")) + "</svg>\n");  // the background without the plotted lines
  ASSERT_EQ(run_line(folder, "rsvg-convert --zoom=2 -o bare.png bare.svg").status, 0);
  EXPECT_GT(png.size(), 3 * folder.read("bare.png").size());
}

TEST(Events, HoldWhereAMotionHadToStop) {
  const Folder folder;
  EXPECT_EQ(run_command(folder, "run -o out " + kModels + "/appell_rising.vin").status, 1);
  const std::string csv = folder.read("out/events.csv");
  EXPECT_NE(csv.find(",stop,"), std::string::npos) << csv;
  EXPECT_TRUE(csv.ends_with(",,not-unique,\n")) << csv;
  EXPECT_NE(csv.find("appell_rising.vin:"), std::string::npos) << csv;
}

TEST(Events, HoldWhereRankWasLost) {
  const Folder folder;
  ASSERT_EQ(run_command(folder, "run -o out " + kModels + "/four_bar.vin").status, 0);
  const json drops = json::parse(folder.read("out/result.json"))["rank_drops"];
  const std::string csv = folder.read("out/events.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3 + static_cast<long>(drops.size())) << csv;
}

TEST(Interrupt, KeepsWhatThereIsAndMarksIt) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Folder folder;
    ASSERT_EQ(run_command(folder, "run -o out " + kModels + "/pucks_parallel.vin").status, 0);
    Process run(folder, "run --until 1e7 -o out " + kModels + "/kepler.vin");
    // the progress is printed once the run has begun
    ASSERT_TRUE(wait_until([&] { return folder.read(".beside.err").find("elapsed") != std::string::npos; }));
    run.send(signal);
    const Ran ran = run.wait();
    EXPECT_EQ(ran.status, 130) << ran.err;
    EXPECT_NE(ran.err.find("vinculum: the run was interrupted at t = "), std::string::npos) << ran.err;
    EXPECT_NE(ran.out.find("interrupted at t = "), std::string::npos) << ran.out;
    const json result = json::parse(folder.read("out/result.json"));
    EXPECT_EQ(result["model"], "kepler");
    EXPECT_EQ(result["stopped"]["kind"], "interrupted");
    const double t = result["t"].get<double>();
    EXPECT_GT(t, 0.0);
    EXPECT_LT(t, 1e7);
    EXPECT_EQ(result["stopped"]["t"].get<double>(), t);
    const std::string csv = folder.read("out/trajectory.csv");
    EXPECT_EQ(std::stod(csv.substr(csv.rfind('\n', csv.size() - 2) + 1)), t);
    EXPECT_TRUE(folder.read("out/events.csv").ends_with(",stop,,,interrupted,\n"));
  }
}

TEST(Interrupt, OfRunsAsJsonAndOfPagesIsMarkedToo) {
  const Folder folder;
  for (const std::string command : {"run --json", "show"}) {
    Process run(folder, command + " --until 1e7 -o out " + kModels + "/kepler.vin");
    ASSERT_TRUE(wait_until([&] { return folder.read(".beside.err").find("elapsed") != std::string::npos; })) << command;
    run.send(SIGINT);
    const Ran ran = run.wait();
    EXPECT_EQ(ran.status, 130) << command << ran.err;
    EXPECT_NE(ran.err.find("vinculum: the run was interrupted at t = "), std::string::npos) << ran.err;
    if (command == "show") {
      EXPECT_TRUE(folder.read("out/report.html").ends_with("</html>\n"));
    } else {
      EXPECT_EQ(json::parse(ran.out)["stopped"]["kind"], "interrupted");
    }
    fs::remove(folder.path() / ".beside.err");
  }
}

TEST(Interrupt, EndsWhatOnlyJudges) {
  const Folder folder;
  folder.write("long.vin",
               "model long \"a long run\"\ncoord x\nlagrangian x'^2/2 - x^2/2\nstart x = 1, x' = 0\nrun 1e9\n");
  for (const std::string command : {"audit long.vin", "test long.vin"}) {
    Process judging(folder, command);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    judging.send(SIGINT);
    const Ran ran = judging.wait();
    EXPECT_EQ(ran.status, 128 + SIGINT) << command << ran.err;
    EXPECT_EQ(ran.out.find("holds"), std::string::npos) << ran.out;
  }
}

TEST(Interrupt, OfAComparisonLeavesNothing) {
  const Folder folder;
  Process run(folder,
              "compare --laws 'ideal,viscous(kappa=1)' --until 1e7 -o out " + kModels + "/knife_edge_viscous.vin");
  ASSERT_TRUE(wait_until([&] { return folder.read(".beside.err").find("elapsed") != std::string::npos; }))
      << folder.read(".beside.err");
  run.send(SIGINT);
  const Ran ran = run.wait();
  EXPECT_EQ(ran.status, 130) << ran.err;
  EXPECT_NE(ran.err.find("the comparison was interrupted in "), std::string::npos) << ran.err;
  EXPECT_FALSE(fs::exists(folder.path() / "out"));
}

TEST(Interrupt, IsNotTakenUpWhereTheCallerIgnoresIt) {
  const Folder folder;
  const Ran ran = test_support::run_line(
      folder, "(trap '' INT; \"$VINCULUM\" run -o out " + kModels + "/pucks_parallel.vin & kill -INT $!; wait $!)");
  EXPECT_EQ(ran.status, 0) << ran.err;
}

}  // namespace results_test
}  // namespace vinculum
