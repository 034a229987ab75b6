import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openConditions } from '../src/conditions.ts'
import { makeLog } from '../src/log.ts'
import { markRun } from '../src/mark-run.ts'
import { endingOfSilentDisk, findUncleanEnd, readBootId } from '../src/running-mark.ts'
import { temporaryFolders } from './parts/folders.ts'

const newFolder = temporaryFolders()
const now = () => 1_000

function openMarking(folder: string) {
  const log = makeLog({ level: 'error', format: 'text', now, write: () => {} })
  return markRun({ log, now, conditions: openConditions({ log, now }) }, folder, undefined, 5)
}

test('a mark that found no room at the start is left as soon as there is, and goes with a clean end', async () => {
  const folder = newFolder()
  // A folder of its name takes no mark, as a full disk does not.
  mkdirSync(join(folder, 'running.json'))
  const marking = await openMarking(folder)
  expect(readdirSync(folder)).toEqual(['running.json'])
  rmdirSync(join(folder, 'running.json'))
  while (findUncleanEnd(folder) === undefined) await Bun.sleep(5)
  await marking.stop()
  await marking.remove()
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['noted that the disk did not answer', endingOfSilentDisk, /: the disk did not answer/, /^look at the disk/],
  ['noted another fault', 'TypeError', /ended because of a fault/, /log of that time/],
  ['noted nothing', undefined, /or ended itself because the disk did not answer/, /exit code.* 74 /],
])('a run that %s is reported as such', async (_, ending, says, mend) => {
  const log = makeLog({ level: 'error', format: 'text', now, write: () => {} })
  const conditions = openConditions({ log, now })
  const bootId = readBootId()
  const lastEnd = { pid: 2 ** 30, version: '1', startedAt: 1, databaseAt: undefined, seenAt: 1, bootId, ending }
  const marking = await markRun({ log, now, conditions }, newFolder(), lastEnd)
  expect(conditions.list()).toMatchObject([
    { name: 'unclean-end', says: expect.stringMatching(says), mend: expect.stringMatching(mend) },
  ])
  await marking.stop()
  await marking.remove()
})

test('halves of marks that earlier runs left are cleared away', async () => {
  const folder = newFolder()
  for (const name of ['running.json.12', 'running.json.345', 'running.json.kept'])
    writeFileSync(join(folder, name), '{')
  const marking = await openMarking(folder)
  expect(readdirSync(folder).sort()).toEqual(['running.json', 'running.json.kept'])
  await marking.stop()
  await marking.remove()
})
