#pragma once

#include <string>

/// Between `vinculum watch` and the one module that opens a socket.
namespace vinculum::watch {

/// Serves one page to windows of this machine, and tells them when it has become another.
class Server {
 public:
  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  /// Open windows are told that it is over.
  virtual ~Server() = default;
  [[nodiscard]] virtual int port() const = 0;
  /// From now on the page is this one.
  virtual void publish(std::string page) = 0;
};

/// What the module exports: listens at 127.0.0.1 and nowhere else. \param port  0: any that is free
/// \returns null where the port is taken; the caller's to delete.
using MakeServer = Server*(int port);
inline constexpr const char* kMakeServer = "vinculum_make_server";

}  // namespace vinculum::watch
