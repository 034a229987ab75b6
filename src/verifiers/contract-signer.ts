/**
 * A contract wallet is identified by its address and chain. Another party may control a contract at the same address
 * elsewhere. So a claim of such a signer counts on its signing chain only. Keys are the same on every chain.
 */
import { AppError } from '../errors.ts'
import { areSameAddress } from '../wallet/account.ts'
import type { Claim } from './verifier.ts'

/**
 * `chain` is the CAIP-2 id of the chain on which the claim takes `wallet` for the signer. Errors:
 * INVALID_VERIFIER_DATA.
 */
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
