/** Comments and titles cite documents that a reader of this repository can open: its files, and public standards. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

const root = new URL('../../', import.meta.url).pathname
const paths = [
  ...new Glob('{src,test}/**/*.{ts,tsx,mjs,sql,md}').scanSync({ cwd: root, followSymlinks: false }),
].filter((path) => !path.includes('/node_modules/'))
const mentioned = new Set(paths.flatMap((path) => path.split('/')))

/** A document by its file name alone, or a section of a contract that has no file. */
function findForeignCitations(written: string): string[] {
  // A citation may go on in the next line of a comment.
  const text = written.replace(/\s*\n\s*(?:\*|\/\/)? */g, ' ')
  const sections = text.match(/\b(?:section|§) ?[\d.]+ of the (?:interface|contract)\b|\b(?:spec|contract) \d+\.\d+/g)
  const files = [...text.matchAll(/(?<![\w/.`-])([a-z][a-z-]+\.md)\b/g)].map(([, name = '']) => name)
  return [...(sections ?? []), ...files.filter((name) => !mentioned.has(name))]
}

test('no comment cites a document that is not in this repository', () => {
  const found = paths
    // These make up documents that are not there.
    .filter((path) => path !== 'test/structure/citations.test.ts' && !/^test\/guides\/.*\.test\.ts$/.test(path))
    .map((path) => [path, findForeignCitations(readFileSync(join(root, path), 'utf8'))] as const)
  expect(found.filter(([, cited]) => cited.length > 0)).toEqual([])
})

test('a document that is elsewhere is found', () => {
  expect(findForeignCitations('// see design.md, and section 4.1 of the\n * contract (spec 2.1)')).toEqual([
    'section 4.1 of the contract',
    'spec 2.1',
    'design.md',
  ])
  expect(findForeignCitations('// src/guides/wire.md, "Options"; RFC 6749 section 5.2')).toEqual([])
})
