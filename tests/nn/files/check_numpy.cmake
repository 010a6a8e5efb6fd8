# Files of all types, orders and shapes that NumPy writes, if there is a Python that has it, read by
# PROGRAM. Run as: cmake -D PROGRAM=heed_tests -D FOLDER=folder -P check_numpy.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../../find_tools.cmake)
need(NumPy MODULES numpy COMMAND "apt-get install python3-numpy")
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${python} ${CMAKE_CURRENT_LIST_DIR}/make_numpy_files.py ${FOLDER}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env HEED_NUMPY_FILES=${FOLDER} ${PROGRAM} "[.numpy]"
                COMMAND_ERROR_IS_FATAL ANY)
