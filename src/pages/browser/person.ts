/** Who makes a claim: a wallet that signs it, or somebody who is signed in to this server. */
import type { BrowserSession } from '../verify-model.ts'
import type { Connection, Wallet } from './wallet.ts'
import { nameOf } from './wallet-list.ts'

export interface Person {
  readonly address: string
  /** What a request of this wallet carries besides its address. */
  readonly context: { readonly chainId?: number; readonly chain?: string }
  /** Undefined for somebody who is signed in and has no wallet here. */
  readonly wallet: { readonly name: string; readonly wallet: Wallet; readonly connection: Connection } | undefined
}

export const sameAddress = (a: string, b: string): boolean =>
  a === b || (/^0x/i.test(a) && a.toLowerCase() === b.toLowerCase())

/** A key is the same on every chain, and signs for the hub; a contract is somebody on its own chain only. */
export async function personOf(wallet: Wallet, connection: Connection): Promise<Person> {
  const { address, chain } = connection
  const isElsewhere = chain.chain !== undefined || (await connection.isContract())
  return {
    address,
    context: isElsewhere ? chain : {},
    wallet: { name: nameOf(wallet), wallet, connection },
  }
}

export function signedInPerson({ accounts }: BrowserSession, address = accounts[0]!.wallet): Person | undefined {
  const account = accounts.find(({ wallet }) => sameAddress(wallet, address))
  if (!account) return undefined
  const { wallet, contractOn } = account
  const chain = contractOn ?? (wallet.startsWith('0x') ? undefined : 'solana:mainnet')
  return { address: wallet, context: chain === undefined ? {} : { chain }, wallet: undefined }
}

/** CAIP-2, as claims name it. */
export const chainOf = ({ context }: Pick<Person, 'context'>, hubChainId: number): string =>
  context.chain ?? `eip155:${context.chainId ?? hubChainId}`

/** A key is itself on every chain, and what asks for none is asked of everybody. */
export const isOnChain = ({ context }: Person, chain: string | undefined): boolean =>
  chain === undefined || (context.chain ?? context.chainId) === undefined || chainOf({ context }, 0) === chain
