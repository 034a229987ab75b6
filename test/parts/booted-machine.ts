/**
 * A machine like this one, with systemd as its first process: the root file system below a layer that takes every write,
 * and namespaces of its own. Everything is gone at the end. Needs root on Linux, and control groups.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstLine } from '../db/child.ts'

export interface BootedMachine {
  /** Its first process, as this machine counts. */
  readonly pid: string
  /** Runs a line of a shell as root, and gives all that it printed. Throws where it fails. */
  run(line: string): Promise<string>
  /** Puts a file there. */
  write(path: string, content: Uint8Array | string, mode?: number): void
  end(): Promise<void>
}

const groups = '/sys/fs/cgroup'
/** systemd in a group of version 1, another one of version 2, or version 2 alone. */
const hierarchies = existsSync(join(groups, 'systemd')) ? ['systemd', 'unified'] : ['.']

const services = 'systemd-journald.service'
/** Would fail in namespaces, or reach out of them. */
const masked = ['systemd-journald-audit.socket', 'systemd-journal-flush.service', 'tmp.mount']

/** Undefined where this user may not. `folder` must be empty. */
export async function bootMachine(folder: string): Promise<BootedMachine | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/lib/systemd/systemd')) return undefined
  const [layer, root] = [join(folder, 'layer'), join(folder, 'root')]
  for (const path of [layer, root]) mkdirSync(path)
  const group = `proofgate-test-${crypto.randomUUID()}`
  const held = hierarchies.map((one) => join(groups, one, group))
  const unit = `[Unit]\\nWants=${services}\\nRequires=basic.target\\nAfter=basic.target\\n`
  const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty']
  const script = [
    `mount -t tmpfs tmpfs ${layer}`,
    `mkdir ${layer}/upper ${layer}/work`,
    `mount -t overlay overlay -o lowerdir=/,upperdir=${layer}/upper,workdir=${layer}/work ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount --bind ${root}/proc/sys ${root}/proc/sys`,
    `mount -o remount,ro,bind ${root}/proc/sys`,
    `mount -t tmpfs -o mode=755 tmpfs ${root}/run`,
    `mount -t sysfs -o ro sysfs ${root}/sys`,
    ...(hierarchies.length === 1
      ? [`mount -t cgroup2 cgroup2 ${root}${groups}`]
      : [
          `mount -t tmpfs tmpfs ${root}${groups}`,
          `mkdir ${root}${groups}/systemd ${root}${groups}/unified`,
          `mount -t cgroup -o none,name=systemd cgroup ${root}${groups}/systemd`,
          `mount -t cgroup2 cgroup2 ${root}${groups}/unified`,
        ]),
    `mount -t tmpfs -o mode=755 tmpfs ${root}/dev`,
    ...devices.map((name) => `touch ${root}/dev/${name} && mount --bind /dev/${name} ${root}/dev/${name}`),
    `mkdir -m 1777 ${root}/dev/shm && mkdir ${root}/dev/pts && ln -s pts/ptmx ${root}/dev/ptmx`,
    `mount -t devpts -o newinstance,ptmxmode=0666 devpts ${root}/dev/pts`,
    `rm -rf ${root}/etc/systemd/system/*.wants ${root}/etc/fstab ${root}/var/log/journal`,
    ...masked.map((name) => `ln -sf /dev/null ${root}/etc/systemd/system/${name}`),
    `printf '${unit}' > ${root}/etc/systemd/system/test.target`,
    `cd ${root} && mkdir -p old && pivot_root . old && umount -l old && mount --make-rshared /`,
    'echo mounted',
    'exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=test.target',
  ]
  const enterGroups = held.map((path) => `mkdir ${path} && echo $$ > ${path}/cgroup.procs`)
  const enter = `exec unshare --cgroup --mount --pid --net --ipc --uts --fork --kill-child sh -c "$0"`
  const holder = Bun.spawn(['sh', '-c', [...enterGroups, enter].join(' && '), script.join(' && ')], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const end = async (): Promise<void> => {
    holder.kill('SIGKILL')
    await holder.exited
    for (const path of held) await removeGroup(path)
  }
  if ((await firstLine(holder.stdout)) !== 'mounted') {
    await end()
    return undefined
  }
  const first = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim()
  const machine: BootedMachine = {
    pid: first,
    async run(line) {
      const child = Bun.spawn(
        [
          'nsenter',
          '--target',
          first,
          '--mount',
          '--pid',
          '--net',
          '--ipc',
          '--uts',
          '--root',
          '--wd',
          'sh',
          '-c',
          line,
        ],
        {
          env: {
            PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
            LC_ALL: 'C',
            DEBIAN_FRONTEND: 'noninteractive',
            HOME: '/root',
          },
          stdin: 'ignore',
          stdout: 'pipe',
          stderr: 'pipe',
        },
      )
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      const code = await child.exited
      if (code !== 0) throw new Error(`${line}: exit code ${code}: ${out}${err}`)
      return `${out}${err}`.trim()
    },
    write(path, content, mode = 0o644) {
      writeFileSync(join(`/proc/${first}/root`, path), content, { mode })
    },
    end,
  }
  for (let turn = 0; turn < 1_000; turn++) {
    const state = await machine.run('systemctl is-system-running || true').catch(() => '')
    if (state === 'running' || state === 'degraded') return machine
    await Bun.sleep(50)
  }
  await end()
  return undefined
}

/** Its processes are ended, and leave a moment later. */
async function removeGroup(path: string): Promise<void> {
  if (!existsSync(path)) return
  for (const name of readdirSync(path))
    if (statSync(join(path, name)).isDirectory()) await removeGroup(join(path, name))
  for (let turn = 0; ; turn++)
    try {
      rmdirSync(path)
      return
    } catch (error) {
      if (turn === 50) throw error
      await Bun.sleep(50)
    }
}
