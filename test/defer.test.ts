import { describe, expect, test } from 'bun:test'
import { defer } from '../src/defer.ts'

describe('a deferred value', () => {
  test.each([
    ['an object', {}],
    ['undefined', undefined],
  ])('is made when it is first asked for, and once: %s', (_, value) => {
    let makes = 0
    const read = defer(() => {
      makes++
      return value
    })
    expect(makes).toBe(0)
    expect(read()).toBe(value)
    expect(read()).toBe(value)
    expect(makes).toBe(1)
  })

  test('is tried again where making it failed', () => {
    let makes = 0
    const read = defer(() => {
      if (++makes === 1) throw new Error('not yet')
      return makes
    })
    expect(read).toThrow('not yet')
    expect(read()).toBe(2)
  })
})
