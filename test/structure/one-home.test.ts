/** A refusal that several surfaces give is made in one place, so that code, message and details agree everywhere. */
import { describe, expect, test } from 'bun:test'
import { readSources, removeComments } from './sources.ts'

/** Each code with the file that makes it. */
const homes = {
  VERIFIER_NOT_FOUND: 'verifiers/not-found.ts',
  GATE_NOT_FOUND: 'gates/access.ts',
} as const

const listMakers = (files: ReadonlyMap<string, string>, code: string): string[] =>
  [...files]
    .filter(([, text]) => new RegExp(`\\bnew \\w+\\(\\s*'${code}'`).test(removeComments(text)))
    .map(([file]) => file)

const sources = await readSources()

describe('the source', () => {
  test.each(Object.entries(homes))('makes %s in %s alone', (code, home) => {
    expect(listMakers(sources, code)).toEqual([home])
  })
})

test('a planted second maker is found', () => {
  const files = new Map([['mcp/a.ts', "throw new ToolRefusal(\n  'VERIFIER_NOT_FOUND',\n  'x')"]])
  expect(listMakers(files, 'VERIFIER_NOT_FOUND')).toEqual(['mcp/a.ts'])
})
