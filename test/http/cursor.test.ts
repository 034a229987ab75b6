import { describe, expect, test } from 'bun:test'
import { makeSealer } from '../../src/db/seal.ts'
import { AppError } from '../../src/errors.ts'
import { cursorMaxLength, openCursor, sealCursor } from '../../src/http/cursor.ts'

const key = makeSealer(new Uint8Array(32).fill(7))
const list = ['a list', { wallet: '0x1' }] as const
const messageOf = (cursor: string, identity: readonly [string, ...unknown[]] = list, sealed = key): string => {
  try {
    return `opened: ${openCursor(sealed, identity, cursor)}`
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return error.message
    throw error
  }
}

describe('a cursor', () => {
  test.each([0, 1, 4_294_967_296, Number.MAX_SAFE_INTEGER])('holds the position %p', (position) => {
    expect(openCursor(key, list, sealCursor(key, list, position))).toBe(position)
  })

  test('has one length, and shows nothing of the position', () => {
    const cursors = Array.from({ length: 200 }, (_, position) => sealCursor(key, list, position))
    expect(new Set(cursors.map(({ length }) => length))).toEqual(new Set([71]))
    expect(cursors[0]!.length).toBeLessThan(cursorMaxLength)
    expect(new Set(cursors.map((cursor) => cursor.slice(2, 18))).size).toBe(200)
  })

  test('is the same for the same position of the same list, so that an unchanged page keeps its ETag', () => {
    expect(sealCursor(key, list, 5)).toBe(sealCursor(key, list, 5))
  })

  test('is refused when altered in any character', () => {
    const cursor = sealCursor(key, list, 41)
    for (let at = 0; at < cursor.length - 1; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A'
      expect(messageOf(`${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`)).toContain('did not issue this cursor')
    }
    expect(messageOf(`${cursor}=`)).toContain('did not issue this cursor')
    expect(messageOf(` ${cursor}`)).toContain('did not issue this cursor')
  })

  test('is refused by another list and by another server', () => {
    const cursor = sealCursor(key, list, 41)
    expect(messageOf(cursor, ['a list', { wallet: '0x2' }])).toContain('belongs to another query')
    expect(messageOf(cursor, list, makeSealer(new Uint8Array(32).fill(8)))).toContain('did not issue this cursor')
  })

  test('in the older form is refused, and the answer says to start again', () => {
    const older = Buffer.from(`1.${(41).toString(36)}.0123456789abcdef`).toString('base64url')
    expect(messageOf(older)).toContain('before an update: start again without it')
  })
})
