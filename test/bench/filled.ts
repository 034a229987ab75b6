import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Contender } from './contenders.ts'
import { fillDifferent, fillPeer } from './fill.ts'
import { emptyFolder, launch, listening, load, workFolder } from './server.ts'

/**
 * Data folders that hold a number of proofs already. Each is filled once and copied for every run, so that all servers
 * are measured at the same size, and ours at sizes that take hours by requests.
 */

const counts = new Map<string, number>()

type Filled = Pick<Contender, 'command' | 'env' | 'body' | 'fill'>

/** `folder` gets a copy of a folder with `count` proofs that the server itself has opened before. */
export async function copyFilled(server: Filled, folder: string, count: number): Promise<void> {
  const name = `filled-${server.fill}-${count}`
  if (!counts.has(name)) {
    const filling = emptyFolder(name)
    if (count > 0) await fill(server, filling, count)
    counts.set(name, count)
  }
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(workFolder, name), folder, { recursive: true })
}

async function fill(server: Filled, folder: string, count: number): Promise<void> {
  if (server.fill === 'peer-proof' || server.fill === 'peer-siwe') return fillPeer(server, folder, count, server.body)
  // One is there already: the template of the others.
  if (server.fill === 'ours') await fillDifferent(server, folder, count - 1)
  const opened = launch(server, folder)
  // Ours computes all facts at this start, as for a store of an earlier version. The ceiling has no other way in.
  await listening(opened, 300_000)
  if (server.fill === 'ceiling')
    await load(opened, {
      connections: 64,
      warmUp: count - 1,
      requests: 1,
      source: { sign: server.body, label: 'filled' },
    })
  await opened.stop('SIGTERM')
}
