/** Which requirements a page offers to prove, where a gate has a guest list. */
import { expect, test } from 'bun:test'
import { listHelpful } from '../../src/pages/browser/gate-needs.ts'

const requirements = ['guests', 'one', 'two'].map((id) => ({
  id,
  verifierId: id === 'guests' ? 'guest-list' : 'ownership-basic',
  match: [],
  optional: false,
}))
const list = (rule: unknown, ...met: readonly string[]): readonly string[] =>
  listHelpful({ rule, requirements }, new Set(met))

test('no proof helps a wallet that is not on a list which decides alone', () => {
  expect(list(null)).toEqual([])
  expect(list({ all: ['guests', { any: ['one', 'two'] }] })).toEqual([])
  expect(list({ all: ['one', { any: ['guests', { all: ['guests', 'two'] }] }] })).toEqual([])
})

test('the proofs of another way help a wallet that is not on the list', () => {
  expect(list({ any: [{ all: ['guests', 'one'] }, 'two'] })).toEqual(['two'])
  expect(list({ any: ['guests', 'one', 'two'] })).toEqual(['one', 'two'])
})

test('a listed wallet is offered what is still missing', () => {
  expect(list(null, 'guests')).toEqual(['one', 'two'])
  expect(list({ all: ['guests', { any: ['one', 'two'] }] }, 'guests')).toEqual(['one', 'two'])
  expect(list({ all: [{ any: ['one', 'guests'] }, 'two'] }, 'guests')).toEqual(['two'])
})
