# Installs into an empty folder, runs the command from there, builds the programs of docs/api.md and runs them.
# cmake -DBUILD=… -DSOURCE=… -P run.cmake
set(folder ${BUILD}/install-test)
file(REMOVE_RECURSE ${folder})

function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output
                  WORKING_DIRECTORY ${folder}/work)
  message("${output}")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} ended with ${status}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${folder}/work)
must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder}/prefix)
file(COPY ${folder}/prefix/share/vinculum/models/ DESTINATION ${folder}/work)

# Installed are the public headers, no others, and one library.
file(GLOB_RECURSE headers RELATIVE ${folder}/prefix/include ${folder}/prefix/include/*)
list(LENGTH headers count)
if(count GREATER 9)
  message(FATAL_ERROR "more than nine headers are installed: ${headers}")
endif()
file(GLOB_RECURSE archives ${folder}/prefix/*.a)
if(archives)
  message(FATAL_ERROR "modules are installed: ${archives}")
endif()

set(ENV{VINCULUM_CACHE} ${folder}/cache)
must(${folder}/prefix/bin/vinculum test ${folder}/work)
must(${CMAKE_COMMAND} -S ${SOURCE} -B ${folder}/build -G Ninja -DCMAKE_PREFIX_PATH=${folder}/prefix)
must(${CMAKE_COMMAND} --build ${folder}/build)
foreach(program errors heavier stepping built equations evaluated judged long_run force)
  must(${folder}/build/${program})
endforeach()
# Native code works wherever the program is, because the library finds its module.
file(GLOB_RECURSE module ${folder}/prefix/vinculum-llvm.so)
if(module AND NOT output MATCHES "equations by native code")
  message(FATAL_ERROR "the installed library makes no native code: ${output}")
endif()
# The program of docs/howto/from_cpp.md, which exits with 0 if its number agrees with the closed form.
must(${CMAKE_COMMAND} -S ${SOURCE}/../howto/programs -B ${folder}/howto -G Ninja -DCMAKE_PREFIX_PATH=${folder}/prefix)
must(${CMAKE_COMMAND} --build ${folder}/howto)
must(${CMAKE_COMMAND} -E chdir ${SOURCE}/../howto/models ${folder}/howto/called)
