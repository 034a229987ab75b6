import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { chooseWriter } from '../../src/db/choose-writer.ts'
import { temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()

describe('where the database is written (storage.writer = "auto")', () => {
  test('in a thread of its own where there is more than one core', () => {
    expect(chooseWriter(newFolder(), 2)).toBe('worker')
  })

  test.each([
    [0.2, 'inline'],
    [4, 'worker'],
  ] as const)('on one core a disk that takes %p ms to flush decides: %s', (flushMs, place) => {
    expect(chooseWriter(newFolder(), 1, () => flushMs)).toBe(place)
  })

  test('the disk is asked in the data folder, and nothing of the question is left there', () => {
    const folder = newFolder()
    chooseWriter(folder, 1)
    expect(readdirSync(folder)).toEqual([])
    expect(() => chooseWriter(`${folder}/missing`, 1)).toThrow('ENOENT')
  })

  test('a store in memory has nothing to wait for', () => {
    expect(chooseWriter(undefined, 8)).toBe('inline')
  })
})
