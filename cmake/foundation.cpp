// Carries a compiled header; has no code of its own.
