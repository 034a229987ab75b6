/** The list of guides holds every file of src/guides, so that each is served, searched and printed. */
import { expect, test } from 'bun:test'
import { basename, dirname } from 'node:path'
import { Glob } from 'bun'
import { type Decision, decisions, guideGroups } from '../../src/guides/index.ts'

const folder = new URL('../../src/guides/', import.meta.url).pathname
const files = [...new Glob('**/*.md').scanSync(folder)]
const listed = guideGroups.flatMap(({ guides }) => guides)

const namesIn = (place: string): string[] =>
  files
    .filter((file) => dirname(file) === place)
    .map((file) => basename(file, '.md'))
    .sort()
const namesOf = (guides: readonly Decision[]): string[] => guides.map(({ name }) => name).sort()

test('every guide in src/guides is listed once in index.ts', () => {
  expect(namesOf(listed)).toEqual(namesIn('.'))
  expect(namesOf(decisions)).toEqual(namesIn('decisions'))
  expect(files.filter((file) => !['.', 'decisions'].includes(dirname(file)))).toEqual([])
})

test.each([
  ...listed.map(({ name, markdown }) => [`${name}.md`, markdown] as const),
  ...decisions.map(({ name, markdown }) => [`decisions/${name}.md`, markdown] as const),
])('%s is listed with its own text, which begins with a title', async (file, markdown) => {
  expect(markdown).toBe(await Bun.file(`${folder}${file}`).text())
  expect(markdown).toMatch(/^# [^\n]+\n\n/)
})

test('each guide has a summary of one line', () => {
  for (const { summary } of listed) expect(summary).toMatch(/^[A-Z][^\n]{9,89}(?<![.\s])$/)
})

test('names are words for an address', () => {
  for (const { name } of [...listed, ...decisions]) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
})
