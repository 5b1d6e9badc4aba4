// Faults while results are written: full disks, closed pipes, folders without write permission, links, two writers,
// kills.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "e2e/process.hpp"

namespace vinculum {
namespace faults_test {

namespace fs = std::filesystem;
using nlohmann::json;
using test_support::Folder;
using test_support::Process;
using test_support::Ran;
using test_support::run_command;
using test_support::run_line;
using test_support::wait_until;

const std::string kPucks = std::string(VINCULUM_MODELS) + "/pucks_parallel.vin";
const std::string kFriction = std::string(VINCULUM_MODELS) + "/friction_incline_sticks.vin";
const std::string kEndless = "run --until 1e9 " + std::string(VINCULUM_MODELS) + "/kepler.vin";

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

using Names = std::set<std::string>;

/// The last value in the first column of a CSV file.
double last_time(const std::string& csv) {
  const std::size_t end = csv.find_last_not_of('\n');
  return std::stod(csv.substr(csv.rfind('\n', end) + 1));
}

/// A cell of the last row, by the name of its column.
std::string last_cell(const std::string& csv, const std::string& column) {
  const auto cells = [](const std::string& line) {
    std::vector<std::string> all;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) all.push_back(cell);
    return all;
  };
  const std::size_t end = csv.find_last_not_of('\n');
  const auto names = cells(csv.substr(0, csv.find('\n')));
  const auto row = cells(csv.substr(csv.rfind('\n', end) + 1, end - csv.rfind('\n', end)));
  return row.at(static_cast<std::size_t>(std::ranges::find(names, column) - names.begin()));
}

/// Checks that the results are complete and from one run: both files have the same end.
void expect_whole(const Folder& folder, const std::string& out) {
  const json result = json::parse(folder.read(out + "/result.json"));
  const std::string csv = folder.read(out + "/trajectory.csv");
  EXPECT_EQ(last_time(csv), result["t"].get<double>());
  EXPECT_EQ(std::stod(last_cell(csv, "q1")), result["state"]["q1"].get<double>());
  EXPECT_TRUE(folder.read(out + "/events.csv").starts_with("t,kind,where,before,after,unit\n"));
}

/// Writes `fine.vin`, a model with long results.
void write_fine(const Folder& folder) {
  std::string text = folder.read(kPucks);
  folder.write("fine.vin", text.replace(text.find("run 4 [s]"), 9, "run 4 [s] step 1e-4 [s]"));
}

TEST(FullDisk, UnderStdoutIsStatusTwoOfEveryCommandThatPrints) {
  const Folder folder;
  for (const std::string arguments :
       {"run --no-cache -o out ", "run --json -o out ", "explain ", "explain --json ", "derive ", "derive --to c ",
        "format ", "test ", "test --json ", "audit ", "audit --json ", "check --json ", "show -o page ",
        "compare --laws ideal,vakonomic ", "--help ", "--version "}) {
    const Ran ran = run_line(folder, "\"$VINCULUM\" " + arguments + kPucks + " >/dev/full");
    EXPECT_EQ(ran.status, 2) << arguments;
    EXPECT_NE(ran.err.find("vinculum: the standard output cannot be written: No space left on device"),
              std::string::npos)
        << arguments << ran.err;
  }
  expect_whole(folder, "out");  // everything that could be written was written
}

TEST(ClosedPipe, IsStatusTwoWithoutAMessage) {
  const Folder folder;
  for (const std::string arguments :
       {"run -o out ", "run --json -o out ", "explain ", "explain --json ", "show -o page ", "test ", "test --json ",
        "audit ", "audit --json ", "compare --laws ideal,vakonomic ", "derive ", "format ", "check --json "}) {
    // the reader of the pipe ends before the command begins
    const Ran ran = run_line(folder, "{ sleep 0.2; \"$VINCULUM\" " + arguments + kPucks + "; echo $? >status; } | :");
    EXPECT_EQ(folder.read("status"), "2\n") << arguments;
    EXPECT_EQ(ran.err.find("cannot be written"), std::string::npos) << arguments << ran.err;
  }
  expect_whole(folder, "out");
}

TEST(ClosedStdout, DoesNotPutItsTextIntoAFileOfTheResults) {
  const Folder folder;
  const Ran ran = run_line(folder, "\"$VINCULUM\" run -o out " + kPucks + " >&-");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("the standard output cannot be written"), std::string::npos) << ran.err;
  expect_whole(folder, "out");
  EXPECT_FALSE(folder.read("out/trajectory.csv").find("state at") != std::string::npos);
}

TEST(FullDisk, UnderTheResultsIsSaidBeforeTheRun) {
  const Folder folder;  // limits files to this many blocks of 512 bytes
  const Ran ran = run_line(folder, "(ulimit -f 1; exec \"$VINCULUM\" " + kEndless + " --no-cache -o out)");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("the results cannot be written into `out`: File too large"), std::string::npos) << ran.err;
  EXPECT_FALSE(fs::exists(folder.path() / "out"));
}

TEST(FullDisk, EndsTheRunAtOnceAndLeavesTheOldResults) {
  const Folder folder;
  ASSERT_EQ(run_command(folder, "run --energy -o out " + kPucks).status, 0);
  const Names before = names_in(folder.path() / "out");
  const std::string result = folder.read("out/result.json"), csv = folder.read("out/trajectory.csv");
  write_fine(folder);
  const Ran ran = run_line(folder, "(ulimit -f 400; exec \"$VINCULUM\" run --no-cache -o out fine.vin)");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("File too large; the results before are unchanged"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("the run ended because its results could not be written"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("state at t = "), std::string::npos) << ran.out;  // the state reached is still printed
  EXPECT_EQ(names_in(folder.path() / "out"), before);
  EXPECT_EQ(folder.read("out/result.json"), result);
  EXPECT_EQ(folder.read("out/trajectory.csv"), csv);
}

/// Runs a line with `out` as a separate file system. \returns nothing if this machine does not permit it.
std::optional<Ran> run_mounted(const Folder& folder, const std::string& options, const std::string& line) {
  const std::string unshare = ::geteuid() == 0 ? "unshare -m" : "unshare -rm";
  fs::create_directory(folder.path() / "out");
  if (run_line(folder, unshare + " mount -t tmpfs none out").status != 0) return std::nullopt;
  return run_line(folder, unshare + " sh -c 'mount -t tmpfs -o " + options + " none out && " + line + "'");
}

TEST(FullDisk, OfAFileSystemIsSaidBeforeAndBehindTheRun) {
  const Folder folder;
  const auto small = run_mounted(folder, "size=16k", "exec \"$VINCULUM\" " + kEndless + " -o out");
  if (!small) GTEST_SKIP() << "no file system can be mounted here";
  EXPECT_EQ(small->status, 2);
  EXPECT_NE(small->err.find("`out`: No space left on device"), std::string::npos) << small->err;
  write_fine(folder);
  const auto behind = run_mounted(folder, "size=256k", "\"$VINCULUM\" run -o out fine.vin; echo $?; ls -A out");
  ASSERT_TRUE(behind);
  EXPECT_NE(behind->err.find("No space left on device; the results before are unchanged"), std::string::npos)
      << behind->err;
  EXPECT_TRUE(behind->out.ends_with("\n2\n")) << behind->out;
}

TEST(UnwritableFolder, IsSaidBeforeTheRun) {
  const Folder folder;
  const auto locked = run_mounted(folder, "ro", "exec \"$VINCULUM\" " + kEndless + " -o out");
  if (locked) {
    EXPECT_EQ(locked->status, 2);
    EXPECT_NE(locked->err.find("`out`: Read-only file system"), std::string::npos) << locked->err;
  }
  folder.write("file", "mine");
  for (const std::string out : {"/proc/nowhere/out", "file", "file/out"}) {
    for (const std::string& command : {kEndless, "compare --laws ideal,vakonomic --until 1e9 " + kPucks}) {
      const Ran ran = run_command(folder, command + " -o " + out);
      EXPECT_EQ(ran.status, 2) << out;
      EXPECT_NE(ran.err.find("the results cannot be written into `" + out + "`: "), std::string::npos) << ran.err;
    }
  }
  EXPECT_EQ(folder.read("file"), "mine");
  fs::create_directories(folder.path() / "taken/events.csv");
  EXPECT_NE(run_command(folder, kEndless + " -o taken").err.find("`taken/events.csv` is a folder"), std::string::npos);
}

TEST(Links, InThePlaceOfFilesAreReplacedAndNotFollowed) {
  const Folder folder;
  folder.write("precious", "precious");
  fs::create_directories(folder.path() / "results/pucks_parallel");
  for (const std::string name : {"trajectory.csv", "energy.csv", "events.csv", "result.json", "trajectory.csv.tmp"})
    fs::create_symlink("../../precious", folder.path() / "results/pucks_parallel" / name);
  ASSERT_EQ(run_command(folder, "run --energy " + kPucks).status, 0);
  EXPECT_EQ(folder.read("precious"), "precious");
  for (const std::string name : {"trajectory.csv", "energy.csv", "events.csv", "result.json"})
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder.path() / "results/pucks_parallel" / name))) << name;
  expect_whole(folder, "results/pucks_parallel");
}

TEST(Links, InThePlaceOfAPageAreReplacedAndNotFollowed) {
  const Folder folder;
  folder.write("precious", "precious");
  fs::create_directory(folder.path() / "out");
  fs::create_symlink("../precious", folder.path() / "out/report.html");
  ASSERT_EQ(run_command(folder, "show -o out " + kPucks).status, 0);
  EXPECT_EQ(folder.read("precious"), "precious");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder.path() / "out/report.html")));
}

TEST(Links, MayLeadToTheFolder) {
  const Folder folder;
  fs::create_directory(folder.path() / "disk");
  fs::create_directory_symlink("disk", folder.path() / "out");
  ASSERT_EQ(run_command(folder, "run -o out " + kPucks).status, 0);
  expect_whole(folder, "disk");
}

TEST(TwoWriters, TheSecondIsRefusedBeforeItsRun) {
  const Folder folder;
  Process first(folder, kEndless + " -o out");
  ASSERT_TRUE(wait_until([&] { return fs::exists(folder.path() / "out"); }));
  Ran second;
  ASSERT_TRUE(wait_until([&] {  // between creation and locking, the folder is not reserved
    second = run_command(folder, "compare --laws ideal,vakonomic " + kPucks + " -o out");
    return second.status != 0;
  }));
  EXPECT_EQ(second.status, 2);
  EXPECT_NE(second.err.find("another run writes its results into `out`; wait for its end, or name another folder"),
            std::string::npos)
      << second.err;
  first.send(SIGKILL);
  EXPECT_EQ(first.wait().status, 128 + SIGKILL);
  EXPECT_EQ(run_command(folder, "run -o out " + kPucks).status, 0);  // a lock ends with its process
}

TEST(TwoWriters, ManyAtOnceLeaveTheResultsOfOne) {
  const Folder folder;
  for (int round = 0; round < 4; ++round) {
    std::vector<std::unique_ptr<Process>> all;
    for (int i = 0; i < 6; ++i)
      all.push_back(std::make_unique<Process>(
          folder, "run --json -o out --set m2=" + std::to_string(1 + i) + " " + kPucks, std::to_string(i)));
    int written = 0;
    for (const auto& one : all) {
      const Ran ran = one->wait();
      EXPECT_TRUE(ran.status == 0 || ran.status == 2) << ran.status << ran.err;
      if (ran.status == 2) {
        EXPECT_NE(ran.err.find("another run writes"), std::string::npos) << ran.err;
      }
      written += ran.status == 0 ? 1 : 0;
    }
    EXPECT_GE(written, 1);
    expect_whole(folder, "out");
    EXPECT_EQ(names_in(folder.path() / "out"), (Names{"events.csv", "result.json", "trajectory.csv"}));
  }
}

TEST(Kill, InTheMiddleOfARunLeavesTheOldResults) {
  const Folder folder;
  ASSERT_EQ(run_command(folder, "run --energy -o out " + kPucks).status, 0);
  const std::string before = folder.read("out/result.json");
  Process run(folder, kEndless + " -o out");
  (void)wait_until([&] { return fs::exists(folder.path() / "cache"); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  run.send(SIGKILL);
  EXPECT_EQ(run.wait().status, 128 + SIGKILL);
  EXPECT_EQ(folder.read("out/result.json"), before);
  expect_whole(folder, "out");
}

// At whatever instant the process is killed, the folder has the complete old results, the complete new results, or a
// part of one of them without the final file `result.json`. The next run repairs it.
TEST(Kill, BetweenAnyTwoFilesLeavesNoMixture) {
  int outcomes_old = 0, outcomes_unsealed = 0;
  for (int at = 1; at < 40; ++at) {
    const Folder folder;
    ASSERT_EQ(run_command(folder, "run --energy -o out --set m2=3 " + kPucks).status, 0);
    const auto texts = [&] {
      std::map<std::string, std::string> all;
      for (const std::string& name : names_in(folder.path() / "out")) {
        // the model `pucks` has no events, so this file is the same for both runs
        if (!name.starts_with(".vinculum-") && name != "events.csv") all[name] = folder.read("out/" + name);
      }
      return all;
    };
    const auto before = texts();
    const Ran killed = run_line(
        folder, "(KILL_AT=" + std::to_string(at) +
                    " LD_PRELOAD='" VINCULUM_KILLER "' exec \"$VINCULUM\" run -o out --no-cache " + kPucks + ")");
    if (killed.status == 0) break;
    ASSERT_EQ(killed.status, 128 + SIGKILL) << killed.err;
    const auto after = texts();
    const auto is_old = [&](const auto& one) {
      return before.contains(one.first) && before.at(one.first) == one.second;
    };
    const auto same = static_cast<std::size_t>(std::ranges::count_if(after, is_old));
    EXPECT_TRUE(same == 0 || same == after.size()) << "a mixture at call " << at;
    if (!after.contains("result.json")) {
      ++outcomes_unsealed;
    } else if (same > 0) {
      ++outcomes_old;
      EXPECT_EQ(after, before) << at;
    } else {
      EXPECT_EQ(after.size(), 2u) << at;
    }
    ASSERT_EQ(run_command(folder, "run -o out " + kPucks).status, 0);
    EXPECT_EQ(names_in(folder.path() / "out"), (Names{"events.csv", "result.json", "trajectory.csv"})) << at;
    expect_whole(folder, "out");
  }
  EXPECT_GE(outcomes_old, 1);
  EXPECT_GE(outcomes_unsealed, 1);
}

}  // namespace faults_test
}  // namespace vinculum
