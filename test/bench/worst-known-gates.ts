/** The worst known requests about gates, and about what was paid at them. */
import { hardText } from '../fuzz/hard-text.ts'
import { byCookie, get, post, type Stage, type WorstCase } from './worst-case.ts'
import type { KnownWorst } from './worst-known-proofs.ts'
import { hashOf, textDefinition, walletOf } from './worst-store.ts'

const gates = '/api/v1/profile/gates'

const withSession = ({ credentials }: Stage) => byCookie(credentials.browsers.owner)

/** Near the 60 kB that a server reads of TOML at most. */
const tomlBytes = 60_000

const tomlOf = (line: (at: number) => string): string => {
  let text = ''
  for (let at = 0; text.length < tomlBytes; at++) text += `${line(at)}\n`
  return text.slice(0, tomlBytes)
}

const tomlKeys = (count: number): string =>
  Array.from({ length: count }, (_, at) => `k${at}="${'v'.repeat(18)}"`).join('\n')

const tomls: readonly (readonly [name: string, text: string])[] = [
  ['many keys', tomlOf((at) => `k${at}=1`)],
  ['2,000 long keys, the last line broken', `${tomlOf((at) => `k${at}="${'v'.repeat(20)}"`).slice(0, 58_000)}\nbroken`],
  [
    '1,900 keys, the last line broken',
    `${Array.from({ length: 1_900 }, (_, at) => `k${at}="${'v'.repeat(18)}"`).join('\n')}\nx = =`,
  ],
  ['1,900 keys and a key again, over 499 lines', `${tomlKeys(1_900)}\nk0=[${'\n'.repeat(499)}]`],
  ['1,900 keys and an open list of 499 lines', `${tomlKeys(1_900)}\nk=[${'1,\n'.repeat(499)}`],
  [
    'an inline table of 7,000 keys, twice, over 499 lines',
    `a={${Array.from({ length: 6_000 }, (_, at) => `k${at}=1`).join(',')}}\na=[${'\n'.repeat(499)}]`,
  ],
  ['many tables', tomlOf((at) => `[t${at}]`)],
  ['many lists of tables', tomlOf((at) => `[[gates]]\ngate_id="g${at}"`)],
  ['dotted keys', tomlOf((at) => `${'a.'.repeat(15)}k${at}=1`)],
  ['keys of one long name', `${'a.'.repeat(2_000)}a=1`],
  ['inline tables in one another', `a=${'{b='.repeat(1_300)}1${'}'.repeat(1_300)}`],
  ['an inline list', `a=[${'1,'.repeat(tomlBytes / 2 - 10)}1]`],
  ['an inline list of tables', `a=[${'{b=1},'.repeat(9_000)}{b=1}]`],
  ['one long text', `a="${'x'.repeat(tomlBytes)}"`],
  ['an open text of many lines', `a="""${'x\n'.repeat(tomlBytes / 2)}`],
  ['quotes', tomlOf(() => '"""')],
  ['marks', `a="${hardText('30 marks in a row', tomlBytes / 2)}"`],
  ['a run of marks', `a="${hardText('a run of marks', tomlBytes / 2)}"`],
  ['comments', tomlOf(() => '#')],
  ['empty lines', '\n'.repeat(tomlBytes)],
  ['gates with findings in every line', tomlOf((at) => `[[gates.requirements]]\nverifier="x${at}"`)],
]

const rule = (length: number) => ({ any: Array.from({ length }, () => 'r1') })
const deepRule = (depth: number): unknown => (depth === 0 ? 'r1' : { all: [deepRule(depth - 1), 'r1'] })
const wideRule = (depth: number): unknown =>
  depth === 0 ? 'r1' : { any: Array.from({ length: 32 }, () => wideRule(depth - 1)) }

const small = { gateId: 'gate_mine', requirements: [{ id: 'r1', verifierId: 'ownership-basic' }] }

/** Telling the rule in words repeats these conditions for each entry. */
const longWords = {
  gateId: 'gate_mine',
  name: '',
  requirements: [
    {
      id: 'r1',
      verifierId: 'ownership-basic',
      match: Array.from({ length: 16 }, (_, at) => ({ path: `input.a${at}`, op: 'eq', value: 'v'.repeat(500) })),
    },
  ],
}

const definitions: readonly (readonly [name: string, definition: unknown])[] = [
  ['a rule of 29,000 entries, unnamed', { ...small, name: '', rule: rule(29_000) }],
  ['a rule of 29,000 entries', { ...small, name: 'x', rule: rule(29_000) }],
  ['a rule of 60,000 entries over long conditions, unnamed', { ...longWords, rule: rule(60_000) }],
  ['a rule of three levels of 32', { ...small, name: '', rule: wideRule(3) }],
  ['a rule of 25 levels', { ...small, name: '', rule: deepRule(25) }],
  ['conditions of 480 kB', textDefinition('gate_mine', 32, 7)],
  [
    '16 short conditions each',
    {
      ...small,
      name: '',
      requirements: Array.from({ length: 32 }, () => ({
        verifierId: 'ownership-basic',
        match: Array.from({ length: 16 }, () => ({ path: 'a', op: 'eq', value: '' })),
      })),
    },
  ],
  ['20,000 requirements', { ...small, name: 'x', requirements: Array.from({ length: 20_000 }, () => ({})) }],
  [
    '20,000 unknown members',
    { ...small, name: 'x', ...Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1])) },
  ],
  [
    'requirements of one id',
    { ...small, name: 'x', requirements: Array.from({ length: 32 }, () => ({ id: 'r1', verifierId: 'x'.repeat(64) })) },
  ],
  [
    '16 rewards and long texts',
    {
      ...small,
      name: 'x'.repeat(200),
      description: 'd'.repeat(2_000),
      rewards: Array.from({ length: 16 }, () => ({
        kind: 'reveal',
        value: 'v'.repeat(16_000),
        label: 'l'.repeat(200),
        message: 'm'.repeat(2_000),
      })),
    },
  ],
  ['a name of marks', { ...small, name: hardText('a run of marks', 200_000) }],
  [
    'a price of many digits',
    { ...small, name: 'x', price: { amountUsd: '9'.repeat(100_000), methods: ['x'.repeat(1_000)] } },
  ],
]

const preview = (stage: Stage): Omit<WorstCase, 'route'>[] => [
  ...tomls.flatMap(([name, text]) =>
    [withSession(stage), {}].map(
      (headers, at): Omit<WorstCase, 'route'> => ({
        name: `TOML: ${name}`,
        sender: at === 0 ? 'signed in' : 'stranger',
        request: () => post(`${gates}/preview`, { policy: { text, format: 'toml' } }, headers),
      }),
    ),
  ),
  {
    name: 'JSON of 500 gates',
    sender: 'signed in',
    request: () =>
      post(
        `${gates}/preview`,
        {
          policy: {
            text: JSON.stringify({
              gates: Array.from({ length: 500 }, (_, at) => ({
                ...small,
                name: 'x',
                gateId: `g_${at}`,
                description: 'd'.repeat(500),
              })),
            }),
            format: 'json',
          },
        },
        withSession(stage),
      ),
  },
  ...definitions.map(([name, definition]): Omit<WorstCase, 'route'> => {
    const body = JSON.stringify({ definition })
    return { name, sender: 'signed in', request: () => post(`${gates}/preview`, body, withSession(stage)) }
  }),
]

const trials: readonly (readonly [name: string, body: object])[] = [
  ['long texts', { gateId: 'gate_texts', wallet: walletOf('textHolder') }],
  ['long texts, not published', { definition: textDefinition('gate_mine', 32, 7), wallet: walletOf('textHolder') }],
  [
    '1,000 proofs',
    {
      definition: { ...small, name: 'x', requirements: [{ verifierId: 'ownership-basic', minCount: 1_000 }] },
      wallet: walletOf('owner'),
    },
  ],
  [
    '32 times 31 proofs',
    {
      definition: {
        ...small,
        name: 'x',
        requirements: Array.from({ length: 32 }, () => ({
          verifierId: 'ownership-basic',
          minCount: 31,
          match: [{ path: 'contentHash', op: 'eq', value: 'none' }],
        })),
      },
      wallet: walletOf('owner'),
    },
  ],
  ['a gate that wants 32 times 1,000 proofs', { gateId: 'gate_counts', wallet: walletOf('owner') }],
  ...definitions.map(([name, definition]) => [name, { definition, wallet: walletOf('owner') }] as const),
]

const fulfillments =
  (path: string) =>
  (stage: Stage): Omit<WorstCase, 'route'>[] => {
    const paid = {
      qHash: hashOf('sold 1'),
      paymentCheckoutSessionId: 'c'.repeat(255),
      paymentTxHash: `0x${'1'.repeat(64)}`,
    }
    const mine = { qHash: `${hashOf(`taggedProof 7 of ${walletOf('owner')}`)}` }
    return ['gate_counts', 'gate_texts', 'gate_open'].flatMap((gateId) => [
      {
        name: `${gateId}, x402 payment of 14 kB`,
        sender: 'stranger',
        request: () => post(`${path}/${gateId}/fulfill`, paid, { 'payment-signature': hardText('base64', 14_000) }),
      },
      {
        name: `${gateId}, a proof of the owner`,
        sender: 'signed in',
        request: () => post(`${path}/${gateId}/fulfill`, mine, withSession(stage)),
      },
    ])
  }

const pages =
  (path: string) =>
  (stage: Stage): Omit<WorstCase, 'route'>[] => [
    { name: 'the longest page', sender: 'signed in', request: () => get(`${path}?limit=200`, withSession(stage)) },
    { name: 'the usual page', sender: 'signed in', request: () => get(path, withSession(stage)) },
  ]

export const knownGates: KnownWorst = {
  'GET /api/v1/profile/gates/discoverable': () => [
    { name: 'all of them', sender: 'stranger', request: () => get(`${gates}/discoverable?limit=120`) },
  ],
  'GET /api/v1/profile/gates/:gateId': () => [
    { name: 'a large definition', sender: 'stranger', request: () => get(`${gates}/gate_listed_1`) },
  ],
  'GET /api/v1/gates/:gateId': () => [
    { name: 'a large definition', sender: 'stranger', request: () => get('/api/v1/gates/gate_listed_1') },
  ],
  'GET /api/v1/profile/gates': (stage) => [
    { name: '126 gates, most of them large', sender: 'signed in', request: () => get(gates, withSession(stage)) },
  ],
  'POST /api/v1/profile/gates': (stage) =>
    definitions.flatMap(([name, definition]) => {
      const body = JSON.stringify({ definition, walletAddress: walletOf('owner') })
      const unsigned = JSON.stringify({
        definition,
        walletAddress: walletOf('owner'),
        signature: `0x${'11'.repeat(64)}1b`,
        signedTimestamp: Date.now(),
      })
      return [
        { name, sender: 'signed in' as const, request: () => post(`${gates}?plan=1`, body, withSession(stage)) },
        { name: `${name}, signed by nobody`, sender: 'stranger' as const, request: () => post(gates, unsigned) },
      ]
    }),
  'GET /api/v1/profile/gates/:gateId/versions': (stage) => [
    {
      name: '999 versions',
      sender: 'signed in',
      request: () => get(`${gates}/gate_versions/versions`, withSession(stage)),
    },
  ],
  'GET /api/v1/profile/gates/:gateId/versions/:version': (stage) => [
    {
      name: 'the first of 999',
      sender: 'signed in',
      request: () => get(`${gates}/gate_versions/versions/1`, withSession(stage)),
    },
  ],
  'POST /api/v1/profile/gates/:gateId/rollback': (stage) => [
    {
      name: 'a large definition',
      sender: 'signed in',
      request: () => post(`${gates}/gate_texts/rollback?plan=1`, { version: 1 }, withSession(stage)),
    },
  ],
  'POST /api/v1/profile/gates/:gateId/status': (stage) => [
    {
      name: 'a large definition',
      sender: 'signed in',
      request: (round) =>
        post(`${gates}/gate_listed_2/status`, { status: round % 2 ? 'paused' : 'active' }, withSession(stage)),
    },
  ],
  'DELETE /api/v1/profile/gates/:gateId': () => [],
  'POST /api/v1/profile/gates/preview': preview,
  'POST /api/v1/profile/gates/test': (stage) =>
    trials.map(([name, trial]) => {
      const body = JSON.stringify({ ...trial, includePrivate: true })
      return { name, sender: 'signed in', request: () => post(`${gates}/test`, body, withSession(stage)) }
    }),
  'POST /api/v1/profile/gates/:gateId/fulfill': fulfillments(gates),
  'POST /api/v1/gates/:gateId/fulfill': fulfillments('/api/v1/gates'),
  'GET /api/v1/profile/gates/:gateId/fulfillments/:receiptId': () => [],
  'GET /api/v1/profile/gates/:gateId/fulfillments': pages(`${gates}/gate_open/fulfillments`),
  'GET /api/v1/profile/gates/:gateId/totals': (stage) =>
    ['24h', '7d', '30d', '90d'].map((range) => ({
      name: `20,000 passes, ${range}`,
      sender: 'signed in',
      request: () => get(`${gates}/gate_passes/totals?range=${range}`, withSession(stage)),
    })),
  'GET /api/v1/profile/gates/:gateId/guests': (stage) => [
    {
      name: 'the longest page',
      sender: 'signed in',
      request: () => get(`${gates}/gate_guests/guests?limit=1000`, withSession(stage)),
    },
  ],
  'POST /api/v1/profile/gates/:gateId/guests': (stage) => [
    {
      name: 'the whole list again',
      sender: 'signed in',
      // Lines are read in slices (guests/read-lines.ts).
      isSliced: true,
      request: () =>
        post(
          `${gates}/gate_guests/guests`,
          { add: Array.from({ length: 10_000 }, (_, at) => `0x${(at + 1).toString(16).padStart(40, '0')}`).join('\n') },
          withSession(stage),
        ),
    },
  ],
  'POST /api/v1/profile/gates/:gateId/pass': () => [],
  'POST /api/v1/profile/gates/:gateId/archive': () => [],
  'GET /api/v1/profile/gates/:gateId/appearance': () => [],
  'POST /api/v1/profile/gates/:gateId/appearance': () => [],
  'GET /g/:gateId': () => [
    { name: 'long texts', sender: 'stranger', request: () => get('/g/gate_texts', { accept: 'text/html' }) },
  ],
  'GET /g/:gateId/picture/:digest': () => [],
  'GET /api/v1/profile/fulfillments': pages('/api/v1/profile/fulfillments'),
  'GET /api/v1/profile/payments': pages('/api/v1/profile/payments'),
  'GET /api/v1/profile/payments/unmatched': pages('/api/v1/profile/payments/unmatched'),
  'POST /api/v1/profile/payments/unmatched/returned': () => [],
  'GET /api/v1/payments/methods': () => [],
  'GET /api/v1/payments/pricing': () => [],
  'POST /api/v1/payments/quote': () => [],
  'POST /api/v1/payments/stripe/checkout': () => [],
  'POST /api/v1/payments/stripe/webhook': () => [
    {
      name: 'many signatures',
      sender: 'stranger',
      request: () =>
        post('/api/v1/payments/stripe/webhook', '{}', { 'stripe-signature': `t=1,${'v1=aa,'.repeat(2_000)}` }),
    },
  ],
}
