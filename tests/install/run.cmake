# Installs into a fresh folder, uses the command from there, builds and runs a program against the library.
# cmake -DBUILD=… -DSOURCE=… -DMODELS=… -P run.cmake
set(folder ${BUILD}/install-test)
file(REMOVE_RECURSE ${folder})

function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} ended with ${status}")
  endif()
endfunction()

must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder}/prefix)
set(ENV{VINCULUM_CACHE} ${folder}/cache)
must(${folder}/prefix/bin/vinculum test ${folder}/prefix/share/vinculum/models)
must(${CMAKE_COMMAND} -S ${SOURCE} -B ${folder}/build -G Ninja -DCMAKE_PREFIX_PATH=${folder}/prefix)
must(${CMAKE_COMMAND} --build ${folder}/build)
must(${folder}/build/pendulum)
