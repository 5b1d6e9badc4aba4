#pragma once

#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/cursor.hpp"

namespace vinculum::lang {

/// Takes a text in quotes, such as "#ff8800", and stores it with its quotes. \returns false if none follows.
bool take_colour_code(Cursor& cursor, Name& name);

}  // namespace vinculum::lang
