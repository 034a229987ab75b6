/**
 * The root file system of this machine with a layer above it that takes every write, in a mount namespace of its own.
 * What is installed there is gone at the end. Needs root and Linux.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { firstLine } from '../db/child.ts'

export interface ThrowAwayRoot {
  run(command: readonly string[]): Promise<{ readonly code: number; readonly output: string }>
  /** Starts a program that goes on. */
  spawn(command: readonly string[]): Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  end(): Promise<void>
}

/** Undefined where this user may not mount. `folder` must be empty. */
export async function openThrowAwayRoot(folder: string): Promise<ThrowAwayRoot | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const [layer, root] = [join(folder, 'layer'), join(folder, 'root')]
  for (const path of [layer, root]) mkdirSync(path)
  const mount = [
    `mount -t tmpfs tmpfs ${layer}`,
    `mkdir ${layer}/upper ${layer}/work`,
    `mount -t overlay overlay -o lowerdir=/,upperdir=${layer}/upper,workdir=${layer}/work ${root}`,
    `mount --rbind /proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    'echo mounted',
    'exec sleep infinity',
  ]
  const holder = Bun.spawn(['unshare', '--mount', 'sh', '-c', mount.join(' && ')], { stdout: 'pipe', stderr: 'ignore' })
  if ((await firstLine(holder.stdout)) !== 'mounted') return undefined
  const spawn = (command: readonly string[]) =>
    Bun.spawn(['nsenter', '--mount', '--target', String(holder.pid), 'chroot', root, ...command], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
  return {
    spawn,
    async run(command) {
      const child = spawn(command)
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      return { code: await child.exited, output: out + err }
    },
    async end() {
      holder.kill('SIGKILL')
      await holder.exited
    },
  }
}
