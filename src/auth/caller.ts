/**
 * Identifies the caller: the one function that turns credentials into a wallet. Credentials are either a signature over
 * an action, or a person's session or access key. A signature covers six lines of the verifier ownership-basic, whose
 * `data` names the action. A person may act as any of their wallets.
 */

import type { SpentSignature } from '../db/spent-signature.ts'
import { writeCanonicalJson } from '../envelope/canonical-json.ts'
import { writeSignerString } from '../envelope/signer-string.ts'
import { AppError } from '../errors.ts'
import { adoptAccount } from '../http/grounds.ts'
import { findInOrder, isSomeInOrder } from '../in-order.ts'
import { noteCaller, noteOwner } from '../request-scope.ts'
import { ownerActionVerifierId } from '../verifiers/roles.ts'
import { type ChainContext, normalizeAddress, readAddress, readChain, writeChain } from '../wallet/account.ts'
import { requireContext } from '../wallet/context.ts'
import { type FreshnessWindow, findStaleness } from '../wallet/freshness.ts'
import {
  isNoSignature,
  noteZeros,
  type SignatureVerdict,
  signatureMaxLength,
  type VerifySignature,
} from '../wallet/signature.ts'
import { isContractMethod } from '../wallet/signature-method.ts'
import { makeSpentText } from '../wallet/spent-text.ts'
import { requireMilliseconds } from '../wallet/unix-milliseconds.ts'
import type { Account, GrantScope, Identity } from './identity.ts'
import { requireNamedOwner } from './named-owner.ts'
import { type NeededAction, needsAudience, type RequiredAudience, readAudience } from './owner-action.ts'
import {
  describeMismatch,
  describeSigning,
  describeText,
  fillAction,
  listOthers,
  listSpellings,
  unnamedChain,
} from './owner-text.ts'
import { requireScope } from './scope.ts'
import { nameHeaders } from './signed-body.ts'

/** A signature over an action, from headers (GET) or from the body (POST). */
export interface OwnerCredentials {
  readonly walletAddress: string
  readonly signature: string
  readonly signedTimestamp: number
  readonly chain?: string | undefined
  readonly signatureMethod?: string | undefined
  readonly isInHeaders?: true
}

/** A person who is identified without signing. */
export interface IdentifiedBy {
  readonly identity: Identity
}

export type Credentials = OwnerCredentials | IdentifiedBy

export interface CallerTools {
  readonly now: () => number
  readonly freshness: FreshnessWindow
  readonly titles: readonly string[]
  readonly verifySignature: VerifySignature
  readonly config: { readonly signing: { readonly hubChainId: number; readonly requireAudience: RequiredAudience } }
  readonly addresses: () => { readonly baseUrl: string }
}

/** The wallet that a caller acts as. */
export interface Caller extends Account {
  /** For actions that may happen only once. Undefined without a signature, because then nothing can be replayed. */
  readonly signed: SpentSignature | undefined
  /** Present for a caller who did not sign. */
  readonly identity?: Identity
}

/** The caller's intention, as far as it matters for a person who does not sign. */
export interface Ask {
  /** The accounts that the request concerns: a person acts as the first matching one, else as the primary one. */
  readonly about?: (account: Account) => boolean | Promise<boolean>
  /** The scope that the credential must have; core by default. */
  readonly needs?: GrantScope
}

/** The five owner headers, or undefined when the request carries none of them. Errors: WALLET_AUTH_REQUIRED, VALIDATION_ERROR. */
export function readOwnerHeaders(headers: Headers, needed: NeededAction): OwnerCredentials | undefined {
  const walletAddress = headers.get('x-wallet-address')
  const signature = headers.get('x-signature')
  const timestamp = headers.get('x-signed-timestamp')
  // A wallet alone names the reader, and proves nothing.
  if (signature === null && timestamp === null) return undefined
  if (walletAddress === null || signature === null || timestamp === null)
    throw makeUnsignedError(
      `owner authentication needs the headers x-wallet-address, x-signature and x-signed-timestamp together: ${describeSigning(needed, true)}`,
      needed,
    )
  if (!/^[0-9]{1,16}$/.test(timestamp))
    throw new AppError(
      'VALIDATION_ERROR',
      'the header x-signed-timestamp must be Unix milliseconds: digits alone, at most 16 of them',
    )
  requireMilliseconds(Number(timestamp), 'the header x-signed-timestamp', '/x-signed-timestamp')
  if (signature.length > signatureMaxLength)
    throw new AppError('SIGNATURE_INVALID', `the header x-signature is longer than ${signatureMaxLength} characters`)
  return {
    walletAddress,
    signature,
    signedTimestamp: Number(timestamp),
    chain: headers.get('x-chain') ?? undefined,
    signatureMethod: headers.get('x-signature-method') ?? undefined,
    isInHeaders: true,
  }
}

/**
 * The credentials of a request: the signature in its headers, else its session or access key. Refusals name the needed
 * action. Errors: those of both.
 */
export async function readCredentials(
  parts: Identifying,
  request: Request,
  needed: NeededAction,
): Promise<Credentials | undefined> {
  const signed = readOwnerHeaders(request.headers, needed)
  if (signed) return signed
  const identity = await parts.identify(request)
  return identity && { identity }
}

interface Identifying {
  readonly identify: (request: Request) => Promise<Identity | undefined>
}

/** The members of a body that carry a signature (auth/signed-body.ts). */
export interface SignedBody {
  readonly walletAddress?: string | undefined
  readonly signature?: string | undefined
  readonly signedTimestamp?: number | undefined
  readonly chain?: string | undefined
  readonly signatureMethod?: string | undefined
}

/**
 * The same, for a signature that may stand in the body. Errors: WALLET_AUTH_REQUIRED, and those of reading credentials.
 */
export async function readBodyCredentials(
  body: SignedBody,
  parts: Identifying,
  request: Request,
  needed: NeededAction,
): Promise<Credentials | undefined> {
  const { walletAddress, signature, signedTimestamp, chain, signatureMethod } = body
  if (signature === undefined || isNoSignature(signature)) return readCredentials(parts, request, needed)
  if (walletAddress === undefined || signedTimestamp === undefined)
    throw makeUnsignedError(
      `a signature in the body needs walletAddress and signedTimestamp beside it: ${describeSigning(needed, false, readSigner(body))}`,
      needed,
    )
  return { walletAddress, signature, signedTimestamp, chain, signatureMethod }
}

/**
 * For requests that only an owner can make. Errors: WALLET_AUTH_REQUIRED, and those of reading credentials and of
 * requireNamedOwner.
 */
export async function requireOffered(
  body: SignedBody,
  parts: Identifying & Pick<CallerTools, 'config'>,
  request: Request,
  needed: NeededAction,
): Promise<Credentials> {
  const offered = await readBodyCredentials(body, parts, request, needed)
  if (offered) {
    await requireNamedOwner(offered, body, parts.config.signing.hubChainId)
    return offered
  }
  throw makeUnsignedError(
    `only the owner may do this${noteZeros(body.signature)}: ${describeSigning(needed, request.method === 'GET', readSigner(body))}`,
    needed,
  )
}

/** For routes whose signature stands in the headers alone. */
export const makeUnknownOwnerError = (needed: NeededAction): AppError =>
  makeUnsignedError(`only the owner may do this: ${describeSigning(needed, true)}`, needed)

const readSigner = ({ walletAddress, chain }: SignedBody) =>
  walletAddress === undefined ? undefined : { walletAddress, chain }

/** For an unsigned request that needs an action. */
export const makeUnsignedError = (message: string, needed: NeededAction): AppError =>
  new AppError('WALLET_AUTH_REQUIRED', message, { signedData: fillAction(needed) })

/**
 * The credentials, except a session or key of a person unrelated to the account, who counts as anonymous. A signature
 * always counts.
 */
export const selectRelevant = async (
  credentials: Credentials | undefined,
  about: (account: Account) => boolean | Promise<boolean>,
): Promise<Credentials | undefined> =>
  credentials && 'identity' in credentials && !(await isSomeInOrder(await credentials.identity.listAccounts(), about))
    ? undefined
    : credentials

/**
 * The caller. A signature must be over one of the given actions. The id is in the client's spelling or in lower case.
 * Each action has the audience of this server (auth/owner-action.ts). Does not check that the caller owns anything.
 * Errors: WALLET_AUTH_REQUIRED, EXPIRED_SIGNATURE, SIGNATURE_INVALID, INVALID_WALLET_ADDRESS; FORBIDDEN for a
 * credential without the scope.
 */
export async function requireCaller(
  credentials: Credentials,
  actions: (wallet: string) => readonly NeededAction[],
  tools: CallerTools,
  { about, needs = 'core' }: Ask = {},
): Promise<Caller> {
  if (!('identity' in credentials)) {
    const signer = requireSigner(credentials, actions, tools)
    if (!credentials.isInHeaders) return signer
    return signer.catch((error) => {
      throw nameHeaders(error)
    })
  }
  const { identity } = credentials
  requireScope(identity, needs)
  const { wallet, contractOn } = adoptAccount(
    (about && (await findInOrder(await identity.listAccounts(), about))) ?? identity.profile.primary,
  )
  return { wallet, contractOn, signed: undefined, identity }
}

async function requireSigner(
  credentials: OwnerCredentials,
  actions: (wallet: string) => readonly NeededAction[],
  tools: CallerTools,
): Promise<Caller> {
  const { signature, signedTimestamp, signatureMethod } = credentials
  const address = readAddress(credentials.walletAddress)
  const wallet = normalizeAddress(address)
  const accepted = actions(wallet)
  const needed = accepted[0]!
  if (isNoSignature(signature))
    throw makeUnsignedError(
      `the owner must sign this${noteZeros(signature)}: ${describeSigning(needed, credentials.isInHeaders, credentials)}`,
      needed,
    )

  requireMilliseconds(signedTimestamp, 'signedTimestamp', '/signedTimestamp')
  const now = tools.now()
  const audience = readAudience(tools.addresses())
  const signedData = { ...needed, audience }
  const stale = findStaleness(signedTimestamp, now, tools.freshness)
  if (stale)
    throw new AppError('EXPIRED_SIGNATURE', `${stale}. ${describeText(needed, credentials)}`, {
      signedTimestamp,
      serverTime: now,
      signedData,
    })

  const listTexts = (data: object, context: ChainContext, titles: readonly string[]): Candidate[] => {
    const canonicalData = writeCanonicalJson(data)
    const claim = {
      walletAddress: address,
      verifierIds: [ownerActionVerifierId],
      canonicalData,
      signedTimestamp,
      context,
    }
    return titles.map((title) => ({ data, text: writeSignerString(claim, title) }))
  }
  const look = async (context: ChainContext): Promise<Looked> => {
    const spelled = accepted.flatMap((action) => listSpellings(action, address))
    const texts = spelled.flatMap((action) =>
      [{ ...action, audience }, action].flatMap((data) => listTexts(data, context, tools.titles)),
    )
    const verdict = await tools.verifySignature(
      { address, chain: writeChain(context), signature, method: signatureMethod },
      texts.map(({ text }) => text),
    )
    return { context, texts, verdict }
  }
  const {
    verdict,
    texts,
    context: signedContext,
  } = await lookUntilSigned(listContexts(credentials, address, tools), look)
  if (!verdict.signed) {
    const others = listOthers(accepted, wallet, audience).flatMap((data) =>
      listTexts(data, signedContext, tools.titles.slice(0, 1)),
    )
    const other = await tools.verifySignature(
      { address, chain: writeChain(signedContext), signature, method: signatureMethod, isByKeyOnly: true },
      others.map(({ text }) => text),
    )
    if (other.signed) throw makeOtherActionError(others[other.position]!.data, needed, audience, credentials)
    throw new AppError('SIGNATURE_INVALID', describeMismatch(verdict, needed, credentials), { signedData, audience })
  }
  const { data, text } = texts[verdict.position]!
  if (!isForAudience(data, audience, tools))
    throw new AppError(
      'SIGNATURE_INVALID',
      `the signed text does not name this server, ${audience}. ${describeText(needed, credentials)}: that text names the server`,
      { reason: 'AUDIENCE_REQUIRED', signedData, audience },
    )
  const contractOn = isContractMethod(verdict.method) ? writeChain(signedContext) : undefined
  noteCaller('signature')
  noteOwner({ wallet, contractOn })
  return {
    wallet,
    contractOn,
    signed: makeSpentText(wallet, text, { signedTimestamp, maxAgeMs: tools.freshness.maxAgeMs }),
  }
}

function makeOtherActionError(
  data: object,
  needed: NeededAction,
  audience: string,
  signer: OwnerCredentials,
): AppError {
  const signedAction = 'action' in data ? String(data.action) : ''
  return new AppError(
    'SIGNATURE_INVALID',
    `the owner signature is not accepted: you signed ${signedAction}, this needs ${needed.action}. ${describeText(needed, signer)}`,
    { reason: 'OTHER_ACTION', signedAction, signedData: { ...needed, audience }, audience },
  )
}

interface Candidate {
  readonly data: object
  readonly text: string
}

interface Looked {
  readonly context: ChainContext
  readonly texts: readonly Candidate[]
  readonly verdict: SignatureVerdict
}

/** A signature for the second chain counts, whatever the fault of the first; the refusal reports the first. */
async function lookUntilSigned(
  [context, other]: ReturnType<typeof listContexts>,
  look: (context: ChainContext) => Promise<Looked>,
): Promise<Looked> {
  const first = look(context)
  if (!other) return first
  const isSigned = await first.then(
    ({ verdict }) => verdict.signed,
    () => false,
  )
  if (isSigned) return first
  const second = await look(other)
  return second.verdict.signed ? second : first
}

/**
 * The signed chain: the given one, else the one that the address names as a DID or CAIP-10. Clients with a key may name
 * a chain there and sign for the usual one, which is checked second.
 */
function listContexts(
  { walletAddress, chain }: OwnerCredentials,
  address: string,
  { config }: CallerTools,
): readonly [ChainContext, ChainContext?] {
  const requireSignerContext = (on: string | undefined) =>
    requireContext({ walletAddress: address, chain: on }, config.signing.hubChainId, unnamedChain)
  const named = chain === undefined ? readChain(walletAddress) : undefined
  if (named === undefined) return [requireSignerContext(chain)]
  const [first, usual] = [requireSignerContext(named), requireSignerContext(undefined)]
  return writeChain(first) === writeChain(usual) ? [usual] : [first, usual]
}

const isForAudience = (data: object, audience: string, { config }: CallerTools): boolean =>
  ('audience' in data && data.audience === audience) ||
  !needsAudience('action' in data ? data.action : undefined, config.signing.requireAudience)
