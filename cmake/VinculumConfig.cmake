# find_package(Vinculum) gives the target vinculum::vinculum.
include(CMakeFindDependencyMacro)
find_dependency(Eigen3 3.4 NO_MODULE)
find_dependency(tl-expected)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/VinculumTargets.cmake)
