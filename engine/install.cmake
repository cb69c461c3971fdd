# cmake --install: the libraries with headers, pkg-config and CMake package, the programs, configs.
include(CMakePackageConfigHelpers)
find_package(OpenMP COMPONENTS C)

# What a program that embeds the engine includes; the rest of engine/*.h is the library's own.
set(headers board contest draw error evaluate features fen game kernel level move notation opening
    parallel_search pdn position rng rules search signature squares text weights)
list(TRANSFORM headers PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
list(TRANSFORM headers APPEND .h)
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dama/engine)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/tables/tables.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dama/engine/tables)

set_target_properties(dama_engine PROPERTIES EXPORT_NAME engine)
set_target_properties(dama_tables PROPERTIES EXPORT_NAME tables)
install(TARGETS dama_engine dama_tables EXPORT dama ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT dama NAMESPACE dama:: FILE dama-targets.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dama)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/dama-config.cmake.in dama-config.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dama)
write_basic_package_version_file(dama-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dama-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/dama-config-version.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dama)

# The archives hold OpenMP's calls when the compiler knows OpenMP.
set(DAMA_PC_OPENMP ${OpenMP_C_FLAGS})
# The file finds its prefix from where it lies, so that an installed tree may be moved.
file(RELATIVE_PATH DAMA_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/dama.pc.in dama.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dama.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS dama-engine DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET dama_program)
    install(TARGETS dama_program DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY configs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/dama
    FILES_MATCHING PATTERN "*.conf" PATTERN "*.fen")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
