/** The person who makes a claim: a wallet that signs it, or a session of this server. */
import type { BrowserSession } from '../verify-model.ts'
import type { Connection, Wallet } from './wallet.ts'
import { writeName } from './wallet-list.ts'

export interface Person {
  readonly address: string
  /** Further members that a request of this wallet needs. */
  readonly context: { readonly chainId?: number; readonly chain?: string }
  /** Undefined for a signed-in person without a wallet in this browser. */
  readonly wallet: { readonly name: string; readonly wallet: Wallet; readonly connection: Connection } | undefined
}

export const isSameAddress = (a: string, b: string): boolean =>
  a === b || (/^0x/i.test(a) && a.toLowerCase() === b.toLowerCase())

/** A key is valid on every chain, and signs for the hub. A contract wallet is identified by its address and chain. */
export async function readPerson(wallet: Wallet, connection: Connection): Promise<Person> {
  const { address, chain } = connection
  const isElsewhere = chain.chain !== undefined || (await connection.isContract())
  return {
    address,
    context: isElsewhere ? chain : {},
    wallet: { name: writeName(wallet), wallet, connection },
  }
}

export function findSignedIn({ accounts }: BrowserSession, address = accounts[0]!.wallet): Person | undefined {
  const account = accounts.find(({ wallet }) => isSameAddress(wallet, address))
  if (!account) return undefined
  const { wallet, contractOn } = account
  const chain = contractOn ?? (wallet.startsWith('0x') ? undefined : 'solana:mainnet')
  return { address: wallet, context: chain === undefined ? {} : { chain }, wallet: undefined }
}

/** CAIP-2, as claims name it. */
export const readChain = ({ context }: Pick<Person, 'context'>, hubChainId: number): string =>
  context.chain ?? `eip155:${context.chainId ?? hubChainId}`

/** A key is valid on every chain; a step without a chain accepts every account. */
export const isOnChain = ({ context }: Person, chain: string | undefined): boolean =>
  chain === undefined || (context.chain ?? context.chainId) === undefined || readChain({ context }, 0) === chain
