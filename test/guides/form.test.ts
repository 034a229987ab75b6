/** Every guide has the same beginning: a title, what the reader gets, and a result in a minute. */
import { describe, expect, test } from 'bun:test'
import { guidePaths, type Page, parsePage, readPage } from './page.ts'

const guides = guidePaths()
  .filter((path) => !path.includes('/decisions/'))
  .map(readPage)

/** Pages to look something up begin with their subject. */
const references = ['errors', 'faults', 'limits', 'settings', 'stored', 'wire'].map((name) => `src/guides/${name}.md`)

/** Lists the faults in the form of a guide. */
function findFaults({ path, text, prose }: Page): string[] {
  const headings = [...prose.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  const tooLong = prose.split('\n').filter((line) => line.length > 150 && !line.startsWith('|'))
  return [
    ...(/^# [A-Z][^\n]+\n\n[A-Z]/.test(text) ? [] : ['begins with a title and a sentence']),
    ...(references.includes(path) || headings[0] === 'In a minute' ? [] : ['its first heading is "In a minute"']),
    ...tooLong.map((line) => `longer than 150 characters: ${line.slice(0, 40)}`),
  ]
}

describe('guides', () => {
  test.each(guides.map((page) => [page.path, page] as const))(
    'begin alike, with lines of 150 characters: %s',
    (_, page) => {
      expect(findFaults(page)).toEqual([])
    },
  )

  test('with another form are found', () => {
    expect(findFaults(parsePage('new.md', `Hello\n\n## More\n\n${'x'.repeat(151)}\n`))).toHaveLength(3)
  })
})
