/** `proofgate sweep`: what has expired goes, once, also beside a server. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { UnavailableError } from '../../src/commands/command.ts'
import { sweep } from '../../src/commands/sweep.ts'
import { startApp, startOfTime } from '../app.ts'
import { temporaryFolders } from '../db/store.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()
const dayMs = 86_400_000

test('expired sessions are cleared away beside a running server, and a second run finds nothing', async () => {
  const home = newFolder()
  const data = join(home, 'data')
  const env = { PROOFGATE_DATA: data, PROOFGATE_LOG_LEVEL: 'error' }
  const app = await startApp(env, data, Date.now() - 60 * dayMs)
  try {
    await app.signIn(alice)
    const count = async () =>
      (await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM sessions').all())[0]!.n
    expect(await count()).toBe(1)
    const swept = await run(sweep, ['--json'], { cwd: home, env })
    expect(swept).toMatchObject({ code: 0, json: { sessions: 1 } })
    expect(await count()).toBe(0)
    expect((await run(sweep, ['--once'], { cwd: home, env })).out).toBe('Nothing has expired.\n')
  } finally {
    await app.close()
  }
})

test('without a data folder it says where there should be one', async () => {
  const env = { PROOFGATE_DATA: join(newFolder(), 'data') }
  await expect(run(sweep, [], { env, now: () => startOfTime })).rejects.toThrow(UnavailableError)
})
