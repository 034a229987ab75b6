/** Wallets of Ethereum and compatible chains: EIP-6963, and window.ethereum of those that do not announce themselves. */

import type { PublicChain } from '../../payments/public-chain.ts'
import { wallets as words } from '../words/en/wallets.ts'
import { type Connection, NoAccount, UnknownChain, type Wallet, WrongAnswer } from './wallet.ts'

/** EIP-1193. */
interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): unknown
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

interface Announcement {
  readonly info?: { readonly uuid?: unknown; readonly name?: unknown; readonly icon?: unknown; readonly rdns?: unknown }
  readonly provider?: Provider
}

const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' && value !== null && typeof (value as Provider).request === 'function'

/** Calls `found` for each wallet, whenever it announces itself. */
export function findEvmWallets(found: (wallet: Wallet) => void): void {
  const known = new Set<unknown>()
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as CustomEvent<Announcement | undefined>).detail ?? {}
    if (!isProvider(provider) || known.has(provider) || known.has(info?.uuid)) return
    known.add(provider).add(info?.uuid)
    found(makeEvmWallet(provider, readText(info?.name) ?? words.nameless, readText(info?.icon), readText(info?.rdns)))
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
}

/** The one that does not announce itself. It may come later than the page. */
export function findLegacyWallet(found: (wallet: Wallet) => void): void {
  const look = (): void => {
    const { ethereum } = globalThis as { ethereum?: unknown }
    if (isProvider(ethereum)) found(makeEvmWallet(ethereum, words.legacy, undefined, undefined))
  }
  if ('ethereum' in globalThis) look()
  else addEventListener('ethereum#initialized', look, { once: true })
}

const readText = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)

const makeEvmWallet = (
  provider: Provider,
  name: string,
  icon: string | undefined,
  rdns: string | undefined,
): Wallet => ({
  name,
  icon,
  family: 'Ethereum',
  rdns,
  async connect() {
    const connection = await connect(provider, 'eth_requestAccounts')
    if (!connection) throw new NoAccount()
    return connection
  },
  reconnect: () => connect(provider, 'eth_accounts'),
  async choose() {
    await provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] })
  },
})

/** Undefined without an account. `eth_accounts` names only those that the person has allowed before. */
async function connect(
  provider: Provider,
  method: 'eth_requestAccounts' | 'eth_accounts',
): Promise<Connection | undefined> {
  const address = readAddress(await provider.request({ method }))
  if (address === undefined) return undefined
  const chainId = Number(await provider.request({ method: 'eth_chainId' }))
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new WrongAnswer('chain')
  return makeConnection(provider, address, chainId)
}

const makeConnection = (provider: Provider, address: string, chainId: number): Connection => ({
  address,
  chain: { chainId },
  async sign(message) {
    const signature = await provider.request({ method: 'personal_sign', params: [toHex(message), address] })
    if (typeof signature !== 'string') throw new WrongAnswer('signature')
    return { signature }
  },
  async isContract() {
    const code = await provider.request({ method: 'eth_getCode', params: [address, 'latest'] }).catch(() => '0x')
    // A key that lends itself code (EIP-7702) still signs as a key.
    return typeof code === 'string' && code.length > 2 && !code.toLowerCase().startsWith('0xef0100')
  },
  async send({ chainId, chain, to, data }) {
    await switchChain(provider, chainId, chain)
    const hash = await provider.request({
      method: 'eth_sendTransaction',
      params: [{ from: address, to, data, value: '0x0' }],
    })
    if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash)) throw new WrongAnswer('transaction')
    return hash
  },
  watch(gone) {
    const noticeAccounts = (accounts: unknown): void => {
      const now = readAddress(accounts)
      // Wallets also tell of the account that they have just connected.
      if (now?.toLowerCase() !== address.toLowerCase()) gone(now === undefined ? 'disconnected' : 'switched')
    }
    const disconnect = (): void => gone('disconnected')
    provider.on?.('accountsChanged', noticeAccounts)
    provider.on?.('disconnect', disconnect)
    return () => {
      provider.removeListener?.('accountsChanged', noticeAccounts)
      provider.removeListener?.('disconnect', disconnect)
    }
  },
})

/** Asks the wallet for the chain, and offers to add one that it does not know (EIP-3326, EIP-3085). */
async function switchChain(provider: Provider, asked: number, chain: PublicChain): Promise<void> {
  const chainId = `0x${asked.toString(16)}`
  const isThere = async (): Promise<boolean> => Number(await provider.request({ method: 'eth_chainId' })) === asked
  const change = () => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  if (await isThere()) return
  try {
    await change()
  } catch (error) {
    if (!isUnknownChain(error)) throw error
    const { name, currency, rpc, explorer } = chain
    if (rpc === undefined || currency === undefined) throw new UnknownChain(chain)
    await provider.request({
      method: 'wallet_addEthereumChain',
      params: [
        {
          chainId,
          chainName: name,
          nativeCurrency: currency,
          rpcUrls: [rpc],
          ...(explorer === undefined ? {} : { blockExplorerUrls: [explorer] }),
        },
      ],
    })
    // Some wallets change to the chain that they add, others wait to be asked.
    if (!(await isThere())) await change()
  }
  if (!(await isThere())) throw new WrongAnswer('payChain')
}

/** Some wallets wrap the error of EIP-3326. */
function isUnknownChain(error: unknown): boolean {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } }
  return code === unknownChainCode || data?.originalError?.code === unknownChainCode
}

const unknownChainCode = 4902

function readAddress(accounts: unknown): string | undefined {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' && /^0x[0-9a-f]{40}$/i.test(first) ? first : undefined
}

const toHex = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
