# `cpack -G DEB` in the build folder: one Debian package of what is installed, command, library with the module for native code, headers,
# models, manual page, completion, and the page of `show` where npm has built it. What it depends on is read off the programs by
# dpkg-shlibdeps (Debian's dpkg-dev).
install(FILES ${PROJECT_SOURCE_DIR}/cmake/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vinculum)

# what is packed is what has been built: the tests need not be
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_PACKAGE_NAME vinculum)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "Vinculum maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "constrained motion, and the force behind every constraint")
set(CPACK_PACKAGE_DESCRIPTION
    "Vinculum reads models of mechanisms, derives their equations, computes their motion and the force behind every constraint.
This package holds the command, the C++ library with its headers, and the models.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS librsvg2-bin)  # for --png
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
