import { describe, expect, test } from 'bun:test'
import { encode, type Packet } from 'dns-packet'
import fc from 'fast-check'
import { type Answer, makeRandomId, type Query, queryBytes, readAnswer } from '../../../src/outside/dns/message.ts'

const query: Query = { id: 0x1234, name: '_svc.example.test', type: 'TXT' }
const question = { name: query.name, type: 'TXT', class: 'IN' } as const
const recursionAvailable = 1 << 7
const record = { name: query.name, type: 'TXT', class: 'IN', ttl: 60, data: ['wallet=0x1'] } as const

const bytesOf = (change: Packet = {}): Buffer =>
  encode({
    type: 'response',
    id: query.id,
    flags: recursionAvailable,
    questions: [question],
    answers: [structuredClone(record) as never],
    ...change,
  })
const opt = (extendedRcode: number) => ({
  type: 'OPT' as const,
  name: '.' as const,
  udpPayloadSize: 1232,
  extendedRcode,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
})

describe('a query', () => {
  test('has the bytes of RFC 1035 and RFC 6891: RD, AD, one question, and OPT with 1232 bytes and DO', () => {
    expect(Buffer.from(queryBytes(query)).toString('hex')).toBe(
      [
        '1234', // id
        '0120', // RD, AD
        '0001000000000001', // one question, one additional record
        '045f737663076578616d706c65047465737400', // _svc.example.test.
        '00100001', // TXT, IN
        '000029', // root, OPT
        '04d0', // 1232 bytes
        '00008000', // no extended rcode, version 0, DO
        '0000', // no options
      ].join(''),
    )
  })

  test('has no RD when it asks for no recursion', () => {
    expect(Buffer.from(queryBytes({ ...query, withoutRecursion: true })).readUInt16BE(2)).toBe(0x0020)
  })

  test('gets an id that differs from one time to the next, out of all 65536', () => {
    const ids = Array.from({ length: 400 }, makeRandomId)
    expect(new Set(ids).size).toBeGreaterThan(300)
    expect(Math.max(...ids)).toBeGreaterThan(0x8000)
    expect(Math.max(...ids)).toBeLessThan(0x10000)
  })
})

describe('the answer to a query', () => {
  const answered = readAnswer(query, bytesOf())

  test('is read', () => {
    expect(answered).toEqual({
      rcode: 'NOERROR',
      isTruncated: false,
      isFromSomebodyWhoKnows: true,
      isAuthenticated: false,
      records: [{ name: query.name, ttlSeconds: 60, type: 'TXT', text: 'wallet=0x1' }],
      hasStartOfAuthority: false,
    })
  })

  test('may spell the name with other capitals, but with ASCII letters only', () => {
    const spelled = (name: string) => readAnswer(query, bytesOf({ questions: [{ ...question, name }] }))
    expect(spelled('_SVC.eXaMpLe.TEST')).toEqual(answered!)
    // The Kelvin sign is a K to toLowerCase(), the long s an S to toUpperCase().
    expect(
      readAnswer({ ...query, name: 'k.test' }, bytesOf({ questions: [{ ...question, name: '\u212a.test' }] })),
    ).toBe(undefined)
    expect(spelled('_\u017fvc.example.test')).toBeUndefined()
  })

  test.each<[string, Packet]>([
    ['another id', { id: 0x1235 }],
    ['a query', { type: 'query' }],
    ['another opcode', { flags: recursionAvailable | (2 << 11) }],
    ['another name', { questions: [{ ...question, name: '_svc.example.tes' }] }],
    ['a name below it', { questions: [{ ...question, name: 'a._svc.example.test' }] }],
    ['another type', { questions: [{ ...question, type: 'NS' }] }],
    ['another class', { questions: [{ ...question, class: 'CH' }] }],
    ['two questions', { questions: [question, question] }],
    ['no question', { questions: [] }],
    ['NXDOMAIN without a question', { questions: [], flags: recursionAvailable | 3 }],
    ['more records than are read', { answers: Array.from({ length: 1001 }, () => structuredClone(record) as never) }],
  ])('is not: %s', (_, change) => {
    expect(readAnswer(query, bytesOf(change))).toBeUndefined()
  })

  test('is refused when it is cut off, or goes on, at any byte', () => {
    const whole = bytesOf()
    for (let length = 0; length < whole.length; length++)
      expect({ length, answer: readAnswer(query, whole.subarray(0, length)) }).toEqual({ length, answer: undefined })
    expect(readAnswer(query, Buffer.concat([whole, Buffer.from('x')]))).toBeUndefined()
  })

  test('may be an error without a question', () => {
    expect(readAnswer(query, bytesOf({ questions: [], answers: [], flags: 1 }))?.rcode).toBe('FORMERR')
  })

  test('with an extended error is that error, and never NOERROR (RFC 6891 section 6.1.3)', () => {
    expect(readAnswer(query, bytesOf({ answers: [], additionals: [opt(1)] }))?.rcode).toBe('RCODE16')
    expect(readAnswer(query, bytesOf({ answers: [], additionals: [opt(1)], flags: 7 }))?.rcode).toBe('RCODE23')
    expect(readAnswer(query, bytesOf({ answers: [], additionals: [opt(0)] }))?.rcode).toBe('NOERROR')
  })

  test('has no records when it is truncated, even where it ends within one (RFC 2181 section 9)', () => {
    const truncated = bytesOf({ flags: recursionAvailable | (1 << 9) })
    for (const cut of [0, 1, 5, 20])
      expect(readAnswer(query, truncated.subarray(0, truncated.length - cut))).toMatchObject({
        isTruncated: true,
        records: [],
      })
  })

  test('joins the strings of one record, and keeps bytes that are not text from passing for text', () => {
    const texts = (...data: readonly (string | Buffer)[]) =>
      readAnswer(query, bytesOf({ answers: [{ ...record, data: [...data] }] }))?.records
    expect(texts('wallet=', '', '0x1')).toMatchObject([{ text: 'wallet=0x1' }])
    expect(texts('')).toMatchObject([{ text: '' }])
    expect(texts(Buffer.from([0xef, 0xbb, 0xbf, 0x61]))).toMatchObject([{ text: '\ufeffa' }])
    expect(texts(Buffer.from([0x61, 0xff]))).toMatchObject([{ text: 'a\ufffd' }])
  })

  test('counts records of the class IN only, and a time to live above 31 bits as 0', () => {
    const read = (change: object) =>
      readAnswer(query, bytesOf({ answers: [{ ...structuredClone(record), ...change } as never] }))
    expect(read({ class: 'CH' })?.records).toMatchObject([{ type: 'other' }])
    expect(read({ flush: true })?.records).toMatchObject([{ type: 'other' }])
    expect(read({ ttl: 0x80000000 })?.records).toMatchObject([{ ttlSeconds: 0 }])
    expect(read({ ttl: 0x7fffffff })?.records).toMatchObject([{ ttlSeconds: 0x7fffffff }])
  })

  test('is parsed or refused for every sequence of bytes', () => {
    const isFine = (answer: Answer | undefined) => answer === undefined || answer.records.length <= 1000
    fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => isFine(readAnswer(query, bytes))))
    const whole = bytesOf({ additionals: [opt(0)] })
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const bytes = Buffer.from(whole)
        for (const [at, value] of changes) bytes[at] = value
        return isFine(readAnswer(query, bytes))
      }),
      { numRuns: 2000 },
    )
  })
})
