/**
 * Texts that name a wallet in another system, or leave its chain open. They have the form of a NEAR account name, and
 * would read as a wallet of NEAR that happens to have no proofs.
 */

/** Completes "address is". NEAR has no top-level name `eth`. */
const foreignForms: readonly (readonly [form: RegExp, explain: (text: string) => string])[] = [
  [/\.eth$/i, () => 'an ENS name: give the address it points to'],
  [/^[0-9a-f]{40}$/i, (text) => `40 hexadecimal digits without 0x: did you mean 0x${text}?`],
]

/** A bech32 address of Bitcoin (BIP-173). Bitcoin wallets make no proofs here, and wallet-risk can look at them. */
const isBitcoinAddress = (text: string): boolean => /^bc1[02-9ac-hj-np-z]{11,71}$/.test(text)

/** The fault of a text that is an address or a name of another system. */
export const explainForeignName = (text: string): string | undefined =>
  foreignForms.find(([form]) => form.test(text))?.[1](text)

/** As explainForeignName, for wallets that sign here. */
export const explainForeignSigner = (text: string): string | undefined =>
  isBitcoinAddress(text)
    ? 'a Bitcoin address, and wallets of Bitcoin cannot sign here: give an EVM, Solana or NEAR account'
    : explainForeignName(text)

const nearName = /^(?=.{2,64}$)[a-z0-9]+(?:[._-][a-z0-9]+)*$/

/**
 * Whether a name has the form that NEAR gives to its accounts. Signatures are checked by a looser form
 * (wallet/account.ts), so that nothing is lost which was stored under it.
 */
export const isNearName = (text: string): boolean => nearName.test(text)

/** The form, after "is". */
export const explainNearName =
  'no account name of NEAR: it has 2 to 64 characters a-z and 0-9, with single . _ or - between them'

/**
 * A short word without a dot. It may be an account of NEAR, whose usual names end in `.near`, but is more often a typo
 * or a name of another kind. It counts only with its chain: `near:mainnet:bob`.
 */
export const isShortName = (text: string): boolean => /^(?!0x)[a-z0-9_-]{2,31}$/.test(text)
