# Precompiled headers, shared by all modules: the standard library, fmt and Eigen. Modules above `model` also share a
# precompiled Model, unless VINCULUM_MODEL_PRECOMPILED is off; then a change of the Model recompiles only the files
# that include it, instead of every module above it.
add_library(vinculum_foundation STATIC ${CMAKE_CURRENT_LIST_DIR}/foundation.cpp)
target_link_libraries(vinculum_foundation PRIVATE Eigen3::Eigen fmt::fmt)
target_precompile_headers(vinculum_foundation PRIVATE ${CMAKE_CURRENT_LIST_DIR}/foundation.hpp)

if(VINCULUM_MODEL_PRECOMPILED)
  add_library(vinculum_foundation_of_models STATIC ${CMAKE_CURRENT_LIST_DIR}/foundation.cpp)
  target_include_directories(vinculum_foundation_of_models PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(vinculum_foundation_of_models PRIVATE Eigen3::Eigen fmt::fmt)
  target_precompile_headers(vinculum_foundation_of_models PRIVATE ${CMAKE_CURRENT_LIST_DIR}/foundation_of_models.hpp)
  set(header_of_models vinculum_foundation_of_models)
  set(header_of_tests ${CMAKE_CURRENT_LIST_DIR}/foundation_of_tests.hpp)
else()
  set(header_of_models vinculum_foundation)
  set(header_of_tests <gtest/gtest.h> ${CMAKE_CURRENT_LIST_DIR}/foundation.hpp)
endif()

# Unity builds: several sources are compiled together, so that headers (above all Eigen's templates) are read and
# instantiated once per batch. Therefore names in anonymous namespaces must be unique within the sources of a module,
# and within its tests. In the suites of tests/, each file has a namespace with its own name. VINCULUM_BATCHES is the
# number of sources per batch: 24 minimizes the time of a first build, smaller values that of a rebuild after a small
# change. The preset `debug` compiles each file separately, which shows that every file includes the headers it needs.
function(vinculum_in_batches target)
  if(VINCULUM_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${VINCULUM_BATCHES})
  endif()
endfunction()

if(VINCULUM_TESTS)
  add_library(vinculum_foundation_of_tests STATIC ${CMAKE_CURRENT_LIST_DIR}/foundation.cpp)
  target_include_directories(vinculum_foundation_of_tests PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(vinculum_foundation_of_tests PRIVATE Eigen3::Eigen fmt::fmt GTest::gtest)
  target_precompile_headers(vinculum_foundation_of_tests PRIVATE ${header_of_tests})
  target_compile_options(vinculum_foundation_of_tests PRIVATE $<$<CONFIG:Release>:-O0>)

  # Code shared by the tests of many modules: random problems and the literal formulation.
  file(GLOB support CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/numeric/*.cpp)
  add_library(vinculum_test_support STATIC ${support})
  target_include_directories(vinculum_test_support PUBLIC ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(vinculum_test_support PRIVATE vinculum_numeric fmt::fmt)
  vinculum_in_batches(vinculum_test_support)
endif()

# While a precompiled header is rebuilt, ccache would read the old one and return results made from it. So ccache is
# not used here.
foreach(header foundation foundation_of_models foundation_of_tests)
  if(TARGET vinculum_${header})
    set_target_properties(vinculum_${header} PROPERTIES CXX_COMPILER_LAUNCHER "")
  endif()
endforeach()

# vinculum_module(NAME LINK targets… [PRIVATE targets…] [TESTS targets…] [MODELS] [ONCE])
#
# A module is a folder of src/vinculum. Its sources become the static library vinculum_NAME, its *_test.cpp files the
# test program NAME_test. A module links, and so may include, only the targets of LINK and their dependencies; its
# tests may also use the targets of TESTS.
# MODELS: the module is above `model` and uses the precompiled Model.
# ONCE: its code runs once per model, so that short compile time (-O1) is preferred to speed.
function(vinculum_module name)
  cmake_parse_arguments(module "MODELS;ONCE" "" "LINK;PRIVATE;TESTS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/vinculum/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/llvm/")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  if(NOT sources)
    add_library(vinculum_${name} INTERFACE)
    set(access INTERFACE)
  else()
    add_library(vinculum_${name} STATIC ${sources})
    set(access PUBLIC)
    target_link_libraries(vinculum_${name} PRIVATE ${module_PRIVATE})
    if(module_MODELS)
      target_precompile_headers(vinculum_${name} REUSE_FROM ${header_of_models})
    else()
      target_precompile_headers(vinculum_${name} REUSE_FROM vinculum_foundation)
    endif()
    vinculum_in_batches(vinculum_${name})
    if(module_ONCE)
      target_compile_options(vinculum_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
  endif()
  target_include_directories(vinculum_${name} ${access} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                             $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_link_libraries(vinculum_${name} ${access} ${module_LINK})
  if(tests AND VINCULUM_TESTS)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE vinculum_${name} ${module_PRIVATE} ${module_TESTS})
    target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)  # for tests/support
    vinculum_test_program(${name}_test unit ${name}.)
  endif()
endfunction()

# Settings of every test program: gtest, precompiled header, no optimization, and a label. `unit` and `texts` run in
# ./test, `slow` only in ./test --slow (`published`, set in tests/CMakeLists.txt, also in ./test --published). A
# further argument is a filter of the tests with this label.
if(VINCULUM_TESTS)
  add_custom_target(tests_unit)
endif()
function(vinculum_test_program program label prefix)
  if(label STREQUAL unit)
    add_dependencies(tests_unit ${program})
  endif()
  vinculum_in_batches(${program})
  target_link_libraries(${program} PRIVATE vinculum_test_support rapidcheck GTest::gtest_main)
  target_precompile_headers(${program} REUSE_FROM vinculum_foundation_of_tests)
  # must equal the options of the precompiled header
  target_compile_options(${program} PRIVATE $<$<CONFIG:Release>:-O0>)
  if(program IN_LIST vinculum_programs_in_parts)
    vinculum_test_parts(${program} ${label} ${prefix} "${ARGN}")
  else()
    set(cost 0)
    if(label STREQUAL slow)
      set(cost 100)  # some take minutes, so that they begin first
    endif()
    gtest_discover_tests(${program} TEST_PREFIX ${prefix} DISCOVERY_TIMEOUT 60 TEST_FILTER "${ARGN}"
                         PROPERTIES LABELS ${label} COST ${cost})
  endif()
endfunction()

# Programs of the list `vinculum_programs_in_parts` have hundreds of short tests and are registered in eight parts. Part
# i is one run of the program with every eighth test. To start the program takes up to 0.2 s, longer than most of these
# tests. To run a single test: `build/release/bin/NAME_suite --gtest_filter=...`.
function(vinculum_test_parts program label prefix filter)
  if(NOT filter)
    set(filter *)
  endif()
  foreach(part RANGE 1 8)
    math(EXPR index "${part} - 1")
    add_test(NAME ${prefix}part${part} COMMAND ${program} --gtest_brief=1 --gtest_filter=${filter})
    set_tests_properties(${prefix}part${part} PROPERTIES LABELS ${label} TIMEOUT 3600
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=8;GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# The library for users: all modules in one shared library. Only the headers of the public API (include/) are
# installed, and only their symbols are exported.
function(vinculum_library)
  add_library(vinculum SHARED $<TARGET_OBJECTS:vinculum_api>)
  target_link_libraries(vinculum PRIVATE vinculum_elaborate vinculum_scene vinculum_sensitivity vinculum_imports vinculum_files)
  target_link_options(vinculum PRIVATE -Wl,--exclude-libs,ALL)
  target_include_directories(vinculum PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(vinculum PUBLIC cxx_std_20)
  set_target_properties(vinculum PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                                            SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  install(TARGETS vinculum EXPORT vinculum)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/vinculum DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT vinculum NAMESPACE vinculum:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Vinculum FILE VinculumTargets.cmake)
  include(CMakePackageConfigHelpers)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/VinculumConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/VinculumConfig.cmake ${PROJECT_BINARY_DIR}/VinculumConfigVersion.cmake
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Vinculum)
endfunction()
