/**
 * What became of a signed authorization, as the chain tells it. Three facts are needed, and none is enough alone: the
 * nonce is used (or cancelled, or used for another transfer with the same nonce), a transaction says that it used that
 * nonce, and in it the transfer that belongs to it went to the recipient.
 */
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import type { BlockView, EvmReceipt, Hex } from '../../outside/chains/chain.ts'
import { OutsideError } from '../../outside/failure.ts'
import { readStanding, type Standing } from '../finality.ts'
import type { Token } from '../token.ts'
import { listTransfers } from '../transfer-log.ts'
import { authorizationCanceled, authorizationUsed, makeTopic } from './identity.ts'

/** Hex is in lower case. */
export interface Sought {
  readonly token: Pick<Token, 'chain' | 'address' | 'confirmations'>
  readonly from: Hex
  readonly nonce: Hex
  readonly payTo: Hex
}

export interface Settled {
  readonly receipt: EvmReceipt
  readonly standing: Standing
  /** Base units that went to the recipient. */
  readonly value: bigint
}

const abi = parseAbi(['function authorizationState(address authorizer, bytes32 nonce) view returns (bool)'])

/** Whether the nonce was used or cancelled. Errors: OutsideError, also when the token has no authorizations. */
export async function isSpent(view: BlockView, { token, from, nonce }: Sought): Promise<boolean> {
  const outcome = await view.call({
    to: token.address,
    data: encodeFunctionData({ abi, functionName: 'authorizationState', args: [from, nonce] }),
  })
  try {
    if ('returned' in outcome)
      return decodeFunctionResult({ abi, functionName: 'authorizationState', data: outcome.returned })
  } catch {
    // Not a boolean: the same as no answer.
  }
  throw new OutsideError(
    'malformed',
    'payments.x402.token',
    'does not say whether an authorization was used',
    'x402 needs a token with transferWithAuthorization (EIP-3009): name one that has it',
    60,
  )
}

/**
 * What a transaction paid with the authorization, or undefined when it paid nothing with it, is not mined, or is not on
 * the canonical chain. Errors: OutsideError.
 */
export async function findSettled(transaction: Hex, sought: Sought): Promise<Settled | undefined> {
  const { chain, confirmations } = sought.token
  const receipt = await chain.transactions.receiptOf(transaction)
  if (!receipt?.succeeded) return undefined
  const value = findValue(receipt.logs, sought)
  if (value === undefined) return undefined
  const standing = await readStanding(receipt, chain, confirmations)
  return standing.block === 'canonical' ? { receipt, standing, value } : undefined
}

/** Whether a transaction that stands used or cancelled the authorization, for whatever it was. Errors: OutsideError. */
export async function usesAuthorization(transaction: Hex, { token, from, nonce }: Sought): Promise<boolean> {
  const receipt = await token.chain.transactions.receiptOf(transaction)
  if (!receipt?.succeeded) return false
  const isUse = receipt.logs.some(
    ({ address, topics: [name, payer, used] }) =>
      address === token.address &&
      (name === authorizationUsed || name === authorizationCanceled) &&
      payer === makeTopic(from) &&
      used === nonce,
  )
  return isUse && (await readStanding(receipt, token.chain, token.confirmations)).block === 'canonical'
}

/**
 * The transfer must stand right behind the use of its authorization, as tokens log it: one transaction may use several,
 * and a small payment would pass for the large one beside it.
 */
function findValue(logs: EvmReceipt['logs'], { token, from, nonce, payTo }: Sought): bigint | undefined {
  const own = logs.filter(({ address }) => address === token.address)
  const position = own.findIndex(
    ({ topics: [name, payer, used] }) => name === authorizationUsed && payer === makeTopic(from) && used === nonce,
  )
  if (position === -1) return undefined
  const [transfer] = listTransfers(payTo, token.address, own.slice(position + 1, position + 2))
  return transfer?.from === from ? transfer.value : undefined
}
