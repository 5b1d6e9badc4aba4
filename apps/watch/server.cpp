#include <httplib.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "watch_server.hpp"

namespace vinculum::watch {
namespace {

constexpr const char* kHere = "127.0.0.1";
constexpr std::size_t kThreads = 16;  // threads of the server; each open window occupies one
constexpr auto kLongestWait = std::chrono::seconds(20);

// The window that contains the page in a frame. The content security policy of the page forbids requests, so the window
// waits for changes in its place.
constexpr const char* kWindow = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vinculum</title>
<link rel="icon" href="data:,">
<style>html, body { margin: 0; height: 100%; overflow: hidden } iframe { border: 0; width: 100%; height: 100%; display: block }
p { position: fixed; left: 1rem; bottom: 1rem; margin: 0; padding: .5rem 1rem; border-radius: .5rem;
    background: #1c2733; color: #fff; font: 14px system-ui, sans-serif }</style>
</head>
<body>
<iframe title="the motion"></iframe>
<p role="status" hidden>`vinculum watch` has ended: this is its last page.</p>
<script src="/window.js"></script>
</body>
</html>
)";
constexpr const char* kScript = R"(const frame = document.querySelector('iframe'), note = document.querySelector('p');
let version = 0;
frame.addEventListener('load', () => { document.title = frame.contentDocument.title; });
async function wait() {
  try {
    const next = Number(await (await fetch(`/version?after=${version}`, {cache: 'no-store'})).text());
    note.hidden = true;
    if (next !== version) {
      const hash = version === 0 ? location.hash : frame.contentWindow.location.hash;  // the time and tab that it is at
      version = next;
      frame.contentWindow.location.replace(`/page?${next}${hash}`);
    }
    setTimeout(wait, 20);
  } catch {
    note.hidden = false;
    setTimeout(wait, 1000);
  }
}
wait();
)";
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; frame-src "
    "'self'; frame-ancestors 'none'";

class LocalServer final : public Server {
 public:
  /// \returns whether it listens.
  bool listen(int port) {
    server_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;  // SO_REUSEPORT must not be set, so that each port has only one server
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_.set_default_headers({{"Cache-Control", "no-store"},
                                 {"X-Content-Type-Options", "nosniff"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"}});
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      // Rejects requests of a page from another host whose name resolves to this machine.
      const std::string host = request.get_header_value("Host"), end = ":" + std::to_string(port_);
      if (host == kHere + end || host == "localhost" + end) return httplib::Server::HandlerResponse::Unhandled;
      response.status = 403;
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.Get("/", [](const httplib::Request&, httplib::Response& response) {
      response.set_header("Content-Security-Policy", kPolicy);
      response.set_content(kWindow, "text/html; charset=utf-8");
    });
    server_.Get("/window.js", [](const httplib::Request&, httplib::Response& response) {
      response.set_content(kScript, "text/javascript; charset=utf-8");
    });
    server_.Get("/page", [this](const httplib::Request&, httplib::Response& response) {
      const std::scoped_lock lock(mutex_);
      response.set_header("X-Frame-Options", "SAMEORIGIN");
      response.set_content(page_, "text/html; charset=utf-8");
    });
    server_.Get("/version", [this](const httplib::Request& request, httplib::Response& response) {
      response.set_content(std::to_string(wait_behind(request.get_param_value("after"))), "text/plain");
    });
    port_ = port == 0 ? server_.bind_to_any_port(kHere) : server_.bind_to_port(kHere, port) ? port : -1;
    if (port_ < 0) return false;
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return true;
  }

  ~LocalServer() override {
    {
      const std::scoped_lock lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    if (!thread_.joinable()) return;
    server_.stop();
    thread_.join();
  }

  [[nodiscard]] int port() const override { return port_; }

  void publish(std::string page) override {
    {
      const std::scoped_lock lock(mutex_);
      page_ = std::move(page);
      ++version_;
    }
    changed_.notify_all();
  }

 private:
  /// Waits until the version of the page differs from `known`, or for a limited time; returns the current version.
  long wait_behind(const std::string& known) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLongestWait,
                      [&] { return is_over_ || (version_ > 0 && std::to_string(version_) != known); });
    return version_;
  }

  httplib::Server server_;
  std::thread thread_;
  int port_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string page_;
  long version_ = 0;
  bool is_over_ = false;
};

}  // namespace
}  // namespace vinculum::watch

extern "C" __attribute__((visibility("default"))) vinculum::watch::Server* vinculum_make_server(int port) {
  auto server = std::make_unique<vinculum::watch::LocalServer>();
  return server->listen(port) ? server.release() : nullptr;
}
