/** The wallet that a body names as the owner, where another credential than a signature in the body tells who asks. */
import { AppError } from '../errors.ts'
import { isSomeInOrder } from '../in-order.ts'
import {
  type Account,
  explainNoAccount,
  mayMean,
  type NamedAccount,
  readNamedAccount,
  writeName,
} from '../wallet/account.ts'
import type { Identity } from './identity.ts'

/** A person, or the signer of a request. */
type Asker = { readonly identity: Identity } | (Named & { readonly isInHeaders?: true })

interface Named {
  readonly walletAddress: string
  readonly chain?: string | undefined
}

/**
 * Ignoring a named owner would act for another wallet than the caller means. Errors: INVALID_WALLET_ADDRESS, FORBIDDEN.
 */
export async function requireNamedOwner(
  asker: Asker,
  { walletAddress, chain }: Partial<Record<keyof Named, string | undefined>>,
  hubChainId: number,
): Promise<void> {
  const isSignedInBody = !('identity' in asker || asker.isInHeaders)
  if (walletAddress === undefined || isSignedInBody) return
  const named = readNamed({ walletAddress, chain }, hubChainId)
  if (!named)
    throw new AppError('INVALID_WALLET_ADDRESS', `walletAddress is ${explainNoAccount(walletAddress)}`, {
      path: '/walletAddress',
    })
  if (await isOwn(asker, named, hubChainId)) return
  throw new AppError(
    'FORBIDDEN',
    `walletAddress: ${writeName(named)} is not one of your wallets: name the one that you act as`,
    { path: '/walletAddress' },
  )
}

async function isOwn(asker: Asker, named: NamedAccount, hubChainId: number): Promise<boolean> {
  if ('identity' in asker) {
    const own: readonly Account[] = await asker.identity.listAccounts()
    return isSomeInOrder(own, async (account) => mayMean(named, account))
  }
  return readNamed(asker, hubChainId)?.wallet === named.wallet
}

/** A short name counts only with its chain, which may stand beside it. */
const readNamed = ({ walletAddress, chain }: Named, hubChainId: number): NamedAccount | undefined =>
  readNamedAccount(walletAddress, hubChainId) ??
  (chain === undefined ? undefined : readNamedAccount(`${chain}:${walletAddress}`, hubChainId))
