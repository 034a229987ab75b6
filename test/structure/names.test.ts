/** Functions begin with a verb, so that a reader knows what each does and returns before reading it. */
import { describe, expect, test } from 'bun:test'
import { readSources } from './sources.ts'
import { verbs } from './verbs.ts'

/** Functions, and constants that hold one. Components of the pages begin with a capital letter and are no part of it. */
const declarations = [
  /^\s*(?:export )?(?:default )?(?:async )?function\*? ([a-z]\w*)/gm,
  /^\s*(?:export )?const ([a-z]\w*)(?:: [^=\n]+)? =\s*(?:async )?(?:<[^\n]*?>)?\((?:[^()]|\([^()]*\))*\)(?:: [^=\n]+?)? =>/gm,
  /^\s*(?:export )?const ([a-z]\w*)(?:: [^=\n]+)? =\s*(?:async )?\w+ =>/gm,
]

/** Functions that a type declares: `readCode(address: Hex): Promise<Hex>`. */
const members = [
  /^\s+([a-z]\w*)\??\([^()\n]*\): [^{\n]*$/gm,
  /^\s+(?:readonly )?([a-z]\w*)\??: \([^()\n]*\) => [^{\n]*$/gm,
]

const listMembers = (text: string): string[] =>
  members.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!))

const listFunctions = (text: string): string[] =>
  declarations.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!))

const readFirstWord = (name: string): string => /^[a-z0-9]+/.exec(name)![0]

/** Predicates: `isPublic`, `hasRoom`, `canSign`, and verbs of the third person, as in `needsPage`. */
const beginsWithVerb = (name: string): boolean => verbs.has(readFirstWord(name))

/** `rowOf`, `evidenceFor`. A verb that needs its preposition keeps it: `signIn`, `waitFor`. */
const endsInPreposition = (name: string): boolean =>
  /[a-z](Of|In|At|By|For|From|With|On|As)$/.test(name) &&
  !/([sS]ign(ed)?In|[wW]aitFor|[aA]skFor|goOn|actAs)$/.test(name)

const functions = [...(await readSources())]
  .filter(([file]) => !file.endsWith('.d.ts'))
  .flatMap(([file, text]) => listFunctions(text).map((name) => ({ file, name })))

const declared = [...(await readSources())]
  .filter(([file]) => !file.endsWith('.d.ts'))
  .flatMap(([file, text]) => listMembers(text).map((name) => ({ file, name })))

const list = (misses: (name: string) => boolean): string[] =>
  functions.filter(({ name }) => misses(name)).map(({ file, name }) => `${file}: ${name}`)

describe('functions', () => {
  test('are found', () => {
    expect(functions.length).toBeGreaterThan(4_000)
  })

  test('begin with a verb in at least 97 of 100 cases', () => {
    const others = list((name) => !beginsWithVerb(name))
    if (others.length > functions.length * 0.03) expect(others).toEqual([])
  })

  test('end in a preposition in at most 1 of 100 cases', () => {
    const others = list(endsInPreposition)
    if (others.length > functions.length * 0.01) expect(others).toEqual([])
  })

  test('declared by types are found, and end in a preposition in at most 1 of 100 cases', () => {
    expect(declared.length).toBeGreaterThan(300)
    const others = declared.filter(({ name }) => endsInPreposition(name)).map(({ file, name }) => `${file}: ${name}`)
    if (others.length > declared.length * 0.01) expect(others).toEqual([])
  })
})

describe('a name', () => {
  test.each(['findProof', 'isPublic', 'needsPage', 'run'])('%s begins with a verb', (name) => {
    expect(beginsWithVerb(name)).toBe(true)
  })

  test.each(['rowOf', 'lackFor', 'configured', 'proofPage'])('%s does not', (name) => {
    expect(beginsWithVerb(name)).toBe(false)
  })

  test.each(['rowOf', 'evidenceFor', 'offeredIn'])('%s ends in a preposition', (name) => {
    expect(endsInPreposition(name)).toBe(true)
  })

  test.each(['startSignIn', 'waitFor', 'readMargin'])('%s may stay', (name) => {
    expect(endsInPreposition(name)).toBe(false)
  })
})
