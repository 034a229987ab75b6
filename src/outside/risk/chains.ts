/**
 * The chains of wallet-risk under their short names, which the interface gives them, and the addresses that each has.
 * Does not know which of them are configured, nor which provider knows them.
 */
import { evmAddressPattern, isBase58Key, isEvmAddress } from '../../wallet/account.ts'
import { UnanswerableError } from '../failure.ts'
import type { RiskProviderName } from './risk.ts'

export const riskChainNames = [
  'eth',
  'base',
  'bsc',
  'pol',
  'opt',
  'arb',
  'sol',
  'ton',
  'sei',
  'sui',
  'btc',
  'stellar',
] as const
export type RiskChainName = (typeof riskChainNames)[number]

export const isRiskChainName = (text: string): text is RiskChainName =>
  (riskChainNames as readonly string[]).includes(text)

/** EIP-155 ids. Sei has accounts of both kinds. */
const evmChainIds: Partial<Record<string, number>> = {
  eth: 1,
  base: 8453,
  bsc: 56,
  pol: 137,
  opt: 10,
  arb: 42_161,
  sei: 1329,
}

export const findChainId = (chain: string): number | undefined =>
  Object.hasOwn(evmChainIds, chain) ? evmChainIds[chain] : undefined

/** The short name, or `eip155:<chain id>` for an EVM chain that has none. */
export const findChainName = (chainId: number): string =>
  riskChainNames.find((name) => evmChainIds[name] === chainId) ?? `eip155:${chainId}`

/**
 * Where a provider is asked about an EVM wallet when it does not know the chain of the question: the wallet is the same on
 * every EVM chain, and the asker, who chooses the chain, would choose who is asked. What it says against the wallet counts;
 * that it says nothing shows no more than that no list of sanctions has it.
 */
export const bestKnownChain = { name: 'eth', chainId: 1 } as const

/** No slashes and anchors: parts of one pattern. Bech32 in lower case alone, so that each wallet has one spelling. */
const forms = {
  sol: '[1-9A-HJ-NP-Za-km-z]{32,44}',
  ton: '[EUk0][Qf][A-Za-z0-9_-]{46}|(?:0|-1):[a-fA-F0-9]{64}',
  sei: 'sei1[02-9ac-hj-np-z]{38,58}',
  sui: '0x[a-fA-F0-9]{64}',
  btc: '[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[02-9ac-hj-np-z]{39,59}',
  stellar: 'G[A-Z2-7]{55}',
} as const

const evmForm = evmAddressPattern.slice(1, -1)

/** Addresses of all these chains. Which one is meant is not always to be seen: a short base58 text may be of two. */
export const riskAddressPattern = `^(?:${[evmForm, ...Object.values(forms)].join('|')})$`

export const riskAddressMaxLength = 67

/** Whether an address has the form of a chain, given by short name or as `eip155:<chain id>`. Does not look it up. */
export function isChainAddress(chain: string, address: string): boolean {
  if (isEvmAddress(address)) return findChainId(chain) !== undefined || chain.startsWith('eip155:')
  if (!Object.hasOwn(forms, chain)) return false
  const form = forms[chain as keyof typeof forms]
  return new RegExp(`^(?:${form})$`).test(address) && (chain !== 'sol' || isBase58Key(address))
}

/**
 * One spelling for every wallet, to compare by: hexadecimal and bech32 in lower case, TON addresses in their raw form.
 * Else a sanctioned wallet would leave the list by another spelling of itself.
 */
export function makeWalletKey(address: string): string {
  if (/^0x/i.test(address) || /^-?[0-9]+:[a-fA-F0-9]{64}$/.test(address)) return address.toLowerCase()
  if (/^[A-Z]{2,5}1[02-9AC-HJ-NP-Z]{38,90}$/.test(address)) return address.toLowerCase()
  return convertTonAddress(address) ?? address
}

/** TEP-2: tag, workchain, 32 bytes, checksum, in either base64. The tag says how to send to it, and for which network. */
function convertTonAddress(address: string): string | undefined {
  if (!/^[EUk0][Qf][A-Za-z0-9_+/-]{46}$/.test(address)) return undefined
  const bytes = Buffer.from(address, 'base64url')
  return `${bytes.readInt8(1)}:${bytes.subarray(2, 34).toString('hex')}`
}

export const makeUnknownChainError = (
  provider: RiskProviderName,
  chain: string,
  known: readonly string[],
): UnanswerableError =>
  new UnanswerableError(
    'CHAIN_NOT_COVERED',
    `${provider} does not know wallets of ${chain} here: name one of ${known.join(', ')} in data.chain or data.chainId`,
  )
