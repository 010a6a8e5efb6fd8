# Lesson 20 with --model: its own small folders, one in BERT's layout, and stories260K, if
# HEED_STORIES260K names its folder.
# Run as: cmake -D PROGRAM=program -D FOLDER=folder -P check_given_model.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

set(files ${FOLDER}/given_model)
file(REMOVE_RECURSE ${files})
expect(0 output "checked: so are the logits" --to ${files})
set(right "vocab_size = 282.*head 8, as .Ġarrow.*checked: in all layers.*time flies.*checked: read at once")
expect(0 output "${right}" --model ${files}/gpt2 --prompt "time flies")
expect(0 output "${right}" --model ${files}/gpt2)

expect_refusal("there is no such folder|no such" --model ${files}/none)
expect_refusal("vocab" --model ${files}/llama)
expect_refusal("--prompt needs --model" --prompt "time flies")
string(REPEAT "é" 20 long)
expect_refusal("--prompt has 40 tokens; this model takes at most 31" --model ${files}/gpt2
               --prompt ${long})

# BERT: as many words as its table has rows.
set(words "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\ntime\nflies\nlike\nan\narrow\n")
foreach(n RANGE 11 282)
  string(APPEND words "word${n}\n")
endforeach()
file(WRITE ${files}/bert/vocab.txt "${words}")
expect(0 output "num_token_types = 2.*head 3, as .[[]SEP]. sees.*[[]CLS].*time.*checked: in all layers.*reads a text as a whole"
       --model ${files}/bert)

if(NOT DEFINED ENV{HEED_STORIES260K})
  message("skipped in part: needs stories260K (HEED_STORIES260K, its folder)")
  return()
endif()
set(stories $ENV{HEED_STORIES260K})
file(READ ${stories}/expected_greedy.txt text)
execute_process(COMMAND ${PROGRAM} --model ${stories} RESULT_VARIABLE code OUTPUT_VARIABLE output)
string(FIND "${output}" "${text}" found)
if(NOT code EQUAL 0 OR found EQUAL -1)
  message(SEND_ERROR "with stories260K it ended with ${code}, or wrote another text:\n${output}")
endif()
