// `vinculum watch`: responses to a local browser while a model is edited.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "process.hpp"
#include "support/models.hpp"

namespace watch_test {

using vinculum::test_support::Folder;
using vinculum::test_support::Process;
using vinculum::test_support::Ran;
using vinculum::test_support::read_text;
using vinculum::test_support::run_command;
using vinculum::test_support::wait_until;

const std::string kPendulum = VINCULUM_MODELS "/pendulum.vin";

/// The complete response to a request, including headers; empty if there is no server.
std::string get(int port, const std::string& path, std::string host = "", const char* address = "127.0.0.1") {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, address, &at.sin_addr);
  std::string answer;
  if (::connect(socket, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0) {
    if (host.empty()) host = "127.0.0.1:" + std::to_string(port);
    const std::string request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
    (void)::send(socket, request.data(), request.size(), MSG_NOSIGNAL);
    std::array<char, 65536> part{};
    for (ssize_t size = 0; (size = ::recv(socket, part.data(), part.size(), 0)) > 0;)
      answer.append(part.data(), static_cast<std::size_t>(size));
  }
  ::close(socket);
  return answer;
}
std::string content(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == answer.npos ? "" : answer.substr(end + 4);
}

/// The port printed by the command; 0 if it ended because the page or the server module is missing.
int port_of(const Folder& folder) {
  const auto said = [&] { return folder.read(".beside.out").find("/ until") != std::string::npos; };
  const auto missing = [&] { return folder.read(".beside.err").find(" is missing: ") != std::string::npos; };
  (void)wait_until([&] { return said() || missing(); });
  if (!said()) return 0;
  const std::string out = folder.read(".beside.out");
  return std::stoi(out.substr(out.find("127.0.0.1:") + 10));
}
bool shows(int port, const std::string& text) {
  return wait_until([&] { return get(port, "/page").find(text) != std::string::npos; });
}

TEST(Watch, ShowsTheModelAsItIsSavedAndEndsWhereItIsAsked) {
  const Folder folder;
  const std::string text = read_text(kPendulum);
  folder.write("m.vin", text);
  Process watch(folder, "watch m.vin --until 1");
  const int port = port_of(folder);
  if (port == 0) GTEST_SKIP() << "no page or no server where this was built";
  ASSERT_TRUE(shows(port, "\"format\": \"vinculum-scene/1\""));
  EXPECT_EQ(content(get(port, "/version?after=0")), "1");
  EXPECT_NE(get(port, "/").find("<iframe"), std::string::npos);

  folder.write("m.vin", text + "parm k = 1\n");
  ASSERT_TRUE(shows(port, "no statement begins with `parm`"));
  EXPECT_EQ(get(port, "/page").find("vinculum-scene/1"), std::string::npos);
  EXPECT_NE(get(port, "/page").find("did you mean `param`?"), std::string::npos);
  EXPECT_EQ(content(get(port, "/version?after=1")), "2");
  folder.write("m.vin", text + "# <b>right</b> again\n");
  ASSERT_TRUE(shows(port, "right"));
  EXPECT_EQ(content(get(port, "/version?after=2")), "3");

  watch.send(SIGINT);
  const Ran ended = watch.wait();
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(get(port, "/").empty());
}

TEST(Watch, SeesWhatIsIncluded) {
  const Folder folder;
  const std::string text = read_text(kPendulum);
  folder.write("m.vin", text + "include \"more.vin\"\n");
  folder.write("more.vin", "output first = x\n");
  const Process watch(folder, "watch m.vin --until 1");
  const int port = port_of(folder);
  if (port == 0) GTEST_SKIP() << "no page or no server where this was built";
  ASSERT_TRUE(shows(port, "\"name\": \"first\""));
  folder.write("more.vin", "output another = x + y\n");
  EXPECT_TRUE(shows(port, "\"name\": \"another\""));
}

TEST(Watch, ServesThisMachineUnderItsOwnNameAndNoFiles) {
  const Folder folder;
  folder.write("m.vin", read_text(kPendulum));
  const Process watch(folder, "watch m.vin --until 1");
  const int port = port_of(folder);
  if (port == 0) GTEST_SKIP() << "no page or no server where this was built";
  ASSERT_TRUE(shows(port, "vinculum-scene/1"));
  EXPECT_TRUE(get(port, "/page", "elsewhere.example:" + std::to_string(port)).starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(get(port, "/page", "localhost:" + std::to_string(port)).starts_with("HTTP/1.1 200"));
  for (const char* path : {"/m.vin", "/../m.vin", "/page/../m.vin", "/etc/passwd"})
    EXPECT_FALSE(get(port, path).starts_with("HTTP/1.1 200")) << path;
  EXPECT_EQ(get(port, "/page", "", "127.0.0.2"), "");  // another local address, on which it does not listen
  const Ran second = run_command(folder, "watch m.vin --port " + std::to_string(port));
  EXPECT_EQ(second.status, 2);
  EXPECT_EQ(second.err, "vinculum: port " + std::to_string(port) + " is taken\n");
}

TEST(Watch, OfNoFileIsAnErrorAtOnce) {
  const Folder folder;
  const Ran ran = run_command(folder, "watch none.vin");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("none.vin"), std::string::npos) << ran.err;
  EXPECT_EQ(run_command(folder, "watch none.vin --port 70000").status, 2);
}

}  // namespace watch_test
