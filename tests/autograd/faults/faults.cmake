# A separate program in which each gradient formula in autograd/ops/ has a switchable fault: copies
# of the sources with faults replace the library's.
add_executable(plant_faults faults/plant.cpp)
target_compile_features(plant_faults PRIVATE cxx_std_20)
heed_warnings(plant_faults)

set(planted_sources)
foreach(operation arithmetic attention choose cross_entropy cumulative functions gather join
                  layer_norm matmul reduce repeat softmax views)
  set(planted ${CMAKE_CURRENT_BINARY_DIR}/faults/${operation}.cpp)
  set(source ${PROJECT_SOURCE_DIR}/autograd/ops/${operation}.cpp)
  add_custom_command(OUTPUT ${planted} COMMAND plant_faults ${source} ${planted}
                     DEPENDS plant_faults ${source} VERBATIM)
  list(APPEND planted_sources ${planted})
endforeach()
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/faults)

add_executable(heed_fault_tests faults/faults_test.cpp faults/planted.cpp
               ops/every_operation_entrywise.cpp ops/every_operation_rearranging.cpp
               ops/every_operation_summing.cpp ${planted_sources})
target_link_libraries(heed_fault_tests PRIVATE heed_double heed_catch)
# The copies lie elsewhere, and include what the originals do.
target_include_directories(heed_fault_tests PRIVATE ${PROJECT_SOURCE_DIR}
                           ${PROJECT_SOURCE_DIR}/autograd/ops)
heed_warnings(heed_fault_tests)
add_test(NAME faults.double COMMAND heed_fault_tests "[faults]")
set_tests_properties(faults.double PROPERTIES LABELS "autograd;double" TIMEOUT 600
                     ENVIRONMENT HEED_KERNELS=plain)
