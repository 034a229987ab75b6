/** Transfers of an ERC-20 token in the logs of a transaction (EIP-20, event Transfer), read strictly. */
import type { EvmReceipt, Hex } from '../../outside/chains/chain.ts'

export interface Transfer {
  readonly from: Hex
  readonly to: Hex
  /** Base units. */
  readonly value: bigint
  /** Counted from 1 among all transfers of its payer in the transaction, of any token and to any address. */
  readonly nth: number
}

/** keccak256("Transfer(address,address,uint256)") */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const wordPattern = /^0x[0-9a-f]{64}$/
const addressWordPattern = /^0x0{24}([0-9a-f]{40})$/

/**
 * Transfers to `recipient`, in the order of the logs. The logging contract determines the token: any contract can log a
 * Transfer with any addresses. Transfers of the recipient itself pay nobody. Addresses are in lower case.
 */
export function listTransfers(recipient: Hex, token: Hex, logs: EvmReceipt['logs']): readonly Transfer[] {
  const counts = new Map<Hex, number>()
  return logs.flatMap((log) => {
    const transfer = parseTransfer(log)
    if (!transfer) return []
    const { from, to } = transfer
    const nth = (counts.get(from) ?? 0) + 1
    counts.set(from, nth)
    return log.address === token && to === recipient && from !== recipient ? [{ ...transfer, nth }] : []
  })
}

/** Undefined for all other logs, including ERC-721 transfers, which have the same first topic and one more. */
function parseTransfer({ topics, data }: EvmReceipt['logs'][number]): Omit<Transfer, 'nth'> | undefined {
  const [name, from, to] = topics
  if (topics.length !== 3 || name !== transferTopic || !wordPattern.test(data)) return undefined
  const [payer, payee] = [parseAddressWord(from), parseAddressWord(to)]
  return payer && payee && { from: payer, to: payee, value: BigInt(data) }
}

/** The twelve bytes before an address must be zero: ignoring them would map many words to one address. */
function parseAddressWord(word: string | undefined): Hex | undefined {
  const digits = addressWordPattern.exec(word ?? '')?.[1]
  return digits === undefined ? undefined : `0x${digits}`
}
