import { loadConfig } from '../../src/config/load.ts'
import { type AccessTokens, openAccessTokens } from '../../src/oauth/access-token.ts'
import { findLiveAccess, insertFamily } from '../../src/oauth/family-store.ts'
import { type Lineage, makeHandle, readJti } from '../../src/oauth/lineage.ts'
import type { Parts } from '../../src/parts.ts'
import { openParts } from '../../src/start.ts'
import { medianOf } from './median.ts'

/**
 * Measures the bearer check at the MCP endpoint in process, over a store of a hundred thousand tokens. It verifies the
 * access token's signature, and whether its row and its grant are still valid. A process of its own, so that it can
 * have a core of its own.
 *
 * Takes one BearerJob as JSON in argv, prints one BearerFigures as JSON.
 */
export interface BearerJob {
  /** Empty. */
  readonly folder: string
  readonly rounds: number
}

export interface BearerFigures {
  /** CPU time of one check, all threads, medians of the rounds. */
  readonly wholeUs: number
  readonly lookUpUs: number
}

const address = 'http://127.0.0.1:8787'
const people = 1_000
const stored = 100_000
const checkedTokens = 2_000
const checksPerRound = 10_000
const warmUp = 20_000

if (import.meta.main) {
  console.log(JSON.stringify(await run(JSON.parse(process.argv[2]!) as BearerJob)))
  process.exit(0)
}

async function run({ folder, rounds }: BearerJob): Promise<BearerFigures> {
  const config = await loadConfig({ env: { PROOFGATE_DATA: folder }, cwd: folder })
  const opened = await openParts(config, folder, Date.now)
  opened.setAddresses({ baseUrl: address, authUrl: address, mcpUrl: address })
  const access = openAccessTokens(opened.parts)
  try {
    const tokens = await seed(opened.parts, access)
    await requireRevocationCounts(opened.parts, access, tokens.pop()!)
    return await measure(opened.parts, access, tokens, rounds)
  } finally {
    await opened.close()
  }
}

async function measure(
  { db }: Parts,
  access: AccessTokens,
  tokens: readonly string[],
  rounds: number,
): Promise<BearerFigures> {
  const descents = tokens.map(readLineage)
  const at = (index: number): number => (index * 7919) % tokens.length
  const whole = async (index: number): Promise<void> => {
    if (!(await access.verify(tokens[at(index)]!))) throw new Error('a good token was refused')
  }
  const lookUp = async (index: number): Promise<void> => {
    if (!(await findLiveAccess(db, descents[at(index)]!))) throw new Error('a token was not found')
  }
  const times: { whole: number[]; lookUp: number[] } = { whole: [], lookUp: [] }
  await cpuUsOf(whole, warmUp)
  await cpuUsOf(lookUp, warmUp)
  for (let round = 0; round < rounds; round++) {
    times.whole.push(await cpuUsOf(whole, checksPerRound))
    times.lookUp.push(await cpuUsOf(lookUp, checksPerRound))
  }
  return { wholeUs: medianOf(times.whole), lookUpUs: medianOf(times.lookUp) }
}

async function cpuUsOf(check: (index: number) => unknown, count: number): Promise<number> {
  const before = process.cpuUsage()
  for (let index = 0; index < count; index++) {
    const pending = check(index)
    if (pending) await pending
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

function readLineage(token: string): Lineage {
  const { jti } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { jti: string }
  return readJti(jti)!
}

/**
 * Every token has a grant of its own, as after a hundred thousand sign-ins. All but a few are rows without a token.
 *
 * HOOK: this file knows columns of `profiles` and `oauth_families` (src/db/schema.ts).
 */
async function seed({ db, now }: Parts, access: AccessTokens): Promise<string[]> {
  const didOf = (person: number): string => `did:pkh:eip155:1:0x${person.toString(16).padStart(40, '0')}`
  const at = now()
  for (let person = 0; person < people; person++) {
    const sql = 'INSERT INTO profiles (id, subject, account, did, created_at) VALUES (?1, ?2, ?3, ?4, ?5)'
    const did = didOf(person)
    await db.write([{ sql, params: [person + 1, `person-${person}`, did.split(':')[4]!, did, at] }])
  }
  const clientId = 'client-of-the-bench'
  const scope = 'proofgate:core proofgate:profile proofgate:secrets offline_access'
  const tokens: string[] = []
  let writes: Promise<unknown>[] = []
  for (let family = 1; family <= stored; family++) {
    const person = family % people
    const isChecked = family % (stored / checkedTokens) === 0
    const grant = { subject: `person-${person}`, did: didOf(person), clientId, scope, signedInAt: at }
    const handle = makeHandle()
    if (isChecked) tokens.push((await access.mint(grant, { handle, generation: 0 })).token)
    const row = insertFamily({
      handle,
      profile: person + 1,
      client: clientId,
      account: didOf(person).split(':')[4]!,
      linkProof: null,
      redirectHost: 'localhost',
      scope,
      resource: `${address}/mcp`,
      signedInAt: at,
      createdAt: at,
      expiresAt: at + 86_400_000,
      refreshEndsAt: at + 86_400_000,
      accessEndsAt: at + 3_600_000,
    })
    writes.push(db.write([row]))
    if (writes.length < 512 && family < stored) continue
    await Promise.all(writes)
    writes = []
  }
  return tokens
}

/** The benchmark must time a real check, so a revoked token and an altered one must be refused. */
async function requireRevocationCounts({ db, now }: Parts, access: AccessTokens, token: string): Promise<void> {
  const isTaken = async (text: string): Promise<boolean> => (await access.verify(text)) !== undefined
  if (!(await isTaken(token))) throw new Error('a good token was refused')
  const altered = token.slice(0, -10) + (token.at(-10) === 'A' ? 'B' : 'A') + token.slice(-9)
  if (await isTaken(altered)) throw new Error('an altered token was taken')
  const sql = 'UPDATE oauth_families SET revoked_at = ?1 WHERE handle = ?2'
  await db.write([{ sql, params: [now(), readLineage(token).handle], must: true }])
  if (await isTaken(token)) throw new Error('a revoked token was taken')
}
