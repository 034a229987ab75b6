/** Doctor warns of data that a start will remove from an older database, and the start logs it. */
import { expect, test } from 'bun:test'
import { doctor } from '../../src/commands/doctor.ts'
import { loadConfig } from '../../src/config/load.ts'
import { openLog } from '../../src/log.ts'
import { openParts } from '../../src/start.ts'
import { run } from '../commands/terminal.ts'
import { databaseMade, formers } from './former/made.ts'
import { temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
const now = () => 1_767_225_600_000

/** With three grants: one that stands, one that was revoked, one that has ended. */
function makeFolder(): string {
  const folder = newFolder()
  const db = databaseMade(formers.find(({ name }) => name === '0004_signing_in')!)
  db.run("INSERT INTO profiles (id, subject, account, did, created_at) VALUES (1, 's', 'a', 'd', 1)")
  for (const [expiresAt, revokedAt] of [
    [now() + 1, null],
    [now() + 1, 5],
    [now(), null],
  ] as const)
    db.run(
      `INSERT INTO oauth_families (profile, client, account, scope, resource, signed_in_at, created_at, expires_at, revoked_at)
       VALUES (1, 'c', 'a', '', '', 1, 1, ?1, ?2)`,
      [expiresAt, revokedAt],
    )
  db.run(`VACUUM INTO '${folder}/proofgate.sqlite'`)
  db.close()
  return folder
}

async function start(folder: string): Promise<object[]> {
  const told: object[] = []
  const log = openLog((level, message, { mend, count }) => void told.push({ level, message, mend, count }))
  const config = await loadConfig({ env: { PROOFGATE_MASTER_KEY: '7'.repeat(64) }, cwd: '/nonexistent' })
  const opened = await openParts(config, folder, now, { log })
  await opened.close()
  return told
}

const says =
  'the OAuth tokens of this database are of a build whose tokens this one cannot read: its start ends the sign-in of 1 app'

test('grants of a build whose tokens cannot be read are counted by doctor before the start, and by the start', async () => {
  const folder = makeFolder()
  const { json } = await run(doctor, ['--json'], { env: { PROOFGATE_DATA: folder }, cwd: folder, now })
  const findings = json.findings as { says: string; mend: string; level: string }[]
  expect(findings.find(({ says: said }) => said === says)).toMatchObject({
    level: 'warn',
    mend: expect.stringContaining('sign in to these apps again'),
  })
  expect(await start(folder)).toContainEqual({
    level: 'warn',
    message: says,
    mend: expect.stringContaining('copy the data folder before'),
    count: 1,
  })
  // They are gone, so the log does not mention them again.
  expect(JSON.stringify(await start(folder))).not.toContain('OAuth tokens')
})
