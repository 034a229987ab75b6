/**
 * A contract wallet is somebody on one chain only: whoever gets a contract to the same address on another chain may be
 * somebody else. So what such a signer says of itself counts on the chain it signed on, and nowhere else. Keys are the same
 * on every chain.
 */
import { AppError } from '../errors.ts'
import { areSameAddress } from '../wallet/account.ts'
import type { Claim } from './verifier.ts'

/** `chain` is the CAIP-2 id on which the claim takes `wallet` for the signer. Errors: INVALID_VERIFIER_DATA. */
export function requireSameChainSigner(
  { signer, contractOn }: Pick<Claim<never>, 'signer' | 'contractOn'>,
  wallet: string,
  chain: string,
  verifierId: string,
): void {
  if (contractOn === undefined || contractOn === chain || !areSameAddress(wallet, signer)) return
  throw new AppError(
    'INVALID_VERIFIER_DATA',
    `${signer} is a contract wallet on ${contractOn}; at its address on ${chain} may be somebody else. Sign the claim for ${chain}, where the wallet must be deployed as well`,
    { verifierId, reason: 'CONTRACT_WALLET_OF_ANOTHER_CHAIN' },
  )
}
