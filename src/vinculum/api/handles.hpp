#pragma once

#include <string>

#include "vinculum/api/shared.hpp"

namespace vinculum {

/// \returns an Error if a handle belongs to another model or to none.
/// \param what  kind of the thing, as a noun ("point").   \param count  number of such things in the model
template <class AnyHandle>
[[nodiscard]] Result<void> check_handle(const Model::Shared& model, const AnyHandle& handle, std::string_view what,
                                        std::size_t count) {
  if (handle.model == model.id && handle.index < count) return {};
  const std::string thing(what);
  if (handle.model == 0) return wrong_call("this handle is of no " + thing + ": `Model` has a function that finds it");
  return wrong_call("this handle of a" + (thing.starts_with("i") ? "n " + thing : " " + thing) +
                    " is of another model than `" + model.model->name + "`");
}

/// Finds a reported quantity by its name; an Error if there is none.
[[nodiscard]] Result<ColumnHandle> find_column(const Model::Shared& model, std::span<const report::Column> columns,
                                               std::string_view name);

}  // namespace vinculum
