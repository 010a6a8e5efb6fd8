# What `cmake --install` writes, for CMake, for pkg-config and for a compiler called by hand; and the
# target `uninstall`. Two components, for packagers: what a program needs to run, and what one needs
# to compile it.
include(CMakePackageConfigHelpers)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/heed)
install(TARGETS heed heed_double EXPORT heed
        RUNTIME COMPONENT heed_runtime
        LIBRARY COMPONENT heed_runtime NAMELINK_COMPONENT heed_development
        ARCHIVE COMPONENT heed_development)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT heed_runtime)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME heed_development)
install(EXPORT heed NAMESPACE heed:: FILE heed-targets.cmake DESTINATION ${config_folder})
install(FILES ${heed_include}/heed/heed.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heed)
# For gdb -x .../share/heed/debugger/init.gdb and lldb -s .../init.lldb.
install(DIRECTORY tutorials/debugger/heed_debug DESTINATION ${CMAKE_INSTALL_DATADIR}/heed/debugger
        FILES_MATCHING PATTERN "*.py")
install(FILES tutorials/debugger/init.gdb tutorials/debugger/init.lldb tutorials/debugger/README.md
        DESTINATION ${CMAKE_INSTALL_DATADIR}/heed/debugger)
# The page of a recorded walk; paths from one to the other are those of tutorials/.
install(DIRECTORY tutorials/live/walk DESTINATION ${CMAKE_INSTALL_DATADIR}/heed/live
        USE_SOURCE_PERMISSIONS FILES_MATCHING PATTERN "*.py" PATTERN "*.js" PATTERN "*.css"
        PATTERN walks EXCLUDE PATTERN __pycache__ EXCLUDE)
install(FILES tutorials/support/lesson_page.css DESTINATION ${CMAKE_INSTALL_DATADIR}/heed/support)
install(DIRECTORY tensor autograd nn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heed
        FILES_MATCHING PATTERN "*.h" PATTERN kernels EXCLUDE PATTERN packaging EXCLUDE
        PATTERN attention_heads.h EXCLUDE)
file(WRITE ${PROJECT_BINARY_DIR}/heed-config.cmake
     "include(CMakeFindDependencyMacro)\nfind_dependency(Threads)\n"
     "include(\${CMAKE_CURRENT_LIST_DIR}/heed-targets.cmake)\n")
write_basic_package_version_file(heed-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/heed-config.cmake
              ${PROJECT_BINARY_DIR}/heed-config-version.cmake DESTINATION ${config_folder})

# heed.pc and heed_double.pc. Paths are relative to the file, since `cmake --install --prefix` may
# choose another prefix than the one configured.
set(up ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
string(REGEX REPLACE "[^/]+" ".." up "${up}")
set(why)
if(UNIX AND NOT APPLE)
  set(why " -Wl,-u,heed_why_at_breakpoint")  # for debuggers, as the targets have it
endif()
foreach(library heed heed_double)
  get_target_property(definitions ${library} INTERFACE_COMPILE_DEFINITIONS)
  set(defines)
  if(definitions)
    set(defines " -D${definitions}")
  endif()
  configure_file(nn/packaging/heed.pc.in ${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall
    COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR}
            -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake
    VERBATIM)
endif()
