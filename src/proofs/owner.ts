/** Whether a caller is the wallet that a proof belongs to. */
import type { Account } from '../http/identity.ts'
import { chainOf } from '../wallet/account.ts'
import type { ProofRow } from './proof.ts'

/** A contract wallet is somebody on its chain only: at its address on another one may be somebody else. */
export const isOnChainOf = ({ contractOn }: Account, { context }: Pick<ProofRow, 'context'>): boolean =>
  contractOn === undefined || contractOn === chainOf(context)

export const isOwnedBy = (proof: Pick<ProofRow, 'walletAddress' | 'context'>, caller: Account): boolean =>
  proof.walletAddress === caller.wallet && isOnChainOf(caller, proof)

/** Proofs signed on a chain, of which the two spellings are one. The params are given twice: the CAIP-2 id, then the number. */
export const signedOnChain = '(chain = ? OR chain_id = ?)'
export const signedOnChainParams = (chain: string): [string, number] => [chain, Number(chain.slice('eip155:'.length))]
