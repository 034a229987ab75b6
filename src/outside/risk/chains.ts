/**
 * The chains of wallet-risk under the short names of the interface, and their address forms. It does not know which of
 * them are configured, nor which provider supports them.
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
 * The chain for questions about an EVM wallet when the provider does not know the requested one. The wallet is the same
 * on every EVM chain, and otherwise the caller would choose the provider through the chain. Findings against the wallet
 * count. No findings only mean that no sanctions list has it.
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

/** Addresses of all these chains. The chain is not always recognizable: a short base58 text may fit two. */
export const riskAddressPattern = `^(?:${[evmForm, ...Object.values(forms)].join('|')})$`

export const riskAddressMaxLength = 67

/** Whether an address has the form of a chain, given by short name or as `eip155:<chain id>`. It is not looked up. */
export function isChainAddress(chain: string, address: string): boolean {
  if (isEvmAddress(address)) return findChainId(chain) !== undefined || chain.startsWith('eip155:')
  if (!Object.hasOwn(forms, chain)) return false
  const form = forms[chain as keyof typeof forms]
  return new RegExp(`^(?:${form})$`).test(address) && (chain !== 'sol' || isBase58Key(address))
}

/**
 * One spelling for every wallet, to compare by: hexadecimal and bech32 in lower case, TON addresses in raw form.
 * Otherwise another spelling would take a sanctioned wallet off the list.
 */
export function makeWalletKey(address: string): string {
  if (/^0x/i.test(address) || /^-?[0-9]+:[a-fA-F0-9]{64}$/.test(address)) return address.toLowerCase()
  if (/^[A-Z]{2,5}1[02-9AC-HJ-NP-Z]{38,90}$/.test(address)) return address.toLowerCase()
  return convertTonAddress(address) ?? address
}

/**
 * TEP-2: tag, workchain, 32 bytes, checksum, in either base64. The tag holds the way to send to it, and the network.
 */
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
