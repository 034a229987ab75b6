import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { signBodies } from './bodies.ts'
import { ours } from './contenders.ts'
import { fillStore } from './fill.ts'
import { countProofs, emptyFolder, launch, listening, workFolder } from './server.ts'

/** A machine is lost: how long it takes until its proofs are on another one, from a backup and what was shipped after it. */

export const restoreGoalSeconds = 30

export interface RestoreLine {
  readonly proofs: number
  readonly databaseMb: number
  readonly placeMb: number
  readonly seconds: number
}

const place = join(workFolder, 'restored-from')
const sealing = { PROOFGATE_BACKUP_TO: place, PROOFGATE_BACKUP_PASSPHRASE: 'of the benchmark alone' }
/** Stored after the backup. */
const later = 2_000

export async function measureRestore(
  executable: string,
  count: number,
  say: (line: string) => void,
): Promise<RestoreLine> {
  rmSync(place, { recursive: true, force: true })
  const folder = emptyFolder('restore-from')
  say(`filling a store with ${count} proofs`)
  await fillStore(ours(executable), folder, count)
  const server = launch(ours(executable, { ...sealing, PROOFGATE_BACKUP_CONTINUOUS: 'true' }), folder)
  try {
    await listening(server)
    const startedAt = performance.now()
    while (!listPlace().some((name) => name.endsWith('.backup'))) {
      if (performance.now() - startedAt > 300_000) throw new Error(`no backup was made:\n${server.log()}`)
      await Bun.sleep(500)
    }
    say(`the backup took ${((performance.now() - startedAt) / 1000).toFixed(1)} s beside the server`)
    for (const body of signBodies('proof', later, 'later')) {
      const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/verification`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      if (!answer.ok) throw new Error(`a proof was answered ${answer.status}: ${await answer.text()}`)
    }
    await Bun.sleep(2_000)
  } finally {
    await server.stop('SIGKILL')
  }
  const databaseMb = statSync(join(folder, 'proofgate.sqlite')).size / 1e6
  const target = emptyFolder('restore-to')
  const startedAt = performance.now()
  const restoring = Bun.spawn([executable, 'restore', place], {
    cwd: workFolder,
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: target, ...sealing },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = await new Response(restoring.stdout).text()
  if ((await restoring.exited) !== 0) throw new Error(`${said}${await new Response(restoring.stderr).text()}`)
  const seconds = (performance.now() - startedAt) / 1000
  const proofs = countProofs(target)
  if (proofs !== count + 1 + later) throw new Error(`${count + 1 + later} proofs were stored, ${proofs} are restored`)
  const placeMb = listPlace().reduce((sum, name) => sum + statSync(join(place, name)).size, 0) / 1e6
  emptyFolder('restore-from')
  emptyFolder('restore-to')
  return { proofs, databaseMb, placeMb, seconds }
}

const listPlace = (): readonly string[] => (existsSync(place) ? readdirSync(place) : [])
