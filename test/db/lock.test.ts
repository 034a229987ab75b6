import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { LockedError, takeLock } from '../../src/db/lock.ts'
import { firstLine, runScript, src } from './child.ts'
import { inspect, openStore, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

describe('one process per data folder', () => {
  test('a second opener is refused at once, with the remedy', async () => {
    const folder = newFolder()
    const first = await openStore(folder)
    const started = performance.now()
    await expect(openStore(folder)).rejects.toBeInstanceOf(LockedError)
    await expect(openStore(folder)).rejects.toThrow(/already uses this data folder.*PROOFGATE_DATA/)
    expect(performance.now() - started).toBeLessThan(1_000)
    await first.close()
    await (await openStore(folder)).close()
  })

  test('another folder is another server', async () => {
    const stores = await Promise.all([openStore(newFolder()), openStore(newFolder())])
    for (const store of stores) await store.close()
  })

  test('another process holds it as well, until it is killed', async () => {
    const folder = newFolder()
    const holder = runScript(`
      const { takeLock } = await import(${JSON.stringify(src('db/lock.ts'))})
      globalThis.lock = takeLock(${JSON.stringify(locateDatabaseFile(folder))})
      console.log('held')
      setInterval(() => {}, 1000)`)
    expect(await firstLine(holder.stdout)).toBe('held')
    await expect(openStore(folder)).rejects.toBeInstanceOf(LockedError)

    holder.kill('SIGKILL')
    await holder.exited
    await (await openStore(folder)).close()
  })

  test('a store that could not be opened leaves the folder free', async () => {
    const folder = newFolder()
    await (await openStore(folder)).close()
    inspect(folder, (db) => db.run("INSERT INTO migrations VALUES ('9999', 'x', 0)"))
    await expect(openStore(folder)).rejects.toThrow(/newer/)
    takeLock(locateDatabaseFile(folder)).release()
  })

  test('the database itself stays readable for a backup while it is held', async () => {
    const folder = newFolder()
    const store = await openStore(folder)
    const copy = join(newFolder(), 'copy.sqlite')
    inspect(folder, (db) => db.run(`VACUUM INTO '${copy}'`))
    expect(await Bun.file(copy).exists()).toBe(true)
    await store.close()
  })

  test('a fault of the lock file is not reported as a held lock', () => {
    const folder = newFolder()
    mkdirSync(`${locateDatabaseFile(folder)}.lock`)
    expect(() => takeLock(locateDatabaseFile(folder))).toThrow()
    expect(() => takeLock(locateDatabaseFile(folder))).not.toThrow(LockedError)
  })
})
