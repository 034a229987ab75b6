import { describe, expect, test } from 'bun:test'
import { openDistribution } from '../../src/distribution.ts'
import type { Family } from '../../src/metric-family.ts'
import { writeFamilies } from '../../src/monitoring/text.ts'

const unexpected = (family: string): void => {
  throw new Error(`${family} failed`)
}

describe('the text of metrics', () => {
  test('escapes what a label or a help text could break', async () => {
    const family: Family<null> = {
      name: 'a_total',
      type: 'counter',
      help: 'one\\two\nthree',
      read: () => [{ labels: { source: 'a"b\\c\nd' }, value: 3 }],
    }
    expect(await writeFamilies([family], null, unexpected)).toBe(
      '# HELP a_total one\\\\two\\nthree\n# TYPE a_total counter\na_total{source="a\\"b\\\\c\\nd"} 3\n',
    )
  })

  test('adds the buckets of a histogram up, and ends with all of them', async () => {
    const distribution = openDistribution([1, 2.5])
    for (const value of [0.5, 1, 2, 9]) distribution.note(value)
    const family: Family<null> = { name: 'a', type: 'histogram', help: 'A.', read: () => [{ distribution }] }
    expect((await writeFamilies([family], null, unexpected)).split('\n').slice(2)).toEqual([
      'a_bucket{le="1"} 2',
      'a_bucket{le="2.5"} 3',
      'a_bucket{le="+Inf"} 4',
      'a_sum 12.5',
      'a_count 4',
      '',
    ])
  })

  test('leaves out a family that cannot be read, and keeps the others', async () => {
    const told: string[] = []
    const broken: Family<null> = {
      name: 'broken',
      type: 'gauge',
      help: 'B.',
      read: () => Promise.reject(new Error('the disk is gone')),
    }
    const whole: Family<null> = { name: 'whole', type: 'gauge', help: 'W.', read: () => [{ value: 1 }] }
    const text = await writeFamilies([broken, whole], null, (family, error) => told.push(`${family}: ${error}`))
    expect(text).toBe('# HELP whole W.\n# TYPE whole gauge\nwhole 1\n')
    expect(told).toEqual(['broken: Error: the disk is gone'])
  })
})
