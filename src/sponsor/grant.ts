/**
 * Sponsor grants: an app says that its wallet will pay for the proofs made through it, and names their page. A grant is
 * free, and records who would have paid. App, page and wallet are unverified claims; a grant only keeps them unchanged
 * until its use.
 */
import { AppError } from '../errors.ts'
import { findOriginFault, isPageAmong, nameAppHeader, readAppId, readPageOrigin } from '../http/client-app.ts'
import type { Parts } from '../parts.ts'
import { stripVersion } from '../verifiers/id.ts'
import { isEvmAddress, normalizeAddress } from '../wallet/account.ts'
import { type Grant, readToken, writeToken } from './token.ts'

export const grantPath = '/api/v1/sponsor/grant'
export const grantHeader = 'X-Sponsor-Grant'

export const endBounds = { minimum: 60, maximum: 3_600, default: 900 } as const

export interface GrantRequest {
  readonly orgWallet: string
  readonly expiresInSeconds?: number | undefined
  readonly verifierIds?: readonly string[] | undefined
  readonly targetChains?: readonly number[] | undefined
}

type Tools = Pick<Parts, 'config' | 'sealer' | 'now'>

/** Errors: VALIDATION_ERROR, INVALID_WALLET_ADDRESS, FORBIDDEN. */
export function issueGrant(
  tools: Tools,
  headers: Headers,
  { orgWallet, expiresInSeconds = endBounds.default, verifierIds, targetChains }: GrantRequest,
): { readonly token: string; readonly grant: Grant } {
  const { config, sealer, now } = tools
  const appId = readAppId(headers, config.brand)
  if (appId === undefined) {
    const header = nameAppHeader(config.brand)
    throw new AppError('VALIDATION_ERROR', `the header ${header} is missing: send the id of the app in it`, { header })
  }
  const origin = readPageOrigin(headers)
  const fault = origin === '' ? undefined : findOriginFault(origin)
  if (fault !== undefined)
    throw new AppError('VALIDATION_ERROR', `the header Origin, or X-Client-Origin, ${fault}`, { header: 'Origin' })
  if (!isEvmAddress(orgWallet))
    throw new AppError(
      'INVALID_WALLET_ADDRESS',
      'orgWallet must be the bare address of an EVM wallet, 0x and 40 hexadecimal digits: the wallet that sponsors',
      { path: '/orgWallet' },
    )
  requireListedPage(tools, appId, origin)
  const grant: Grant = {
    appId,
    orgWallet: normalizeAddress(orgWallet),
    exp: Math.floor(now() / 1000) + expiresInSeconds,
    origin: origin || undefined,
    verifierIds: keepFilled(verifierIds?.map(stripVersion)),
    targetChains: keepFilled(targetChains),
  }
  return { token: writeToken(sealer, grant), grant }
}

/** An empty list restricts nothing. */
const keepFilled = <Item>(list: readonly Item[] | undefined): readonly Item[] | undefined =>
  list && list.length > 0 ? [...new Set(list)] : undefined

/** Errors: FORBIDDEN, if the operator lists the app's pages and this is not one of them. */
function requireListedPage({ config: { apps } }: Pick<Parts, 'config'>, appId: string, origin: string): void {
  const listed = Object.hasOwn(apps, appId) ? apps[appId]?.origins : undefined
  if (listed === undefined || isPageAmong(listed, origin)) return
  throw new AppError(
    'FORBIDDEN',
    `${origin === '' ? 'a request that names no page' : `the page ${origin}`} gets no sponsor grant of the app "${appId}": the operator of this server lists its pages in apps.${appId}.origins. Ask from one of them, or ask the operator to add this one`,
    { appId, ...(origin === '' ? {} : { origin }) },
  )
}

/** The app that a request claims to use. */
export interface Through {
  readonly appId?: string | undefined
  readonly sponsorWallet?: string | undefined
}

/** The work of a request, which its grant must cover. */
export interface Made {
  readonly verifierIds: readonly string[]
  readonly chains: readonly number[]
}

/** Without `made`, only the grant itself is checked. Errors: VALIDATION_ERROR, FORBIDDEN for a wrong grant. */
export function readGrant(tools: Tools, headers: Headers, made?: Made): Through {
  const appId = readAppId(headers, tools.config.brand)
  const token = headers.get(grantHeader)
  if (!token) return { appId }
  const grant = requireGrant(tools, token, { appId, origin: readPageOrigin(headers) })
  if (made) requireFit(grant, made)
  return { appId: grant.appId, sponsorWallet: grant.orgWallet }
}

/** Errors: FORBIDDEN. */
function requireGrant(
  tools: Tools,
  token: string,
  { appId, origin }: { readonly appId: string | undefined; readonly origin: string },
): Grant {
  const { config, sealer, now } = tools
  const grant = readToken(sealer, token)
  if (!grant) throw refuse('is not one that this server gave out, or was altered on the way', 'UNKNOWN')
  if (grant.exp * 1000 <= now()) throw refuse(`ended at ${new Date(grant.exp * 1000).toISOString()}`, 'EXPIRED')
  if (appId !== undefined && appId !== grant.appId)
    throw refuse(`is for the app "${grant.appId}", and ${nameAppHeader(config.brand)} names "${appId}"`, 'OTHER_APP')
  if (grant.origin !== undefined && grant.origin !== origin)
    throw refuse(
      `is for the page ${grant.origin}, and this request ${origin === '' ? 'names no page' : `comes from ${origin.slice(0, 200)}`}`,
      'OTHER_ORIGIN',
    )
  requireListedPage(tools, grant.appId, origin)
  return grant
}

/** Errors: FORBIDDEN. */
function requireFit({ verifierIds, targetChains }: Grant, made: Made): void {
  const verifier = verifierIds && made.verifierIds.map(stripVersion).find((id) => !verifierIds.includes(id))
  if (verifier !== undefined)
    throw refuse(
      `is for ${verifierIds?.join(', ')}, and this request is for ${verifier.slice(0, 80)}`,
      'OTHER_VERIFIER',
    )
  const chain = targetChains && made.chains.find((id) => !targetChains.includes(id))
  if (chain !== undefined)
    throw refuse(`is for the chains ${targetChains?.join(', ')}, and this request is for ${chain}`, 'OTHER_CHAIN')
}

const refuse = (
  what: string,
  reason: 'UNKNOWN' | 'EXPIRED' | 'OTHER_APP' | 'OTHER_ORIGIN' | 'OTHER_VERIFIER' | 'OTHER_CHAIN',
): AppError =>
  new AppError(
    'FORBIDDEN',
    `the grant in the header ${grantHeader} ${what}: ask POST ${grantPath} for one that fits this request, or leave the header out, because nothing is charged here`,
    { header: grantHeader, reason },
  )
