#pragma once

#include <string>

#include "vinculum/api/shared.hpp"

namespace vinculum {

/// \returns an Error if a handle is not of this model.
/// \param what  kind of thing, as a noun.   \param count  number of such things
template <class AnyHandle>
[[nodiscard]] Result<void> check_handle(const Model::Shared& model, const AnyHandle& handle, std::string_view what,
                                        std::size_t count) {
  if (handle.model == model.id && handle.index < count) return {};
  const std::string thing(what);
  if (handle.model == 0) return wrong_call("this handle is of no " + thing + ": `Model` has a function that finds it");
  return wrong_call("this handle of a" + (thing.starts_with("i") ? "n " + thing : " " + thing) +
                    " is of another model than `" + model.model->name + "`");
}

/// A reported quantity by its name.
[[nodiscard]] Result<ColumnHandle> find_column(const Model::Shared& model, std::span<const report::Column> columns,
                                               std::string_view name);

}  // namespace vinculum
