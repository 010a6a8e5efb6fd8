"""heed in a debugger: printers and commands that read its types out of memory."""
