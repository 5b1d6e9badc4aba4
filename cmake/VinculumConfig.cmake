# find_package(Vinculum) defines the target vinculum::vinculum. Its headers need only the standard library.
include(${CMAKE_CURRENT_LIST_DIR}/VinculumTargets.cmake)
