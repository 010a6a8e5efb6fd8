"""The lambdas in a function, which `step` halts in when the standard library calls them."""

import re

import gdb

from heed_debug import statements

LAMBDA = re.compile(r"^operator\(\)|<lambda|::\$_\d+::|\{lambda")

_lambdas = {}  # by file


def lambdas_of(frame):
    """Where the lambdas in the function of this frame begin, behind their prologues."""
    own, symtab = block_of(frame), frame.find_sal().symtab
    if symtab.filename not in _lambdas:
        _lambdas[symtab.filename] = list(lambdas_in(symtab))
    first = own.function.line
    last = statements.end_of_block(symtab.fullname(), first)
    return [begin for start, line, begin in _lambdas[symtab.filename]
            if first <= line <= last and start != own.start]


def lambdas_in(symtab):
    """(address, line, address behind the prologue)"""
    entries = sorted((entry.pc, entry.line) for entry in symtab.linetable() if entry.line)
    seen = set()
    for pc, line in entries:
        block = gdb.block_for_pc(pc)
        while block is not None and block.function is None:
            block = block.superblock
        if block is None or block.start in seen:
            continue
        seen.add(block.start)
        if LAMBDA.search(block.function.name):
            behind = [each for each, _ in entries if block.start < each < block.end]
            yield block.start, line, min(behind, default=pc)


def block_of(frame):
    block = frame.block()
    while block.function is None:
        block = block.superblock
    return block


def forget(event):
    _lambdas.clear()  # a new run may have them elsewhere


gdb.events.new_objfile.connect(forget)
