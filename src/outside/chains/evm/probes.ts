/** The probes of `proofgate doctor` for a configured EVM chain: each endpoint, their agreement, and the contracts. */
import { encodeFunctionData, maxUint64, parseAbi, zeroAddress, zeroHash } from 'viem'
import type { Config } from '../../../config/schema.ts'
import { defer } from '../../../defer.ts'
import { OutsideError } from '../../failure.ts'
import type { Finding, Probe } from '../../probe.ts'
import type { EvmChain, Hex } from '../chain.ts'
import { type SeenPlace, warnTwins } from '../machines.ts'
import { type Members, openQuorum } from '../quorum.ts'
import { askAtBlock, type BlockAsker } from './ask-at-block.ts'
import { type Block, type Freshness, readNewestBlock } from './block.ts'
import { writeQuantity } from './hex.ts'
import { makeOutage } from './node-error.ts'
import { openCodes } from './proofs/codes.ts'
import type { EvmSource } from './source.ts'

const readAbi = defer(() =>
  parseAbi([
    'function getTimestamp(bytes32 data) view returns (uint64)',
    'function isSanctioned(address wallet) view returns (bool)',
  ]),
)

export function makeEvmProbes(
  chain: EvmChain,
  { chainName, sources, agree }: Members<EvmSource>,
  freshness: Freshness,
  settings: Config['chains'][string],
  places: readonly SeenPlace[],
): readonly Probe[] {
  const { eas, sanctionsOracle } = settings
  return [
    ...sources.map((source) => ({
      setting: source.setting,
      run: () => probeSource(source, chain, freshness, settings.proofs),
    })),
    ...(agree > 1 ? [{ setting: `chains.${chainName}.agree`, run: () => probeAgreement(chain, agree, places) }] : []),
    ...(eas ? [{ setting: `chains.${chainName}.eas`, run: () => probeContract(chain, eas as Hex, easContract) }] : []),
    ...(sanctionsOracle
      ? [
          {
            setting: `chains.${chainName}.sanctions_oracle`,
            run: () => probeContract(chain, sanctionsOracle as Hex, oracleContract),
          },
        ]
      : []),
  ]
}

/** Reads by block hash as a verifier does, so that a node without support for it is found here. */
async function probeSource(
  source: EvmSource,
  { chain }: EvmChain,
  freshness: Freshness,
  proofs: boolean,
): Promise<Finding> {
  const block = await readNewestBlock(source, freshness)
  const asker = askAtBlock(block)
  const read = await asker.ask(source, 'eth_getBalance', [zeroAddress])
  if ('error' in read) throw makeOutage({ setting: source.setting, method: 'eth_getBalance' }, read.error)
  if (proofs) await probeProofs(source, block, asker)
  const ageSeconds = Math.max(0, Math.round((freshness.now() - block.timestampMs) / 1000))
  const history = await describeHistory(source, block.number)
  const proves = proofs ? '; proves its state' : ''
  const says = `answers for ${chain} at block ${block.number}, ${ageSeconds} s old; ${history}${proves}`
  if (asker.byNumber.size === 0) return { level: 'ok', says }
  return {
    level: 'warn',
    says: `${says}; takes no block hash (EIP-1898), so that it is asked by number and each read costs a second call`,
    mend: 'use a node that knows EIP-1898, if there is one for this chain',
  }
}

/** Errors: OutsideError for an endpoint that offers no eth_getProof, or whose proofs do not belong to its blocks. */
async function probeProofs(source: EvmSource, block: Block, asker: BlockAsker): Promise<void> {
  const quorum = openQuorum({ chainName: source.setting, sources: [source], agree: 1 })
  const { openState } = await import('./proofs/state.ts')
  try {
    await openState({ quorum, block, asker, took: () => undefined, codes: openCodes() }).account(zeroAddress)
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    const mend = `${error.mend}, or set proofs = false for this chain`
    throw new OutsideError(error.fault, source.setting, error.happened, mend, error.retryAfterSeconds)
  }
}

/** Nodes that prune old state keep that of block 0, so the probe asks for block 1. */
async function describeHistory(source: EvmSource, newest: number): Promise<string> {
  const answer = await source.ask('eth_getBalance', [zeroAddress, writeQuantity(Math.min(1, newest))])
  return 'result' in answer ? 'keeps old blocks' : 'cannot answer about old blocks'
}

async function probeAgreement(chain: EvmChain, agree: number, places: readonly SeenPlace[]): Promise<Finding> {
  // Endpoints that are not asked are resolved as well. The endpoint's own probe reports a name without an address.
  await Promise.allSettled(places.map((place) => place.look()))
  const { blockNumber, sources } = await chain.at()
  const says = `${sources.length} endpoints agree on block ${blockNumber}, and ${agree} must`
  return warnTwins(places, says) ?? { level: 'ok', says }
}

interface ExpectedContract {
  readonly name: string
  readonly functionName: 'getTimestamp' | 'isSanctioned'
  readonly args: readonly [Hex]
  /** The largest value of the call's answer, one word. */
  readonly largest: bigint
}

const easContract: ExpectedContract = {
  name: 'the Ethereum Attestation Service',
  functionName: 'getTimestamp',
  args: [zeroHash],
  largest: maxUint64,
}
const oracleContract: ExpectedContract = {
  name: 'a sanctions oracle',
  functionName: 'isSanctioned',
  args: [zeroAddress],
  largest: 1n,
}

async function probeContract(
  chain: EvmChain,
  address: Hex,
  { name, functionName, args, largest }: ExpectedContract,
): Promise<Finding> {
  const view = await chain.at()
  const mend = `set the address of ${name} on ${chain.chain}`
  if ((await view.readCode(address)) === '0x')
    return { level: 'fail', says: `no contract stands at ${address} on ${chain.chain}`, mend }
  const outcome = await view.call({ to: address, data: encodeFunctionData({ abi: readAbi(), functionName, args }) })
  return 'returned' in outcome && outcome.returned.length === 66 && BigInt(outcome.returned) <= largest
    ? { level: 'ok', says: `answers as ${name} at ${address}` }
    : { level: 'fail', says: `the contract at ${address} does not answer as ${name}`, mend }
}
