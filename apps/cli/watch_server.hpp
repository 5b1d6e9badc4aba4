#pragma once

#include <string>

/// Interface between `vinculum watch` and its server module, the only code that opens a socket.
namespace vinculum::watch {

/// Serves one page to browser windows on this machine, and notifies them when it changes.
class Server {
 public:
  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  /// Notifies open windows that the server ends.
  virtual ~Server() = default;
  [[nodiscard]] virtual int port() const = 0;
  /// Replaces the page and notifies open windows.
  virtual void publish(std::string page) = 0;
};

/// The function that the module exports. It makes a server that listens at 127.0.0.1 only. \param port  0: any free
/// port
/// \returns null if the port is in use; the caller owns the result.
using MakeServer = Server*(int port);
inline constexpr const char* kMakeServer = "vinculum_make_server";

}  // namespace vinculum::watch
