/** Solana wallets, which make themselves known as the Wallet Standard says (github.com/wallet-standard). */

import { wallets as words } from '../words/en/wallets.ts'
import { type Connection, NoAccount, type Wallet, WrongAnswer } from './wallet.ts'

interface StandardAccount {
  readonly address: string
  readonly chains?: readonly string[]
  readonly features?: readonly string[]
}

interface StandardWallet {
  readonly name: string
  readonly icon?: string
  readonly chains: readonly string[]
  readonly accounts: readonly StandardAccount[]
  readonly features: {
    readonly 'standard:connect'?: {
      connect(how?: { readonly silent: boolean }): Promise<{ readonly accounts: readonly StandardAccount[] }>
    }
    readonly 'standard:events'?: {
      on(event: 'change', listener: (change: { accounts?: readonly StandardAccount[] }) => void): () => void
    }
    readonly 'solana:signMessage'?: {
      signMessage(input: {
        readonly account: StandardAccount
        readonly message: Uint8Array
      }): Promise<readonly { readonly signedMessage: Uint8Array; readonly signature: Uint8Array }[]>
    }
  }
}

/** Calls `found` for each wallet, whenever it registers itself. */
export function findSolanaWallets(found: (wallet: Wallet) => void): void {
  const known = new Set<unknown>()
  const api = Object.freeze({
    register: (...wallets: readonly StandardWallet[]) => {
      for (const wallet of wallets) {
        if (known.has(wallet) || !canSign(wallet)) continue
        known.add(wallet)
        found(makeSolanaWallet(wallet))
      }
      return () => {}
    },
  })
  addEventListener('wallet-standard:register-wallet', (event) => {
    const { detail } = event as CustomEvent<unknown>
    if (typeof detail === 'function') detail(api)
  })
  dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
}

const isSolana = (chain: unknown): boolean => typeof chain === 'string' && chain.startsWith('solana:')

const canSign = (wallet: StandardWallet | undefined): boolean =>
  Boolean(
    wallet?.chains?.some(isSolana) && wallet.features?.['standard:connect'] && wallet.features['solana:signMessage'],
  )

const canSignMessage = ({ chains, features }: StandardAccount): boolean =>
  (chains?.some(isSolana) ?? true) && (features?.includes('solana:signMessage') ?? true)

const makeSolanaWallet = (wallet: StandardWallet): Wallet => ({
  name: typeof wallet.name === 'string' && wallet.name ? wallet.name : words.nameless,
  icon: typeof wallet.icon === 'string' ? wallet.icon : undefined,
  family: 'Solana',
  rdns: undefined,
  async connect() {
    const connection = await connect(wallet)
    if (!connection) throw new NoAccount()
    return connection
  },
  reconnect: () => connect(wallet, { silent: true }),
})

/** Undefined without an account. A silent call connects only where the person has allowed it before. */
async function connect(wallet: StandardWallet, how?: { readonly silent: true }): Promise<Connection | undefined> {
  const { accounts } = await wallet.features['standard:connect']!.connect(how)
  const account = [...(accounts ?? []), ...(wallet.accounts ?? [])].find(canSignMessage)
  if (!account) return undefined
  const { address } = account
  return {
    address,
    // A key is the same on every cluster; the text names one.
    chain: { chain: account.chains?.find(isSolana) ?? 'solana:mainnet' },
    isContract: async () => false,
    async sign(message) {
      const bytes = new TextEncoder().encode(message)
      const [signed] = await wallet.features['solana:signMessage']!.signMessage({ account, message: bytes })
      if (!signed || !isSameBytes(signed.signedMessage, bytes)) throw new WrongAnswer('sameText')
      return { signature: toHex(signed.signature), signatureMethod: 'ed25519' }
    },
    watch: (gone) =>
      wallet.features['standard:events']?.on('change', ({ accounts: now }) => {
        if (!now || now.some((one) => one.address === address)) return
        gone(now.length === 0 ? 'disconnected' : 'switched')
      }) ?? (() => {}),
  }
}

const isSameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
