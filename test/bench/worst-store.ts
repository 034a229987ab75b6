/**
 * A store that makes requests hard: as much of everything as the server lets people have, written past the server.
 *
 * HOOK: this file knows columns of the tables that it fills (src/db/schema.ts). Columns that it does not name take their
 * defaults.
 */
import { loadConfig } from '../../src/config/load.ts'
import type { Parts } from '../../src/parts.ts'
import { mostLabels } from '../../src/profiles/label-store.ts'
import { makeProfile } from '../../src/profiles/store.ts'
import { listFacts } from '../../src/proofs/facts.ts'
import { readFirst52Bits } from '../../src/proofs/proof.ts'
import type { ProofRecord, VerifiedRow } from '../../src/proofs/record.ts'
import { mostLinks } from '../../src/proofs/share-link.ts'
import { visibilities } from '../../src/proofs/visibility.ts'
import { openParts } from '../../src/start.ts'
import type { Route } from '../fuzz/hard-request.ts'
import { hardText } from '../fuzz/hard-text.ts'
import { listShapedRoutes } from '../fuzz/shaped-routes.ts'
import { walletAddresses } from './bodies.ts'

/** Wallets by their place in bodies.ts, whose keys are known there. */
export const people = { owner: 0, textHolder: 1, erased: 2, deleted: 3, signedOut: 4, signedOutEverywhere: 5 } as const

export const walletOf = (person: keyof typeof people): string => walletAddresses[people[person]]!

/** Proofs of the owner, and of the one that erases all. */
export const manyProofs = 5_200
const delegations = 600
const links = 64
export const discoverableGates = 120
const registrations = 9_990
const sales = 5_000
const secrets = 999
/** All that a request for the totals of a gate counts. */
const countedPasses = 20_000
const guests = 10_000
const sharedProofs = 100

const dayMs = 86_400_000

/** Texts of the longest length that a condition takes; the case changes with every letter. */
export const longText = hardText('changing case', 2_048)

export const hashOf = (text: string): string => `0x${Bun.CryptoHasher.hash('shake256', text, 'hex')}`
const addressOf = (text: string): string => hashOf(text).slice(0, 42)

/** Fills the folder, and returns the routes of the app, which the cases have to cover. */
export async function fillWorstStore(folder: string): Promise<Route[]> {
  const config = await loadConfig({ env: {}, cwd: folder })
  const opened = await openParts(config, folder, Date.now)
  const { parts } = opened
  const place = 'http://127.0.0.1:8787'
  opened.setAddresses({ baseUrl: place, authUrl: place, mcpUrl: place })
  try {
    await writeProfiles(parts)
    await writeProofs(parts, walletOf('owner'), manyProofs, taggedProof)
    await writeProofs(parts, walletOf('owner'), delegations, delegation)
    await writeProofs(parts, walletOf('owner'), links, link)
    await writeProofs(parts, walletOf('textHolder'), 1_000, textProof)
    await writeProofs(parts, walletOf('erased'), manyProofs, taggedProof)
    await writeProofs(parts, walletOf('deleted'), manyProofs, taggedProof)
    await writeGates(parts)
    await writeSales(parts)
    await writePasses(parts)
    await writeGuests(parts)
    await writePeople(parts)
    await writeOwnNotes(parts)
    return listShapedRoutes(parts)
  } finally {
    await opened.close()
  }
}

async function writeProfiles({ db, now }: Parts): Promise<void> {
  for (const person of Object.keys(people) as (keyof typeof people)[]) {
    const wallet = walletOf(person)
    const did = `did:pkh:eip155:84532:${wallet}`
    await db.write([
      makeProfile({ account: { wallet, contractOn: undefined }, did, subject: `worst-${person}`, now: now() }),
    ])
  }
  await db.write([{ sql: 'INSERT INTO operators (account, created_at) VALUES (?1, 0)', params: [walletOf('owner')] }])
}

interface Made {
  readonly row: VerifiedRow
  readonly meta: ProofRecord['meta']
}

export const proofId = (wallet: string, kind: string, index: number): string => hashOf(`${kind} ${index} of ${wallet}`)

const held = (verifierId: string, data: VerifiedRow['data']): VerifiedRow => ({
  verifierId,
  verified: true,
  status: 'verified',
  data,
})

/** Makes a proof with as many tags, and as much free text, as meta allows. */
function taggedProof(index: number, owner: string): Made {
  const tags = Array.from({ length: 32 }, (_, at) => `tag-${at}-${index % 50}-`.padEnd(64, 't'))
  return {
    row: held('ownership-basic', {
      owner,
      contentHash: hashOf(`content ${index}`),
      contentType: 'text/plain',
      reference: { type: 'url', id: `https://files.example/${index}` },
      timestamp: 1,
      chainId: 84532,
    }),
    meta: { title: `Proof ${index}`.padEnd(200, '.'), description: 'd'.repeat(2_000), tags, notes: 'n'.repeat(3_000) },
  }
}

/** Two long texts that agree with the conditions of the gates, so that none of these is decided early. */
function textProof(index: number, owner: string): Made {
  return {
    row: held('ownership-basic', {
      owner,
      contentHash: hashOf(`text ${index}`),
      contentType: 'text/plain',
      reference: { type: 'url', id: longText, description: longText.slice(0, 500), title: longText.slice(0, 200) },
      timestamp: 1,
      chainId: 84532,
    }),
    meta: { tags: ['text'] },
  }
}

function delegation(index: number, controllerWallet: string): Made {
  const words = (count: number, length: number) => Array.from({ length: count }, (_, at) => `${at}`.padEnd(length, 'w'))
  return {
    row: held('agent-delegation', {
      controllerWallet,
      agentWallet: addressOf(`agent ${index}`),
      agentId: `agent-${index}`,
      scope: 'global',
      permissions: words(32, 64),
      instructions: 'i'.repeat(16_000),
      allowedActions: words(32, 128),
      deniedActions: words(32, 128),
      expiresAt: Date.now() + 30 * dayMs,
    }),
    meta: {},
  }
}

function link(index: number, primary: string): Made {
  const secondary = addressOf(`linked ${index}`)
  const chain = 'eip155:84532'
  return {
    row: held('wallet-link', {
      primaryWalletAddress: primary,
      primaryAccountId: `${chain}:${primary}`,
      secondaryWalletAddress: secondary,
      secondaryAccountId: `${chain}:${secondary}`,
      chain,
      signatureMethod: 'eip191',
      signedTimestamp: 1,
    }),
    meta: {},
  }
}

const insertProof = `
  INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, superseded, chain_id, signature_method,
    signed_timestamp, created_at, updated_at, revoked_at, expires_at, record)
  SELECT ?1, unhex(?2), id, ?3, 'verified', ?4, 0, 84532, 'eip191', ?5, ?5, ?5, NULL, NULL, ?6
  FROM accounts WHERE address = ?7`
const insertFacts = `
  INSERT INTO proof_facts (account_id, fact52, proof_id)
  SELECT proofs.account_id, fact.value, proofs.id FROM proofs, json_each(?1) fact WHERE proofs.q52 = ?2`

async function writeProofs(
  { db, catalog, now }: Parts,
  wallet: string,
  count: number,
  make: (index: number, wallet: string) => Made,
): Promise<void> {
  await db.write([
    { sql: 'INSERT INTO accounts (address) VALUES (?) ON CONFLICT (address) DO NOTHING', params: [wallet] },
  ])
  for (let from = 0; from < count; from += 500) {
    const statements = Array.from({ length: Math.min(500, count - from) }, (_, offset) => {
      const index = from + offset
      const { row, meta } = make(index, wallet)
      const qHash = proofId(wallet, make.name, index)
      const record: ProofRecord = { verifierIds: [row.verifierId], rows: [row], meta, storeOriginalContent: false }
      const facts = listFacts(record, false, catalog.known)
      const scope52 = readFirst52Bits(hashOf(`scope ${qHash}`))
      const at = now() - (count - index) * 1_000
      return [
        {
          sql: insertProof,
          params: [
            readFirst52Bits(qHash),
            qHash.slice(2),
            scope52,
            visibilities.listed,
            at,
            JSON.stringify(record),
            wallet,
          ],
        },
        { sql: insertFacts, params: [`[${facts}]`, readFirst52Bits(qHash)] },
      ]
    })
    await db.write(statements.flat())
  }
}

/** Conditions that agree with every proof of the text holder, but for the last. */
const textRequirement = (at: number, conditions: number) => ({
  id: `r${at + 1}`,
  verifierId: 'ownership-basic',
  match: Array.from({ length: conditions }, (_, each) => ({
    path: 'reference.id',
    op: 'eq' as const,
    value: each + 1 < conditions ? longText : `${longText.slice(0, -1)}${at % 10}`,
  })),
})

export const textDefinition = (gateId: string, requirements: number, conditions: number) => ({
  gateId,
  name: 'Texts',
  requirements: Array.from({ length: requirements }, (_, at) => textRequirement(at, conditions)),
})

/** Conditions that every proof contradicts. */
const conditionDefinition = (gateId: string) => ({
  gateId,
  name: 'Conditions',
  requirements: Array.from({ length: 32 }, (_, at) => ({
    id: `r${at + 1}`,
    verifierId: 'ownership-basic',
    match: Array.from({ length: 8 }, (_, each) => ({
      path: each % 2 === 0 ? 'owner' : 'contentHash',
      op: 'eq' as const,
      value: `x${at}-${each}`,
    })),
  })),
})

const countDefinition = (gateId: string) => ({
  gateId,
  name: 'Counts',
  requirements: Array.from({ length: 32 }, (_, at) => ({
    id: `r${at + 1}`,
    verifierId: 'ownership-basic',
    minCount: 1_000,
  })),
})

async function writeGates({ db, now }: Parts): Promise<void> {
  const owner = walletOf('owner')
  const write = async (definition: { readonly gateId: string }, { isListed = false, versions = 1 } = {}) => {
    const text = JSON.stringify(definition)
    await db.write([
      {
        sql: `INSERT INTO gates (gate_id, owner, status, is_listed, version, created_at, updated_at)
              VALUES (?1, ?2, 'active', ?3, ?4, ?5, ?5)`,
        params: [definition.gateId, owner, isListed ? 1 : 0, versions, now()],
      },
      ...Array.from({ length: versions }, (_, at) => ({
        sql: `INSERT INTO gate_versions (gate, version, definition, author, created_at)
              SELECT id, ?2, ?3, owner, ?4 FROM gates WHERE gate_id = ?1`,
        params: [definition.gateId, at + 1, text, now()],
      })),
    ])
  }
  for (let at = 0; at < discoverableGates; at++) {
    const listing = { label: `Gate ${at}`, tags: ['listed'] }
    const policy = { visibility: 'public' }
    await write({ ...textDefinition(`gate_listed_${at}`, 32, 7), listing, policy } as { gateId: string }, {
      isListed: true,
    })
  }
  await write(textDefinition('gate_texts', 32, 7))
  await write(countDefinition('gate_counts'))
  await write(conditionDefinition('gate_conditions'))
  await write(
    { gateId: 'gate_versions', name: 'Versions', requirements: [{ verifierId: 'ownership-basic' }] } as {
      gateId: string
    },
    { versions: 999 },
  )
  for (const gateId of ['gate_open', 'gate_status', 'gate_deleted', 'gate_passes', 'gate_guests'])
    await write({ gateId, name: 'Open', requirements: [{ verifierId: 'ownership-basic' }] } as { gateId: string })
  await db.write([{ sql: insertOldSummaries, params: [] }])
}

/** Inserts versions as the migration leaves older ones: without a short form, which a list makes on reading. */
export const insertOldSummaries = `
  INSERT INTO gate_summaries (gate, version, definition_bytes, bytes, name)
  SELECT gate, version, length(definition), length(definition), definition ->> '$.name' FROM gate_versions
  WHERE true ON CONFLICT DO NOTHING`

async function writeSales({ db, now }: Parts): Promise<void> {
  const rows = Array.from({ length: sales }, (_, at) => [
    {
      sql: `INSERT INTO payments (identity, method, gate, q_hash, state, payer, amount, claimed_at, updated_at, paid_at)
            SELECT ?1, 'stripe', id, unhex(?2), 'final', ?3, '5.00', ?4, ?4, ?4 FROM gates WHERE gate_id = 'gate_open'`,
      params: [`payment ${at}`, hashOf(`sold ${at}`).slice(2), walletOf('owner'), now()],
    },
    {
      sql: `INSERT INTO fulfillments (gate, q_hash, wallet, version, receipt_id, payment, state, created_at, updated_at, owner, usd_micros)
            SELECT g.id, unhex(?2), ?3, 1, ?5, p.id, 'granted', ?4, ?4, g.owner, 5000000
            FROM gates g, payments p WHERE g.gate_id = 'gate_open' AND p.identity = ?1`,
      params: [`payment ${at}`, hashOf(`sold ${at}`).slice(2), walletOf('owner'), now(), hashOf(`receipt ${at}`)],
    },
  ])
  await db.write(rows.flat())
}

/** As many paid passes as the totals of a gate count, over 90 days, in twelve currencies. */
async function writePasses({ db, now }: Parts): Promise<void> {
  const every = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${countedPasses - 1})`
  const at = `CAST(?1 - (${countedPasses} - i) * ${(89 * dayMs) / countedPasses} AS INTEGER)`
  await db.write([
    {
      sql: `${every} INSERT INTO payments (identity, method, gate, q_hash, state, payer, amount, details, claimed_at, updated_at, paid_at)
            SELECT 'passed ' || i, 'x402', g.id, unhex(printf('%064x', i + 1)), 'final', ?2, '123456789012345678901234567890',
              printf('{"chain":"eip155:%d","token":"0x%040x"}', i % 4 + 1, i % 3), ${at}, ${at}, ${at}
            FROM n, gates g WHERE g.gate_id = 'gate_passes'`,
      params: [now(), walletOf('owner')],
    },
    {
      sql: `${every} INSERT INTO fulfillments (gate, q_hash, wallet, version, receipt_id, payment, state, created_at, updated_at, owner, usd_micros)
            SELECT g.id, unhex(printf('%064x', i + 1)), ?2, 1, printf('0x%064x', i + 1), p.id, 'granted', ${at}, ${at}, g.owner, 5000000
            FROM n, gates g JOIN payments p ON p.identity = 'passed ' || n.i WHERE g.gate_id = 'gate_passes'`,
      params: [now(), walletOf('owner')],
    },
  ])
}

async function writeGuests({ db, now }: Parts): Promise<void> {
  await db.write([
    {
      sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${guests})
            INSERT INTO gate_guests (gate, wallet, chain, added_at)
            SELECT g.id, printf('0x%040x', i), '', ?1 FROM n, gates g WHERE g.gate_id = 'gate_guests'`,
      params: [now()],
    },
    { sql: `UPDATE gates SET guest_count = ${guests} WHERE gate_id = 'gate_guests'`, params: [] },
  ])
}

/** The owner's labels and share links, and proofs that another person shares with the owner. */
async function writeOwnNotes({ db, now }: Parts): Promise<void> {
  const owner = walletOf('owner')
  const profile = `(SELECT id FROM profiles WHERE account = '${owner}')`
  const proofsOf = (wallet: string) =>
    `(SELECT id FROM proofs WHERE account_id = (SELECT id FROM accounts WHERE address = '${wallet}') ORDER BY id LIMIT ${sharedProofs})`
  const to = (last: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`
  await db.write([
    {
      sql: `${to(mostLabels)} INSERT INTO wallet_labels (profile, account, wallet, label, created_at)
            SELECT ${profile}, printf('0x%040x', i), ?1, ?2, ?3 FROM n`,
      params: [owner, 'l'.repeat(60), now()],
    },
    {
      sql: `${to(mostLinks)} INSERT INTO share_links (digest, proof_id, profile, label, created_at, expires_at)
            SELECT unhex(printf('%032x%032x', n.i * 7919, p.id)), p.id, ${profile}, ?1, ?2, ?3 FROM n, ${proofsOf(owner)} p`,
      params: ['l'.repeat(60), now(), now() + dayMs],
    },
    {
      sql: `INSERT INTO access_grants (proof_id, viewer, created_at, source_kind, source_id)
            SELECT id, ?1, ?2, 'signature', '' FROM ${proofsOf(walletOf('textHolder'))}`,
      params: [owner, now()],
    },
  ])
}

/** Writes sessions, keys, grants, registrations, secrets and audit rows of the owner. */
async function writePeople({ db, now, sealer }: Parts): Promise<void> {
  const at = now()
  const owner = walletOf('owner')
  const profile = `(SELECT id FROM profiles WHERE account = '${owner}')`
  const many = (count: number, sql: string, params: (index: number) => (string | number | null)[]) =>
    db.write(Array.from({ length: count }, (_, index) => ({ sql, params: params(index) })))
  await many(
    90,
    `INSERT INTO sessions (hash, profile, account, agent, created_at, seen_at, expires_at)
     VALUES (unhex(?1), ${profile}, ?2, ?3, ?4, ?4, ?5)`,
    (index) => [hashOf(`session ${index}`).slice(2), owner, 'Mozilla/5.0 '.padEnd(500, 'a'), at, at + dayMs],
  )
  await many(
    registrations,
    `INSERT INTO oauth_clients (id, kind, name, redirect_uris, metadata_hash, created_at, expires_at)
     VALUES (?1, 'dcr', ?2, ?3, unhex(?4), ?5, ?6)`,
    (index) => [
      `c_${index}`,
      'n'.repeat(200),
      JSON.stringify([`https://client-${index}.example/${'p'.repeat(1_900)}`]),
      hashOf(`client ${index}`).slice(2),
      at,
      at + dayMs,
    ],
  )
  await many(
    500,
    `INSERT INTO oauth_families (handle, profile, client, account, scope, resource, signed_in_at, created_at, expires_at,
       generation, refresh_ends_at, access_ends_at)
     VALUES (?1, ${profile}, ?2, ?3, 'svc:core svc:profile svc:secrets', 'http://127.0.0.1:8787/mcp', ?4, ?4, ?5, 0, ?5, ?5)`,
    (index) => [hashOf(`grant ${index}`).slice(2, 34), `c_${index}`, owner, at, at + dayMs],
  )
  await many(
    500,
    `INSERT INTO oauth_consents (profile, client, redirect_host, scope, created_at)
     VALUES (${profile}, ?1, 'client.example', 'svc:core', ?2)`,
    (index) => [`c_${index}`, at],
  )
  await many(
    secrets,
    `INSERT INTO secrets (q_hash, profile, wallet, alias, type, sealed, created_at)
     VALUES (unhex(?1), ${profile}, ?2, ?3, 'single', ?4, ?5)`,
    (index) => {
      const qHash = hashOf(`secret ${index}`)
      return [qHash.slice(2), owner, `SECRET_${index}`, sealer.seal('s'.repeat(1_000), `secret:${qHash}`), at]
    },
  )
  await many(
    20_000,
    `INSERT INTO audit_events (at, event, profile, details) VALUES (?1, 'signed_in', ${profile}, ?2)`,
    (index) => [at - index, JSON.stringify({ agent: 'a'.repeat(300) })],
  )
}
