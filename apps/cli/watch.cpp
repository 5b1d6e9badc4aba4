#include <dlfcn.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>

#include "interrupts.hpp"
#include "page.hpp"
#include "watch_server.hpp"
#include "watched_files.hpp"

namespace vinculum::cli {
namespace {

namespace fs = std::filesystem;

/// Path of the server module, relative to the program, both for an installed command and for one in its build folder.
fs::path module_path() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none).parent_path().parent_path() / "libexec/vinculum/vinculum-watch.so";
}

/// The module's function that makes a server. If the module is missing, prints a message on stderr and returns null.
watch::MakeServer* server_maker() {
  const fs::path path = module_path();
  void* module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* made = module == nullptr ? nullptr : ::dlsym(module, watch::kMakeServer);
  if (made == nullptr)
    print_usage("the server program of `watch` is missing: " + path.string() +
                "\n  it is built if cpp-httplib is installed (Debian: libcpp-httplib-dev); `vinculum show` writes a "
                "page without it");
  return reinterpret_cast<watch::MakeServer*>(made);
}

std::string in_html(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

/// The page that replaces the motion if the model has errors: it shows their text.
std::string page_of_text(const std::string& title, std::string_view text) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
         "img-src "
         "data:\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>" +
         in_html(title) +
         "</title>\n<style>body { margin: 2rem; font: 16px system-ui, sans-serif } pre { overflow-x: auto; font: "
         "14px/1.5 "
         "ui-monospace, monospace }</style>\n</head>\n<body>\n<h1>" +
         in_html(title) + "</h1>\n<pre>" + in_html(text) + "</pre>\n</body>\n</html>\n";
}

/// The page for the current content of the files; nothing if the files change while it is computed.
std::optional<std::string> page_now(const Common& common, RunOptions options, const std::string& blank,
                                    WatchedFiles& files) {
  const auto fault = [&](const Error& error) {
    print(error);
    return page_of_text(common.model, error.text());
  };
  const auto model = Model::load(common.model, *common.settings());
  if (!model) return fault(model.error());
  print_warning(model->diagnostics().text);
  bool is_old = false;
  options.record = {.energy = true, .scene = true, .audit = true};
  options.is_interrupted = [&] { return Interrupts::is_asked() || (is_old = is_old || files.have_changed()); };
  const auto motion = model->run(options);
  if (is_old || Interrupts::is_asked()) return std::nullopt;
  if (!motion) return fault(motion.error());
  if (motion->t().empty() && motion->stopped() != nullptr) return fault(*motion->stopped());
  if (motion->stopped() != nullptr && !motion->stopped()->is_stated_end()) print(*motion->stopped());
  const auto scene = motion->scene();
  if (!scene) return fault(scene.error());
  const auto page = scene->page(blank);
  return page ? *page : fault(page.error());
}

int watch_model(const Common& common, const RunOptions& options, int port) {
  if (port < 0 || port > 65535) return print_usage("`--port` is a number from 0 to 65535");
  const auto blank = blank_page();
  if (!blank) return print(blank.error());
  if (!common.settings()) return kUsage;
  if (const auto text = read_text(common.model); !text) return print(text.error());
  watch::MakeServer* make = server_maker();
  if (make == nullptr) return kUsage;
  const Interrupts interrupts;
  WatchedFiles files(common.model);
  const std::unique_ptr<watch::Server> server(make(port));
  if (server == nullptr) return print_usage("port " + std::to_string(port) + " is taken");
  print("watching " + common.model + " at http://127.0.0.1:" + std::to_string(server->port()) + "/ until Ctrl-C\n");
  while (!Interrupts::is_asked()) {
    auto page = page_now(common, options, *blank, files);
    if (!page) continue;
    server->publish(*std::move(page));
    while (!Interrupts::is_asked() && !files.have_changed()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return kRight;
}

}  // namespace

void add_watch(CLI::App& app, int& status) {
  static Common common;
  static RunOptions options;
  static int port = 0;
  CLI::App* command = app.add_subcommand(
      "watch", "serve the page of `show` to a browser on this machine, and update it when the model is saved");
  common.add_model(command);
  Common::add_motion(command, options);
  command->add_option("--port", port, "port at 127.0.0.1 (default: any free port)")->type_name("NUMBER");
  common.add_set(command);
  common.add_backend(command);
  command->callback([&status] { status = watch_model(common, options, port); });
}

}  // namespace vinculum::cli
