/** The parameters of gate checks, as verifiers describe them. */
import { expect, test } from 'bun:test'
import { verifiers } from '../../src/verifiers/index.ts'

test('each selective parameter of a verifier is among its parameters', () => {
  for (const { id, parameters = {}, facts = [] } of verifiers)
    for (const name of facts)
      expect({ id, names: Object.keys(parameters) }).toEqual({ id, names: expect.arrayContaining([name]) })
})

test('a parameter of several verifiers has one description', () => {
  const known = new Map<string, unknown>()
  for (const { parameters = {} } of verifiers)
    for (const [name, parameter] of Object.entries(parameters)) {
      expect(parameter).toBe((known.get(name) ?? parameter) as typeof parameter)
      known.set(name, parameter)
    }
  expect(known.size).toBeGreaterThan(25)
})
