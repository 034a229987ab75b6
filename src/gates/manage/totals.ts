/** Passes and sales of a gate by hour or day, and what it took in each currency. For its owner. */

import { preferReplica } from '../../db/prefer-replica.ts'
import { chooseSteps, type Range } from '../../metrics/periods.ts'
import type { Parts } from '../../parts.ts'
import { nameMethod } from '../../payments/methods.ts'
import { formatUsd } from '../../payments/price.ts'
import { listTokens } from '../../payments/token-transfers/tokens.ts'
import type { Gate } from '../gate.ts'
import { listGroups, mostCounted } from './totals-store.ts'

type Group = Awaited<ReturnType<typeof listGroups>>[number]

export async function readGateTotals(parts: Parts, gate: Pick<Gate, 'id' | 'gateId'>, range: Range) {
  const { firstAt, stepMs, length } = chooseSteps(range, parts.now())
  const before = firstAt + length * stepMs
  const { db } = preferReplica(parts, 'statistics')
  const groups = await listGroups(db, gate.id, { from: firstAt, before, stepMs })
  const listPerStep = (read: (group: Group) => number): number[] => {
    const values = new Array<number>(length).fill(0)
    for (const group of groups) values[group.step] = (values[group.step] ?? 0) + read(group)
    return values
  }
  const passes = listPerStep((group) => group.passes)
  const sales = listPerStep((group) => group.sales)
  const count = addAll(passes)
  return {
    gateId: gate.gateId,
    range,
    firstAt,
    stepMs,
    passes,
    sales,
    amountUsd: listPerStep((group) => group.usdMicros).map(formatUsd),
    totals: {
      passes: count,
      sales: addAll(sales),
      amountUsd: formatUsd(addAll(groups.map((group) => group.usdMicros))),
      received: listReceived(parts, groups),
    },
    complete: count < mostCounted,
  }
}

const addAll = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** One entry for each currency: amounts of two are never added. */
function listReceived(parts: Parts, groups: readonly Group[]) {
  const tokens = listTokens(parts)
  const byCurrency = Map.groupBy(
    groups.filter(({ sales }) => sales > 0),
    ({ method, chain, token }) => JSON.stringify([method, chain, token]),
  )
  return [...byCurrency.values()].map((alike) => {
    const { method, chain, token } = alike[0]!
    const known = tokens.find((one) => one.chain.chain === chain && one.address === token)
    // A payment without a token is one by card, in cents.
    const unit = token === null ? { symbol: 'USD', decimals: 2 } : known
    const refunded = alike.reduce((sum, one) => sum + one.refunded, 0n)
    return {
      method: nameMethod(method ?? ''),
      network: chain,
      token,
      symbol: unit?.symbol ?? null,
      decimals: unit?.decimals ?? null,
      sales: addAll(alike.map((one) => one.sales)),
      amount: String(alike.reduce((sum, one) => sum + one.amount, 0n) - refunded),
      refundedAmount: String(refunded),
    }
  })
}
