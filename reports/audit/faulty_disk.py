"""A disk that fails at a chosen byte: a small library that Linux loads before all others into a process.

It counts the bytes that the process writes to files in one directory. When they reach a number, a last part is still
written, and then every write there fails: as on a disk that is full, or as on one that is broken. It is compiled with
the C compiler of the system; nothing but audits and tests uses it.
"""

from __future__ import annotations

import errno
import shutil
import subprocess
import sys
from pathlib import Path

ERRORS = {"full": errno.ENOSPC, "broken": errno.EIO}

_SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long long room = -1, written = 0;
static int failure = 0;
static const char *place = NULL, *report = NULL;

__attribute__((constructor)) static void begin(void) {
    const char *bytes = getenv("FAULTY_BYTES"), *number = getenv("FAULTY_ERROR");
    place = getenv("FAULTY_DIRECTORY");
    report = getenv("FAULTY_REPORT");
    if (bytes) room = atoll(bytes);
    if (number) failure = atoi(number);
}

__attribute__((destructor)) static void end(void) {
    if (!report) return;
    FILE *file = fopen(report, "w");
    if (!file) return;
    fprintf(file, "%lld\n", written);
    fclose(file);
}

static int is_there(int descriptor) {
    char link[64], path[4096];
    if (!place) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return strncmp(path, place, strlen(place)) == 0;
}

/* How many of these bytes there is room for; -1 if for none. */
static ssize_t allowed(int descriptor, size_t count) {
    ssize_t result = (ssize_t)count;
    if (!count || !is_there(descriptor)) return result;
    pthread_mutex_lock(&lock);
    if (room >= 0 && written + (long long)count > room) {
        result = (ssize_t)(room - written);
        if (result <= 0) result = -1;
    }
    if (result > 0) written += result;
    pthread_mutex_unlock(&lock);
    if (result < 0) errno = failure;
    return result;
}

ssize_t write(int descriptor, const void *data, size_t count) {
    static ssize_t (*real)(int, const void *, size_t) = NULL;
    if (!real) real = dlsym(RTLD_NEXT, "write");
    ssize_t part = allowed(descriptor, count);
    return part < 0 ? -1 : real(descriptor, data, (size_t)part);
}

ssize_t pwrite64(int descriptor, const void *data, size_t count, off64_t at) {
    static ssize_t (*real)(int, const void *, size_t, off64_t) = NULL;
    if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
    ssize_t part = allowed(descriptor, count);
    return part < 0 ? -1 : real(descriptor, data, (size_t)part, at);
}

ssize_t pwrite(int descriptor, const void *data, size_t count, off_t at) {
    return pwrite64(descriptor, data, count, (off64_t)at);
}

ssize_t writev(int descriptor, const struct iovec *parts, int number) {
    static ssize_t (*real)(int, const struct iovec *, int) = NULL;
    if (!real) real = dlsym(RTLD_NEXT, "writev");
    if (!is_there(descriptor) || number < 1) return real(descriptor, parts, number);
    return write(descriptor, parts[0].iov_base, parts[0].iov_len);
}

static int has_room(int descriptor) {
    if (room < 0 || written < room || !is_there(descriptor)) return 1;
    errno = failure;
    return 0;
}

int posix_fallocate64(int descriptor, off64_t from, off64_t count) {
    static int (*real)(int, off64_t, off64_t) = NULL;
    if (!real) real = dlsym(RTLD_NEXT, "posix_fallocate64");
    return has_room(descriptor) ? real(descriptor, from, count) : failure;
}

int posix_fallocate(int descriptor, off_t from, off_t count) {
    return posix_fallocate64(descriptor, (off64_t)from, (off64_t)count);
}

int fsync(int descriptor) {
    static int (*real)(int) = NULL;
    if (!real) real = dlsym(RTLD_NEXT, "fsync");
    return failure != EIO || has_room(descriptor) ? real(descriptor) : -1;
}

int fdatasync(int descriptor) {
    static int (*real)(int) = NULL;
    if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
    return failure != EIO || has_room(descriptor) ? real(descriptor) : -1;
}
"""


class NoCompilerError(RuntimeError):
    """There is no way to make a disk fail here: this is not Linux, or it has no C compiler."""


def build_library(directory: Path) -> Path:
    """Compile the library into a directory; raises NoCompilerError."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if sys.platform != "linux" or compiler is None:
        raise NoCompilerError("a disk that fails needs Linux and a C compiler")
    source, library = directory / "faulty_disk.c", directory / "faulty_disk.so"
    source.write_text(_SOURCE, encoding="utf-8")
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl", "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoCompilerError(f"the C compiler does not compile a small library: {done.stderr.splitlines()[0]}")
    return library


def faulty_environment(
    library: Path, directory: Path, *, kind: str = "full", room: int = -1, report: Path | None = None
) -> dict[str, str]:
    """The variables of a process whose disk has room for so many more bytes in a directory, -1 for any number.

    `kind` is "full" or "broken". At its end the process writes how many bytes it has written there into `report`.
    """
    variables = {
        "LD_PRELOAD": str(library),
        "FAULTY_DIRECTORY": str(directory.resolve()),
        "FAULTY_BYTES": str(room),
        "FAULTY_ERROR": str(ERRORS[kind]),
    }
    return variables if report is None else variables | {"FAULTY_REPORT": str(report)}
