/**
 * The texts of owner actions: the spellings that a wallet may have signed, which other action it signed by mistake, and
 * the words that say how to get the right text.
 */
import { normalizeAddress } from '../wallet/account.ts'
import { spellChecksum } from '../wallet/checksum.ts'
import { type NeededAction, type OwnerActionName, ownerActions } from './owner-action.ts'

const hexAddress = /0x[a-fA-F0-9]{40}$/

/** An address, a DID or a CAIP-10 account: as it is, in lower case, and with its checksum. */
const spellAddress = (text: string): string[] => [
  text,
  text.replace(hexAddress, (address) => address.toLowerCase()),
  text.replace(hexAddress, spellChecksum),
]

/**
 * The action with each spelling of its addresses that may have been signed, without repetition. `submitted` is the
 * address as the caller wrote it. EVM addresses mean the same in either case; other accounts do not.
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
  return withMember(withMember([needed], 'walletAddress', wallets), 'viewerWallet', viewers)
}

const withMember = (all: readonly NeededAction[], member: string, texts: readonly string[]): readonly NeededAction[] =>
  texts.length === 0 ? all : all.flatMap((one) => [...new Set(texts)].map((text) => ({ ...one, [member]: text })))

/** More texts are not looked through for the words of one refusal. */
const mostOthers = 40

/**
 * Other actions that the request can have been signed for by mistake: those whose members are all known from it. Each
 * as it is signed here, with the audience, and as older clients sign it, without.
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

/** What the request tells of the data to sign. A member that it does not tell is named in angle brackets. */
export function fillAction({ action, ...known }: NeededAction): NeededAction {
  const row: { readonly members: readonly string[]; readonly optional?: readonly string[] } = ownerActions[action]
  const members = row.members.filter((member) => known[member] !== undefined || !row.optional?.includes(member))
  return { action, ...Object.fromEntries(members.map((member) => [member, known[member] ?? `<${member}>`])) }
}

/** Where the text of an action comes from. Values of the request are its own, and their lengths are bounded. */
export const describeText = (needed: NeededAction): string =>
  `POST /api/v1/verification/standardize with verifierIds ["ownership-basic"] and data ${JSON.stringify(fillAction(needed))} returns the text to sign`

/** For a request that nobody signed. */
export const describeSigning = (needed: NeededAction, isInHeaders = false): string =>
  `sign the action ${needed.action} and send ${isInHeaders ? 'the headers x-wallet-address, x-signature and x-signed-timestamp' : 'walletAddress, signature and signedTimestamp'}, or sign in, or send an access key. ${describeText(needed)}`
