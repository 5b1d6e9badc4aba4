# Builds a Debian package, unpacks it into an empty folder, runs the command from there and builds a program against
# it.
# cmake -DBUILD=… -DSOURCE=… -P debian.cmake
find_program(SHLIBDEPS dpkg-shlibdeps)
if(NOT SHLIBDEPS)
  message("skipped: no dpkg-shlibdeps")
  return()
endif()
set(folder ${BUILD}/debian-test)
file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder}/work)

function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output
                  WORKING_DIRECTORY ${folder}/work)
  message("${output}")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} ended with ${status}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

must(${CMAKE_CPACK_COMMAND} -G DEB --config ${BUILD}/CPackConfig.cmake -B ${folder})
file(GLOB package ${folder}/vinculum_*.deb)
must(dpkg-deb --info ${package})
foreach(needed Package:\ vinculum libc6 libstdc\\+\\+6 libfmt libpugixml)
  if(NOT output MATCHES "${needed}")
    message(FATAL_ERROR "the package does not say `${needed}`: ${output}")
  endif()
endforeach()

must(dpkg-deb -x ${package} ${folder}/unpacked)
set(usr ${folder}/unpacked/usr)
file(GLOB_RECURSE module ${usr}/vinculum-llvm.so)
foreach(file share/man/man1/vinculum.1 share/bash-completion/completions/vinculum share/zsh/vendor-completions/_vinculum
             share/doc/vinculum/copyright share/vinculum/models/pucks_parallel.vin lib/cmake/Vinculum/VinculumConfig.cmake)
  if(NOT EXISTS ${usr}/${file})
    message(FATAL_ERROR "the package has no ${file}")
  endif()
endforeach()

file(COPY ${usr}/share/vinculum/models/ DESTINATION ${folder}/work)  # the program reads one of these models
set(ENV{VINCULUM_CACHE} ${folder}/cache)
must(${usr}/bin/vinculum test ${usr}/share/vinculum/models/pucks_parallel.vin)
must(${usr}/bin/vinculum run ${usr}/share/vinculum/models/pucks_parallel.vin -o ${folder}/results)
if(module AND NOT output MATCHES "\\(native")
  message(FATAL_ERROR "the package makes no native code: ${output}")
endif()
must(${CMAKE_COMMAND} -S ${SOURCE} -B ${folder}/build -G Ninja -DCMAKE_PREFIX_PATH=${usr})
must(${CMAKE_COMMAND} --build ${folder}/build --target errors)
must(${folder}/build/errors)
