// Source file for the precompiled headers; it contains no code.
