/** The README is the front door: short, with a first proof, a first gate and the list of guides. Its commands run in guides.test.ts. */
import { expect, test } from 'bun:test'
import { guideGroups } from '../../src/guides/index.ts'
import { readPage } from './page.ts'

const { text } = readPage('README.md')

test('it has at most 12 kB', () => {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12_288)
})

test('it lists every guide', () => {
  const missing = guideGroups
    .flatMap(({ guides }) => guides.map(({ name }) => name))
    .filter((name) => !text.includes(`](src/guides/${name}.md)`))
  expect(missing).toEqual([])
})

test('it names the four pages that a contributor reads first', () => {
  for (const path of ['src/app.ts', 'src/db/schema.ts', 'src/verifiers/verifier.ts', 'src/errors.ts'])
    expect(text).toContain(`](${path})`)
})
