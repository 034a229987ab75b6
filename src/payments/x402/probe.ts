/** The doctor's probe of x402 payments: the facilitator, and the token's signing domain. */

import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { defer } from '../../defer.ts'
import type { BlockView } from '../../outside/chains/chain.ts'
import { type Finding, makeKnownProbe, type Probe } from '../../outside/probe.ts'
import type { PaymentTools } from '../payment.ts'
import { facilitatorSetting, makeFacilitator } from './facilitator.ts'
import { readX402Settings } from './settings.ts'
import { isSpent } from './settlement.ts'
import { type AskedToken, chooseToken } from './token.ts'

type Tools = Pick<PaymentTools, 'config' | 'outside'>

/** Empty without a facilitator, which means that the operator does not use x402. */
export function makeX402Probes(tools: Tools): readonly Probe[] {
  if (readX402Settings(tools.config).facilitatorUrl === undefined) return []
  const token = chooseToken(tools)
  return [
    typeof token === 'string'
      ? makeKnownProbe(facilitatorSetting, {
          level: 'fail',
          says: `x402 ${token}: x402 payments are not offered`,
          mend: 'complete the settings',
        })
      : { setting: facilitatorSetting, run: () => examineToken(token, tools) },
  ]
}

/** Errors: OutsideError. */
async function examineToken(token: AskedToken, tools: Tools): Promise<Finding> {
  const { chain } = token.chain
  if (!(await makeFacilitator(token.facilitatorUrl, tools).supports(chain)))
    return {
      level: 'fail',
      says: `does not settle payments of x402 version 2 (scheme exact) on ${chain}`,
      mend: `give the address of a facilitator for ${chain}, or name a token on another chain in payments.x402.token`,
    }
  return (await findDomainFault(token)) ?? { level: 'ok', says: `settles payments in ${token.symbol} on ${chain}` }
}

const readAbi = defer(() =>
  parseAbi(['function name() view returns (string)', 'function version() view returns (string)']),
)
const nobody = `0x${'00'.repeat(20)}` as const

/** Payers sign over name and version of the token: with wrong ones every signature is refused. */
async function findDomainFault(token: AskedToken): Promise<Finding | undefined> {
  const view = await token.chain.at()
  await isSpent(view, { token, from: nobody, nonce: `0x${'00'.repeat(32)}`, payTo: nobody })
  for (const [member, set] of Object.entries(token.domain) as ['name' | 'version', string][]) {
    const found = await readText(view, token, member)
    if (found !== undefined && found !== set)
      return {
        level: 'fail',
        says: `the token has the ${member} ${JSON.stringify(found)}, and payers are told to sign for ${JSON.stringify(set)}`,
        mend: `set payments.x402.token_${member} to that of the token`,
      }
  }
  return undefined
}

/** Undefined if the token does not provide it, which EIP-3009 allows. */
async function readText(view: BlockView, { address }: AskedToken, functionName: 'name' | 'version') {
  const outcome = await view.call({ to: address, data: encodeFunctionData({ abi: readAbi(), functionName }) })
  if (!('returned' in outcome)) return undefined
  try {
    const text = decodeFunctionResult({ abi: readAbi(), functionName, data: outcome.returned })
    // Shown in a terminal.
    return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 64)
  } catch {
    return undefined
  }
}
