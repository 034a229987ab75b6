import { describe, expect, test } from 'bun:test'
import { makeLog, openLog } from '../src/log.ts'

const time = '1970-01-01T00:00:00.000Z'
const forged = `/x\n${time} error the disk is gone\u2028\u009b31m\u202e level=error "q" \\`

const event = 'library-output'

function write(format: 'text' | 'json', message: string, fields = {}) {
  const lines: string[] = []
  makeLog({ level: 'debug', format, now: () => 0, write: (line) => lines.push(line) }).warn(message, {
    event,
    ...fields,
  })
  return lines.join('')
}

describe('a line of text', () => {
  test('begins with time and level, and quotes a value that has more than one word', () => {
    expect(write('text', 'it failed', { path: '/a/b?c', why: 'no room', empty: '', count: 3, none: undefined })).toBe(
      `${time} warn  it failed event=library-output path=/a/b?c why="no room" empty="" count=3\n`,
    )
  })

  test('is one line whatever a value or a message holds, and the value can be read back from it', () => {
    const line = write('text', `a\nb "c"`, { path: forged })
    expect(line).toStartWith(`${time} warn  a\\nb "c" event=library-output path="/x\\n`)
    expect(line.trimEnd()).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(line.slice(line.indexOf('path=') + 5))).toBe(forged)
  })
})

test('a line of JSON is one line too, and steers no terminal', () => {
  const line = write('json', 'it failed', { path: forged })
  expect(line.trimEnd()).toMatch(/^[\x20-\x7e]+$/)
  expect(JSON.parse(line)).toEqual({ time, level: 'warn', event, message: 'it failed', path: forged })
})

test.each(['text', 'json'] as const)('a value of a million characters is cut in %s', (format) => {
  expect(write(format, 'it failed', { error: 'x'.repeat(1_000_000) }).length).toBeLessThan(8_192)
})

describe('a repeated line', () => {
  function open() {
    const told: { level: string; message: string; fields: Record<string, unknown> }[] = []
    let time = 0
    const log = openLog(
      (level, message, fields) => {
        if (level !== 'debug') told.push({ level, message, fields: { ...fields } })
      },
      { elapsedMs: () => time },
    )
    const wait = (ms: number): void => {
      time += ms
    }
    return { told, log, wait }
  }
  const thrown = (message: string) => new TypeError(message)
  const fault = (id: number, error = thrown(`no row ${id}`)) =>
    ({
      level: 'error',
      event: 'request-failed',
      message: 'a request failed',
      error,
      fields: { path: `/${id}` },
      requestId: `r${id}`,
    }) as const

  test('is logged in full once, and then each minute with its count and the newest request ids', () => {
    const { told, log, wait } = open()
    for (let id = 0; id < 1_000; id++) log.count(fault(id))
    log.tellCounts()
    expect(told).toHaveLength(1)
    expect(told[0]!.fields).toEqual({
      event: 'request-failed',
      requestId: 'r0',
      path: '/0',
      error: expect.stringMatching(/^TypeError: no row 0\n\s+at /),
    })

    wait(60_000)
    log.tellCounts()
    log.tellCounts()
    expect(told).toHaveLength(2)
    expect(told[1]!.fields).toEqual({
      event: 'request-failed',
      path: '/999',
      error: 'TypeError: no row 999',
      count: 999,
      sinceSeconds: 60,
      requestIds: 'r995,r996,r997,r998,r999',
    })

    wait(60_000)
    log.count(fault(1_000))
    expect(told[2]!.fields).toMatchObject({ count: 1, total: 1_001, requestIds: 'r1000' })
  })

  test('is logged at the end of the process, and not counted twice', () => {
    const { told, log } = open()
    for (let id = 0; id < 3; id++) log.count(fault(id))
    log.tellCounts(true)
    log.tellCounts(true)
    expect(told.map(({ fields }) => fields.count)).toEqual([undefined, 2])
  })

  test('is logged in full again after ten minutes without it', () => {
    const { told, log, wait } = open()
    log.count(fault(1))
    wait(600_000)
    log.tellCounts()
    log.count(fault(2))
    expect(told.map(({ fields }) => fields.requestId)).toEqual(['r1', 'r2'])
  })

  test('is logged for each place and each kind by itself', () => {
    const { told, log } = open()
    log.count(fault(1))
    log.count(fault(1, new TypeError('no row 1')))
    for (const kind of ['chains timeout', 'dns timeout', 'chains timeout'])
      log.count({ level: 'warn', event: 'claim-undecided', message: 'a claim could not be looked up', kind })
    expect(told).toHaveLength(4)
  })

  test('with too many kinds is counted as one', () => {
    const { told, log, wait } = open()
    for (let kind = 0; kind < 10_000; kind++)
      log.count({ level: 'warn', event: 'library-output', message: 'odd', kind: `k${kind}` })
    expect(told).toHaveLength(201)
    wait(60_000)
    log.tellCounts()
    expect(told).toHaveLength(202)
    expect(told.at(-1)).toMatchObject({
      message: expect.stringContaining('more kinds'),
      fields: { event: 'faults-uncounted', count: 9_799 },
    })
  })
})
