/** The names of events: each line of the log has one, and the table of the guide has all of them. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fillGuide } from '../../src/guides/fill.ts'
import { logEvents } from '../../src/log-events.ts'
import { startApp } from '../app.ts'
import { readSources } from '../structure/sources.ts'

const sources = [...(await readSources())].filter(([file]) => file !== 'log-events.ts').map(([, text]) => text)
const told = new Set(
  sources.flatMap((text) => [...text.matchAll(/'([a-z0-9]+(?:-[a-z0-9]+)+)'/g)].map(([, name]) => name!)),
)

/** Calls that say level and event in one place. */
const calls = sources.flatMap((text) => [
  ...[...text.matchAll(/\blog\.(error|warn|info|debug)\((?:'[^'\n]*'|`[^`\n]*`),\s*\{\s*event: '([^']+)'/g)],
  ...[...text.matchAll(/level: '(error|warn|info)',\s*event: '([^']+)'/g)],
])

describe('the events of the log', () => {
  test('are all told somewhere', () => {
    expect(Object.keys(logEvents).filter((name) => !told.has(name))).toEqual([])
  })

  test('have the levels of the table', () => {
    expect(calls.length).toBeGreaterThan(60)
    const levels: Readonly<Record<string, { readonly levels: readonly string[] }>> = logEvents
    expect(calls.filter(([, level, event]) => !levels[event!]?.levels.includes(level!)).map(([call]) => call)).toEqual(
      [],
    )
  })

  test('are in the guide, each with its levels', async () => {
    const { parts } = await startApp()
    const markdown = readFileSync(new URL('../../src/guides/monitoring.md', import.meta.url), 'utf8')
    const addresses = parts.addresses()
    const guide = fillGuide(markdown, { addresses, brand: 'svc', catalog: parts.catalog })
    for (const [name, { levels, about }] of Object.entries(logEvents))
      expect(guide).toContain(`| \`${name}\` | ${levels.join(', ')} | ${about} |`)
  })
})
