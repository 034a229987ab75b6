/** Looks at the files of a data folder that change while they are looked at. */
import { expect, spyOn, test } from 'bun:test'
import { rmSync } from 'node:fs'
import * as files from 'node:fs/promises'
import { join } from 'node:path'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { requireMasterKey } from '../../src/db/master-key.ts'
import { openHeldFiles } from '../../src/health/held-files.ts'
import { makeDataFolder } from '../commands/data-folder.ts'
import { temporaryFolders } from '../parts/folders.ts'

const newFolder = temporaryFolders()

test('a master key that goes away after it was found is lost, and the folder is readable', async () => {
  const folder = newFolder()
  makeDataFolder(folder)
  const held = openHeldFiles({
    folder,
    databaseFile: locateDatabaseFile(folder),
    key: requireMasterKey(undefined, folder),
    reserve: { heldBytes: () => 0 },
  })
  const { readFile } = files
  const reading = spyOn(files, 'readFile').mockImplementation(((...asked: Parameters<typeof readFile>) => {
    rmSync(join(folder, 'master.key'))
    return readFile(...asked)
  }) as typeof readFile)
  try {
    const { conditions, isLost } = await held.look()
    expect(reading).toHaveBeenCalledTimes(1)
    expect(conditions.map(({ name }) => name)).toEqual(['master-key-lost'])
    expect(conditions[0]!.says).toContain('was removed or moved away')
    expect(isLost).toBe(true)
  } finally {
    reading.mockRestore()
    held.close()
  }
})
