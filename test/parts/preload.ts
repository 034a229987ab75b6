/** Libraries in C that come before the system's own: real faults of calls, for a process of its own. Needs gcc. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const hasCompiler = process.platform === 'linux' && Bun.which('gcc') !== null

/** The path of the library, for LD_PRELOAD. */
export function compileLibrary(folder: string, name: string, text: string): string {
  const [source, library] = [join(folder, `${name}.c`), join(folder, `${name}.so`)]
  writeFileSync(source, text)
  const { success, stderr } = Bun.spawnSync(['gcc', '-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], {
    stderr: 'pipe',
  })
  if (!success) throw new Error(`gcc: ${stderr}`)
  return library
}

/** Every lock is given to everybody, as on a network mount without locks. With `refuses` no process gets one. */
export const locksText = (refuses = false): string => `
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
static int answer(int fd, int cmd, void *argument) {
  if (cmd == F_GETLK) { ((struct flock *)argument)->l_type = F_UNLCK; return 0; }
  if (cmd == F_SETLK || cmd == F_SETLKW) {
    ${refuses ? 'if (((struct flock *)argument)->l_type != F_UNLCK) { errno = ENOLCK; return -1; }' : ''}
    return 0;
  }
  return syscall(SYS_fcntl, fd, cmd, argument);
}
#define READ_ARGUMENT va_list list; va_start(list, cmd); void *argument = va_arg(list, void *); va_end(list);
int fcntl(int fd, int cmd, ...) { READ_ARGUMENT return answer(fd, cmd, argument); }
int fcntl64(int fd, int cmd, ...) { READ_ARGUMENT return answer(fd, cmd, argument); }
`
