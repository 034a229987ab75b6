/**
 * A hundred thousand proofs of one wallet, as after years of use. They have many kinds and scripts; some are revoked,
 * replaced, expired or partially verified. They are unsigned rows written straight into the tables, because tests only
 * look at how they are listed.
 */
import type { SqlValue, Statement } from '../../src/db/db.ts'
import type { Parts } from '../../src/parts.ts'
import { listFacts } from '../../src/proofs/facts.ts'
import { readFirst52Bits } from '../../src/proofs/proof.ts'
import type { ProofRecord, VerifiedRow } from '../../src/proofs/record.ts'
import { visibilities } from '../../src/proofs/visibility.ts'
import { writeManyRows } from '../parts/many-rows.ts'

const minuteMs = 60_000

/** Title and subject of the oldest proof, which no other proof has. */
export const oldestTitle = 'The very first proof, kept for luck'
export const oldestDomain = 'first-of-all.example'

const titles = [
  'Quarterly report',
  'Notes on the harbour bridge',
  'Draft: terms of the choir',
  'רשימת החברים של המקהלה',
  'عقد الإيجار للمكتب الجديد',
  'Urlaubsfotos 🏖️ Amrum',
  '<b>Bold</b> claims & "quotes"',
  '四半期報告書（最終版）',
  '👩‍👩‍👧 Family tree 🌳',
  'Pneumonoultramicroscopicsilicovolcanoconiosis-without-any-space-to-break-the-line-at-all',
]
const tags = ['work', 'choir', 'photos', 'legal', 'topic:rust', 'מקהלה', '🌳', 'invoice']
const places = ['harbour', 'mill', 'orchard', 'library', 'station', 'market', 'lighthouse', 'observatory']

const hexOf = (text: string): string => Bun.CryptoHasher.hash('shake256', text, 'hex')

/** Proof number `index`; 0 is the oldest. */
export const manyQHash = (index: number, seed = 'many'): string => `0x${hexOf(`${seed} ${index}`)}`

const addressOf = (text: string): string => `0x${hexOf(text).slice(0, 40)}`

interface Kind {
  readonly titled: boolean
  rows(index: number, wallet: string, at: number): VerifiedRow[]
}

const held = (verifierId: string, data: VerifiedRow['data'], status = 'verified'): VerifiedRow => ({
  verifierId,
  verified: true,
  status,
  data,
})

const content = (index: number, owner: string, at: number): VerifiedRow =>
  held('ownership-basic', {
    owner,
    contentHash: `0x${hexOf(`content ${index}`)}`,
    contentType: 'text/plain',
    reference: { type: 'url', id: `https://files.example/${places[index % places.length]}/${index}` },
    timestamp: at,
    chainId: 84532,
  })

const claim: Kind = { titled: true, rows: (index, wallet, at) => [content(index, wallet, at)] }
const token: Kind = {
  titled: false,
  rows: (index, ownerAddress, at) => [
    held('token-holding', {
      input: { ownerAddress, contractAddress: addressOf(`token ${index % 40}`), minBalance: '100', chainId: 8453 },
      onChainData: { requiredMinBalance: '100', decimals: 18, blockNumber: 20_000_000 + index },
      sources: ['rpc.example'],
      verificationTimestamp: at,
    }),
  ],
}
const nft: Kind = {
  titled: false,
  rows: (index, ownerAddress, at) => [
    held('nft-ownership', {
      input: { ownerAddress, contractAddress: addressOf(`nft ${index % 25}`), tokenId: String(index), chainId: 1 },
      onChainData: { actualOwner: ownerAddress, blockNumber: 18_000_000 + index },
      sources: ['rpc.example'],
      verificationTimestamp: at,
    }),
  ],
}
const domain: Kind = {
  titled: false,
  rows: (index, walletAddress, at) => {
    const name = index === 0 ? oldestDomain : `${places[index % places.length]}-${index}.example`
    return [held('ownership-dns-txt', { domain: name, walletAddress, ttlSeconds: 300, verificationTimestamp: at })]
  },
}
const social: Kind = {
  titled: false,
  rows: (index, walletAddress, at) => [
    held('ownership-social', {
      provider: 'github',
      socialUserId: String(index),
      handle: `keeper-${index}`,
      walletAddress,
      linkTimestamp: at,
    }),
  ],
}
const risk: Kind = {
  titled: false,
  rows: (_, walletAddress, at) => [
    held('wallet-risk', {
      input: { walletAddress, chainId: 1 },
      overallRisk: 'low',
      riskLevel: 1,
      sanctioned: false,
      verificationTimestamp: at,
    }),
  ],
}
const delegation: Kind = {
  titled: true,
  rows: (index, controllerWallet, at) => [
    held('agent-delegation', {
      controllerWallet,
      agentWallet: addressOf(`agent ${index % 60}`),
      scope: 'global',
      permissions: ['read'],
      expiresAt: at + 30 * 24 * 60 * minuteMs,
    }),
  ],
}
const moderated: Kind = {
  titled: true,
  rows: (index, wallet, at) => [
    content(index, wallet, at),
    held('ai-content-moderation', { contentHash: `0x${hexOf(`content ${index}`)}`, verdict: 'safe' }),
  ],
}
const half: Kind = {
  titled: true,
  rows: (index, wallet, at) => [
    content(index, wallet, at),
    {
      verifierId: 'agent-identity',
      verified: false,
      status: 'failed',
      data: { reason: 'AGENT_WALLET_MISMATCH', message: 'data.agentWallet is another wallet than the one that signed' },
    },
  ],
}

const kinds: readonly Kind[] = [
  claim,
  claim,
  token,
  claim,
  nft,
  domain,
  claim,
  token,
  social,
  claim,
  delegation,
  claim,
  moderated,
  nft,
  claim,
  token,
  risk,
  claim,
  domain,
  half,
]

export interface ManyProofs {
  readonly wallet: string
  readonly count: number
  /** When the newest was made; each other one was made minutes before the next. */
  readonly newestAt: number
  readonly seed?: string
}

/** Of rows in a JSON array: the values of each in an array. */
const insertProofs = `
  INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, superseded, chain_id, signature_method,
    signed_timestamp, created_at, updated_at, expires_at, record)
  SELECT CAST(made.value ->> '$[0]' AS BIGINT), unhex(made.value ->> '$[1]'), accounts.id,
    CAST(made.value ->> '$[2]' AS BIGINT), made.value ->> '$[3]', CAST(made.value ->> '$[4]' AS BIGINT), 0, 84532,
    'eip191', CAST(made.value ->> '$[5]' AS BIGINT), CAST(made.value ->> '$[5]' AS BIGINT),
    CAST(made.value ->> '$[5]' AS BIGINT), CAST(made.value ->> '$[6]' AS BIGINT), made.value ->> '$[7]'
  FROM json_each(?1) made CROSS JOIN accounts WHERE accounts.address = ?2`
const insertFacts = `
  INSERT INTO proof_facts (account_id, fact52, proof_id)
  SELECT proofs.account_id, CAST(fact.value AS BIGINT), proofs.id
  FROM json_each(?1) made JOIN proofs ON proofs.q52 = CAST(made.value ->> '$[0]' AS BIGINT)
    CROSS JOIN json_each(made.value, '$[1]') fact`
const revokeProofs = `
  UPDATE proofs SET revoked_at = created_at + ?2, updated_at = created_at + ?2
  WHERE q52 IN (SELECT CAST(value AS BIGINT) FROM json_each(?1))`
const rowsOfStatement = 1_000

/** One statement for each thousand of the values. */
const writeAll = (sql: string, values: readonly unknown[], ...rest: SqlValue[]): Statement[] =>
  Array.from({ length: Math.ceil(values.length / rowsOfStatement) }, (_, at) => ({
    sql,
    params: [JSON.stringify(values.slice(at * rowsOfStatement, (at + 1) * rowsOfStatement)), ...rest],
  }))

/** Stores the proofs in one write. Each ten are a minute apart, and a day after the ten before, so lists have days. */
export async function writeManyProofs({ db, catalog }: Pick<Parts, 'db' | 'catalog'>, made: ManyProofs): Promise<void> {
  const wallet = made.wallet.toLowerCase()
  const statements: Statement[] = [
    { sql: 'INSERT INTO accounts (address) VALUES (?) ON CONFLICT (address) DO NOTHING', params: [wallet] },
  ]
  const [proofs, facts, revoked]: [unknown[], unknown[], number[]] = [[], [], []]
  for (let index = 0; index < made.count; index++) {
    const age = made.count - 1 - index
    const at = made.newestAt - age * 13 * minuteMs
    const qHash = manyQHash(index, made.seed)
    const q52 = readFirst52Bits(qHash)
    const kind = index === 0 ? domain : kinds[index % kinds.length]!
    const rows = kind.rows(index, wallet, at)
    const record: ProofRecord = {
      verifierIds: rows.map(({ verifierId }) => verifierId),
      rows,
      meta: metaOf(index, kind),
      storeOriginalContent: false,
    }
    // Every fifth is public and listed, every seventh of the others public by its id alone.
    const visibility =
      index % 5 === 0 ? visibilities.listed : index % 7 === 0 ? visibilities.unlisted : visibilities.private
    const status = rows.every(({ verified }) => verified) ? 'verified' : 'partially_verified'
    // Every eleventh is a run of a claim that comes again, so all but the newest of these are history.
    const scope52 =
      index % 11 === 3 ? 1_000 + (index % 97) : readFirst52Bits(`0x${hexOf(`scope ${made.seed} ${index}`)}`)
    const expiresAt = kind === delegation ? at + 30 * 24 * 60 * minuteMs : null
    proofs.push([q52, qHash.slice(2), scope52, status, visibility, at, expiresAt, JSON.stringify(record)])
    facts.push([q52, listFacts(record, visibility === visibilities.private, catalog.known)])
    if (index % 17 === 5) revoked.push(q52)
  }
  await writeManyRows(db, [
    ...statements,
    ...writeAll(insertProofs, proofs, wallet),
    ...writeAll(insertFacts, facts),
    ...writeAll(revokeProofs, revoked, minuteMs),
  ])
}

function metaOf(index: number, { titled }: Kind): ProofRecord['meta'] {
  if (index === 0) return { title: oldestTitle, tags: ['first'] }
  const named = index % 3 === 0 ? [] : [tags[index % tags.length]!, ...(index % 4 === 0 ? ['work'] : [])]
  return {
    ...(titled ? { title: `${titles[index % titles.length]} ${index}` } : {}),
    ...(index % 9 === 0 ? { description: `Kept in the ${places[index % places.length]}, shelf ${index % 40}.` } : {}),
    ...(named.length > 0 ? { tags: [...new Set(named)] } : {}),
  }
}
