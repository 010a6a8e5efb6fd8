# Combinations of tokenizers' settings, beside a plain implementation in Python. Run as:
# cmake -D PROGRAM=heed_tests -D FOLDER=folder -P check_tokenizer_settings.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../../find_tools.cmake)
need(python3 MODULES json)
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${python} ${CMAKE_CURRENT_LIST_DIR}/tokenizer_settings.py
                        ${CMAKE_CURRENT_LIST_DIR}/../../.. ${FOLDER}/combinations.json
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env
                        HEED_TOKENIZER_SETTINGS=${FOLDER}/combinations.json ${PROGRAM}
                        "[.tokenizer_settings]"
                COMMAND_ERROR_IS_FATAL ANY)
