/**
 * Wallets put into a page: they make themselves known as real extensions do, and sign for real. The test sets their
 * behavior, and can read the requests that they got.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { BrowserContext } from 'playwright-core'
import { createWalletClient, defineChain, hexToString, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** The calls of a browser that a wallet needs. */
export type WalletPlace = Pick<BrowserContext, 'exposeBinding' | 'addInitScript' | 'pages'>

export interface EvmBehavior {
  name: string
  icon: string
  rdns: string
  /** Private key of the account that is chosen. */
  key: `0x${string}`
  /** A contract that the key signs for; without it, the account is the key's own. */
  contract: `0x${string}` | undefined
  chainId: number
  /** Errors that answer a method in place of its result. */
  refuses: Partial<Record<string, { code?: number; message: string }>>
  /** Resolves before the method is answered. */
  waits: Partial<Record<string, Promise<unknown>>>
  /** The chains that it knows, by number; undefined for every chain. An added one becomes known, as in real wallets. */
  knows: number[] | undefined
  noAccounts: boolean
  /** Whether the page has been allowed to see the account. Asking for accounts allows it. */
  isAllowed: boolean
  /** A signature in place of the key's own. */
  signs: `0x${string}` | undefined
  /** The node that takes its transactions. */
  node: string | undefined
}

const key = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`
export const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

let wallets = 0

export interface EvmWallet extends EvmBehavior {
  readonly asked: { method: string; params: unknown }[]
  /** Emits an event of the provider, as the wallet in the page does. */
  emit(event: string, value: unknown): Promise<void>
}

/** `announce`: `at once`, `late` (when the test calls it), or `legacy`: only window.ethereum. */
export async function addEvmWallet(
  context: WalletPlace,
  behavior: Partial<EvmBehavior> = {},
  announce: 'at once' | 'late' | 'legacy' = 'at once',
): Promise<EvmWallet & { announce(): Promise<void> }> {
  const id = `evm${wallets++}`
  const asked: { method: string; params: unknown }[] = []
  const wallet: EvmBehavior = {
    name: 'Test Wallet',
    icon: pixel,
    rdns: 'example.wallet',
    key: key('1'),
    contract: undefined,
    chainId: 1,
    refuses: {},
    waits: {},
    knows: undefined,
    noAccounts: false,
    isAllowed: true,
    signs: undefined,
    node: undefined,
    ...behavior,
  }
  const answer = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const account = privateKeyToAccount(wallet.key)
    const own = wallet.contract ?? account.address
    if (method === 'eth_requestAccounts') wallet.isAllowed = true
    if (method === 'eth_requestAccounts' || method === 'eth_accounts')
      return wallet.noAccounts || !wallet.isAllowed ? [] : [own]
    if (method === 'eth_chainId') return `0x${wallet.chainId.toString(16)}`
    if (method === 'wallet_requestPermissions') return [{ parentCapability: 'eth_accounts' }]
    if (method === 'wallet_switchEthereumChain') {
      wallet.chainId = Number((params[0] as { chainId: string }).chainId)
      return null
    }
    if (method === 'wallet_addEthereumChain') {
      wallet.knows?.push(Number((params[0] as { chainId: string }).chainId))
      return null
    }
    if (method === 'eth_getCode') return wallet.node ? ask(wallet.node, method, params) : '0x'
    if (method === 'eth_sendTransaction') return sendFrom(wallet, params[0] as Transaction)
    if (method !== 'personal_sign') throw new Error(`the page asks for ${method}`)
    const [message, address] = params as [`0x${string}`, string]
    if (address.toLowerCase() !== own.toLowerCase()) throw new Error('not the address of this wallet')
    return wallet.signs ?? account.signMessage({ message: hexToString(message) })
  }
  await context.exposeBinding(`${id}Rpc`, async (_, method: string, params: readonly unknown[] = []) => {
    asked.push({ method, params })
    await wallet.waits[method]
    const refusal = wallet.refuses[method] ?? refuseUnknownChain(wallet, method, params)
    return refusal ? { error: refusal } : { result: await answer(method, params) }
  })
  await context.addInitScript(`(() => {
    const listeners = {}
    const provider = {
      async request({ method, params }) {
        const { result, error } = await ${id}Rpc(method, params)
        if (error) throw Object.assign(new Error(error.message), error)
        return result
      },
      on(event, listener) { (listeners[event] ??= []).push(listener) },
      removeListener(event, listener) { listeners[event] = (listeners[event] ?? []).filter((one) => one !== listener) },
    }
    const detail = Object.freeze({
      info: { uuid: '${id}', name: ${JSON.stringify(wallet.name)}, icon: ${JSON.stringify(wallet.icon)}, rdns: ${JSON.stringify(wallet.rdns)} },
      provider,
    })
    globalThis.${id} = {
      announce: () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
      emit: (event, value) => (listeners[event] ?? []).forEach((listener) => listener(value)),
    }
    if (${announce === 'legacy'}) globalThis.ethereum = provider
    if (${announce !== 'at once'}) return
    addEventListener('eip6963:requestProvider', globalThis.${id}.announce)
    globalThis.${id}.announce()
  })()`)
  const inPage = async (expression: string): Promise<void> => {
    await context.pages()[0]!.evaluate(`globalThis.${id}.${expression}`)
  }
  return Object.assign(wallet, {
    asked,
    emit: (event: string, value: unknown) => inPage(`emit('${event}', ${JSON.stringify(value)})`),
    announce: () => inPage('announce()'),
  })
}

/** EIP-3326. */
function refuseUnknownChain({ knows }: EvmBehavior, method: string, params: readonly unknown[]) {
  if (method !== 'wallet_switchEthereumChain' || knows === undefined) return undefined
  const { chainId } = params[0] as { chainId: string }
  return knows.includes(Number(chainId)) ? undefined : { code: 4902, message: `Unrecognized chain ID "${chainId}".` }
}

interface Transaction {
  readonly from: string
  readonly to: `0x${string}`
  readonly data: `0x${string}`
}

async function ask(node: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(node, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
}

/** Signed by the key of the wallet, and sent to a real node. */
function sendFrom({ key, node, chainId }: EvmBehavior, { from, to, data }: Transaction): Promise<`0x${string}`> {
  const account = privateKeyToAccount(key)
  if (from.toLowerCase() !== account.address.toLowerCase()) throw new Error('not the address of this wallet')
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = defineChain({ id: chainId, name: 'test', nativeCurrency, rpcUrls: { default: { http: [node!] } } })
  return createWalletClient({ account, chain, transport: http(node!) }).sendTransaction({ to, data })
}

export interface SolanaBehavior {
  name: string
  seed: Uint8Array
  refuses: boolean
  /** Signs something else than it was given. */
  changesText: boolean
}

export async function addSolanaWallet(
  context: WalletPlace,
  behavior: Partial<SolanaBehavior> = {},
): Promise<SolanaBehavior & { readonly address: string }> {
  const id = `solana${wallets++}`
  const wallet: SolanaBehavior = {
    name: 'Sun Wallet',
    seed: Uint8Array.from({ length: 32 }, (_, index) => index + 7),
    refuses: false,
    changesText: false,
    ...behavior,
  }
  const publicKey = ed25519.getPublicKey(wallet.seed)
  const address = base58.encode(publicKey)
  await context.exposeBinding(`${id}Sign`, (_, bytes: readonly number[]) => {
    if (wallet.refuses) return { error: 'User rejected the request.' }
    const text = Uint8Array.from(wallet.changesText ? [...bytes, 33] : bytes)
    return { signedMessage: [...text], signature: [...ed25519.sign(text, wallet.seed)] }
  })
  await context.addInitScript(`(() => {
    const account = {
      address: '${address}',
      publicKey: Uint8Array.from(${JSON.stringify([...publicKey])}),
      chains: ['solana:mainnet', 'solana:devnet'],
      features: ['solana:signMessage'],
    }
    const wallet = {
      version: '1.0.0',
      name: ${JSON.stringify(wallet.name)},
      icon: '${pixel}',
      chains: ['solana:mainnet', 'solana:devnet'],
      accounts: [],
      features: {
        'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
        'standard:events': { version: '1.0.0', on: () => () => {} },
        'solana:signMessage': {
          version: '1.0.0',
          async signMessage({ message }) {
            const { error, signedMessage, signature } = await ${id}Sign([...message])
            if (error) throw new Error(error)
            return [{ signedMessage: Uint8Array.from(signedMessage), signature: Uint8Array.from(signature) }]
          },
        },
      },
    }
    const register = (api) => api.register(wallet)
    dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
    addEventListener('wallet-standard:app-ready', (event) => register(event.detail))
  })()`)
  return Object.assign(wallet, { address })
}
