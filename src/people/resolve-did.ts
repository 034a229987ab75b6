import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { type ChainContext, normalizeAddress, readAddress, readChain, writeDid } from '../wallet/account.ts'
import { requireContext, type WalletReference } from '../wallet/context.ts'

/** Computed from address and chain: nothing is looked up. Errors: INVALID_WALLET_ADDRESS, VALIDATION_ERROR. */
export function resolveDid(
  { config }: Parts,
  reference: WalletReference,
): { did: string; walletAddress: string } & ChainContext {
  const { walletAddress: identifier } = reference
  const address = readAddress(identifier)
  const ownChain = readChain(identifier)
  if (identifier.startsWith('did:') && ownChain === undefined)
    throw new AppError(
      'INVALID_WALLET_ADDRESS',
      'walletAddress is not a did:pkh identifier (did:pkh:<namespace>:<reference>:<address>)',
      {
        path: '/walletAddress',
      },
    )
  if (ownChain !== undefined && reference.chain !== undefined && reference.chain !== ownChain)
    throw new AppError(
      'VALIDATION_ERROR',
      `walletAddress names a wallet on ${ownChain}, and chain is "${reference.chain}": send one of them`,
      { path: '/chain' },
    )
  const context = requireContext(
    { ...reference, ...(ownChain === undefined ? {} : { chain: ownChain }), walletAddress: address },
    config.signing.hubChainId,
  )
  return { did: writeDid(context, address), walletAddress: normalizeAddress(address), ...context }
}
