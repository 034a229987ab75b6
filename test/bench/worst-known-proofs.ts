/** The worst known requests about claims, proofs and checks. */
import { hardJson } from '../fuzz/hard-json.ts'
import { hardText, safeMarks } from '../fuzz/hard-text.ts'
import { signText } from './bodies.ts'
import { canonicalJson, signerString } from './envelope.ts'
import { by, byCookie, get, post, type Stage, type WorstCase } from './worst-case.ts'
import { hashOf, longText, manyProofs, people, proofId, walletOf } from './worst-store.ts'

export type KnownWorst = Readonly<Record<string, (stage: Stage) => Omit<WorstCase, 'route'>[]>>

const api = '/api/v1'
const verification = `${api}/verification`

/** A claim that a wallet of the bench really signed. Texts are ASCII: nothing needs normalization. */
function signedClaim(
  person: keyof typeof people,
  verifierIds: readonly string[],
  data: Record<string, unknown>,
  round: number,
) {
  const subset = {
    walletAddress: walletOf(person),
    verifierIds,
    data,
    signedTimestamp: Date.now() - round,
    chainId: 84_532,
  }
  const signature = signText(signerString(subset, canonicalJson(data).normalize('NFC')), people[person])
  return { ...subset, signature }
}

/** A text for moderation, and a member `more` that no code reads. */
const moderated = (name: string, content: string, more = ''): Omit<WorstCase, 'route'> => ({
  name,
  sender: 'stranger',
  request: (round) =>
    post(
      verification,
      signedClaim(
        'textHolder',
        ['ai-content-moderation', 'ownership-basic'],
        { owner: walletOf('textHolder'), content: `${round} ${content}`, contentType: 'text/plain', more },
        round,
      ),
    ),
})

const contentClaim = (round: number) => ({
  owner: walletOf('textHolder'),
  content: `${round} ${'word '.repeat(9_000)}`,
  reference: { type: 'other', id: longText, description: longText.slice(0, 500), title: longText.slice(0, 200) },
})

const unsigned = (data: unknown, more: object = {}) => ({
  walletAddress: walletOf('owner'),
  verifierIds: ['ownership-basic'],
  data,
  signedTimestamp: Date.now(),
  signature: `0x${'11'.repeat(64)}1b`,
  ...more,
})

/** Bodies as expensive as the longest allowed text of a claim. */
const claimBodies: readonly (readonly [name: string, body: () => unknown])[] = [
  ['content of marks, 30 in a row', () => unsigned({ owner: walletOf('owner'), content: safeMarks(49_000) })],
  ['a claim of 115,000 marks, 30 in a row', () => unsigned({ owner: walletOf('owner'), more: safeMarks(115_000) })],
  ['a run of 200,000 marks', () => unsigned({ owner: walletOf('owner'), more: hardText('a run of marks', 200_000) })],
  ['29,900 zeros beside an escape', () => unsigned({ list: Array(29_900).fill(0), escape: '\u2028\u0001' })],
  ['line feeds with a tilde, one text', () => unsigned({ text: '\n\u0303'.repeat(120_000) })],
  ['line feeds with a tilde, many texts', () => unsigned({ list: Array(29_900).fill('\n\u0303') })],
  ['decomposed letters, many texts', () => unsigned({ list: Array(29_900).fill('e\u0301') })],
  [
    '9,900 decomposed names',
    () => unsigned(Object.fromEntries(Array.from({ length: 9_900 }, (_, at) => [`${at}e\u0301`, 1]))),
  ],
  ['numbers that are written out', () => unsigned({ list: Array(24_000).fill(1e20) })],
  ['quotation marks', () => unsigned({ text: '"'.repeat(240_000) })],
  ['characters that NFC takes apart', () => unsigned({ text: '\u{1d160}'.repeat(42_000) })],
  [
    '16 verifiers',
    () =>
      unsigned(JSON.parse(hardJson('many members', 400_000)), {
        verifierIds: Array.from({ length: 16 }, (_, at) => `ownership-basic@${at}`),
      }),
  ],
  [
    'an ERC-6492 signature',
    () =>
      unsigned(
        { owner: walletOf('owner'), content: 'x' },
        { signature: hardText('an ERC-6492 envelope', 16_000), signatureMethod: 'eip6492' },
      ),
  ],
  [
    'an Ed25519 signature of 16 kB',
    () =>
      unsigned(
        { owner: walletOf('owner'), content: 'x' },
        {
          signature: 'z'.repeat(16_000),
          signatureMethod: 'ed25519',
          chain: 'solana:mainnet',
          walletAddress: '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS',
        },
      ),
  ],
]

const claims = (path: string): Omit<WorstCase, 'route'>[] =>
  claimBodies.map(([name, body]) => {
    const made = JSON.stringify(body())
    return { name, sender: 'stranger', request: () => post(path, made) }
  })

const withSession = ({ credentials }: Stage) => byCookie(credentials.browsers.owner)

const words = (count: number, word: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => word(at)).join(',')

/** 63 filters fit in the 2,048 characters of a list. */
const listQueries: readonly (readonly [name: string, query: string])[] = [
  ['the longest page', 'limit=1000'],
  ['63 tags', `tags=${words(63, (at) => `none-of-these-tags-${at}`)}`],
  ['63 beginnings of tags', `tagPrefixesAll=${words(63, (at) => `tag-${at % 32}-`)}`],
  ['beginnings that no tag has', `tagPrefixesAll=${words(63, (at) => `tag-0-${at % 10}`)},zz`],
  ['a text that no tag holds', 'tagContains=zzzz'],
  ['a text that no proof holds', `q=${'zz'.repeat(100)}`],
  ['one-letter words', `q=${'n '.repeat(120)}`],
  [
    'every kind of filter',
    `tags=${words(32, (at) => `tag-${at}-1-`.padEnd(60, 't'))}&tagContains=t&tagPrefix=tag&q=proof&chainCoverage=hub-only&verifierIds=${words(60, (at) => `v${at}`)}&status=verified&chainId=84532`,
  ],
  ['the deepest offset', 'offset=100000&limit=1000'],
  ['an offset at the end', `offset=${manyProofs - 10}&limit=1000`],
  ['its most frequent tags', 'includeFacets=1&limit=1000'],
  ['its history', 'includeHistory=1&limit=1000&includeFacets=1'],
  ['a beginning of an id', 'qHashPrefix=0x000000'],
]

const lists =
  (path: string) =>
  (stage: Stage): Omit<WorstCase, 'route'>[] =>
    listQueries.flatMap(([name, query]) => [
      { name, sender: 'stranger' as const, request: () => get(`${api}/proofs/${path}/${walletOf('owner')}?${query}`) },
      {
        name: `${name}, as the owner`,
        sender: 'signed in' as const,
        request: () =>
          get(
            `${api}/proofs/${path}/${walletOf('owner')}?${query}&allWallets=1&includeSecrets=1&includePortable=1`,
            withSession(stage),
          ),
      },
    ])

const knownVerifiers =
  'ownership-basic,ownership-social,ownership-pseudonym,ownership-dns-txt,ownership-org-oauth,contract-ownership,proof-of-human,nft-ownership,token-holding,wallet-risk,wallet-link,ai-content-moderation,agent-identity,agent-delegation'

const checks: readonly (readonly [name: string, parameters: Readonly<Record<string, string>>])[] = [
  ['a gate of long texts', { address: walletOf('textHolder'), gateId: 'gate_texts' }],
  [
    'a gate of long texts, explained',
    { address: walletOf('textHolder'), gateId: 'gate_texts', explain: '1', includeQHashes: '1' },
  ],
  ['a gate that wants 32 times 1,000 proofs', { address: walletOf('owner'), gateId: 'gate_counts' }],
  ['the same, explained', { address: walletOf('owner'), gateId: 'gate_counts', explain: '1', includeQHashes: '1' }],
  [
    '1,000 proofs by a verifier',
    {
      address: walletOf('owner'),
      verifierIds: 'ownership-basic',
      minCount: '1000',
      limit: '1000',
      includeQHashes: '1',
      explain: '1',
    },
  ],
  ['a long text', { address: walletOf('textHolder'), content: `${longText.slice(0, 2_000)}x`, explain: '1' }],
  [
    '600 delegations',
    {
      address: walletOf('owner'),
      verifierIds: 'agent-delegation',
      delegationScope: 'none',
      explain: '1',
      select: words(20, (at) => `traits.${at}`),
    },
  ],
  ['many references', { address: walletOf('textHolder'), referenceId: words(400, (at) => `a${at}`), explain: '1' }],
  [
    'many verifiers and tags that a proof has',
    {
      address: walletOf('owner'),
      verifierIds: knownVerifiers,
      tags: words(32, (at) => `tag-${at}-1-`.padEnd(62, 't')),
      explain: '1',
    },
  ],
  [
    'many verifiers and tags that no proof has',
    { address: walletOf('owner'), verifierIds: knownVerifiers, tags: words(32, (at) => `none-${at}`), explain: '1' },
  ],
  ['a gate of many conditions', { address: walletOf('owner'), gateId: 'gate_conditions' }],
  [
    'a gate of many conditions, explained',
    { address: walletOf('owner'), gateId: 'gate_conditions', explain: '1', includeQHashes: '1' },
  ],
  ['a trait', { address: walletOf('owner'), traitPath: 'a'.repeat(60), traitGte: '1'.repeat(60), explain: '1' }],
  ['all proofs without a verifier', { address: walletOf('owner'), tokenId: '9'.repeat(60), explain: '1' }],
]

const queryOf = (parameters: Readonly<Record<string, string>>): string => new URLSearchParams(parameters).toString()

export const knownProofs: KnownWorst = {
  'GET /api/v1/verification/verifiers': () => [],
  'GET /api/v1/verification/human/providers': () => [],
  'POST /api/v1/verification/standardize': () => claims(`${verification}/standardize`),
  'POST /api/v1/verification': () => [
    ...claims(verification),
    {
      name: 'a claim that holds, of 45,000 characters and kept',
      sender: 'stranger',
      request: (round) =>
        post(verification, {
          ...signedClaim('textHolder', ['ownership-basic'], contentClaim(round), round),
          options: {
            privacyLevel: 'public',
            publicDisplay: true,
            storeOriginalContent: true,
            meta: { tags: Array.from({ length: 32 }, (_, at) => `t${at}`), more: 'm'.repeat(7_000) },
          },
        }),
    },
    {
      name: 'a claim that holds, of 200,000 characters',
      sender: 'stranger',
      request: (round) =>
        post(
          verification,
          signedClaim(
            'textHolder',
            ['ownership-basic'],
            { owner: walletOf('textHolder'), contentHash: hashOf(`c ${round}`), more: 'x'.repeat(200_000) },
            round,
          ),
        ),
    },
    ...['word ', 'aB', 'f u c k ', 'f.u.c.k', 'aaaa'].map((unit) =>
      moderated(`moderation of 24,000 characters: "${unit}"`, unit.repeat(24_000 / unit.length)),
    ),
    // As many ligatures as are judged, and as many marks as a body may have.
    ...['\ufdfa ', '\ufdfa$', '\ufdfa@ ', '\ufdfa$\\!'].map((unit) =>
      moderated(
        `moderation beside 115,000 marks: "${unit}"`,
        unit.repeat(1_350),
        `a${'\u0315\u0300\u05ae\u0301\u0316\u0327'.repeat(5)}`.repeat(3_800),
      ),
    ),
  ],
  'POST /api/v1/verification/diagnose': () => [
    ...claims(`${verification}/diagnose`),
    {
      name: 'a long text that was signed',
      sender: 'stranger',
      request: () =>
        post(
          `${verification}/diagnose`,
          unsigned(JSON.parse(hardJson('many members', 300_000)), { signedMessage: hardText('one letter', 131_000) }),
        ),
    },
    {
      name: 'a text that was signed, in many lines',
      sender: 'stranger',
      request: () =>
        post(
          `${verification}/diagnose`,
          unsigned({ a: '\n'.repeat(100_000) }, { signedMessage: 'Data: {"a":1}\n'.repeat(9_000) }),
        ),
    },
  ],
  'POST /api/v1/verification/status-batch': () => [
    {
      name: '100 ids',
      sender: 'stranger',
      request: () =>
        post(`${verification}/status-batch`, {
          qHashes: Array.from({ length: 100 }, (_, at) => proofId(walletOf('owner'), 'delegation', at)),
        }),
    },
  ],
  'POST /api/v1/verification/access/grant': () => [],
  'GET /api/v1/verification/access/:qHash': () => [],
  'POST /api/v1/verification/access/withdraw': () => [],
  'GET /api/v1/proofs/check': (stage) =>
    checks.flatMap(([name, parameters]) => [
      { name, sender: 'stranger', request: () => get(`${api}/proofs/check?${queryOf(parameters)}`) },
      {
        name: `${name}, private proofs too`,
        sender: 'signed in',
        request: () =>
          get(`${api}/proofs/check?${queryOf({ ...parameters, includePrivate: '1' })}`, withSession(stage)),
      },
    ]),
  'GET /api/v1/proofs/gate/check': () =>
    checks.map(([name, { includeQHashes: _, ...parameters }]) => ({
      name,
      sender: 'stranger',
      request: () => get(`${api}/proofs/gate/check?${queryOf(parameters)}`),
    })),
  'POST /api/v1/proofs/check': (stage) =>
    checks.flatMap(([name, parameters]) => {
      const body = JSON.stringify({ checks: Array.from({ length: 100 }, () => parameters) })
      return [
        { name: `100 times: ${name}`, sender: 'stranger', request: () => post(`${api}/proofs/check`, body) },
        {
          name: `100 times: ${name}`,
          sender: 'signed in',
          request: () => post(`${api}/proofs/check`, body, withSession(stage)),
        },
      ]
    }),
  ...Object.fromEntries(
    (['GET /api/v1/proofs/:qHash', 'GET /api/v1/verification/status/:qHash'] as const).map((route) => [
      route,
      () =>
        ['taggedProof', 'delegation'].map((kind) => ({
          name: `the newest run of a ${kind}`,
          sender: 'stranger' as const,
          request: () =>
            get(
              `${route.slice(4).replace(':qHash', proofId(walletOf('owner'), kind, 3))}?latestScope=1&walletAddress=${walletOf('owner')}&verifierId=ownership-basic&scopeKey=${'s'.repeat(2_000)}`,
            ),
        })),
    ]),
  ),
  'GET /api/v1/proofs/by-wallet/:address': lists('by-wallet'),
  'GET /api/v1/proofs/byWallet/:address': lists('byWallet'),
  'POST /api/v1/proofs/revoke-self/:qHash': () => [],
  'POST /api/v1/proofs/:qHash/revoke-self': () => [],
  'POST /api/v1/proofs/:qHash/visibility': () => [],
  'POST /api/v1/profile/share-links/:qHash': () => [],
  'GET /api/v1/profile/share-links/:qHash': () => [],
  'GET /api/v1/profile/share-links': ({ credentials }) => [
    {
      name: 'the longest page',
      sender: 'signed in',
      request: () => get('/api/v1/profile/share-links?limit=500', byCookie(credentials.browsers.owner)),
    },
  ],
  'DELETE /api/v1/profile/share-links/:qHash/:linkId': () => [],
  'GET /api/v1/profile/shared-proofs': ({ credentials }) => [
    {
      name: 'the longest page',
      sender: 'signed in',
      request: () => get('/api/v1/profile/shared-proofs?limit=100', byCookie(credentials.browsers.owner)),
    },
  ],
  'DELETE /api/v1/profile/shared-proofs/:qHash': () => [],
  'GET /api/v1/agents/card/:agentId': () => [],
  'POST /api/v1/sponsor/grant': () => [],
  'POST /api/v1/proofs/erase-all': ({ credentials }) => [
    {
      name: `${manyProofs.toLocaleString('en-US')} proofs`,
      sender: 'signed in',
      isSliced: true,
      isFinal: true,
      request: () =>
        by(
          byCookie(credentials.browsers.erased),
          post(`${api}/proofs/erase-all`, { walletAddress: walletOf('erased') }),
        ),
    },
  ],
  'GET /api/v1/proofs/erasures/:erasureId': () => [],
  'POST /api/v1/profile/did/resolve': () => [],
}
