// Loaded into gdb by check_amx.py: on a processor with AMX the kernel refuses what gdb before 14
// writes of the extended registers, and so does this.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/ptrace.h>

long ptrace(enum __ptrace_request request, ...) {
    va_list given;
    va_start(given, request);
    const int process = va_arg(given, int);
    void* const address = va_arg(given, void*);
    void* const data = va_arg(given, void*);
    va_end(given);
    if (request == PTRACE_SETREGSET && (long)address == NT_X86_XSTATE) {
        errno = EINVAL;
        return -1;
    }
    long (*const next)(enum __ptrace_request, int, void*, void*) = dlsym(RTLD_NEXT, "ptrace");
    return next(request, process, address, data);
}
