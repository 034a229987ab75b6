import { expect, test } from 'bun:test'
import { chooseWriter } from '../../src/open-store.ts'

test('left open, a database on disk is written in a thread of its own: a disk that hangs must not hang health', () => {
  expect(chooseWriter('/any/folder')).toBe('worker')
})

test('left open, a store in memory is written in place, because it has nothing to wait for', () => {
  expect(chooseWriter(undefined)).toBe('inline')
})
