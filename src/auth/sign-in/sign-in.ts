/** Signing in: the text to sign, and from the signed text to a session. */
import { randomBytes } from 'node:crypto'
import { makePrimaryAuditStatement } from '../../audit/log-store.ts'
import { spendSignature } from '../../db/spent-signature.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import type { Profile } from '../../profiles/store.ts'
import { findProfileByAccount, findSignInLink, makeProfile } from '../../profiles/store.ts'
import { noteCaller, noteOwner, noteRefusedCredential } from '../../request-scope.ts'
import { normalizeAddress, readNamespace, writeAccount, writeChain, writeDid } from '../../wallet/account.ts'
import { requireContext, type WalletReference } from '../../wallet/context.ts'
import type { NotSigned } from '../../wallet/signature.ts'
import { isContractMethod } from '../../wallet/signature-method.ts'
import type { Account } from '../identity.ts'
import { computeCsrfToken, makeSession, shortenSessionHash } from '../sessions/session.ts'
import { dropOldestSessions, dropSession, insertSession } from '../sessions/store.ts'
import {
  addChecksum,
  isChainId,
  parseMessage,
  parseTime,
  type SignInMessage,
  type SignInNamespace,
  writeMessage,
} from './message.ts'
import { makeNonce, makeSpentNonce, type Nonce, nonceTtlMs, parseNonce } from './nonce.ts'
import type { SignedMessage } from './pasted-token.ts'

const nonceMinutes = nonceTtlMs / 60_000

/** Limit of sessions; beyond it, the least recently used ones end. */
const mostSessions = 100
const agentMaxLength = 200

const statement = 'Sign in. This costs nothing and sends no transaction.'
/** Solana wallets that name no cluster. */
const unnamedChain = 'solana:mainnet'

/** The place that a message must name: the sign-in address from the configuration. */
export function signInPlace({ addresses }: Pick<Parts, 'addresses'>): {
  readonly domain: string
  readonly uri: string
} {
  const { authUrl } = addresses()
  return { domain: new URL(authUrl).host, uri: authUrl }
}

export interface PreparedSignIn extends Nonce {
  readonly message: string
  /** CAIP-2. */
  readonly chain: string
}

/** The complete text for a wallet to sign. Errors: VALIDATION_ERROR, INVALID_WALLET_ADDRESS. */
export function prepareSignIn(parts: Parts, wallet: WalletReference): PreparedSignIn {
  const context = requireContext(wallet, parts.config.signing.hubChainId, unnamedChain)
  const namespace = requireNamespace(readNamespace(context))
  const chain = writeChain(context)
  const chainId = chain.slice(chain.indexOf(':') + 1)
  if (!isChainId(namespace, chainId))
    throw new AppError('VALIDATION_ERROR', `a sign-in message cannot name the chain "${chain.slice(0, 80)}"`, {
      path: '/chain',
    })
  const nonce = makeNonce(parts)
  const address = namespace === 'eip155' ? addChecksum(wallet.walletAddress) : wallet.walletAddress
  return { ...nonce, message: composeMessage(parts, { namespace, address, chainId }, nonce), chain }
}

type Signer = Pick<SignInMessage, 'namespace' | 'address' | 'chainId'>

const composeMessage = (parts: Parts, signer: Signer, nonce: Nonce): string =>
  writeMessage({
    ...signer,
    ...signInPlace(parts),
    statement,
    nonce: nonce.nonce,
    issuedAt: new Date(nonce.issuedAt).toISOString(),
    expirationTime: new Date(nonce.expiresAt).toISOString(),
  })

/**
 * The account of a text that this server has made for a sign-in, to the letter, and that is not too old. Errors:
 * VALIDATION_ERROR, EXPIRED_SIGNATURE.
 */
export function requireOwnMessage(parts: Parts, text: string): Signer {
  const message = parseMessage(text)
  requireOurs(parts, message)
  const nonce = requireNonce(parts, message)
  const { namespace, address, chainId } = message
  // Nothing but these three: a scheme, resources or a request id would travel along.
  if (composeMessage(parts, { namespace, address, chainId }, nonce) !== text)
    throw new AppError('VALIDATION_ERROR', 'the message is not as this server wrote it: ask for a new one', {
      path: '/message',
    })
  return message
}

function requireNamespace(namespace: string): SignInNamespace {
  if (namespace === 'eip155' || namespace === 'solana') return namespace
  throw new AppError('VALIDATION_ERROR', 'sign-in needs an EVM or a Solana wallet: give a chain of one of them', {
    path: '/chain',
  })
}

export interface Browser {
  /** The User-Agent of the browser. */
  readonly agent: string | null
  /** Hash of the browser's earlier session, which ends. */
  readonly before: string | undefined
}

export interface SignedIn {
  readonly profile: Profile
  readonly csrfToken: string
  readonly expiresAt: number
  readonly setCookie: string
}

/**
 * Opens a session for the signer of the message, which is then used up. Errors: VALIDATION_ERROR (invalid message,
 * another server), EXPIRED_SIGNATURE, SIGNATURE_INVALID, VERIFIER_UNAVAILABLE (only a chain could tell), CONFLICT (used
 * message).
 */
export async function signIn(parts: Parts, signed: SignedMessage, { agent, before }: Browser): Promise<SignedIn> {
  const message = parseMessage(signed.message)
  requireOurs(parts, message)
  const nonce = requireNonce(parts, message)
  requireTimely(parts, message)
  const account = await requireSigned(parts, message, signed)
  noteCaller('signature')
  noteOwner(account)
  // The nonce may have expired while the chain was asked.
  if (parts.now() >= nonce.expiresAt) throw makeExpiredError(`the message is older than ${nonceMinutes} minutes`)

  const now = parts.now()
  const link = await findSignInLink(parts.db, account, now)
  const primary = link?.primary ?? account
  const primaryText = writeAccount(primary)
  const session = makeSession(parts)
  const spent = spendSignature(makeSpentNonce(nonce))
  const result = await parts.db.write(
    [
      ...spent,
      makeProfile({ account: primary, did: didOfAccount(parts, primary), subject: makeSubject(), now }),
      ...(before === undefined ? [] : [dropSession(before)]),
      insertSession({
        hash: session.hash,
        primary: primaryText,
        account: writeAccount(account),
        linkProof: link?.linkProof ?? null,
        agent: agent?.slice(0, agentMaxLength) ?? null,
        createdAt: session.createdAt,
        expiresAt: session.expiresAt,
      }),
      dropOldestSessions(primaryText, mostSessions),
      makePrimaryAuditStatement('signed_in', primaryText, {
        at: now,
        account: writeAccount(account),
        session: shortenSessionHash(session),
      }),
    ],
    'sign-in',
  )
  if ('refusedAt' in result && result.refusedAt >= spent.length) throw makeGoneError()
  if ('refusedAt' in result)
    throw new AppError('CONFLICT', 'this sign-in message was used before: request a new one and sign that', {
      reason: 'NONCE_USED',
    })
  const profile = await findProfileByAccount(parts.db, primary)
  if (!profile) throw makeGoneError()
  return {
    profile,
    csrfToken: computeCsrfToken(parts, session),
    expiresAt: session.expiresAt,
    setCookie: session.setCookie,
  }
}

const makeGoneError = (): AppError =>
  new AppError('CONFLICT', 'the profile was deleted during the sign-in: sign in again')

export const makeSubject = (): string => `prf_${randomBytes(16).toString('hex')}`

/** A key belongs to no chain: its DID takes the default chain of proofs. */
export function didOfAccount({ config }: Pick<Parts, 'config'>, { wallet, contractOn }: Account): string {
  if (contractOn !== undefined) return writeDid({ chain: contractOn }, wallet)
  return writeDid(wallet.startsWith('0x') ? { chainId: config.signing.hubChainId } : { chain: unnamedChain }, wallet)
}

function requireOurs({ addresses }: Parts, { scheme, domain, uri }: SignInMessage): void {
  const ours = new URL(addresses().authUrl)
  if (domain.toLowerCase() !== ours.host || (scheme !== undefined && `${scheme}:` !== ours.protocol))
    throw makeForeignError(`the message is for ${domain}`, 'WRONG_DOMAIN', ours.host)
  const named = URL.parse(uri)
  // Compares the protocol as well: the origin of a blob: address is that of the address within.
  if (named?.origin !== ours.origin || named.protocol !== ours.protocol || `${named.username}${named.password}` !== '')
    throw makeForeignError('the URI of the message is on another origin', 'WRONG_URI', ours.origin)
}

const makeForeignError = (what: string, reason: string, expected: string): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    `${what}, and this is ${expected}: sign in there, or ask this server for a message`,
    {
      path: '/message',
      reason,
      expected,
    },
  )

function requireNonce(parts: Parts, message: SignInMessage): Nonce {
  const nonce = parseNonce(parts, message.nonce)
  if (!nonce)
    throw new AppError(
      'VALIDATION_ERROR',
      'this server did not issue the nonce of the message: get one from GET /api/v1/auth/nonce, or sign the message of POST /api/v1/auth/nonce',
      { path: '/message', reason: 'UNKNOWN_NONCE' },
    )
  if (parts.now() >= nonce.expiresAt) throw makeExpiredError(`the message is older than ${nonceMinutes} minutes`)
  if (nonce.issuedAt < (parts.freshness.restoredAt ?? 0))
    throw makeExpiredError('the message is from before this server was restored, and may have been used then')
  return nonce
}

function requireTimely({ now, freshness }: Parts, { issuedAt, expirationTime, notBefore }: SignInMessage): void {
  const at = now()
  const issued = parseTime(issuedAt) ?? 0
  if (at - issued > nonceTtlMs) throw makeExpiredError(`the message was issued more than ${nonceMinutes} minutes ago`)
  if (issued - at > freshness.maxAheadMs)
    throw makeExpiredError('the message is dated in the future: correct the clock of this device')
  if (expirationTime !== undefined && at >= (parseTime(expirationTime) ?? 0))
    throw makeExpiredError('the message has expired')
  if (notBefore !== undefined && at < (parseTime(notBefore) ?? Number.POSITIVE_INFINITY))
    throw makeExpiredError('the message is not valid yet')
}

const makeExpiredError = (what: string): AppError =>
  new AppError('EXPIRED_SIGNATURE', `${what}. Request a new message and sign that`)

/** The account that signed. Errors: SIGNATURE_INVALID, VERIFIER_UNAVAILABLE, and those of the chain. */
async function requireSigned(
  { verifySignature }: Parts,
  { namespace, address, chainId }: SignInMessage,
  { message, signature, signatureMethod }: SignedMessage,
): Promise<Account> {
  const chain = namespace === 'eip155' ? `eip155:${chainId}` : unnamedChain
  const verdict = await verifySignature({ address, chain, signature, method: signatureMethod }, [message])
  if (!verdict.signed) {
    noteRefusedCredential('signature')
    throw makeNotSignedError(explainKnown(verdict, signatureMethod), address, chain)
  }
  return {
    wallet: normalizeAddress(address),
    contractOn: isContractMethod(verdict.method) ? chain : undefined,
  }
}

/**
 * A request that states a key's method means no contract: a malformed signature is invalid, whatever chains are
 * configured.
 */
const explainKnown = (verdict: NotSigned, method: string | undefined): NotSigned =>
  verdict.reason === 'NO_CHAIN' && method !== undefined && !isContractMethod(method)
    ? { ...verdict, reason: 'MALFORMED' }
    : verdict

function makeNotSignedError({ reason, recovered, message }: NotSigned, address: string, chain: string): AppError {
  switch (reason) {
    case 'NO_CHAIN':
      return new AppError(
        'VERIFIER_UNAVAILABLE',
        `only its chain can confirm a signature of the contract wallet ${address}, and this server has no chain ${chain}. Sign in with the key of another wallet, or ask the operator to add [chains.<name>] with chain = "${chain}" and rpc`,
        { reason, chain },
        { 'retry-after': '3600' },
      )
    case 'OTHER_WALLET':
      return new AppError(
        'SIGNATURE_INVALID',
        `the signature is by ${recovered ?? 'another wallet'} (or of another text), not by ${address}. Choose that account in the wallet, or request a message for the account that signs. A contract wallet needs a message for its own chain`,
        { reason, chain },
      )
    case 'NOT_SIGNED':
      return new AppError(
        'SIGNATURE_INVALID',
        `the signature does not fit ${address} and the message: sign the text as it came, unchanged`,
        { reason, chain },
      )
    default:
      return new AppError('SIGNATURE_INVALID', message, { reason, chain })
  }
}
