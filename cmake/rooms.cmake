# Headers compiled once for all rooms: the standard library, fmt and Eigen; for rooms from `mechanics` up the Model too.
add_library(vinculum_foundation STATIC ${CMAKE_CURRENT_LIST_DIR}/foundation.cpp)
target_link_libraries(vinculum_foundation PRIVATE Eigen3::Eigen tl::expected fmt::fmt)
target_precompile_headers(vinculum_foundation PRIVATE ${CMAKE_CURRENT_LIST_DIR}/foundation.hpp)

add_library(vinculum_foundation_of_models STATIC ${CMAKE_CURRENT_LIST_DIR}/foundation.cpp)
target_include_directories(vinculum_foundation_of_models PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(vinculum_foundation_of_models PRIVATE Eigen3::Eigen tl::expected fmt::fmt)
target_precompile_headers(vinculum_foundation_of_models PRIVATE ${CMAKE_CURRENT_LIST_DIR}/foundation_of_models.hpp)

if(VINCULUM_TESTS)
  add_library(vinculum_foundation_of_tests STATIC ${CMAKE_CURRENT_LIST_DIR}/foundation.cpp)
  target_include_directories(vinculum_foundation_of_tests PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(vinculum_foundation_of_tests PRIVATE Eigen3::Eigen tl::expected fmt::fmt GTest::gtest)
  target_precompile_headers(vinculum_foundation_of_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/foundation_of_tests.hpp)
endif()

# Sources compiled eight at a time: what they share is read and instantiated once a batch. So names in anonymous namespaces differ
# within a room. The preset `debug` compiles each file by itself, which shows that it includes what it uses.
function(vinculum_in_batches target)
  if(VINCULUM_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# vinculum_room(NAME LINK targets… [PRIVATE targets…] [MODELS] [ONCE])
#
# A room is a folder of src/vinculum: its sources become the static library vinculum_NAME, its *_test.cpp siblings the
# test program NAME_test. A room links, and so may include, only what LINK names and what those see in turn. MODELS: it stands
# above the Model, and shares its compiled header. ONCE: what it does happens once a model, so that it is compiled fast rather
# than to be fast.
function(vinculum_room name)
  cmake_parse_arguments(room "MODELS;ONCE" "" "LINK;PRIVATE" ${ARGN})
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
    target_link_libraries(vinculum_${name} PRIVATE ${room_PRIVATE})
    if(room_MODELS)
      target_precompile_headers(vinculum_${name} REUSE_FROM vinculum_foundation_of_models)
    else()
      target_precompile_headers(vinculum_${name} REUSE_FROM vinculum_foundation)
    endif()
    vinculum_in_batches(vinculum_${name})
    if(room_ONCE)
      target_compile_options(vinculum_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
  endif()
  target_include_directories(vinculum_${name} ${access} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_link_libraries(vinculum_${name} ${access} ${room_LINK})
  set_property(GLOBAL APPEND PROPERTY vinculum_rooms vinculum_${name})
  target_include_directories(vinculum_${name} ${access} $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS vinculum_${name} EXPORT vinculum)
  if(tests AND VINCULUM_TESTS)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE vinculum_${name} ${room_PRIVATE})
    vinculum_test_program(${name}_test unit ${name}.)
  endif()
endfunction()

# What every test program has in common: gtest, the compiled header, fast compilation, and its tier: `unit` runs in ./test, `slow` only in
# ./test --slow.
if(VINCULUM_TESTS)
  add_custom_target(tests_unit)
endif()
function(vinculum_test_program program label prefix)
  if(label STREQUAL unit)
    add_dependencies(tests_unit ${program})
  endif()
  target_link_libraries(${program} PRIVATE rapidcheck GTest::gtest_main)
  target_precompile_headers(${program} REUSE_FROM vinculum_foundation_of_tests)
  target_compile_options(${program} PRIVATE $<$<CONFIG:Release>:-O1>)
  gtest_discover_tests(${program} TEST_PREFIX ${prefix} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${label})
endfunction()

# The library as others link it: all rooms in one.
function(vinculum_library)
  get_property(rooms GLOBAL PROPERTY vinculum_rooms)
  add_library(vinculum INTERFACE)
  target_link_libraries(vinculum INTERFACE ${rooms})
  install(TARGETS vinculum EXPORT vinculum)
  install(EXPORT vinculum NAMESPACE vinculum:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Vinculum FILE VinculumTargets.cmake)
  include(CMakePackageConfigHelpers)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/VinculumConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/VinculumConfig.cmake ${PROJECT_BINARY_DIR}/VinculumConfigVersion.cmake
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Vinculum)
endfunction()
