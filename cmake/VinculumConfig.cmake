# find_package(Vinculum) gives the target vinculum::vinculum. Its headers need nothing but the standard library.
include(${CMAKE_CURRENT_LIST_DIR}/VinculumTargets.cmake)
