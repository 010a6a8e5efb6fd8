# Models of all kinds with random weights, made and computed by a script, if there is a Python with
# PyTorch, and loaded by PROGRAM.
# Run as: cmake -D PROGRAM=heed_tests_double -D FOLDER=folder -P check_pretrained.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../../find_tools.cmake)
need(PyTorch MODULES torch COMMAND "pip install torch")
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${python} ${CMAKE_CURRENT_LIST_DIR}/../reference/make_pretrained.py
                        ${FOLDER} 25
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env HEED_PRETRAINED_FOLDERS=${FOLDER}
                        ${PROGRAM} "[.pretrained_reference]"
                COMMAND_ERROR_IS_FATAL ANY)
