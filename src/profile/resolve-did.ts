import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { addressOfIdentifier, type ChainContext, didOf, normalizeAddress } from '../wallet/account.ts'
import { requireContext, type WalletReference } from '../wallet/context.ts'

/** Computed from address and chain: nothing is looked up. Errors: INVALID_WALLET_ADDRESS, VALIDATION_ERROR. */
export function resolveDid(
  { config }: Parts,
  reference: WalletReference,
): { did: string; walletAddress: string } & ChainContext {
  const { walletAddress: identifier } = reference
  const address = addressOfIdentifier(identifier)
  if (address === undefined)
    throw new AppError(
      'INVALID_WALLET_ADDRESS',
      'walletAddress is not a did:pkh identifier (did:pkh:<namespace>:<reference>:<address>)',
      {
        path: '/walletAddress',
      },
    )
  // A DID names its own chain.
  const ownChain = identifier.startsWith('did:') ? { chain: identifier.split(':').slice(2, 4).join(':') } : {}
  const context = requireContext({ ...reference, ...ownChain, walletAddress: address }, config.signing.hubChainId)
  return { did: didOf(context, address), walletAddress: normalizeAddress(address), ...context }
}
