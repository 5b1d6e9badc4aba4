# `cpack -G DEB` in the build folder makes one Debian package of everything that is installed: command, library,
# module for native code, headers, models, manual page, shell completion, and the page of `show` if npm has built it.
# dpkg-shlibdeps (Debian's dpkg-dev) determines the dependencies.
install(FILES ${PROJECT_SOURCE_DIR}/cmake/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vinculum)

# packs what has been built; the tests need not be built
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_PACKAGE_NAME vinculum)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "Vinculum maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "constrained motion, and the force of every constraint")
set(CPACK_PACKAGE_DESCRIPTION
    "Vinculum reads models of mechanisms, derives their equations, computes their motion and the force of every constraint.
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
