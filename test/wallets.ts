/** Alice, Bob, Mallory and a few others: fixed keys, real signatures. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { privateKeyToAccount } from 'viem/accounts'

export interface TestWallet {
  readonly address: string
  /** Members that a request of this wallet carries besides its address. */
  readonly signing: { readonly chain?: string; readonly signatureMethod?: string }
  sign(message: string): Promise<string>
  /** Signs an owner action: this file builds the six lines itself on purpose. */
  signAction(data: object, signedTimestamp: number): Promise<OwnerAction>
}

export interface OwnerAction {
  readonly walletAddress: string
  readonly signature: string
  readonly signedTimestamp: number
  readonly chain?: string
  readonly signatureMethod?: string
}

/** Action data has flat ASCII keys, so canonical JSON only has to sort them. */
const flatCanonical = (data: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))))

function wallet(address: string, signing: TestWallet['signing'], sign: TestWallet['sign']): TestWallet {
  return {
    address,
    signing,
    sign,
    async signAction(data, signedTimestamp) {
      const message = [
        'Portable Proof Verification Request',
        `Wallet: ${signing.chain ? address : address.toLowerCase()}`,
        `Chain: ${signing.chain ?? 84532}`,
        'Verifiers: ownership-basic',
        `Data: ${flatCanonical(data)}`,
        `Timestamp: ${signedTimestamp}`,
      ].join('\n')
      return { walletAddress: address, signature: await sign(message), signedTimestamp, ...signing }
    },
  }
}

export function evmWallet(privateKey: `0x${string}`): TestWallet {
  const account = privateKeyToAccount(privateKey)
  return wallet(account.address, {}, (message) => account.signMessage({ message }))
}

export function solanaWallet(seed: Uint8Array, chain = 'solana:mainnet'): TestWallet {
  const address = base58.encode(ed25519.getPublicKey(seed))
  return wallet(address, { chain, signatureMethod: 'ed25519' }, async (message) =>
    base58.encode(ed25519.sign(new TextEncoder().encode(message), seed)),
  )
}

const keyOf = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`

export const alice = evmWallet('0x59c6995e998f97a5a0044976f7d3f0f35f0bfa65c1f9f650f72b87c9b0f4f6e8')
export const bob = evmWallet(keyOf('1'))
export const mallory = evmWallet(keyOf('2'))
export const agent = evmWallet(keyOf('3'))
export const sol = solanaWallet(Uint8Array.from({ length: 32 }, (_, index) => index + 1))
