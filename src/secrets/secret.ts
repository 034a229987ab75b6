/**
 * Secrets of people for their agents: a key or a set of keys under a name, sealed at rest. Answers name a secret by its
 * alias. Only a runtime of this server opens its content.
 */

import { randomBytes } from 'node:crypto'
import { makeAuditStatement } from '../audit/log-store.ts'
import type { Account, Identity } from '../auth/identity.ts'
import { leaveNoTrace, type Traces } from '../db/traces.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { requireProfile } from '../profiles/store.ts'
import { writeAccount } from '../wallet/account.ts'
import type { SecretType } from './secret-type.ts'
import {
  countSecrets,
  findSecret,
  insertSecret,
  listSecrets,
  listSecretsOfAccount,
  revokeSecret,
  type SecretRow,
} from './store.ts'

export const aliasPattern = '^[A-Za-z][A-Za-z0-9_]{0,63}$'

export const contentMaxBytes = 16_384
/** Bounds the list of all secrets; no person needs more. */
export const mostSecrets = 1_000

export interface NewSecret {
  readonly alias: string
  readonly type: SecretType
  readonly content: string
  /** The account that owns the vault: one of the person's. */
  readonly account: Account
}

/** Bound to its own id, so that a sealed text moved to another row does not open. */
export const writeSecretContext = (qHash: string): string => `secret:${qHash}`

/** Errors: VALIDATION_ERROR, CONFLICT. No message reveals the content. */
export async function createSecret(parts: Parts, { profile }: Identity, secret: NewSecret): Promise<SecretRow> {
  const { alias, type, content, account } = secret
  requireContent(type, content)
  const qHash = `0x${randomBytes(32).toString('hex')}`
  const createdAt = parts.now()
  const outcome = await insertSecret(
    parts.db,
    {
      qHash,
      profile: profile.id,
      account: writeAccount(account),
      alias,
      type,
      sealed: parts.sealer.seal(content, writeSecretContext(qHash)),
      createdAt,
    },
    mostSecrets,
    {
      first: requireProfile(profile),
      audit: makeAuditStatement('secret_created', { profile: profile.id, at: createdAt, alias, qHash }),
    },
  )
  if (outcome === 'gone') throw new AppError('CONFLICT', 'the profile was deleted meanwhile, and nothing was stored')
  if (outcome === 'taken')
    throw new AppError('CONFLICT', `there is a secret ${alias} already: revoke it first, or choose another alias`, {
      alias,
    })
  if (outcome === 'full')
    throw new AppError('CONFLICT', `there are ${mostSecrets} secrets already: revoke those that are no longer used`)
  return { qHash, account: writeAccount(account), alias, type, createdAt, revokedAt: null }
}

function requireContent(type: SecretType, content: string): void {
  const refuse = (message: string): AppError => new AppError('VALIDATION_ERROR', message, { path: '/content' })
  if (content === '') throw refuse('content is empty')
  if (Buffer.byteLength(content) > contentMaxBytes) throw refuse(`content is larger than ${contentMaxBytes} bytes`)
  if (type === 'bundle' && !isBundle(content))
    throw refuse('content of a bundle must be a JSON object whose values are texts, for example {"API_KEY":"…"}')
}

function isBundle(content: string): boolean {
  try {
    const value: unknown = JSON.parse(content)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && Object.values(value).length > 0 && Object.values(value).every((one) => typeof one === 'string')
  } catch {
    return false
  }
}

export interface SecretPage {
  readonly secrets: SecretRow[]
  readonly totalCount: number
}

/** The newest first, without revoked ones. */
export const readSecretPage = async (
  parts: Parts,
  { profile }: Identity,
  page: { limit: number; offset: number },
): Promise<SecretPage> => ({
  secrets: await listSecrets(parts.db, profile.id, page),
  totalCount: await countSecrets(parts.db, profile.id),
})

/** All that are not revoked. */
export const listProfileSecrets = (db: Parts['db'], profile: number): Promise<SecretRow[]> =>
  listSecrets(db, profile, { limit: mostSecrets, offset: 0 })

/** All of one account that are not revoked: for the list of its vault. */
export const listAccountSecrets = (
  { db }: Pick<Parts, 'db'>,
  profile: number,
  account: Account,
): Promise<SecretRow[]> => listSecretsOfAccount(db, profile, writeAccount(account), mostSecrets)

/**
 * Erases the sealed text, also in the files of the database. Repeating it is no error. Errors: NOT_FOUND, also for a
 * secret of another person.
 */
export async function revokeOwnSecret(
  parts: Parts,
  { profile }: Identity,
  qHash: string,
): Promise<{ readonly secret: SecretRow; readonly alreadyRevoked: boolean; readonly traces: Traces | undefined }> {
  const at = parts.now()
  const known = qHash.toLowerCase()
  const isRevokedNow = await revokeSecret(
    parts.db,
    { profile: profile.id, qHash: known, at },
    makeAuditStatement('secret_revoked', { profile: profile.id, at, qHash: known }),
  )
  const secret = await findSecret(parts.db, profile.id, known)
  if (!secret)
    throw new AppError('NOT_FOUND', `there is no secret ${known} of yours: list them to find its qHash`, {
      qHash: known,
    })
  return { secret, alreadyRevoked: !isRevokedNow, traces: await leaveNoTrace(parts) }
}
