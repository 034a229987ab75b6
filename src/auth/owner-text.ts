/**
 * The texts of owner actions: accepted spellings, other actions signed by mistake, and explanations of the right text.
 */

import { ownerActionVerifierId } from '../verifiers/roles.ts'
import { guessChain, isEvmAddress, normalizeAddress, readChain, readNamedAccount } from '../wallet/account.ts'
import { hashKeccak256 } from '../wallet/keccak.ts'

import type { NotSigned } from '../wallet/signature.ts'
import { isForBrowser, type NeededAction, needsSignature, type OwnerActionName, ownerActions } from './owner-action.ts'

const hexAddress = /0x[a-fA-F0-9]{40}$/

/** An address, a DID or a CAIP-10 account: as given, in lower case, and with its checksum. */
const spellAddress = (text: string): string[] => [
  text,
  text.replace(hexAddress, (address) => address.toLowerCase()),
  text.replace(hexAddress, spellChecksum),
]

/**
 * The action with each accepted spelling of its addresses, without repetition. `submitted` is the address as the caller
 * wrote it. EVM addresses are case-insensitive; other accounts are not.
 */
export function listSpellings(needed: NeededAction, submitted: string): readonly NeededAction[] {
  const { walletAddress, viewerWallet } = needed
  const wallets =
    typeof walletAddress === 'string'
      ? [
          ...spellAddress(walletAddress),
          ...(normalizeAddress(submitted) === normalizeAddress(walletAddress) ? [submitted] : []),
        ]
      : []
  const viewers = typeof viewerWallet === 'string' ? spellAddress(viewerWallet) : []
  return addMember(addMember([needed], 'walletAddress', wallets), 'viewerWallet', viewers)
}

const addMember = (all: readonly NeededAction[], member: string, texts: readonly string[]): readonly NeededAction[] =>
  texts.length === 0 ? all : all.flatMap((one) => [...new Set(texts)].map((text) => ({ ...one, [member]: text })))

/** Bounds the texts that are tried for one refusal. */
const mostOthers = 40

/**
 * Other actions that may have been signed by mistake: those whose members are all known from the request. Each is tried
 * with the audience, and without, as older clients sign it.
 */
export function listOthers(needed: readonly NeededAction[], wallet: string, audience: string): readonly NeededAction[] {
  const known: Readonly<Record<string, unknown>> = { ...needed[0], walletAddress: wallet }
  const taken = new Set(needed.map(({ action }) => action))
  const names = (Object.keys(ownerActions) as OwnerActionName[]).filter((name) => !taken.has(name))
  return names
    .flatMap((name) => {
      const row: { readonly members: readonly string[]; readonly optional?: readonly string[] } = ownerActions[name]
      const required = row.members.filter((member) => !row.optional?.includes(member))
      if (required.some((member) => known[member] === undefined)) return []
      const data: NeededAction = { action: name, ...Object.fromEntries(required.map((one) => [one, known[one]])) }
      return [{ ...data, audience }, data]
    })
    .slice(0, mostOthers)
}

/** The data to sign, as far as the request gives it. A missing member is named in angle brackets. */
export function fillAction({ action, ...known }: NeededAction): NeededAction {
  const row: { readonly members: readonly string[]; readonly optional?: readonly string[] } = ownerActions[action]
  const members = row.members.filter((member) => known[member] !== undefined || !row.optional?.includes(member))
  const values: Readonly<Record<string, unknown>> = { ...known, walletAddress: readWallet(known.walletAddress) }
  return { action, ...Object.fromEntries(members.map((member) => [member, values[member] ?? `<${member}>`])) }
}

/** The bare address, as texts name wallets. */
const readWallet = (named: unknown): unknown =>
  (typeof named === 'string' ? readNamedAccount(named, 0)?.wallet : undefined) ?? named

/** The chain that clients sign for when they know only that their wallet is not an EVM one. */
export const unnamedChain = 'solana:mainnet'

/** The signer, as far as the request names it. */
interface Signer {
  readonly walletAddress: string
  readonly chain?: string | undefined
}

/** The members that name the signer. A missing wallet is named in angle brackets. */
function fillSigner({ walletAddress, chain }: Signer): object {
  const wallet = readNamedAccount(walletAddress, 0)?.wallet
  if (wallet === undefined) return { walletAddress: '<walletAddress>' }
  const on = chain ?? readChain(walletAddress) ?? (isEvmAddress(wallet) ? undefined : guessChain(wallet))
  return { walletAddress: wallet, ...(on === undefined ? {} : { chain: on }) }
}

/** Explains where the text of an action comes from. It quotes the request's own values, with bounded lengths. */
export function describeText(needed: NeededAction, signer?: Signer): string {
  const who = fillSigner(signer ?? { walletAddress: String(needed.walletAddress ?? '') })
  const members = JSON.stringify({ ...who, verifierIds: [ownerActionVerifierId], data: fillAction(needed) })
  return `POST /api/v1/verification/standardize ${members.slice(0, -1)},"signedTimestamp":<now in Unix milliseconds>}, sign data.signerString of the answer, and send the same signedTimestamp with the signature`
}

/** For an unsigned request. */
export function describeSigning(needed: NeededAction, isInHeaders = false, signer?: Signer): string {
  const sent = isInHeaders
    ? 'the headers x-wallet-address, x-signature and x-signed-timestamp'
    : 'walletAddress, signature and signedTimestamp'
  return `sign the action ${needed.action} and send ${sent}${describeOtherWays(needed.action)}. ${describeText(needed, signer)}`
}

function describeOtherWays(action: OwnerActionName): string {
  if (needsSignature(action)) return ''
  return isForBrowser(action)
    ? ', or use a browser that is signed in with the primary wallet'
    : ', or sign in, or send an access key'
}

/** For a request with another signature. The likeliest causes come first, and contract wallets last. */
export function describeMismatch(verdict: NotSigned, needed: NeededAction, signer: Signer): string {
  const { cause = verdict.message, aboutContract, reason, recovered } = verdict
  const isOther = recovered !== undefined || reason === 'NOT_SIGNED'
  const why = isOther ? `it is over another text or another signedTimestamp, or by another wallet (${cause})` : cause
  return [
    `the owner signature is not accepted: ${why}`,
    `This needs the action ${needed.action}: ${describeText(needed, signer)}`,
    'The data in that text is error.details.signedData, which names this server',
    ...(aboutContract === undefined ? [] : [aboutContract]),
  ].join('. ')
}

/** EIP-55: letters of an EVM address are upper case by the hash of its lower-case form. */
export function spellChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = hashKeccak256(digits)
  return `0x${[...digits].map((digit, at) => (Number.parseInt(hash[at + 2]!, 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}
