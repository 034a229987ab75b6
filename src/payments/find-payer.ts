/** Finds the buyer among the payers of a transaction. */
import type { Hex } from '../outside/chains/chain.ts'
import { findDelegate } from '../outside/chains/delegation.ts'
import { areSameAddress } from '../wallet/account.ts'
import type { PaymentOffer } from './payment.ts'
import type { Token } from './token.ts'

/** The first payer that is the buyer. Errors: OutsideError. */
export async function findPayer(
  payers: readonly Hex[],
  token: Pick<Token, 'chain'>,
  { wallets: [wallet = '', ...linked], contractOn }: Pick<PaymentOffer, 'wallets' | 'contractOn'>,
): Promise<Hex | undefined> {
  for (const payer of payers) {
    if (areSameAddress(payer, wallet)) {
      // A contract is identified by its address and chain: on another chain, the address may belong to somebody else.
      if (contractOn === undefined || contractOn === token.chain.chain) return payer
    } else if (linked.some((other) => areSameAddress(payer, other)) && !(await isContract(payer, token))) return payer
  }
  return undefined
}

/** A linked contract may have signed on another chain. An account that delegates to code (EIP-7702) has a key. */
async function isContract(address: Hex, { chain }: Pick<Token, 'chain'>): Promise<boolean> {
  const code = await (await chain.at()).readCode(address)
  return code !== '0x' && findDelegate(code) === undefined
}
