import { afterEach, describe, expect, test } from 'bun:test'
import { type Condition, openConditions } from '../src/conditions.ts'
import { tellWriterFaults } from '../src/health/writer-faults.ts'
import { makeLog } from '../src/log.ts'

const full: Condition = {
  name: 'disk-full',
  level: 'failing',
  says: 'the disk is full',
  mend: 'free some space',
}

/** `settledMs`: never by itself in these tests, unless one says so. */
function open(settledMs = 1_000_000) {
  const lines: string[] = []
  const log = makeLog({ level: 'info', format: 'text', now: () => 0, write: (line) => lines.push(line) })
  return { lines, conditions: openConditions({ log, now: () => 1_000, settledMs }) }
}

test('a condition that is met a thousand times is logged once, with its remedy, and once more when it is over', () => {
  const { lines, conditions } = open()
  for (let times = 0; times < 1_000; times++) conditions.begin(full)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('error the disk is full event=condition-began condition=disk-full mend="free some space"')
  expect(conditions.list()).toEqual([{ ...full, since: 1_000, count: 1_000 }])

  conditions.end('disk-full')
  conditions.end('disk-full')
  expect(conditions.list()).toEqual([])
  conditions.silence()
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(
    'info  this has ended: the disk is full event=condition-ended condition=disk-full count=1000',
  )
  expect(conditions.list()).toEqual([])
})

test('failures stand before warnings, and a warning that becomes a failure is logged again', () => {
  const { lines, conditions } = open()
  conditions.begin({ ...full, name: 'clock-jumped', level: 'warning', says: 'the clock jumped' })
  conditions.begin({ ...full, level: 'warning' })
  conditions.begin(full)
  expect(conditions.list().map(({ name, level }) => [name, level])).toEqual([
    ['disk-full', 'failing'],
    ['clock-jumped', 'warning'],
  ])
  expect(lines).toHaveLength(3)
})

test('a condition whose cause changes is logged again at once, and new figures are not another cause', () => {
  const { lines, conditions } = open()
  conditions.begin({ ...full, says: 'the disk is filling up (20 MiB free)' })
  conditions.begin({ ...full, says: 'the disk is filling up (19 MiB free)' })
  expect(lines).toHaveLength(1)
  conditions.begin({ ...full, says: 'the disk is full (3 MiB free)' })
  expect(lines[1]).toContain('the disk is full (3 MiB free) event=condition-began condition=disk-full')
  expect(conditions.list()).toMatchObject([{ count: 3 }])
  for (let times = 0; times < 10; times++) {
    conditions.begin({ ...full, says: 'the disk is filling up (20 MiB free)' })
    conditions.begin({ ...full, says: 'the disk is full (2 MiB free)' })
  }
  expect(lines).toHaveLength(2)
})

test('one whose words differ and whose cause is the same is logged once', () => {
  const { lines, conditions } = open()
  conditions.begin({ ...full, cause: 'commit', says: 'it failed at the write' })
  conditions.begin({ ...full, cause: 'commit', says: 'it failed at the fsync' })
  expect(lines).toHaveLength(1)
  expect(conditions.list()).toEqual([{ ...full, says: 'it failed at the fsync', since: 1_000, count: 2 }])
})

test('one that comes and goes is logged once, and its end when it stays away', async () => {
  const { lines, conditions } = open(300)
  for (let times = 0; times < 10; times++) {
    conditions.begin(full)
    expect(conditions.list()).toMatchObject([{ count: times + 1, since: 1_000 }])
    conditions.end('disk-full')
    expect(conditions.list()).toEqual([])
  }
  expect(lines).toHaveLength(1)
  for (let turn = 0; turn < 300 && lines.length < 2; turn++) await Bun.sleep(100)
  expect(lines[1]).toContain('this has ended: the disk is full event=condition-ended condition=disk-full count=10')

  // The log has just told both the beginning and the end, so neither is repeated.
  conditions.begin(full)
  conditions.end('disk-full')
  conditions.silence()
  expect(lines).toHaveLength(2)
})

test('one that comes back with another cause is logged at once, and counted from there', () => {
  const { lines, conditions } = open()
  conditions.begin(full)
  conditions.end('disk-full')
  conditions.begin({ ...full, says: 'the disk is read-only' })
  expect(lines).toHaveLength(2)
  expect(conditions.list()).toMatchObject([{ count: 1 }])
  conditions.end('disk-full')
  conditions.silence()
  expect(lines.slice(1).map((line) => line.includes('the disk is read-only'))).toEqual([true, true])
})

test('one that happened and is over begins anew each time that it happens', () => {
  const { lines, conditions } = open()
  const jumped: Condition = { ...full, name: 'clock-jumped', level: 'warning', says: 'the clock jumped', isPast: true }
  conditions.begin(jumped)
  conditions.end('clock-jumped')
  conditions.begin(jumped)
  expect(lines).toHaveLength(2)
  expect(conditions.list()).toMatchObject([{ count: 1 }])
})

describe('a minute later', () => {
  const real = performance.now
  afterEach(() => {
    performance.now = real
  })
  const goOn = (ms: number) => {
    const at = real.call(performance) + ms
    performance.now = () => at
  }

  test('one that lasts is logged again, with only the current figures', () => {
    const { lines, conditions } = open()
    const free = (mib: number): Condition => ({ ...full, isMeasured: true, says: `${mib} MiB free` })
    conditions.begin(free(0))
    conditions.begin({ ...full, name: 'disk-hangs', says: 'the disk hangs' })
    goOn(61_000)
    conditions.remind()
    expect(lines.map((line) => line.split(' ').slice(1, 7).join(' '))).toEqual([
      'error 0 MiB free event=condition-began condition=disk-full',
      'error the disk hangs event=condition-began condition=disk-hangs',
      'error the disk hangs event=condition-began condition=disk-hangs',
    ])
    conditions.begin(free(50))
    expect(lines[3]).toContain('50 MiB free event=condition-began condition=disk-full')
  })

  test('one that goes on coming and going is logged again with its count, and one that ended long ago begins anew', () => {
    const { lines, conditions } = open()
    conditions.begin(full)
    goOn(50_000)
    conditions.end('disk-full')
    goOn(61_000)
    conditions.begin(full)
    expect(lines[1]).toContain('count=2')
    conditions.end('disk-full')
    goOn(130_000)
    conditions.begin(full)
    expect(lines.at(-1)).not.toContain('count=')
  })
})

test('a late request that met a condition finds it for a while after its end', () => {
  const { conditions } = open()
  expect(conditions.stood('disk-full', 60_000)).toBe(false)
  conditions.begin(full)
  expect(conditions.stood('disk-full', 0)).toBe(true)
  conditions.end('disk-full')
  expect(conditions.stood('disk-full', 60_000)).toBe(true)
  expect(conditions.stood('disk-full', -1)).toBe(false)
})

test('once the server ends because its disk hangs, nothing that follows from it is logged', () => {
  const { lines, conditions } = open()
  conditions.begin(full)
  const faults = tellWriterFaults({ conditions, log: { debug: () => {} }, onHang: () => {} })
  faults.hangs?.(10)
  expect(lines.at(-1)).toContain('the disk does not answer, so the server ends')
  const told = lines.length
  conditions.begin({ ...full, name: 'writes-fail', says: 'the last write could not be stored' })
  conditions.end('disk-full')
  expect(lines).toHaveLength(told)
  expect(conditions.list().map(({ name }) => name)).toContain('writes-fail')
})
