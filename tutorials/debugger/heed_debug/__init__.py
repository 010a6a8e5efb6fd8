"""Debugger support for heed: printers and commands that read its types from memory."""


def __lldb_init_module(debugger, session):
    """Called when lldb imports this package."""
    from heed_debug import lldb_all
    lldb_all.load(debugger)
