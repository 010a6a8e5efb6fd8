# Files of all types and shapes that a Python script writes, if there is Python, read by PROGRAM, and
# files that PROGRAM writes, read by the script.
# Run as: cmake -D PROGRAM=heed_tests -D FOLDER=folder -P check_safetensors.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../../find_tools.cmake)
find_python("torch")  # whose rounding is compared, too
if(NOT python)
  need(python3 MODULES sys)
endif()
set(script ${CMAKE_CURRENT_LIST_DIR}/safetensors_files.py)
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${python} ${script} write ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env HEED_SAFETENSORS_FILES=${FOLDER} ${PROGRAM}
                        "[.safetensors_files]"
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${python} ${script} check ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
