/**
 * Reads the outcome of a signed authorization from the chain. Three facts are needed together. The nonce is used (or
 * canceled, or used for another transfer). A transaction says that it used that nonce. In that transaction, the
 * matching transfer went to the recipient.
 */
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { defer } from '../../defer.ts'
import type { BlockView, EvmReceipt, Hex } from '../../outside/chains/chain.ts'
import { OutsideError } from '../../outside/failure.ts'
import { readStanding, type Standing } from '../finality.ts'
import type { Token } from '../token.ts'
import { authorizationCanceled, authorizationUsed, makeTopic } from '../token-transfers/authorization.ts'
import { listTransfers } from '../token-transfers/transfer-log.ts'

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

const readAbi = defer(() =>
  parseAbi(['function authorizationState(address authorizer, bytes32 nonce) view returns (bool)']),
)

/** Whether the nonce was used or cancelled. Errors: OutsideError, also when the token has no authorizations. */
export async function isSpent(view: BlockView, { token, from, nonce }: Sought): Promise<boolean> {
  const outcome = await view.call({
    to: token.address,
    data: encodeFunctionData({ abi: readAbi(), functionName: 'authorizationState', args: [from, nonce] }),
  })
  try {
    if ('returned' in outcome)
      return decodeFunctionResult({ abi: readAbi(), functionName: 'authorizationState', data: outcome.returned })
  } catch {
    // An answer that is not a boolean counts as none.
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
 * The amount that a transaction paid with the authorization. Undefined if it paid none, is not mined, or is not
 * canonical. Errors: OutsideError.
 */
export async function findSettled(transaction: Hex, sought: Sought): Promise<Settled | undefined> {
  const { chain, confirmations } = sought.token
  const receipt = await chain.transactions.readReceipt(transaction)
  if (!receipt?.succeeded) return undefined
  const value = findValue(receipt.logs, sought)
  if (value === undefined) return undefined
  const standing = await readStanding(receipt, chain, confirmations)
  return standing.block === 'canonical' ? { receipt, standing, value } : undefined
}

/** Whether a canonical transaction used or canceled the authorization, for any purpose. Errors: OutsideError. */
export async function usesAuthorization(transaction: Hex, { token, from, nonce }: Sought): Promise<boolean> {
  const receipt = await token.chain.transactions.readReceipt(transaction)
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
 * The transfer must directly follow the use of its authorization, as tokens log it. One transaction may use several,
 * and a small payment could pass for a large one beside it.
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
