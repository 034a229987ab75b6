/** A network of booted machines: each gets a cable to one switch, at which the test has an address too. */
import type { BootedMachine } from './booted-machine.ts'

export interface MachineNetwork {
  /** Plugs a machine in. `address`: 10.0.0.1, … */
  plug(machine: Pick<BootedMachine, 'pid'>, address: string): void
  /** Runs a program of this machine in the network. */
  spawn(command: readonly string[]): Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  end(): Promise<void>
}

/** Undefined where this user may make no network. */
export async function openMachineNetwork(): Promise<MachineNetwork | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !Bun.which('ip')) return undefined
  const holder = Bun.spawn(['unshare', '--net', 'sh', '-c', 'echo made; exec sleep infinity'], { stdout: 'pipe' })
  const { value } = await holder.stdout.getReader().read()
  const enter = ['nsenter', '--target', String(holder.pid), '--net']
  const run = (command: string, target = String(holder.pid)): void => {
    const { success, stderr } = Bun.spawnSync(['nsenter', '--target', target, '--net', ...command.split(' ')])
    if (!success) throw new Error(`${command}: ${stderr}`)
  }
  const end = async (): Promise<void> => {
    holder.kill('SIGKILL')
    await holder.exited
  }
  if (value === undefined) return undefined
  try {
    run('ip link add switch type bridge')
  } catch {
    await end()
    return undefined
  }
  run('ip address add 10.0.0.254/24 dev switch')
  run('ip link set switch up')
  run('ip link set lo up')
  let cables = 0
  return {
    plug({ pid }, address) {
      const cable = `cable${++cables}`
      run(`ip link add ${cable} type veth peer name eth0 netns ${pid}`)
      run(`ip link set ${cable} master switch`)
      run(`ip link set ${cable} up`)
      run(`ip address add ${address}/24 dev eth0`, pid)
      run('ip link set eth0 up', pid)
      run('ip link set lo up', pid)
    },
    spawn: (command) => Bun.spawn([...enter, ...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' }),
    end,
  }
}
