/**
 * Who is calling, where it matters: the one function that turns credentials into a wallet. Credentials are a signature
 * over an action (contract of the owner messages: six lines, verifier ownership-basic, `data` names the action), or the
 * session or access key of a person, who may act as any wallet that is theirs.
 */
import { canonicalJson } from '../envelope/canonical-json.ts'
import { signerString } from '../envelope/signer-string.ts'
import { AppError } from '../errors.ts'
import { addressOfIdentifier, chainOf, normalizeAddress } from '../wallet/account.ts'
import { requireContext } from '../wallet/context.ts'
import { type FreshnessWindow, stalenessOf } from '../wallet/freshness.ts'
import { isNoSignature, signatureMaxLength, type VerifySignature } from '../wallet/signature.ts'
import { isContractMethod } from '../wallet/signature-method.ts'
import { requireMilliseconds } from '../wallet/unix-milliseconds.ts'
import type { Account, GrantScope, Identity } from './identity.ts'

/** A signature over an action, from headers (GET) or from the body (POST). */
export interface OwnerCredentials {
  readonly walletAddress: string
  readonly signature: string
  readonly signedTimestamp: number
  readonly chain?: string | undefined
  readonly signatureMethod?: string | undefined
}

/** A person who is known without signing. */
export interface IdentifiedBy {
  readonly identity: Identity
}

export type Credentials = OwnerCredentials | IdentifiedBy

export interface CallerTools {
  readonly now: () => number
  readonly freshness: FreshnessWindow
  readonly titles: readonly string[]
  readonly verifySignature: VerifySignature
  readonly config: { readonly signing: { readonly hubChainId: number } }
}

/** The wallet that a caller acts as. */
export interface Caller extends Account {
  /** For actions that may happen only once. Undefined where nothing was signed, so that nothing can be sent again. */
  readonly signed: SignedOnce | undefined
  /** The person, where nothing was signed. */
  readonly identity?: Identity
}

export interface SignedOnce {
  /**
   * SHA-256 of wallet and signed text, 64 hexadecimal digits. Not of the signature, which has several spellings (v as 0
   * or 27, EIP-2098, base58 or hexadecimal).
   */
  readonly digest: string
  /** Unix milliseconds: when the signature is too old to be accepted. */
  readonly expiresAt: number
}

/** What a caller wants to do, as far as it matters for a person who does not sign. */
export interface Ask {
  /** The accounts that it is about: a person acts as the first of theirs that fits, else as the primary one. */
  readonly about?: (account: Account) => boolean
  /** What the credential must be good for. Core, when nothing else is said. */
  readonly needs?: GrantScope
}

/** The five owner headers, or undefined when the request carries none of them. Errors: WALLET_AUTH_REQUIRED, VALIDATION_ERROR. */
export function ownerHeaders(headers: Headers): OwnerCredentials | undefined {
  const walletAddress = headers.get('x-wallet-address')
  const signature = headers.get('x-signature')
  const timestamp = headers.get('x-signed-timestamp')
  // A wallet alone says who is looking, and proves nothing.
  if (signature === null && timestamp === null) return undefined
  if (walletAddress === null || signature === null || timestamp === null)
    throw new AppError(
      'WALLET_AUTH_REQUIRED',
      'owner authentication needs the headers x-wallet-address, x-signature and x-signed-timestamp together',
    )
  if (!/^[0-9]{1,16}$/.test(timestamp))
    throw new AppError('VALIDATION_ERROR', 'the header x-signed-timestamp must be Unix milliseconds')
  if (signature.length > signatureMaxLength)
    throw new AppError('SIGNATURE_INVALID', `the header x-signature is longer than ${signatureMaxLength} characters`)
  return {
    walletAddress,
    signature,
    signedTimestamp: Number(timestamp),
    chain: headers.get('x-chain') ?? undefined,
    signatureMethod: headers.get('x-signature-method') ?? undefined,
  }
}

/** What a request offers: the signature in its headers, else its session or access key. Errors: those of both. */
export function offeredIn(parts: Identifying, request: Request): Credentials | undefined {
  const signed = ownerHeaders(request.headers)
  if (signed) return signed
  const identity = parts.identify(request)
  return identity && { identity }
}

interface Identifying {
  readonly identify: (request: Request) => Identity | undefined
}

/** The members of a body that carry a signature (http/signed-body.ts). */
export interface SignedBody {
  readonly walletAddress?: string | undefined
  readonly signature?: string | undefined
  readonly signedTimestamp?: number | undefined
  readonly chain?: string | undefined
  readonly signatureMethod?: string | undefined
}

/** The same where the signature may stand in the body. Errors: WALLET_AUTH_REQUIRED, and those of offeredIn. */
export function offeredWith(body: SignedBody, parts: Identifying, request: Request): Credentials | undefined {
  const { walletAddress, signature, signedTimestamp, chain, signatureMethod } = body
  if (signature === undefined || isNoSignature(signature)) return offeredIn(parts, request)
  if (walletAddress === undefined || signedTimestamp === undefined)
    throw new AppError(
      'WALLET_AUTH_REQUIRED',
      'a signature in the body needs walletAddress and signedTimestamp beside it',
    )
  return { walletAddress, signature, signedTimestamp, chain, signatureMethod }
}

/** For what only an owner can ask. Errors: WALLET_AUTH_REQUIRED, and those of offeredWith. */
export function requireOffered(body: SignedBody, parts: Identifying, request: Request): Credentials {
  const offered = offeredWith(body, parts, request)
  if (offered) return offered
  throw new AppError(
    'WALLET_AUTH_REQUIRED',
    'this needs its owner: sign the action message and send walletAddress, signature and signedTimestamp, or sign in, or send an access key',
  )
}

/**
 * The credentials as far as they bear on an account: a person who looks at what belongs to others is nobody in
 * particular there. Whoever signs means it.
 */
export const bearingOn = (
  credentials: Credentials | undefined,
  about: (account: Account) => boolean,
): Credentials | undefined =>
  credentials && 'identity' in credentials && !credentials.identity.accounts.some(about) ? undefined : credentials

/** What clients sign for when they know only that their wallet is not an EVM one. */
const unnamedChain = 'solana:mainnet'

/** Errors: FORBIDDEN, when the credential is not good for it. */
export function requireScope({ scopes, via }: Identity, needs: GrantScope): void {
  if (scopes.has(needs)) return
  throw new AppError(
    'FORBIDDEN',
    `this ${via.replace('-', ' ')} was not given the scope "${needs}": use one that was, or sign the request with the wallet`,
    { missingScope: needs },
  )
}

/**
 * Without the scope secrets, which only whole credentials have, nothing is made that lasts for ever. Errors: FORBIDDEN.
 */
export function requireEnd({ scopes, via }: Identity, what: string, member: string): void {
  if (scopes.has('secrets')) return
  throw new AppError(
    'FORBIDDEN',
    `this ${via.replace('-', ' ')} may not make ${what} without an end: give one in ${member}, use a credential with all scopes, or sign the request with the wallet`,
    { missingScope: 'secrets', path: `/${member.replaceAll('.', '/')}` },
  )
}

/**
 * The caller. A signature must be over one of the given actions: the action with the id as the client spelled it, and in
 * lower case. Does not check that the caller owns anything. Errors: WALLET_AUTH_REQUIRED, EXPIRED_SIGNATURE,
 * SIGNATURE_INVALID, INVALID_WALLET_ADDRESS; FORBIDDEN for a credential without the scope.
 */
export async function requireCaller(
  credentials: Credentials,
  actions: (wallet: string) => readonly object[],
  tools: CallerTools,
  { about, needs = 'core' }: Ask = {},
): Promise<Caller> {
  if (!('identity' in credentials)) return requireSigner(credentials, actions, tools)
  const { identity } = credentials
  requireScope(identity, needs)
  const { wallet, contractOn } = (about && identity.accounts.find(about)) ?? identity.profile.primary
  return { wallet, contractOn, signed: undefined, identity }
}

async function requireSigner(
  credentials: OwnerCredentials,
  actions: (wallet: string) => readonly object[],
  tools: CallerTools,
): Promise<Caller> {
  const { signature, signedTimestamp, signatureMethod } = credentials
  if (isNoSignature(signature))
    throw new AppError(
      'WALLET_AUTH_REQUIRED',
      'this needs a signature by the owner: sign the action message and send walletAddress, signature and signedTimestamp',
    )
  const address = addressOfIdentifier(credentials.walletAddress) ?? ''
  const context = requireContext(
    { walletAddress: address, chain: credentials.chain },
    tools.config.signing.hubChainId,
    unnamedChain,
  )

  requireMilliseconds(signedTimestamp, 'signedTimestamp', '/signedTimestamp')
  const now = tools.now()
  const stale = stalenessOf(signedTimestamp, now, tools.freshness)
  if (stale) throw new AppError('EXPIRED_SIGNATURE', stale, { signedTimestamp, serverTime: now })

  const wallet = normalizeAddress(address)
  const messages = actions(wallet).flatMap((action) => {
    const claim = {
      walletAddress: address,
      verifierIds: ['ownership-basic'],
      canonicalData: canonicalJson(action),
      signedTimestamp,
      context,
    }
    return tools.titles.map((title) => signerString(claim, title))
  })
  const verdict = await tools.verifySignature(
    { address, chain: chainOf(context), signature, method: signatureMethod },
    messages,
  )
  if (verdict.signed)
    return {
      wallet,
      contractOn: isContractMethod(verdict.method) ? chainOf(context) : undefined,
      signed: {
        digest: Bun.SHA256.hash(`${wallet}\n${messages[verdict.position]}`, 'hex'),
        expiresAt: signedTimestamp + tools.freshness.maxAgeMs + 1,
      },
    }
  throw new AppError('SIGNATURE_INVALID', `the owner signature is not accepted: ${verdict.message}`, {
    signedData: actions(wallet)[0],
  })
}
