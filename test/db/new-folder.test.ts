/** A data folder that is taken away again: what had been there stays, and so does the folder of a server that runs. */
import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { takeLock } from '../../src/db/lock.ts'
import { noteNewFolder } from '../../src/db/new-folder.ts'
import { temporaryFolders } from '../parts/folders.ts'

const newFolder = temporaryFolders()

/** As a first start leaves them. */
function plant(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of ['master.key', 'proofgate.sqlite', 'proofgate.sqlite-wal']) writeFileSync(join(folder, name), 'x')
}

test('a new folder is removed with everything in it', () => {
  const place = newFolder()
  const undo = noteNewFolder(join(place, 'data'))
  plant(join(place, 'data'))
  undo()
  expect(readdirSync(place)).toEqual([])
})

test('in a folder that was there, only new files are removed', () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'lost+found'), 'of the disk')
  const undo = noteNewFolder(folder)
  plant(folder)
  undo()
  expect(readdirSync(folder)).toEqual(['lost+found'])
})

test('a folder whose lock somebody holds stays as it is', () => {
  const folder = newFolder()
  const undo = noteNewFolder(folder)
  plant(folder)
  const lock = takeLock(locateDatabaseFile(folder))
  const before = readdirSync(folder)
  undo()
  expect(readdirSync(folder)).toEqual(before)
  lock.release()
  undo()
  expect(readdirSync(folder)).toEqual([])
})

test('nothing is done where the folder was never made', () => {
  const place = newFolder()
  noteNewFolder(join(place, 'data'))()
  expect(readdirSync(place)).toEqual([])
})
