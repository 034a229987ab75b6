import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { chooseWriter } from '../../src/db/choose-writer.ts'
import { temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()

describe('where the database is written (storage.writer = "auto")', () => {
  test('in a thread of its own where there is more than one core', () => {
    expect(chooseWriter(newFolder(), 2)).toBe('worker')
  })

  test('on one core the disk is asked, and nothing of the question is left behind', () => {
    const folder = newFolder()
    expect(['worker', 'inline']).toContain(chooseWriter(folder, 1))
    expect(readdirSync(folder)).toEqual([])
  })

  test('a store in memory has nothing to wait for', () => {
    expect(chooseWriter(undefined, 8)).toBe('inline')
  })
})
