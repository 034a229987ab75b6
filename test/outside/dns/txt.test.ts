import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { encode } from 'dns-packet'
import {
  type Asked,
  authenticated,
  cname,
  framed,
  rcodes,
  recordOf,
  startDns,
  startOfAuthority,
  ttlSeconds,
  txt,
  types,
} from '../../parts/dns.ts'
import { failureOf } from '../http/calling.ts'
import { opened } from './asking.ts'

const server = await startDns()
afterAll(server.stop)
beforeEach(() => {
  server.zone.clear()
  server.script = undefined
})
const { txt: ask } = opened([server.address])
const { txt: askBriefly } = opened([server.address], { timeoutMs: 400 })
const name = '_svc.example.test'
const said = { source: 'dns.resolvers[0]', isAuthenticated: false }

describe('the TXT records of a name', () => {
  test('come with their time to live and the setting of the resolver', async () => {
    server.zone.set(name, [txt('wallet=0x1')])
    expect(await ask(name)).toEqual({ outcome: 'records', records: ['wallet=0x1'], ttlSeconds, ...said })
  })

  test('may be several, each of several strings, which are joined without a space', async () => {
    server.zone.set(name, [txt('a'), txt('wallet=', '0x1'), txt('')])
    expect(await ask(name)).toMatchObject({ outcome: 'records', records: ['a', 'wallet=0x1', ''] })
  })

  test('may be none: the name exists without records, or does not exist', async () => {
    server.zone.set(name, [])
    expect(await ask(name)).toEqual({ outcome: 'no-records', ...said })
    server.zone.clear()
    expect(await ask(name)).toEqual({ outcome: 'no-such-name', ...said })
  })

  test('are asked for each time: a change is seen at once', async () => {
    server.zone.set(name, [txt('old')])
    expect(await ask(name)).toMatchObject({ records: ['old'] })
    server.zone.set(name, [txt('new')])
    expect(await ask(name)).toMatchObject({ records: ['new'] })
  })

  test('come over TCP when they do not fit into a packet', async () => {
    const records = Array.from({ length: 61 }, (_, index) => `wallet=0x${String(index).padStart(40, '0')}`)
    server.zone.set(
      name,
      records.map((record) => txt(record)),
    )
    const before = server.asked.length
    expect(await ask(name)).toMatchObject({ outcome: 'records', records })
    expect(server.asked.slice(before).map(({ over }) => over)).toEqual(['udp', 'tcp'])
  })

  test('are authenticated when the resolver says so (AD)', async () => {
    server.zone.set(name, [txt('a')])
    server.script = (asked) => [
      asked.answer(({ header }) => {
        header.z = authenticated
      }),
    ]
    expect(await ask(name)).toMatchObject({ records: ['a'], isAuthenticated: true })
  })
})

describe('an alias (CNAME)', () => {
  test('is followed as far as the answer goes', async () => {
    server.zone.set(name, [cname('one.test')])
    server.zone.set('one.test', [cname('two.test')])
    server.zone.set('two.test', [txt('wallet=0x1')])
    expect(await ask(name)).toMatchObject({
      outcome: 'records',
      records: ['wallet=0x1'],
      alias: { end: 'two.test' },
    })
  })

  test('with the shortest time to live of the way', async () => {
    server.zone.set(name, [cname('one.test')])
    server.zone.set('one.test', [txt('a')])
    server.script = (asked) => [
      asked.answer(({ answers }) => {
        answers[0]!.ttl = 7
      }),
    ]
    expect(await ask(name)).toMatchObject({ ttlSeconds: 7 })
  })

  test('may lead to a name without records, or to none at all', async () => {
    server.zone.set(name, [cname('one.test')])
    expect(await ask(name)).toMatchObject({ outcome: 'no-such-name', alias: { end: 'one.test' } })
    server.zone.set('one.test', [])
    expect(await ask(name)).toMatchObject({ outcome: 'no-records', alias: { end: 'one.test' } })
  })

  test('is not repeated when its end is no host name', async () => {
    server.zone.set(name, [cname('<b>.test')])
    expect(await ask(name)).toMatchObject({ outcome: 'no-such-name', alias: { end: 'another name' } })
  })

  test('gives no verdict when its end is missing in the answer', async () => {
    server.zone.set(name, [cname('elsewhere.test')])
    server.script = (asked) => [
      asked.answer((packet) => {
        packet.header.rcode = 0
        packet.authorities = []
      }),
    ]
    expect(await failureOf(ask(name))).toMatchObject({ fault: 'malformed', happened: expect.stringMatching(/alias/) })
  })

  test('leads to no record when it leads in a circle', async () => {
    server.zone.set(name, [cname('one.test')])
    server.zone.set('one.test', [cname(name)])
    expect(await ask(name)).toMatchObject({ outcome: 'no-records', alias: { end: undefined } })
  })

  test('makes no record of another name count', async () => {
    server.zone.set(name, [cname('one.test')])
    server.zone.set('one.test', [])
    const foreign = { ...recordOf('', types.TXT), data: ['wallet=0x1'] }
    server.script = (asked) => [
      asked.answer(({ answers }) => {
        for (const other of [name, 'example.test', 'two.test', 'a.one.test']) answers.push({ ...foreign, name: other })
      }),
    ]
    expect(await ask(name)).toMatchObject({ outcome: 'no-records' })
  })
})

/** BADVERS is error 16: 0 in the header, and a 1 above it in the OPT record. */
const badVersion = {
  type: 'OPT' as const,
  name: '.' as const,
  udpPayloadSize: 1232,
  extendedRcode: 1,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
}

describe('an answer without a verdict', () => {
  test.each<[string, keyof typeof rcodes, string]>([
    ['its own failure, or a DNSSEC signature that is wrong', 'servfail', 'unreachable'],
    ['a refusal', 'refused', 'wrong-source'],
    ['a question it cannot read', 'formerr', 'malformed'],
    ['a question it does not know', 'notimp', 'malformed'],
  ])('%s (%s)', async (_, rcode, fault) => {
    server.script = (asked) => [
      asked.answer(({ header }) => {
        header.rcode = rcodes[rcode]
      }),
    ]
    expect(await failureOf(ask(name))).toMatchObject({
      fault,
      source: 'dns.resolvers[0]',
      happened: expect.stringContaining(rcode.toUpperCase()),
    })
  })

  test('comes from a server that points to others without asking them', async () => {
    server.zone.set(name, [])
    server.script = (asked) => [
      asked.answer(({ header }) => {
        header.ra = 0
      }),
    ]
    expect(await failureOf(ask(name))).toMatchObject({
      fault: 'wrong-source',
      happened: expect.stringMatching(/points to other servers/),
    })
  })

  test('while one that has the zone itself is believed (AA)', async () => {
    server.script = (asked) => [
      asked.answer(({ header }) => {
        header.ra = 0
        header.aa = 1
      }),
    ]
    expect(await ask(name)).toMatchObject({ outcome: 'no-such-name' })
  })

  test('comes for an unsupported EDNS version, which is not taken for "nothing there"', async () => {
    server.script = (asked) => [
      encode({
        type: 'response',
        id: asked.answer().readUInt16BE(0),
        flags: 1 << 7,
        questions: [{ name, type: 'TXT' }],
        additionals: [badVersion],
      }),
    ]
    expect(await failureOf(ask(name))).toMatchObject({ fault: 'malformed', happened: 'answered RCODE16' })
  })
})

describe('packets that are not the answer', () => {
  const otherId = (asked: Asked): Buffer => {
    const bytes = asked.answer()
    bytes.writeUInt16BE((bytes.readUInt16BE(0) + 1) % 65_536, 0)
    return bytes
  }
  const otherName = (asked: Asked): Buffer =>
    asked.answer(({ questions }) => {
      questions[0] = { ...questions[0]!, name: '_svc.other.test' }
    })
  const forged = (asked: Asked): readonly Buffer[] => [
    Buffer.from('junk'),
    Buffer.alloc(0),
    Buffer.alloc(2000, 0xff),
    otherId(asked),
    otherName(asked),
    asked.answer().subarray(0, -3),
  ]

  test('are passed over, and the answer behind them counts', async () => {
    server.zone.set(name, [txt('a')])
    server.script = (asked) => [...forged(asked), asked.answer()]
    expect(await ask(name)).toMatchObject({ records: ['a'] })
  })

  test('do not become an answer when none follows', async () => {
    server.zone.set(name, [txt('a')])
    server.script = forged
    expect(await failureOf(askBriefly(name))).toMatchObject({
      fault: 'timeout',
      happened: 'did not answer within 0.4 s (packets passed over, because they were not the answer: 6)',
    })
  })

  test('from another port of the same host do not reach the socket', async () => {
    const forger = createSocket('udp4')
    server.script = async (asked) => {
      server.zone.set(name, [txt('forged')])
      forger.send(asked.answer(), asked.from, '127.0.0.1')
      await Bun.sleep(50)
      server.zone.set(name, [txt('true')])
      return [asked.answer()]
    }
    try {
      expect(await ask(name)).toMatchObject({ records: ['true'] })
    } finally {
      forger.close()
    }
  })
})

describe('over TCP', () => {
  const overTcp = (segments: (message: Buffer) => readonly Buffer[], asking = ask) => {
    server.zone.set(name, [txt('a')])
    server.script = (asked) =>
      asked.over === 'tcp'
        ? segments(asked.answer())
        : [
            asked.answer((packet) => {
              packet.header.tc = 1
              packet.answers = []
            }),
          ]
    return asking(name)
  }

  test('an answer may come byte by byte, and be followed by more', async () => {
    const pieces = (message: Buffer) => {
      const whole = framed(message)
      return [
        whole.subarray(0, 1),
        whole.subarray(1, 2),
        whole.subarray(2, 9),
        Buffer.concat([whole.subarray(9), whole]),
      ]
    }
    expect(await overTcp(pieces)).toMatchObject({ records: ['a'] })
  })

  test.each<[string, (message: Buffer) => readonly Buffer[], object]>([
    ['that breaks off', (message) => [framed(message).subarray(0, -1)], { fault: 'unreachable' }],
    [
      'that is another one',
      (message) => [framed(Buffer.concat([Buffer.from([0, 0]), message.subarray(2)]))],
      { fault: 'malformed' },
    ],
    ['that is empty', () => [framed(Buffer.alloc(0))], { fault: 'malformed' }],
  ])('no answer is one %s', async (_, segments, failure) => {
    expect(await failureOf(overTcp(segments))).toMatchObject(failure)
  })

  test('an answer that never comes is a timeout', async () => {
    expect(await failureOf(overTcp(() => [], askBriefly))).toMatchObject({ fault: 'timeout' })
  })

  test('an answer that is truncated even over TCP gives no verdict', async () => {
    server.script = (asked) => {
      const message = asked.answer(({ header }) => {
        header.tc = 1
      })
      return [asked.over === 'tcp' ? framed(message) : message]
    }
    expect(await failureOf(ask(name))).toMatchObject({ fault: 'malformed' })
  })
})

test('an SOA distinguishes "nothing at its end" from "ask elsewhere"', async () => {
  server.zone.set(name, [cname('elsewhere.test')])
  server.script = (asked) => [
    asked.answer((packet) => {
      packet.header.rcode = 0
      packet.authorities = [startOfAuthority()]
    }),
  ]
  expect(await ask(name)).toMatchObject({ outcome: 'no-records' })
})
