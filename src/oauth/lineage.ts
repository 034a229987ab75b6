/**
 * The lineage of a token: its grant, and its generation in it. A refresh token and its access token share one
 * generation. Both carry it, so the database needs one row for a grant and none for its tokens. Only the master key can
 * make a valid refresh token.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Sealer } from '../db/seal.ts'

export interface Lineage {
  /** oauth_families.handle */
  readonly handle: string
  /** 0 for what came with the code. */
  readonly generation: number
}

/** Random, and never given out again: a grant that is gone leaves no name behind that another one could take. */
export const makeHandle = (): string => randomBytes(16).toString('base64url')

const handleForm = '[A-Za-z0-9_-]{22}'
const generationForm = '0|[1-9a-z][0-9a-z]{0,7}'
const refreshForm = new RegExp(`^rt_(${handleForm})\\.(${generationForm})\\.([A-Za-z0-9_-]{43})$`)
const jtiForm = new RegExp(`^(${handleForm})\\.(${generationForm})\\.[A-Za-z0-9_-]{11}$`)

const writeLineage = ({ handle, generation }: Lineage): string => `${handle}.${generation.toString(36)}`

const computeMac = (sealer: Sealer, lineage: Lineage): string =>
  Buffer.from(sealer.mac(writeLineage(lineage), 'refresh token'), 'hex').toString('base64url')

/** Always the same for one generation: it can be given again without having been kept. */
export const writeRefreshToken = (sealer: Sealer, lineage: Lineage): string =>
  `rt_${writeLineage(lineage)}.${computeMac(sealer, lineage)}`

/** The lineage of a refresh token that this server made, whatever happened to it since. */
export function readRefreshToken(sealer: Sealer, token: string): Lineage | undefined {
  const [, handle, generation, mac] = refreshForm.exec(token) ?? []
  if (handle === undefined || generation === undefined || mac === undefined) return undefined
  const lineage = { handle, generation: Number.parseInt(generation, 36) }
  return timingSafeEqual(Buffer.from(mac), Buffer.from(computeMac(sealer, lineage))) ? lineage : undefined
}

/** `jti`: unique, as RFC 9068 wants it, though tokens of one generation may be several. */
export const makeJti = (lineage: Lineage): string => `${writeLineage(lineage)}.${randomBytes(8).toString('base64url')}`

export function readJti(jti: string): Lineage | undefined {
  const [, handle, generation] = jtiForm.exec(jti) ?? []
  return handle === undefined || generation === undefined
    ? undefined
    : { handle, generation: Number.parseInt(generation, 36) }
}
