/**
 * The parts of the Ethereum Attestation Service contract that we use. Any account may record a 32-byte value once, with
 * the time of the block. Each account may record once that it revokes one.
 */
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { defer } from '../defer.ts'
import type { BlockView, Hex } from '../outside/chains/chain.ts'
import { OutsideError } from '../outside/failure.ts'
import type { PublicationAction } from './publication.ts'

const readAbi = defer(() =>
  parseAbi([
    'function timestamp(bytes32 data) returns (uint64)',
    'function getTimestamp(bytes32 data) view returns (uint64)',
    'function revokeOffchain(bytes32 data) returns (uint64)',
    'function getRevokeOffchain(address revoker, bytes32 data) view returns (uint64)',
  ]),
)

/** The configured contract on one chain. */
export interface EasContract {
  readonly address: Hex
  /** `chains.base.eas`. */
  readonly setting: string
}

/** A record is the qHash, and for a revocation also the account that made it. */
export interface EasRecord {
  readonly action: PublicationAction
  readonly qHash: Hex
  readonly account: Hex
}

export const encodeCall = ({ action, qHash }: EasRecord): Hex =>
  encodeFunctionData({
    abi: readAbi(),
    functionName: action === 'revoke' ? 'revokeOffchain' : 'timestamp',
    args: [qHash],
  })

const encodeQuestion = ({ action, qHash, account }: EasRecord): Hex =>
  action === 'revoke'
    ? encodeFunctionData({ abi: readAbi(), functionName: 'getRevokeOffchain', args: [account, qHash] })
    : encodeFunctionData({ abi: readAbi(), functionName: 'getTimestamp', args: [qHash] })

/**
 * When the record was made, in Unix milliseconds by the clock of the chain; undefined when the contract has none.
 * Errors: OutsideError, also where no such contract stands.
 */
export async function readRecordedTime(
  view: BlockView,
  eas: EasContract,
  record: EasRecord,
): Promise<number | undefined> {
  const outcome = await view.call({ to: eas.address, data: encodeQuestion(record) })
  if (!('returned' in outcome) || outcome.returned.length !== 66)
    throw new OutsideError(
      'malformed',
      eas.setting,
      'does not answer as the Ethereum Attestation Service does',
      'set the address of its contract on this chain',
    )
  const seconds = decodeFunctionResult({
    abi: readAbi(),
    functionName: 'getTimestamp',
    data: outcome.returned,
  })
  return seconds === 0n ? undefined : Number(seconds) * 1000
}
