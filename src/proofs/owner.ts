/** Whether a caller is the account that a proof belongs to. */
import type { Account } from '../auth/identity.ts'
import { isUnknown, parseAccount, writeAccount, writeChain } from '../wallet/account.ts'
import type { ProofRow } from './proof.ts'

/** A contract wallet is identified by its address and chain: its address on another chain may have another owner. */
const isOnAccountChain = ({ contractOn }: Account, { context }: Pick<ProofRow, 'context'>): boolean =>
  contractOn === undefined || contractOn === writeChain(context)

export const isProofOwner = (
  proof: Pick<ProofRow, 'account' | 'walletAddress' | 'context'>,
  caller: Account,
): boolean =>
  isUnknown(proof.account)
    ? proof.walletAddress === caller.wallet && isOnAccountChain(caller, proof)
    : proof.account === writeAccount(caller)

/** The signer of a proof. If it may be a key or a contract, the key of its address. */
export const readSigner = ({ account, walletAddress }: Pick<ProofRow, 'account' | 'walletAddress'>): Account =>
  isUnknown(account) ? { wallet: walletAddress, contractOn: undefined } : parseAccount(account)
