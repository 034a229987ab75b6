/** Every table has one owner: the folder that holds all SQL that writes it. Others call the operations of that folder. */
import { describe, expect, test } from 'bun:test'
import { readSources, removeComments } from './sources.ts'
import { readTables } from './tables.ts'

/** The tables of migrations/, by the folder that writes them. */
const tablesOf: Readonly<Record<string, readonly string[]>> = {
  db: ['clock', 'clock_jumps', 'forgotten_hours', 'migrations', 'spent_signatures', 'traces'],
  audit: ['audit_events'],
  auth: ['access_keys', 'sessions'],
  backup: ['restores'],
  erasure: ['erasure_receipts', 'erasures'],
  gates: [
    'fulfillments',
    'gate_appearances',
    'gate_guests',
    'gate_summaries',
    'gate_versions',
    'gates',
    'guest_passes',
    'reservations',
    'unpaid_places',
  ],
  handover: ['site_codes'],
  health: ['heartbeat'],
  jobs: ['job_runs'],
  journal: ['taken_away'],
  metrics: ['daily_numbers', 'hourly_numbers', 'latencies'],
  oauth: ['oauth_clients', 'oauth_codes', 'oauth_consents', 'oauth_families', 'oauth_keys', 'oauth_requests'],
  // The totals are written by triggers alone.
  operator: ['operator_link', 'operators', 'totals'],
  pairing: ['pairings'],
  payments: ['checkouts', 'offered_transfers', 'payments', 'quotes', 'settlements', 'unmatched_payments'],
  processes: ['leases', 'live_processes'],
  profiles: ['profiles', 'wallet_labels'],
  proofs: [
    'access_grants',
    'accounts',
    'contents',
    'envelopes',
    'erased_proofs',
    'followed_blocks',
    'proof_facts',
    'proof_facts_progress',
    'proof_sources',
    'proofs',
    'record_summaries',
    'reserved_names',
    'share_links',
    'wallet_links',
  ],
  publishing: ['publications'],
  secrets: ['secrets'],
  social: ['social_sign_ins'],
}

/**
 * The tables of others that a folder reads. Either one query needs them with its own, or their owner stands above the
 * folder. A new entry is a decision.
 */
const mayRead: Readonly<Record<string, readonly string[]>> = {
  // The log names the wallet of a profile.
  audit: ['profiles'],
  // A manifest says where a database stands.
  backup: ['migrations', 'taken_away'],
  // Counts all that ends with a key, a grant or a link, in one look.
  auth: ['access_grants', 'oauth_families', 'profiles', 'proof_facts', 'proof_sources', 'proofs', 'wallet_links'],
  // Whether a proof is being erased is asked by every folder that finds proofs. A move reads the totals in one row, and
  // leaves a database alone on which a process lives. A dump says where it stands.
  db: ['accounts', 'erasures', 'heartbeat', 'live_processes', 'proofs', 'taken_away', 'totals'],
  doctor: ['oauth_keys'],
  // Counts what hangs on the public addresses, in one look.
  'domain-move': [
    'access_keys',
    'checkouts',
    'fulfillments',
    'gate_versions',
    'gates',
    'oauth_codes',
    'oauth_families',
    'oauth_requests',
    'operator_link',
    'proofs',
    'quotes',
    'sessions',
    'share_links',
  ],
  // Notes where an erasure ends in each table, in the write that begins it, and looks whether there is anything.
  erasure: [
    'access_grants',
    'accounts',
    'fulfillments',
    'gate_appearances',
    'guest_passes',
    'offered_transfers',
    'proofs',
    'reservations',
    'settlements',
    'traces',
    'unmatched_payments',
    'unpaid_places',
    'wallet_labels',
  ],
  // The write that gives a place also checks that no payment is under way and the proof stands. A pass is kept as long as a
  // payment names it.
  gates: ['checkouts', 'payments', 'proofs', 'quotes', 'settlements', 'unmatched_payments'],
  // A code is stored while its session stands.
  handover: ['sessions'],
  // A code is stored while its session stands, tokens name their profile, and a consent its link.
  oauth: ['profiles', 'proofs'],
  // A payment belongs to a gate, and is bounded by the terms of the version that it bought.
  // A payment that another process hands over is left to that one, as long as it lives.
  payments: ['fulfillments', 'gate_summaries', 'gate_versions', 'gates', 'live_processes'],
  // Texts that were signed before a restore are refused.
  journal: ['restores'],
  // The totals are compared with what they count.
  operator: ['accounts', 'proofs'],
  // Counts sessions and grants that a link keeps open.
  people: ['oauth_families', 'sessions'],
  // Outside of this server a secret names its person.
  secrets: ['profiles'],
  // A linked wallet belongs to a profile by a proof, and signing in is below proofs.
  profiles: ['proofs', 'wallet_links'],
  // A status word comes from the publications; an account is known that has a profile or a proof.
  // A rule of entries that earlier versions did not have asks for the version.
  proofs: ['migrations', 'profiles', 'publications'],
  // A publication names its proof.
  publishing: ['proofs'],
}

/** Migrates rows that an older build wrote, before any folder reads them. */
const mayWriteAll = new Set(['db/former-migrations.ts'])

/** Put the name of a table into their SQL: for all tables alike, or as their caller says. */
const mayNameAnyTable = new Set([
  'db/care/examine-restored.ts',
  'db/key-mark.ts',
  'db/move/shape.ts',
  'db/move/to-folder.ts',
  'db/move/to-postgres.ts',
  'db/network-share.ts',
  'db/overdue.ts',
  'db/page-check.ts',
  'db/queue-lengths.ts',
])

const ownerOf = new Map(Object.entries(tablesOf).flatMap(([owner, tables]) => tables.map((table) => [table, owner])))

const folderOf = (file: string): string => file.split('/')[0]!

/** db/ is the store itself; a feature keeps its SQL in files that say so. */
const isStoreFile = (file: string): boolean => /^db\/|(?:^|[/-])store\.ts$/.test(file)

const writing = /\b(?:INSERT(?: OR [A-Z]+)? INTO|REPLACE INTO|(?<!DO )UPDATE(?: OR [A-Z]+)?|DELETE FROM)\s+(\$\{|\w+)/g
const reading = /(?<!\bDELETE )\b(?:FROM|JOIN)\s+(\$\{|\w+)/g

interface Use {
  readonly file: string
  readonly isWrite: boolean
  /** `${` where the name is not written down. */
  readonly table: string
}

/** Everything that the SQL of these files reads and writes. */
function listUses(files: ReadonlyMap<string, string>): Use[] {
  return [...files].flatMap(([file, text]) => {
    const code = removeComments(text)
    const find = (pattern: RegExp, isWrite: boolean): Use[] =>
      [...code.matchAll(pattern)].map(([, table]) => ({ file, isWrite, table: table! }))
    return [...find(writing, true), ...find(reading, false)].filter(({ table }) => table === '${' || ownerOf.has(table))
  })
}

/** Returns the fault of a use, or undefined. */
function findFault({ file, isWrite, table }: Use): string | undefined {
  const folder = folderOf(file)
  if (!isStoreFile(file)) return `${file}: SQL outside a store file`
  if (table === '${') return mayNameAnyTable.has(file) ? undefined : `${file}: SQL with a table that has no name`
  const owner = ownerOf.get(table)
  if (owner === folder || mayWriteAll.has(file)) return undefined
  if (isWrite) return `${file}: writes ${table} of ${owner}`
  return mayRead[folder]?.includes(table) ? undefined : `${file}: reads ${table} of ${owner}`
}

const findFaults = (files: ReadonlyMap<string, string>): string[] => [
  ...new Set(listUses(files).flatMap((use) => findFault(use) ?? [])),
]

const source = await readSources()

describe('the source', () => {
  test('has one owner for each table of migrations/', async () => {
    expect(Object.values(tablesOf).flat().sort()).toEqual(await readTables())
  })

  test('writes a table in its own folder, reads others where the list says so, and keeps SQL in store files', () => {
    expect(findFaults(source)).toEqual([])
  })

  test('reads every table of others that the list allows', () => {
    const read = new Set(listUses(source).map(({ file, table }) => `${folderOf(file)} ${table}`))
    const allowed = Object.entries(mayRead).flatMap(([folder, tables]) => tables.map((table) => `${folder} ${table}`))
    expect(allowed.filter((one) => !read.has(one))).toEqual([])
  })
})

/** `@{` stands for the beginning of a placeholder. */
const plant = (file: string, sql: string): ReadonlyMap<string, string> =>
  new Map([[file, `const sql = ${sql.replace('@{', '${')}`]])

describe('a planted violation is found:', () => {
  test.each([
    [
      'an insertion',
      'proofs/a-store.ts',
      "'INSERT INTO audit_events (at) VALUES (?1)'",
      'writes audit_events of audit',
    ],
    ['one that may fail', 'gates/store.ts', '`INSERT OR IGNORE INTO proofs (id)`', 'writes proofs of proofs'],
    ['a replacement', 'gates/store.ts', "'REPLACE INTO secrets (id) VALUES (?1)'", 'writes secrets of secrets'],
    ['an update', 'payments/store.ts', '`\n  UPDATE gates\n  SET version = 1`', 'writes gates of gates'],
    ['a deletion', 'auth/a-store.ts', '`DELETE FROM oauth_codes WHERE profile = ?1`', 'writes oauth_codes of oauth'],
    ['a read', 'social/store.ts', "'SELECT 1 FROM proofs'", 'reads proofs of proofs'],
    ['a join', 'social/store.ts', '`FROM social_sign_ins s JOIN sessions o ON true`', 'reads sessions of auth'],
    ['a table without a name', 'gates/store.ts', '`DELETE FROM @{table}`', 'SQL with a table that has no name'],
    ['SQL beside a store', 'gates/gate.ts', "'SELECT 1 FROM gates'", 'SQL outside a store file'],
  ])('%s', (_, file, text, fault) => {
    expect(findFaults(plant(file, text))).toEqual([`${file}: ${fault}`])
  })

  test.each([
    ['the owner', 'gates/deep/b-store.ts', "'UPDATE gates SET version = 1'"],
    [
      'what happens on a conflict',
      'gates/store.ts',
      "'INSERT INTO gates (id) VALUES (1) ON CONFLICT DO UPDATE SET id = 1'",
    ],
    ['a listed read', 'gates/store.ts', "'SELECT 1 FROM payments'"],
    ['a comment', 'gates/gate.ts', "'' // DELETE FROM gates"],
    ['a subquery', 'gates/store.ts', '`SELECT 1 FROM (@{found})`'],
  ])('and %s is not', (_, file, text) => {
    expect(findFaults(plant(file, text))).toEqual([])
  })
})
