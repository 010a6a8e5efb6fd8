# Lesson 21 with PyTorch, if there is a Python that has it, and with ONNX Runtime, if
# HEED_ONNX names a folder with node_modules/onnxruntime-node.
# Run as: cmake -D PROGRAM=program -D FOLDER=folder -P check_leaving.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect(2 errors "'/no/python'.*'loss'|this failed" --pytorch /no/python)
expect(2 errors "this failed, for the reason above: 'false'" --pytorch false)

include(${CMAKE_CURRENT_LIST_DIR}/../find_tools.cmake)
need(PyTorch MODULES "torch, numpy" COMMAND "pip install torch numpy")
set(folder ${FOLDER}/leaving)
file(REMOVE_RECURSE ${folder})
set(onnx)
if(DEFINED ENV{HEED_ONNX})
  set(onnx --onnx $ENV{HEED_ONNX})
endif()
set(claims "checked: it is the same model.*checked: the losses differ.*checked: both have learned")
if(onnx)
  string(APPEND claims ".*checked: ONNX Runtime")
endif()
expect(0 output "${claims}" --to ${folder} --pytorch ${python} ${onnx})

# A model of other numbers must not pass for the same: one weight is changed before PyTorch reads it.
file(WRITE ${folder}/other.py "import sys, runpy, torch
sys.argv = sys.argv[1:]
old = torch.nn.Module.load_state_dict
def load(self, weights, *rest):
    weights['norm.weight'] = weights['norm.weight'] * 1.01
    return old(self, weights, *rest)
torch.nn.Module.load_state_dict = load
runpy.run_path(sys.argv[0], run_name='__main__')
")
file(WRITE ${folder}/python "#!/bin/sh\nexec ${python} ${folder}/other.py \"$@\"\n")
file(CHMOD ${folder}/python PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
expect(1 output "FALSE: it is the same model" --pytorch ${folder}/python)
