# Files of all types and shapes that a Python script writes, if there is Python, read by PROGRAM, and
# files that PROGRAM writes, read by the script.
# Run as: cmake -D PROGRAM=heed_tests -D FOLDER=folder -P check_safetensors.cmake
cmake_minimum_required(VERSION 3.25)

# Preferred is a Python that has PyTorch, whose rounding is compared, too.
set(python)
foreach(candidate python3 /usr/bin/python3)
  execute_process(COMMAND ${candidate} -c "" RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
  execute_process(COMMAND ${candidate} -c "import torch" RESULT_VARIABLE no_torch OUTPUT_QUIET
                  ERROR_QUIET)
  if(code EQUAL 0 AND (NOT python OR no_torch EQUAL 0))
    set(python ${candidate})
  endif()
endforeach()
if(NOT python)
  message("Python is missing: skipped")
  return()
endif()
set(script ${CMAKE_CURRENT_LIST_DIR}/safetensors_files.py)
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${python} ${script} write ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env HEED_SAFETENSORS_FILES=${FOLDER} ${PROGRAM}
                        "[.safetensors_files]"
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${python} ${script} check ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
