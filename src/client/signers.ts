/** Ready-made signers: what browser wallets offer, as the client module wants it. */
import { encodeUtf8, toHex } from './bytes.ts'
import { ProofgateError } from './error.ts'
import type { EthereumProvider, Signer, SolanaWallet } from './module.d.ts'

const makeNoAccountError = () =>
  new ProofgateError('NO_ACCOUNT', 'the wallet returned no account: unlock it, and choose an account', {
    status: 0,
    retryable: false,
  })

export async function ethereumSigner(provider: EthereumProvider, address?: string): Promise<Signer> {
  const accounts = address === undefined ? await provider.request({ method: 'eth_requestAccounts' }) : [address]
  const own: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof own !== 'string') throw makeNoAccountError()
  return {
    address: own,
    async sign(text) {
      // As hexadecimal digits: a text that looks like them would be taken for them.
      return String(await provider.request({ method: 'personal_sign', params: [toHex(encodeUtf8(text)), own] }))
    },
  }
}

/** Either kind of wallet, each member as far as it is there. */
interface AnySolanaWallet {
  readonly publicKey?: { toString(): string } | null
  readonly accounts?: readonly { readonly address: string }[]
  readonly features?: Readonly<
    Record<string, { signMessage(input: object): Promise<readonly { readonly signature: Uint8Array }[]> }>
  >
  signMessage?(message: Uint8Array): Promise<Uint8Array | { readonly signature: Uint8Array }>
}

export function solanaSigner(wallet: SolanaWallet, chain = 'solana:mainnet'): Signer {
  const any = wallet as AnySolanaWallet
  const account = any.accounts?.[0]
  const address = account?.address ?? any.publicKey?.toString()
  if (!address) throw makeNoAccountError()
  return {
    address,
    chain,
    async sign(text) {
      const message = encodeUtf8(text)
      const feature = any.features?.['solana:signMessage']
      const signed = feature ? (await feature.signMessage({ account, message }))[0]! : await any.signMessage!(message)
      return toHex('signature' in signed ? signed.signature : signed)
    },
  }
}
