/** Two changes to one gate put together. */
import { expect, test } from 'bun:test'
import type { Definition } from '../../src/pages/browser/dashboard/gates/definition.ts'
import { mergeDefinitions } from '../../src/pages/browser/dashboard/gates/merge.ts'

const base: Definition = {
  gateId: 'g',
  name: 'G',
  supply: 5,
  requirements: [{ id: 'r1', verifierId: 'ownership-basic' }],
  rewards: [{ kind: 'reveal', valueFrom: { version: 1, reward: 0 } }],
}

test('a merge keeps the changes of each side, additions and removals too', () => {
  const { supply: _, ...withoutSupply } = base
  const theirs = {
    ...withoutSupply,
    perWallet: 1,
    rewards: [{ kind: 'reveal' as const, valueFrom: { version: 2, reward: 0 } }],
  }
  const ours = { ...base, name: 'H', description: 'New' }
  expect(mergeDefinitions(base, theirs, ours)).toEqual({
    definition: { ...theirs, name: 'H', description: 'New' },
    both: [],
  })
})

test('a merge names a change of both sides and keeps ours; equal changes are no conflict', () => {
  const theirs = { ...base, name: 'Theirs', supply: 6 }
  const ours = { ...base, name: 'Ours', supply: 6 }
  expect(mergeDefinitions(base, theirs, ours)).toEqual({
    definition: { ...base, name: 'Ours', supply: 6 },
    both: ['name'],
  })
})

test('a merge keeps our value of a changed reward', () => {
  const ours = { ...base, rewards: [{ kind: 'reveal' as const, value: 'new' }] }
  expect(mergeDefinitions(base, { ...base, name: 'T' }, ours).definition).toEqual({ ...ours, name: 'T' })
})
