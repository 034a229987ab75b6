/**
 * Accounts: a wallet and its chain. This file owns the parsing, spelling and comparison of CAIP-2 chain ids, addresses
 * and did:pkh identifiers. It knows nothing of signatures or proofs.
 */
import { decodeBase58 } from './base58.ts'
import { explainForeignSigner, isShortName } from './foreign-name.ts'

/**
 * The chain a request is signed for: an EVM chain id, or a CAIP-2 id. Exactly one of the two is set. The choice enters
 * the qHash (CAIP-380), so the two spellings of one EVM chain stay apart.
 */
export type ChainContext =
  | { readonly chainId: number; readonly chain?: never }
  | { readonly chain: string; readonly chainId?: never }

/** CAIP-2: `namespace:reference`. Length bounds are those of the specification. */
export const caip2Pattern = '^[a-z0-9-]{3,8}:[a-zA-Z0-9._-]{1,64}$'
export const caip2 = /* @__PURE__ */ new RegExp(caip2Pattern)

/**
 * An EVM chain in any but its one spelling. 84532 and 084532 are signed alike, but hash and name the wallet
 * differently. With leading zeros one signature would make many proofs.
 */
export const misspelledEvmChain = /^eip155:(?![1-9][0-9]{0,14}$)/

export const evmAddressPattern = '^0x[a-fA-F0-9]{40}$'
const evmAddress = /^0x[a-fA-F0-9]{40}$/

/** EVM, Solana base58, or a NEAR account name. A truncated EVM address must not pass for a name. */
export const universalAddressPattern = '^(0x[a-fA-F0-9]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}|(?!0x)[a-z0-9._-]{2,64})$'
const universalAddress = /* @__PURE__ */ new RegExp(universalAddressPattern)

/** An address is never longer than this, whatever its namespace. */
export const addressMaxLength = 128

export const isCaip2 = (text: string): boolean => caip2.test(text)

export const isEvmAddress = (text: string): boolean => text.length === 42 && evmAddress.test(text)

export const readNamespace = (context: ChainContext): string =>
  context.chain === undefined ? 'eip155' : context.chain.slice(0, context.chain.indexOf(':'))

/**
 * The spelling of an address in storage, comparisons and signed texts. EVM addresses are lower case; all others stay
 * verbatim, because base58 is case-sensitive.
 */
export const normalizeAddress = (address: string): string => (isEvmAddress(address) ? address.toLowerCase() : address)

export const areSameAddress = (a: string, b: string): boolean =>
  a === b || (a.length === b.length && isEvmAddress(a) && a.toLowerCase() === b.toLowerCase())

/**
 * Whether an address has the form of its namespace. It checks neither the account's existence nor the EIP-55 checksum.
 */
export function isValidAddress(namespace: string, address: string): boolean {
  if (namespace === 'eip155') return isEvmAddress(address)
  if (namespace === 'solana') return isBase58Key(address)
  return address.startsWith(keyPrefix)
    ? isBase58Key(address.slice(keyPrefix.length))
    : universalAddress.test(address) && !isEvmAddress(address)
}

const keyPrefix = 'ed25519:'

/** The fault of an address, as a sentence; undefined when its form is right (isAddressOf). */
export function findAddressFault(address: string, namespace: string): string | undefined {
  if (isValidAddress(namespace, address)) return undefined
  if (namespace === 'eip155') return 'an EVM address is 0x followed by 40 hexadecimal digits'
  if (namespace === 'solana') return 'a Solana address is a base58 text that decodes to 32 bytes'
  return address.startsWith(keyPrefix)
    ? 'after "ed25519:" comes a base58 text that decodes to 32 bytes'
    : `an address of the "${namespace}" namespace is a base58 key or an account name of 2 to 64 characters a-z 0-9 . _ -`
}

/** A base58 text that decodes to 32 bytes. */
export const isBase58Key = (text: string): boolean => decodeBase58(text, 32) !== undefined

/** did:pkh of the account: only the first two parts of the chain count, EVM addresses in lower case. */
export function writeDid(context: ChainContext, address: string): string {
  if (context.chain === undefined) return `did:pkh:eip155:${context.chainId}:${address.toLowerCase()}`
  const [namespace, reference] = context.chain.split(':')
  return `did:pkh:${namespace}:${reference}:${namespace === 'eip155' ? address.toLowerCase() : address}`
}

/** CAIP-10: `chain:address`, EVM addresses in lower case. */
export const writeAccountId = (chain: string, address: string): string => `${chain}:${normalizeAddress(address)}`

/** The CAIP-2 spelling of a chain context. */
export const writeChain = (context: ChainContext): string => context.chain ?? `eip155:${context.chainId}`

/** Whether a text has the form of an address on its own, without a chain beside it. */
export const looksLikeAddress = (text: string): boolean =>
  hasAddressForm(text) && !isShortName(text) && explainForeignSigner(text) === undefined

const hasAddressForm = (text: string): boolean =>
  universalAddress.test(text) || (text.startsWith(keyPrefix) && isBase58Key(text.slice(keyPrefix.length)))

/** Completes "address is": the fault of a text that names no account, and its remedy. */
export function explainNoAccount(identifier: string): string {
  if (isShortName(identifier))
    return `a short name, which counts only with its chain: give an address, or a CAIP-10 account such as near:mainnet:${identifier}`
  return (
    explainForeignSigner(identifier) ?? 'not a wallet address, a did:pkh or a CAIP-10 account such as eip155:8453:0x…'
  )
}

/** As explainNoAccount, where the chain stands in a member of its own. `remedy` says in which, if any. */
export function explainNoBareAddress(identifier: string, remedy: string): string {
  const chain = readChain(identifier)
  if (chain !== undefined)
    return `an account with its chain, and is taken as an address alone: give ${readAddress(identifier)}. ${remedy}`
  if (isShortName(identifier)) return `a short name, which counts only with its chain: give an address. ${remedy}`
  return explainForeignSigner(identifier) ?? 'not a wallet address, such as 0x and 40 hexadecimal digits'
}

/**
 * The chain of a bare address that is no EVM one: the chain on which its form is most used. A name that is stored
 * without a chain is one of this chain.
 */
export const guessChain = (address: string): string => (isBase58Key(address) ? 'solana:mainnet' : 'near:mainnet')

/**
 * A signer: a key, which is the same on every chain, or a contract on one chain. A contract's address may belong to
 * another owner on another chain.
 */
export interface Account {
  /** As stored and compared: EVM in lower case. */
  readonly wallet: string
  /**
   * CAIP-2 id of the chain on which it is a contract wallet, or on which a name counts. Undefined for keys, and for
   * names of the chain that bare names mean.
   */
  readonly contractOn: string | undefined
}

declare const isAccountText: unique symbol
/** An account in one text, as columns hold it: the bare address of a key, CAIP-10 of a contract or a name elsewhere. */
export type AccountText = string & { readonly [isAccountText]: true }

export const writeAccount = ({ wallet, contractOn }: Account): AccountText =>
  (contractOn === undefined ? wallet : writeAccountId(contractOn, wallet)) as AccountText

/** Stands in for an account that has erased everything. */
export const nobody = '' as AccountText

const withChain =
  /^(eip155:[0-9]+(?=:0x[0-9a-f]{40}$)|(?!eip155:|unknown:)[a-z0-9-]{3,8}:[a-zA-Z0-9._-]{1,64}):([^:]+)$/

/** The account that writeAccount() wrote. */
export function parseAccount(text: string): Account {
  const [, contractOn, wallet] = withChain.exec(text) ?? []
  return contractOn !== undefined && wallet !== undefined
    ? { wallet, contractOn }
    : { wallet: text, contractOn: undefined }
}

/** As the configuration spells a wallet (config/address.ts isWallet). */
export const parseAccountSetting = (text: string): Account =>
  parseAccount(text.startsWith('eip155:') ? text.toLowerCase() : normalizeAddress(text))

/**
 * Data from before keys and contracts were told apart, which may belong to either. It counts for its chain alone, and
 * for the key's signer.
 */
export const writeUnknown = (wallet: string, chain: string): AccountText => `unknown:${wallet}:${chain}` as AccountText

const unknownText = /^unknown:(0x[0-9a-f]{40}):(eip155:[0-9]+)$/

/** Whether it is unknown if the account of this text is a key or a contract. */
export const isUnknown = (account: string): boolean => account.startsWith('unknown:')

/** The address in the text of an account. */
export const readWallet = (account: string): string => unknownText.exec(account)?.[1] ?? parseAccount(account).wallet

export const isSameAccount = (a: Account, b: Account): boolean => a.wallet === b.wallet && a.contractOn === b.contractOn

/** A wallet that a request names without a signature. It may be a key, or a contract on this one chain. */
export interface NamedAccount {
  /** As stored and compared. */
  readonly wallet: string
  /**
   * CAIP-2 id of the chain whose contract may be meant, or on which a name counts. Undefined for keys that are not of
   * EVM, and for names of the chain that bare names mean.
   */
  readonly chain: string | undefined
  /** Whether the request named that chain. A bare address means the key, or else the contract on the hub chain. */
  readonly isChainGiven: boolean
}

/**
 * Reads an address, a did:pkh or a CAIP-10 account. Undefined for other texts, and for an EVM chain in any but its one
 * spelling.
 */
export function readNamedAccount(identifier: string, hubChainId: number): NamedAccount | undefined {
  const [, chain, address = ''] = accountIdForm.exec(identifier) ?? []
  if (chain === undefined) {
    if (identifier.startsWith('did:') || !looksLikeAddress(identifier)) return undefined
    return { wallet: normalizeAddress(identifier), chain: chooseHub(identifier, hubChainId), isChainGiven: false }
  }
  if (!chain.startsWith('eip155:'))
    return isValidAddress(readNamespace({ chain }), address)
      ? { wallet: address, chain: saysChain(address, chain) ? undefined : chain, isChainGiven: true }
      : undefined
  if (misspelledEvmChain.test(chain) || !isEvmAddress(address)) return undefined
  return { wallet: address.toLowerCase(), chain, isChainGiven: true }
}

/** CAIP-10, which follows the first two parts of a did:pkh. A NEAR key contains a colon of its own. */
const accountIdForm = /^(?:did:pkh:)?(?!ed25519:|did:)([a-z0-9-]{3,8}:[a-zA-Z0-9._-]{1,64}):([^:]+|ed25519:[^:]+)$/

/** Whether an address alone tells the account: a key is the same on every chain, and names have one chain by default. */
const saysChain = (address: string, chain: string): boolean =>
  address.startsWith(keyPrefix) || isBase58Key(address) || chain === guessChain(address)

/** Whether a name counts on the named chain alone. Somebody else may have the same name on another one. */
export const isNameElsewhere = ({ wallet, chain, isChainGiven }: NamedAccount): boolean =>
  isChainGiven && chain !== undefined && !chain.startsWith('eip155:') && !saysChain(wallet, chain)

/** A name as a request may give it. */
export function writeName({ wallet, chain, isChainGiven }: NamedAccount): string {
  if (isChainGiven && chain !== undefined) return `${chain}:${wallet}`
  return isShortName(wallet) ? `${guessChain(wallet)}:${wallet}` : wallet
}

/**
 * The unchecked address of a wallet that is given as an address, a did:pkh or a CAIP-10 account. Empty for other DIDs.
 */
export const readAddress = (identifier: string): string =>
  accountIdForm.exec(identifier)?.[2] ?? (identifier.startsWith('did:') ? '' : identifier)

/** The CAIP-2 chain that such an identifier names. */
export const readChain = (identifier: string): string | undefined => accountIdForm.exec(identifier)?.[1]

/** The CAIP-10 account that a did:pkh or CAIP-10 text names, in its one spelling. Undefined for everything else. */
export function readAccountId(identifier: string): string | undefined {
  const chain = readChain(identifier)
  const named = chain === undefined ? undefined : readNamedAccount(identifier, 0)
  return chain !== undefined && named ? writeAccountId(chain, named.wallet) : undefined
}

const chooseHub = (address: string, hubChainId: number): string | undefined =>
  isEvmAddress(address) ? `eip155:${hubChainId}` : undefined

/** The account as a request would name it, for a look-up without its signature. */
export const nameAccount = ({ wallet, contractOn }: Account, hubChainId: number): NamedAccount => ({
  wallet,
  chain: contractOn ?? chooseHub(wallet, hubChainId),
  isChainGiven: contractOn !== undefined,
})

/** An account as answers show it. */
export const showAccount = ({ wallet, contractOn }: Account) => ({
  walletAddress: wallet,
  ...(contractOn === undefined ? {} : { contractOn }),
})

/**
 * Chooses the account that a named wallet refers to: the contract on the named chain, or else the key. A bare address
 * means the key, else the contract on the hub chain, else any account with this address.
 */
export function chooseMeant<Own extends Account>(accounts: readonly Own[], named: NamedAccount): Own | undefined {
  const meant = accounts.filter((account) => mayMean(named, account))
  const key = meant.find(({ contractOn }) => contractOn === undefined)
  const contract = meant.find(({ contractOn }) => contractOn !== undefined && contractOn === named.chain)
  return named.isChainGiven ? (contract ?? key) : (key ?? contract ?? meant[0])
}

/** Whether a request that named a wallet may mean this account. A key is the same on every chain. */
export const mayMean = (named: NamedAccount, { wallet, contractOn }: Account): boolean =>
  wallet === named.wallet &&
  (!named.isChainGiven || contractOn === named.chain || (contractOn === undefined && !isNameElsewhere(named)))
