/*
 * Simulates faults of a machine for one process: a clock that jumps, a failing, full, hanging or lying disk, and locks
 * without effect. It is loaded with LD_PRELOAD, and controlled by a mapped file (FAULTS_CONTROL), whose layout
 * faulty-server.ts shares. Only files below FAULTS_FOLDER are touched.
 *
 * Every write there is also recorded in FAULTS_JOURNAL, with the bytes that it replaced. power-cut.ts builds from it the
 * disk after a power cut: synced writes are there, any of the others may be there.
 *
 * Functions of the same name replace calls of the C library. Bun also calls the system directly, from its own code. The
 * system then sends SIGSYS instead, and the handler takes the same way.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

struct control {
  volatile int64_t clock_offset_ms;
  volatile int64_t sync_errno;
  /* Says that it synced, and did not. */
  volatile int64_t sync_lies;
  volatile int64_t sync_delay_ms;
  volatile int64_t write_errno;
  volatile int64_t read_errno;
  volatile int64_t locks_lie;
  /* Counted here, read by the checker: a fault that met nothing was none. */
  volatile int64_t syncs;
  volatile int64_t failed_syncs;
  volatile int64_t lied_syncs;
  volatile int64_t delayed_syncs;
  volatile int64_t failed_writes;
  volatile int64_t failed_reads;
  volatile int64_t lied_locks;
};

static struct control *control;
static char folder[4096];
static size_t folder_length;
static int journal = -1;
static pthread_mutex_t journal_mutex = PTHREAD_MUTEX_INITIALIZER;

static int (*real_clock_gettime)(clockid_t, struct timespec *);
static int (*real_gettimeofday)(struct timeval *, void *);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pread)(int, void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_unlink)(const char *);
static int (*real_fcntl)(int, int, ...);
static int (*real_cond_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static int (*real_sigaction)(int, const struct sigaction *, struct sigaction *);
static int (*real_flock)(int, int);

/* The first calls come before any constructor. */
static void find_real(void) {
  if (real_flock) return;
  real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  real_gettimeofday = dlsym(RTLD_NEXT, "gettimeofday");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_write = dlsym(RTLD_NEXT, "write");
  real_pread = dlsym(RTLD_NEXT, "pread64");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_fcntl = dlsym(RTLD_NEXT, "fcntl");
  /* Without a version it would be that of before 2002 on x86. */
  real_cond_timedwait = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!real_cond_timedwait) real_cond_timedwait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  real_sigaction = dlsym(RTLD_NEXT, "sigaction");
  real_flock = dlsym(RTLD_NEXT, "flock");
}

static void meet_own_calls(void);

__attribute__((constructor)) static void start(void) {
  find_real();
  /* The process must not outlive the test that started it. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const char *named = getenv("FAULTS_CONTROL");
  int file = named ? open(named, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) return;
  control = mapped;
  const char *below = getenv("FAULTS_FOLDER");
  if (below && strlen(below) < sizeof folder) {
    strcpy(folder, below);
    folder_length = strlen(folder);
  }
  const char *kept = getenv("FAULTS_JOURNAL");
  if (kept && *kept) journal = open(kept, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  meet_own_calls();
}

/* 1 and its path relative to the folder where the file is one whose content counts. */
static int is_ours(int fd, char *path, size_t room) {
  if (!control || !folder_length) return 0;
  char link[32], whole[4096];
  strcpy(link, "/proc/self/fd/");
  int digits = 0;
  char reversed[12];
  unsigned rest = (unsigned)fd;
  do reversed[digits++] = (char)('0' + rest % 10);
  while ((rest /= 10) > 0);
  size_t end = strlen(link);
  while (digits > 0) link[end++] = reversed[--digits];
  link[end] = 0;
  int saved = errno;
  ssize_t length = readlink(link, whole, sizeof whole - 1);
  errno = saved;
  if (length <= (ssize_t)folder_length) return 0;
  whole[length] = 0;
  if (memcmp(whole, folder, folder_length) != 0 || whole[folder_length] != '/') return 0;
  if (length > 4 && strcmp(whole + length - 4, "-shm") == 0) return 0;
  if ((size_t)length - folder_length > room) return 0;
  strcpy(path, whole + folder_length + 1);
  return 1;
}

enum { wrote = 1, cut = 2, synced = 3, sync_failed = 4, removed = 5 };

struct entry {
  uint32_t kind;
  uint32_t path_length;
  /* For a write or a cut: its offset. For a sync: the length of the journal when it began. */
  int64_t offset;
  /* Length of the bytes written. */
  int64_t length;
  /* Length of the bytes replaced. */
  int64_t old_length;
  /* Size of the file before. */
  int64_t old_size;
};

static void put_down(struct entry entry, const char *path, const void *old, const void *new) {
  entry.path_length = (uint32_t)strlen(path);
  struct iovec parts[4] = {
      {&entry, sizeof entry},
      {(void *)path, entry.path_length},
      {(void *)old, (size_t)entry.old_length},
      {(void *)new, new ? (size_t)entry.length : 0},
  };
  ssize_t ignored = writev(journal, parts, 4);
  (void)ignored;
}

static int64_t size_of(int fd) {
  struct stat seen;
  return fstat(fd, &seen) == 0 ? seen.st_size : 0;
}

static void put_down_write(int fd, const char *path, const void *bytes, size_t length, int64_t offset) {
  if (journal < 0) return;
  char *old = malloc(length > 0 ? length : 1);
  pthread_mutex_lock(&journal_mutex);
  ssize_t before = real_pread(fd, old, length, offset);
  struct entry entry = {wrote, 0, offset, (int64_t)length, before > 0 ? before : 0, size_of(fd)};
  put_down(entry, path, old, bytes);
  pthread_mutex_unlock(&journal_mutex);
  free(old);
}

static int64_t journal_length(void) { return journal < 0 ? 0 : size_of(journal); }

static void put_down_sync(const char *path, int kind, int64_t began) {
  if (journal < 0) return;
  struct entry entry = {(uint32_t)kind, 0, began, 0, 0, 0};
  pthread_mutex_lock(&journal_mutex);
  put_down(entry, path, NULL, NULL);
  pthread_mutex_unlock(&journal_mutex);
}

static void wait_while_delayed(void) {
  int64_t waited = 0;
  if (control->sync_delay_ms > 0) __sync_fetch_and_add(&control->delayed_syncs, 1);
  while (waited < control->sync_delay_ms) {
    struct timespec step = {0, 2000000};
    nanosleep(&step, NULL);
    waited += 2;
  }
}

static int sync_file(int fd, int (*really)(int)) {
  char path[4096];
  if (!is_ours(fd, path, sizeof path)) return really(fd);
  __sync_fetch_and_add(&control->syncs, 1);
  int64_t began = journal_length();
  wait_while_delayed();
  if (control->sync_errno) {
    __sync_fetch_and_add(&control->failed_syncs, 1);
    put_down_sync(path, sync_failed, began);
    errno = (int)control->sync_errno;
    return -1;
  }
  if (control->sync_lies) {
    __sync_fetch_and_add(&control->lied_syncs, 1);
    return 0;
  }
  int result = really(fd);
  if (result == 0) put_down_sync(path, synced, began);
  return result;
}

int fsync(int fd) {
  find_real();
  return sync_file(fd, real_fsync);
}
int fdatasync(int fd) {
  find_real();
  return sync_file(fd, real_fdatasync);
}

static int refuses_write(void) {
  if (!control->write_errno) return 0;
  __sync_fetch_and_add(&control->failed_writes, 1);
  errno = (int)control->write_errno;
  return 1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) {
  find_real();
  char path[4096];
  if (is_ours(fd, path, sizeof path)) {
    if (refuses_write()) return -1;
    put_down_write(fd, path, bytes, length, offset);
  }
  return real_pwrite(fd, bytes, length, offset);
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }

ssize_t write(int fd, const void *bytes, size_t length) {
  find_real();
  char path[4096];
  if (fd > 2 && is_ours(fd, path, sizeof path)) {
    if (refuses_write()) return -1;
    int64_t offset = real_fcntl(fd, F_GETFL) & O_APPEND ? size_of(fd) : lseek(fd, 0, SEEK_CUR);
    put_down_write(fd, path, bytes, length, offset);
  }
  return real_write(fd, bytes, length);
}

ssize_t pread64(int fd, void *bytes, size_t length, off_t offset) {
  find_real();
  char path[4096];
  if (control && control->read_errno && is_ours(fd, path, sizeof path)) {
    __sync_fetch_and_add(&control->failed_reads, 1);
    errno = (int)control->read_errno;
    return -1;
  }
  return real_pread(fd, bytes, length, offset);
}
ssize_t pread(int fd, void *bytes, size_t length, off_t offset) { return pread64(fd, bytes, length, offset); }

int ftruncate64(int fd, off_t size) {
  find_real();
  char path[4096];
  if (is_ours(fd, path, sizeof path)) {
    if (refuses_write()) return -1;
    int64_t before = size_of(fd);
    if (journal >= 0 && before != size) {
      int64_t lost = before > size ? before - size : 0;
      char *old = malloc(lost > 0 ? (size_t)lost : 1);
      pthread_mutex_lock(&journal_mutex);
      ssize_t got = lost > 0 ? real_pread(fd, old, (size_t)lost, size) : 0;
      struct entry entry = {cut, 0, size, 0, got > 0 ? got : 0, before};
      put_down(entry, path, old, NULL);
      pthread_mutex_unlock(&journal_mutex);
      free(old);
    }
  }
  return real_ftruncate(fd, size);
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int unlink(const char *name) {
  find_real();
  if (journal >= 0) {
    int file = open(name, O_RDONLY | O_CLOEXEC);
    char path[4096];
    if (file >= 0) {
      if (is_ours(file, path, sizeof path)) {
        int64_t size = size_of(file);
        char *old = malloc(size > 0 ? (size_t)size : 1);
        pthread_mutex_lock(&journal_mutex);
        ssize_t got = real_pread(file, old, (size_t)size, 0);
        struct entry entry = {removed, 0, 0, 0, got > 0 ? got : 0, size};
        put_down(entry, path, old, NULL);
        pthread_mutex_unlock(&journal_mutex);
        free(old);
      }
      close(file);
    }
  }
  return real_unlink(name);
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  find_real();
  int result = real_clock_gettime(clock, at);
  if (control && result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t offset = control->clock_offset_ms;
    at->tv_sec += offset / 1000;
    at->tv_nsec += (offset % 1000) * 1000000;
    if (at->tv_nsec >= 1000000000) at->tv_nsec -= 1000000000, at->tv_sec++;
    if (at->tv_nsec < 0) at->tv_nsec += 1000000000, at->tv_sec--;
  }
  return result;
}
int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  (void)zone;
  struct timespec precise;
  int result = clock_gettime(CLOCK_REALTIME, &precise);
  at->tv_sec = precise.tv_sec;
  at->tv_usec = precise.tv_nsec / 1000;
  return result;
}
time_t time(time_t *into) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (into) *into = precise.tv_sec;
  return precise.tv_sec;
}

/* Threads of JavaScriptCore wait until a time of the jumping clock, so the wait is converted to the real one. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
  find_real();
  struct timespec real_until = *until, monotonic;
  real_clock_gettime(CLOCK_MONOTONIC, &monotonic);
  /* Times of the other clock are far from it: that one counts from the start of the machine. */
  int is_wall = until->tv_sec - monotonic.tv_sec > 5LL * 365 * 86400;
  if (control && is_wall) {
    int64_t offset = control->clock_offset_ms;
    real_until.tv_sec -= offset / 1000;
    real_until.tv_nsec -= (offset % 1000) * 1000000;
    if (real_until.tv_nsec >= 1000000000) real_until.tv_nsec -= 1000000000, real_until.tv_sec++;
    if (real_until.tv_nsec < 0) real_until.tv_nsec += 1000000000, real_until.tv_sec--;
  }
  return real_cond_timedwait(condition, mutex, &real_until);
}

static int fcntl_with(int fd, int command, void *argument) {
  find_real();
  int is_lock = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
  int is_look = command == F_GETLK || command == F_OFD_GETLK;
  if (control && control->locks_lie && (is_lock || is_look)) {
    __sync_fetch_and_add(&control->lied_locks, 1);
    if (is_look) ((struct flock *)argument)->l_type = F_UNLCK;
    return 0;
  }
  return real_fcntl(fd, command, argument);
}
int fcntl(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return fcntl_with(fd, command, argument);
}
int fcntl64(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return fcntl_with(fd, command, argument);
}
int flock(int fd, int operation) {
  find_real();
  if (control && control->locks_lie) {
    __sync_fetch_and_add(&control->lied_locks, 1);
    return 0;
  }
  return real_flock(fd, operation);
}

#if defined(__x86_64__)
enum { our_architecture = AUDIT_ARCH_X86_64 };
#define CALL_RESULT(registers) ((registers)->gregs[REG_RAX])
static const int argument_registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10};
#define CALL_ARGUMENT(registers, index) ((registers)->gregs[argument_registers[index]])
#elif defined(__aarch64__)
enum { our_architecture = AUDIT_ARCH_AARCH64 };
#define CALL_RESULT(registers) ((registers)->regs[0])
#define CALL_ARGUMENT(registers, index) ((registers)->regs[index])
#endif

/* In place of a call that the program made by itself. */
static void handle_own_call(int signal, siginfo_t *info, void *context) {
  (void)signal;
  mcontext_t *registers = &((ucontext_t *)context)->uc_mcontext;
  int saved = errno;
  int fd = (int)CALL_ARGUMENT(registers, 0);
  void *bytes = (void *)CALL_ARGUMENT(registers, 1);
  size_t length = (size_t)CALL_ARGUMENT(registers, 2);
  off_t offset = (off_t)CALL_ARGUMENT(registers, 3);
  long result = -1;
  errno = ENOSYS;
  switch (info->si_syscall) {
    case SYS_write: result = write(fd, bytes, length); break;
    case SYS_pwrite64: result = pwrite64(fd, bytes, length, offset); break;
    case SYS_pread64: result = pread64(fd, bytes, length, offset); break;
    case SYS_ftruncate: result = ftruncate64(fd, (off_t)CALL_ARGUMENT(registers, 1)); break;
    case SYS_fsync: result = fsync(fd); break;
    case SYS_fdatasync: result = fdatasync(fd); break;
  }
  CALL_RESULT(registers) = result < 0 ? -errno : result;
  errno = saved;
}

/* Finds the address range of the program's own code, libraries excepted. */
static int find_code(struct dl_phdr_info *info, size_t size, void *found) {
  (void)size;
  uint64_t *range = found;
  for (int part = 0; part < info->dlpi_phnum; part++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[part];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    uint64_t from = info->dlpi_addr + header->p_vaddr;
    if (from < range[0]) range[0] = from;
    if (from + header->p_memsz > range[1]) range[1] = from + header->p_memsz;
  }
  /* The program is the first. */
  return 1;
}

/* Bun answers SIGSYS itself, as a call that the system does not know. */
int sigaction(int signal, const struct sigaction *restrict new, struct sigaction *restrict old) {
  find_real();
  return real_sigaction(signal, control && signal == SIGSYS ? NULL : new, old);
}

/*
 * From now on a call from the program's own code that writes, reads or syncs becomes SIGSYS, in all threads. A child
 * inherits it, and has other code at these places until this library is loaded into it.
 */
static void meet_own_calls(void) {
  uint64_t range[2] = {UINT64_MAX, 0};
  dl_iterate_phdr(find_code, range);
  struct sigaction action = {.sa_sigaction = handle_own_call, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
  uint32_t above = (uint32_t)(range[0] >> 32);
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UPPER(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field) + 4)
#define UNLESS_EQUAL(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define WHEN_EQUAL(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, skipped, 0)
  struct sock_filter steps[] = {
      LOAD(arch),
      UNLESS_EQUAL(our_architecture, 15),
      UPPER(instruction_pointer),
      UNLESS_EQUAL(above, 13),
      LOAD(instruction_pointer),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)range[0], 0, 11),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, (uint32_t)range[1], 10, 0),
      LOAD(nr),
      WHEN_EQUAL(SYS_pwrite64, 7),
      WHEN_EQUAL(SYS_pread64, 6),
      WHEN_EQUAL(SYS_ftruncate, 5),
      WHEN_EQUAL(SYS_fsync, 4),
      WHEN_EQUAL(SYS_fdatasync, 3),
      UNLESS_EQUAL(SYS_write, 3),
      /* For write, only files count: standard output and error do not belong to the data folder. */
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  if (range[0] >= range[1] || range[1] >> 32 != above || real_sigaction(SIGSYS, &action, NULL) != 0 ||
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) != 0) {
    /* Without it a power cut would be told wrong. */
    fprintf(stderr, "faults.c cannot meet the calls that the program makes by itself: %s\n", strerror(errno));
    abort();
  }
}
