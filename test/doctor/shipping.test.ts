/** Doctor tells what is not at the place of the continuous backup. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { doctor } from '../../src/commands/doctor.ts'
import { makeShippingPlace, passphrase } from '../backup/continuous-stage.ts'
import { run } from '../commands/terminal.ts'
import { temporaryFolders } from '../db/store.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()

test('what waits for the place is told with its time, and no more when it is there', async () => {
  const home = newFolder()
  const at = makeShippingPlace(home)
  const examine = async (aheadMs = 0) => {
    const { json } = await run(doctor, ['--json'], {
      cwd: home,
      now: () => Date.now() + aheadMs,
      env: {
        PROOFGATE_DATA: at.data,
        PROOFGATE_MODERATION_TEXT: 'none',
        PROOFGATE_BACKUP_TO: at.place,
        PROOFGATE_BACKUP_CONTINUOUS: 'true',
        PROOFGATE_BACKUP_PASSPHRASE: passphrase,
      },
    })
    return json.findings.find(({ setting }: { setting: string }) => setting === 'backup.continuous')
  }
  const first = await at.open()
  await first.write()
  await first.settle()
  await first.close()
  expect(await examine(60_000)).toMatchObject({ level: 'ok' })

  renameSync(at.place, `${at.place}-away`)
  writeFileSync(at.place, '')
  const askedAt = Date.now()
  const second = await at.open()
  await second.write()
  await second.close()
  expect(await examine()).toMatchObject({ level: 'fail', says: expect.stringContaining(at.place) })

  rmSync(at.place)
  renameSync(`${at.place}-away`, at.place)
  expect(await examine()).toMatchObject({ level: 'ok' })
  const { level, says } = await examine(60_000)
  expect(level).toBe('warn')
  const since = Date.parse(/since (\S+) is not at the place/.exec(says)![1]!)
  expect(since).toBeGreaterThanOrEqual(askedAt)
  expect(since).toBeLessThanOrEqual(Date.now())

  const timesFile = join(at.data, 'proofgate.sqlite-times')
  const times = readFileSync(timesFile)
  const third = await at.open()
  await third.settle()
  await third.close()
  expect(await examine(60_000)).toMatchObject({ level: 'ok' })
  // As a server that was killed before it shortened the file.
  writeFileSync(timesFile, times)
  expect(await examine(60_000)).toMatchObject({ level: 'ok' })
})
