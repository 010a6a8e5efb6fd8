"""heed in a debugger: printers and commands that read its types out of memory."""


def __lldb_init_module(debugger, session):
    """Called by the lldb that imports this folder."""
    from heed_debug import lldb_all
    lldb_all.load(debugger)
