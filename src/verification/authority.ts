/**
 * Decides who may make a claim for a wallet. The wallet may by its signature, and its owner by a session or access key.
 * A linked app may too (src/guides/wire.md, "Who may make a proof"). A proof without a signature counts on this server
 * only and has no portable form.
 */

import {
  type Account,
  type Identity,
  isByCredential,
  type OwnAccount,
  readSource,
  type Source,
} from '../auth/identity.ts'
import { requireEnd, requireScope } from '../auth/scope.ts'
import { makeProofGround } from '../db/erasing.ts'
import { AppError } from '../errors.ts'
import { isPageAmong, readPageOrigin } from '../http/client-app.ts'
import { adoptAccount } from '../http/grounds.ts'
import type { Parts } from '../parts.ts'
import { chooseHolder, findAccounts } from '../proofs/account-store.ts'
import { findAccountGround } from '../proofs/ground-store.ts'
import { findIdsByVerifier } from '../proofs/list-store.ts'
import { readSigner } from '../proofs/owner.ts'
import { readWholePage } from '../proofs/page-store.ts'
import { type ProofRow, readStatus } from '../proofs/proof.ts'
import { findProof } from '../proofs/store.ts'
import { noteGround } from '../request-scope.ts'
import { type Made, readGrant, type Through } from '../sponsor/grant.ts'
import { agentDelegationId, agentVerifierIds, walletLinkId } from '../verifiers/roles.ts'
import {
  type ChainContext,
  chooseMeant,
  isUnknown,
  normalizeAddress,
  writeAccount,
  writeChain,
} from '../wallet/account.ts'
import { isNoSignature, noteZeros } from '../wallet/signature.ts'
import type { AskedClaim } from './claims.ts'
import type { VerificationRequest } from './request.ts'

/** The credentials of a request without a signature. */
export interface Offer extends Through {
  readonly identity?: Identity | undefined
  /** Set when the server signs for a credential: that credential is the source of the proof. */
  readonly onBehalfOf?: Source | undefined
  readonly app?: LinkedApp | undefined
}

/** An app as its request names it. A program other than a browser can forge these headers. */
export interface LinkedApp {
  readonly appId: string
  readonly origin: string
}

export const isSigned = ({ signature }: Pick<VerificationRequest, 'signature'>): boolean => !isNoSignature(signature)

/**
 * The credentials of a request besides or instead of a signature. With a signature, a session is ignored: the browser
 * sends its cookie unasked. Errors: those of parts.identify and readGrant.
 */
export async function readOffer(parts: Parts, body: VerificationRequest, request: Request): Promise<Offer> {
  const { headers } = request
  const isByKey = /^bearer /i.test(headers.get('authorization') ?? '')
  const identity = !isSigned(body) || isByKey ? await parts.identify(request) : undefined
  const through = readGrant(parts, headers, makeGrantRequest(body, parts.config.signing.hubChainId))
  const { appId } = through
  if (appId === undefined || isSigned(body)) return { ...through, identity }
  return { ...through, identity, app: { appId, origin: readPageOrigin(headers) } }
}

const makeGrantRequest = ({ verifierIds, options }: VerificationRequest, hubChainId: number): Made => ({
  verifierIds,
  chains: [...(options?.targetChains ?? []), ...(options?.publishToHub ? [hubChainId] : [])],
})

/** Links and delegations pass authority on, and may outlive the credential that made them. */
const handsOn: readonly string[] = [walletLinkId, ...agentVerifierIds]

export interface Authority {
  /** The chain on which the wallet is a contract, if it is one. */
  readonly contractOn: string | undefined
  /** Undefined for an app, which may not pass authority on. */
  readonly source: Source | undefined
}

/** The right by which the claim is made. Does not check the claims. Errors: WALLET_AUTH_REQUIRED, FORBIDDEN. */
export async function requireAuthority(
  parts: Parts,
  request: VerificationRequest,
  claims: readonly AskedClaim[],
  context: ChainContext,
  { identity, app }: Offer,
): Promise<Authority> {
  const wallet = normalizeAddress(request.walletAddress)
  const account = identity && (await chooseMaker(identity, request, context))
  if (identity && account) {
    requireScope(identity, 'core')
    requireOwnHand(identity, claims)
    requireNoMore(identity, claims, parts.now())
    adoptAccount(account)
    await noteAccount(parts, account)
    return { contractOn: account.contractOn, source: readSource(identity, account) }
  }
  if (app && parts.config.verifiers.appLinks) {
    const { contractOn } = await requireAppLink(parts, request, claims, context, app)
    await noteAccount(parts, { wallet, contractOn })
    return { contractOn, source: undefined }
  }
  if (identity) throw makeForeignWalletError(identity, wallet, context)
  throw new AppError(
    'WALLET_AUTH_REQUIRED',
    `the request is not signed${noteZeros(request.signature)}: call POST /api/v1/verification/standardize, sign the signerString it returns, and send the same body with signature; or sign in as the wallet, or send an access key of it`,
  )
}

/**
 * Registers the account as a condition of the write. If the wallet is erased meanwhile, this unsigned request must not
 * restore data.
 */
async function noteAccount({ db }: Parts, account: Account): Promise<void> {
  const ground = await findAccountGround(db, account)
  if (ground) noteGround(ground)
}

/**
 * The account of the person that the request means: the contract on the named chain, or else the key. Without a chain
 * it is the key, or else the contract on the hub chain. A contract wallet is identified by its address and chain.
 */
async function chooseMaker(
  { listAccounts }: Identity,
  { walletAddress, chain, chainId }: VerificationRequest,
  context: ChainContext,
): Promise<OwnAccount | undefined> {
  const here = writeChain(context)
  const able = (await listAccounts()).filter(({ contractOn }) => contractOn === undefined || contractOn === here)
  const isChainGiven = chain !== undefined || chainId !== undefined
  return chooseMeant(able, { wallet: normalizeAddress(walletAddress), chain: here, isChainGiven })
}

const makeForeignWalletError = ({ profile, via }: Identity, wallet: string, context: ChainContext): AppError =>
  new AppError(
    'FORBIDDEN',
    `this ${via.replace('-', ' ')} is of ${writeAccount(profile.primary)}, which may not act for ${wallet} on ${writeChain(context)}: sign the request with that wallet, or link it with ${walletLinkId}`,
  )

/**
 * A second wallet can sign in as the person, and an app link lets a page act for the wallet. So only the primary wallet
 * may add one, by a session or a signature. A key, a token or a linked wallet could otherwise outlive its own
 * revocation. Errors: FORBIDDEN.
 */
function requireOwnHand({ via }: Identity, claims: readonly AskedClaim[]): void {
  if (via === 'session') return
  const forbidden = claims.find(
    ({ verifier, data }) =>
      verifier.id === walletLinkId || (verifier.id === agentDelegationId && data.scope === appLinkScope),
  )
  if (forbidden)
    throw new AppError(
      'FORBIDDEN',
      `"${forbidden.verifier.id}"${forbidden.verifier.id === walletLinkId ? '' : ` with the scope ${appLinkScope}`} cannot be made by ${via === 'linked-session' ? 'a' : 'an'} ${via.replace('-', ' ')}: sign the request with the wallet, or make it in a browser that the primary wallet is signed in to`,
      { verifierId: forbidden.verifier.id },
    )
}

/**
 * A proof must not exceed the rights of the key or token that makes it. Setting up agents needs the scope profile, as
 * agent_create does. A delegation without an end within a year needs all scopes. Errors: FORBIDDEN.
 */
function requireNoMore(identity: Identity, claims: readonly AskedClaim[], now: number): void {
  if (!isByCredential(identity)) return
  const setUp = claims.filter(({ verifier }) => agentVerifierIds.includes(verifier.id))
  if (setUp.length > 0) requireScope(identity, 'profile')
  const isEndless = setUp.some(
    ({ verifier, data }) => verifier.id === agentDelegationId && !isEnding(data.expiresAt, now + longestDelegationMs),
  )
  if (isEndless) requireEnd(identity, 'a delegation', 'data.expiresAt')
}

/** One year, as for access grants. A later end counts as none. */
const longestDelegationMs = 31_536_000_000
const isEnding = (expiresAt: unknown, latest: number): boolean =>
  typeof expiresAt === 'number' && expiresAt > 0 && expiresAt <= latest

const appLinkScope = 'app-link'
/** Bounds the app links that are searched. */
const mostLinks = 200

/** Errors: FORBIDDEN. */
async function requireAppLink(
  parts: Parts,
  { walletAddress, delegationQHash }: VerificationRequest,
  claims: readonly AskedClaim[],
  context: ChainContext,
  app: LinkedApp,
): Promise<{ readonly contractOn: string | undefined }> {
  const wallet = normalizeAddress(walletAddress)
  const forbidden = claims.find(({ verifier }) => handsOn.includes(verifier.id))
  if (forbidden)
    throw new AppError('FORBIDDEN', `"${forbidden.verifier.id}" needs the wallet's own signature, not that of an app`, {
      verifierId: forbidden.verifier.id,
    })
  const link = (await listDelegations(parts, wallet, context, delegationQHash)).find((proof) =>
    isAppLink(proof, wallet, app, parts.now()),
  )
  if (!link)
    throw new AppError(
      'FORBIDDEN',
      `${wallet} has not linked the app "${app.appId.slice(0, 80)}" of ${app.origin.slice(0, 200) || 'no origin'}: it needs an ${agentDelegationId} with scope ${appLinkScope} and the permissions app:<appId> and origin:<origin>, neither expired nor revoked`,
    )
  noteGround(makeProofGround(link.id))
  const { contractOn } = readSigner(link)
  const linkChain = writeChain(link.context)
  if ((contractOn !== undefined || isUnknown(link.account)) && linkChain !== writeChain(context))
    throw new AppError('FORBIDDEN', `the app is linked on ${linkChain}, and the request is for ${writeChain(context)}`)
  return { contractOn }
}

async function listDelegations(
  { db }: Parts,
  wallet: string,
  context: ChainContext,
  qHash: string | undefined,
): Promise<readonly ProofRow[]> {
  if (qHash !== undefined) {
    const named = await findProof(db, qHash)
    return named ? [named] : []
  }
  const accounts = await findAccounts(db, chooseHolder({ wallet, chain: writeChain(context), isChainGiven: false }))
  return readWholePage(
    db,
    await findIdsByVerifier(db, accounts, agentDelegationId, { isOwner: true, limit: mostLinks }),
  )
}

const isAppLink = (proof: ProofRow, wallet: string, { appId, origin }: LinkedApp, now: number): boolean =>
  proof.walletAddress === wallet &&
  !proof.isSuperseded &&
  readStatus(proof, now).startsWith('verified') &&
  proof.record.rows.some(({ verifierId, verified, data }) => {
    const { scope, permissions } = data
    if (verifierId !== agentDelegationId || !verified || scope !== appLinkScope || !Array.isArray(permissions))
      return false
    const origins = permissions.flatMap((one) => (String(one).startsWith('origin:') ? [String(one).slice(7)] : []))
    return permissions.includes(`app:${appId}`) && isPageAmong(origins, origin)
  })
