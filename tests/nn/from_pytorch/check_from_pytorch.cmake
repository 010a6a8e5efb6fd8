# What users of PyTorch write. Each line of heed in nn/FROM_PYTORCH.md compiles; what looks right and
# is not gives one error, which says what to write. With each compiler that is here.
# Run as: cmake -D ROOT=folder -D INCLUDE=folder -D FOLDER=scratch -P check_from_pytorch.cmake
cmake_minimum_required(VERSION 3.25)

file(MAKE_DIRECTORY ${FOLDER})
set(compilers)
foreach(name g++ clang++)
  unset(found)
  find_program(found ${name} NO_CACHE)
  if(found)
    list(APPEND compilers ${found})
  else()
    string(REPLACE clang++ clang package ${name})
    message("skipped in part: needs ${package} (apt-get install ${package})")
  endif()
endforeach()
if(NOT compilers)
  message(FATAL_ERROR "there is no g++ and no clang++")
endif()

# The page: what is in backticks in the last column.
file(READ ${ROOT}/nn/FROM_PYTORCH.md page)
set(program)
set(includes "#include <iostream>\n")
set(count 0)
# Semicolons and brackets mean something in a list.
string(REPLACE ";" "<semicolon>" page "${page}")
string(REPLACE "[" "<open>" page "${page}")
string(REPLACE "]" "<close>" page "${page}")
string(REGEX MATCHALL "[|] `[^`|]*` [|]\n" cells "${page}")
foreach(cell IN LISTS cells)
  string(REGEX REPLACE "^[|] `(.*)` [|]\n$" "\\1" line "${cell}")
  string(REPLACE "<semicolon>" ";" line "${line}")
  string(REPLACE "<open>" "[" line "${line}")
  string(REPLACE "<close>" "]" line "${line}")
  if(line MATCHES "^#include")
    string(APPEND includes "${line}\n")
  else()
    string(APPEND program "    ${line}\n")
  endif()
  math(EXPR count "${count} + 1")
endforeach()
string(REGEX MATCHALL "\n[|] [^\n]*" rows "${page}")
list(LENGTH rows rows)
math(EXPR rows "${rows} - 1")  # without the head
if(NOT count EQUAL rows OR count LESS 30)
  message(FATAL_ERROR "nn/FROM_PYTORCH.md has ${rows} rows, of which ${count} were understood")
endif()
file(WRITE ${FOLDER}/page.cpp "${includes}
using namespace heed;

void page(const std::vector<Scalar>& numbers, const Tensor& w, const Variable& p,
          const IndexTensor& ids, const BoolTensor& b) {
${program}}
")

# What does not compile: a line, and words of the error.
set(wrong
  "model.parameters()" "heed: for model.parameters() write parameters(model)"
  "t[0] = 1" "write: Tensor row = x[i]"
  "t[0] = t" "write: Tensor row = x[i]"
  "x[0] = 1.0" "since no variable is ever overwritten"
  "x[0] = x" "since no variable is ever overwritten"
  "sum(x, keepdim)" "heed: the axes come before keepdim: sum(x, -1, keepdim)"
  "Tensor(numbers, Shape{2})" "heed: for Tensor(numbers, shape) write tensor::from_vector(numbers, shape)"
  "Tensor u(numbers)" "heed: for Tensor(numbers) write tensor::of({1, 2, 3})"
  "Variable v(t, true)" "heed: for Variable(value, true) write Variable(value, requires_grad)")
set(program "#include \"heed/heed.h\"
using namespace heed;
void wrong(Tensor t, Variable x, Linear model, const std::vector<Scalar>& numbers) {\n")
set(lines)
set(words)
set(number 3)
while(wrong)
  list(POP_FRONT wrong line said)
  string(APPEND program "    ${line};\n")
  math(EXPR number "${number} + 1")
  list(APPEND lines ${number})
  list(APPEND words "${said}")
endwhile()
file(WRITE ${FOLDER}/wrong.cpp "${program}}\n")

# The version of the language.
file(WRITE ${FOLDER}/old.cpp "#include \"heed/heed.h\"\n")

foreach(compiler IN LISTS compilers)
  set(limit)
  if(compiler MATCHES "clang")
    set(limit -ferror-limit=0)
  endif()
  execute_process(COMMAND ${compiler} -std=c++20 -fsyntax-only -I ${INCLUDE} ${FOLDER}/page.cpp
                  RESULT_VARIABLE code ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(SEND_ERROR "${compiler}: nn/FROM_PYTORCH.md does not compile:\n${output}")
  endif()

  execute_process(COMMAND ${compiler} -std=c++20 -fsyntax-only ${limit} -I ${INCLUDE}
                          ${FOLDER}/wrong.cpp
                  RESULT_VARIABLE code ERROR_VARIABLE output)
  foreach(line said IN ZIP_LISTS lines words)
    string(FIND "${output}" "${said}" found)
    string(FIND "${output}" "wrong.cpp:${line}:" named)
    if(found EQUAL -1 OR named EQUAL -1)
      message(SEND_ERROR "${compiler}: line ${line} of wrong.cpp does not say '${said}':\n${output}")
    endif()
  endforeach()
  string(REGEX MATCHALL " error: " errors "${output}")
  list(LENGTH errors errors)
  list(LENGTH words expected)
  if(NOT errors EQUAL expected)
    message(SEND_ERROR "${compiler}: ${errors} errors for ${expected} lines:\n${output}")
  endif()

  execute_process(COMMAND ${compiler} -std=c++17 -fsyntax-only -I ${INCLUDE} ${FOLDER}/old.cpp
                  RESULT_VARIABLE code ERROR_VARIABLE output)
  string(REGEX MATCH "error: [^\n]*" first "${output}")
  if(NOT first MATCHES "heed needs C[+][+]20: compile with -std=c[+][+]20")
    message(SEND_ERROR "${compiler} with -std=c++17 first says: ${first}")
  endif()
  message(STATUS "${compiler}: ${count} lines of the page, ${expected} habits that do not compile")
endforeach()
