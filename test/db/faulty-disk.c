/*
 * A disk that fails on demand, for one process: preloaded, it stands between the program and fsync and pwrite. The file
 * that FAULTS names holds one rule a line, read at every call: "fsync END WHAT" or "pwrite END WHAT". END is the end of
 * the file name. WHAT is eio, eio-once (for the first such call of the process), enospc, erofs or hang.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void name_of(int fd, char *name, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, name, size - 1);
  name[length < 0 ? 0 : length] = 0;
}

static atomic_flag has_failed = ATOMIC_FLAG_INIT;

/* 0, or -1 with errno. */
static int fault(const char *call, int fd) {
  const char *rules = getenv("FAULTS");
  FILE *file = rules ? fopen(rules, "re") : NULL;
  if (!file) return 0;
  char name[4096], line[256], of[16], end[128], what[16];
  int found = 0;
  name_of(fd, name, sizeof name);
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%15s %127s %15s", of, end, what) != 3 || strcmp(of, call)) continue;
    size_t length = strlen(name), tail = strlen(end);
    if (length < tail || strcmp(name + length - tail, end)) continue;
    if (!strcmp(what, "eio-once") && atomic_flag_test_and_set(&has_failed)) continue;
    found = !strcmp(what, "hang") ? -1 : !strcmp(what, "enospc") ? ENOSPC : !strcmp(what, "erofs") ? EROFS : EIO;
  }
  fclose(file);
  if (found == 0) return 0;
  while (found < 0) sleep(1);
  /* No such file exists: the call tells a trace of system calls which call failed. */
  char mark[4200];
  snprintf(mark, sizeof mark, "/failed-%s%s", call, name);
  access(mark, F_OK);
  errno = found;
  return -1;
}

int fsync(int fd) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fsync");
  return fault("fsync", fd) ? -1 : real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
  return fault("fsync", fd) ? -1 : real(fd);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
  return fault("pwrite", fd) ? -1 : real(fd, bytes, count, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return pwrite64(fd, bytes, count, offset); }
