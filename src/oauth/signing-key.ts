/**
 * The keys that sign access tokens. They are made at first use, rotated with an overlap, and published as a JWK set
 * (RFC 7517).
 *
 * A key is published before it signs, for as long as others cache the set. It stays after its retirement for as long as
 * its tokens live. Another process on the same data folder may rotate: this one notices within a second.
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { makeAuditStatement } from '../audit/log-store.ts'
import type { Parts } from '../parts.ts'
import { insertKey, type KeyRow, listKeys, type NewKey, retireKey } from './key-store.ts'
import { accessTokenTtlSeconds, metadataMaxAgeSeconds } from './vocabulary.ts'

export type SigningAlg = 'ES256' | 'RS256'

export interface VerifyingKey {
  readonly kid: string
  readonly alg: SigningAlg
  readonly publicKey: KeyObject
}

export interface SigningKey extends VerifyingKey {
  readonly privateKey: KeyObject
}

export interface SigningKeys {
  /** The key that signs now, made when missing. */
  current(): Promise<SigningKey>
  /** Every key whose tokens may still be valid. */
  verifying(): Promise<readonly VerifyingKey[]>
  /** The same after a look into the database, for a token whose key is not known. */
  reread(): Promise<readonly VerifyingKey[]>
  /** The members of the JWK set. */
  published(): Promise<readonly object[]>
}

type KeyParts = Pick<Parts, 'db' | 'sealer' | 'now' | 'readUptime' | 'log' | 'config'>

/** Clocks of those who verify may differ by so much. */
const skewMs = 60_000
const overlapMs = metadataMaxAgeSeconds * 1000
/** How long after its retirement a key is still needed. */
export const keptAfterRetirementMs = accessTokenTtlSeconds * 1000 + skewMs
const rereadAfterMs = 1000

export function openSigningKeys(parts: KeyParts): SigningKeys {
  const { db, now, readUptime, config } = parts
  const privateKeys = new Map<string, KeyObject>()
  let rows: readonly KeyRow[] = []
  let known: readonly VerifyingKey[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let making: Promise<void> | undefined

  async function read(): Promise<void> {
    rows = await listKeys(db)
    known = rows.filter((row) => isNeeded(row, now())).map(makeVerifyingKey)
    readAt = readUptime()
  }
  async function readWhenOld(): Promise<void> {
    if (readUptime() - readAt >= rereadAfterMs) await read()
  }

  const makeOne = async (): Promise<void> => {
    await makeKey(parts, config.oauth.signingAlg, true)
    await read()
  }
  async function ensureKey(): Promise<void> {
    await readWhenOld()
    if (rows.some(({ alg, retiredAt }) => alg === config.oauth.signingAlg && retiredAt === null)) return
    making ??= makeOne().finally(() => {
      making = undefined
    })
    await making
  }

  function openKey({ kid, sealed }: KeyRow): KeyObject | undefined {
    const open = privateKeys.get(kid)
    if (open) return open
    try {
      const jwk = JSON.parse(parts.sealer.open(sealed, sealContext(kid)))
      const key = createPrivateKey({ key: jwk, format: 'jwk' })
      privateKeys.set(kid, key)
      return key
    } catch {
      return undefined
    }
  }

  async function readCurrentKey(): Promise<SigningKey> {
    await ensureKey()
    for (const row of sortByUse(rows, now())) {
      const privateKey = openKey(row)
      if (privateKey) return { ...makeVerifyingKey(row), privateKey }
      // With another master key, as after a restore without it. Tokens are opaque to clients, so a new key is harmless.
      parts.log.error('a signing key cannot be opened with this master key and is retired', {
        event: 'signing-key-retired',
        kid: row.kid,
        mend: 'if the master key was not changed on purpose, stop, restore master.key from the backup and start again: other sealed content cannot be read either',
      })
      await retireKey(db, row.kid, now())
    }
    await read()
    await ensureKey()
    const [row] = sortByUse(rows, now())
    const privateKey = row && openKey(row)
    if (!privateKey) throw new Error('a signing key that was just made cannot be opened')
    return { ...makeVerifyingKey(row), privateKey }
  }

  return {
    current: readCurrentKey,
    async verifying() {
      await readWhenOld()
      return known
    },
    async reread() {
      await read()
      return known
    },
    async published() {
      await ensureKey()
      return rows
        .filter((row) => isNeeded(row, now()))
        .map(({ publicJwk, kid, alg }) => ({ ...JSON.parse(publicJwk), kid, alg, use: 'sig' }))
    },
  }
}

/** Makes a key that takes over once everybody can know it. Returns its id. */
export async function rotateSigningKey(parts: KeyParts): Promise<string> {
  return makeKey(parts, parts.config.oauth.signingAlg, false)
}

async function makeKey({ db, sealer, now }: KeyParts, alg: SigningAlg, isOnly: boolean): Promise<string> {
  const { publicKey, privateKey } = await generatePair(alg)
  const publicJwk = publicKey.export({ format: 'jwk' })
  const kid = computeThumbprint(publicJwk)
  const key: NewKey = {
    kid,
    alg,
    sealed: sealer.seal(JSON.stringify(privateKey.export({ format: 'jwk' })), sealContext(kid)),
    publicJwk: JSON.stringify(publicJwk),
  }
  // Refused when another process was faster, which is as good.
  await db.write(
    [
      ...insertKey(key, { now: now(), overlapMs, isOnly }),
      makeAuditStatement('signing_key_made', { profile: null, at: now(), kid, alg }),
    ],
    'free',
  )
  return kid
}

const generate = promisify(generateKeyPair)

const generatePair = (alg: SigningAlg): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> =>
  alg === 'ES256' ? generate('ec', { namedCurve: 'P-256' }) : generate('rsa', { modulusLength: 2048 })

const sealContext = (kid: string): string => `oauth key ${kid}`

/** RFC 7638: the required members only, in the order of their names. */
function computeThumbprint({ crv, e, kty, n, x, y }: JsonWebKey): string {
  const members = kty === 'EC' ? { crv, kty, x, y } : { e, kty, n }
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url')
}

const isNeeded = ({ retiredAt }: KeyRow, now: number): boolean =>
  retiredAt === null || now < retiredAt + keptAfterRetirementMs

/** The newest of those that may sign now; one that is only announced is better than none. */
function sortByUse(rows: readonly KeyRow[], now: number): KeyRow[] {
  const usable = rows.filter(({ retiredAt }) => retiredAt === null || now < retiredAt)
  return [
    ...usable.filter(({ notBefore }) => notBefore <= now),
    ...usable.filter(({ notBefore }) => notBefore > now).reverse(),
  ]
}

const publicKeys = new Map<string, VerifyingKey>()

function makeVerifyingKey({ kid, alg, publicJwk }: KeyRow): VerifyingKey {
  const open = publicKeys.get(kid)
  if (open) return open
  const key = {
    kid,
    alg: alg as SigningAlg,
    publicKey: createPublicKey({ key: JSON.parse(publicJwk), format: 'jwk' }),
  }
  publicKeys.set(kid, key)
  return key
}
