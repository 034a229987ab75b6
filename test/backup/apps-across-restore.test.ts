/** Apps that a person allowed, across a restore: what was used once is good no second time, with the journal and without. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup } from '../../src/commands/backup.ts'
import { restore } from '../../src/commands/restore.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { run } from '../commands/terminal.ts'
import { temporaryFolders } from '../db/store.ts'
import { flowOf } from '../oauth/flow.ts'
import { select } from '../parts/select.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const minute = 60_000
const refused = { status: 400, body: { error: 'invalid_grant' } }

let open: TestApp | undefined
afterEach(async () => {
  await open?.close()
  open = undefined
})

test.each([
  ['with the journal', false, 'replayed'],
  ['without it', true, 'gone'],
] as const)('%s', async (_, isLost, journal) => {
  const home = newFolder()
  const data = join(home, 'data')
  const env = { PROOFGATE_DATA: data, PROOFGATE_BACKUP_PASSPHRASE: 'correct horse battery' }
  const settings = { ...env, PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LOG_LEVEL: 'error' }
  const given = (at: number) => ({ cwd: home, env, now: () => at })
  open = await startApp(settings, data, startOfTime)
  const flow = flowOf(open)
  const [used, unused] = [await flow.newTokens(), await flow.newTokens()]
  await run(backup, ['out/'], given(open.now()))
  open.wait(minute)
  const next = (await flow.refresh(used.refresh_token)).body
  const at = open.now()
  await open.close()
  if (isLost) rmSync(data, { recursive: true })
  expect((await run(restore, ['out/', '--json'], given(at + minute))).json.journal).toBe(journal)

  open = await startApp(settings, data, at + 2 * minute)
  const again = flowOf(open)
  for (const { refresh_token: token } of [used, next, unused]) expect(await again.refresh(token)).toMatchObject(refused)
  // A grant that stands keeps what its app made, and its access token until that ends.
  const families = select<{ reason: string | null }>(
    open.parts.db,
    'SELECT reason FROM oauth_families ORDER BY id',
  ).all()
  const reason = isLost ? 'restored' : null
  expect((await families).map((one) => one.reason)).toEqual([reason, reason])
  expect(await again.opens(unused.access_token)).toBe(!isLost)
  expect((await again.newTokens()).refresh_token).toMatch(/^rt_/)
})
