/**
 * The proved state at one block: one endpoint returns it, and the header of the agreed block verifies it. An endpoint
 * without a valid proof is skipped for the next. Without any proof it is an outage, so that withholding proofs avoids
 * no check.
 */
import { keccak256, pad } from 'viem'
import { OutsideError } from '../../../failure.ts'
import type { Hex } from '../../chain.ts'
import { isRecord } from '../../json-rpc.ts'
import type { Quorum } from '../../quorum.ts'
import { waitForArrival } from '../arrival.ts'
import type { BlockAsker } from '../ask-at-block.ts'
import type { Block } from '../block.ts'
import { type AnswerTo, parseData } from '../hex.ts'
import { makeOutage } from '../node-error.ts'
import type { EvmSource } from '../source.ts'
import type { Codes } from './codes.ts'
import { type Header, readHeader } from './header.ts'
import { type Account, emptyRoot, noCodeHash, readProvedAccount, readProvedSlot } from './merkle.ts'

/** Errors of each: OutsideError. */
export interface ProvedState {
  header(): Promise<Header>
  account(address: Hex): Promise<Account>
  /** One word. */
  slot(address: Hex, slot: Hex): Promise<Hex>
  readCode(address: Hex): Promise<Hex>
}

export interface Reads {
  readonly quorum: Quorum<EvmSource>
  readonly block: Block
  /** Asks an endpoint about that block. */
  readonly asker: BlockAsker
  /** Receives the endpoint whose answer was used. */
  readonly took: (source: EvmSource) => void
  readonly codes: Codes
}

/** Proofs of two paths, each of a few KiB. */
const proofMaxBytes = 256 * 1024

export function openState({ quorum, block, asker, took, codes }: Reads): ProvedState {
  const kept = new Map<string, Promise<unknown>>()

  /** Each is requested once. */
  function askOnce<Answer>(key: string, ask: (source: EvmSource) => Promise<Answer>): Promise<Answer> {
    const known = kept.get(key) as Promise<Answer> | undefined
    if (known) return known
    const asking = quorum
      .first((source) => waitForArrival(() => ask(source)))
      .then(({ source, answer }) => {
        took(source)
        return answer
      })
    kept.set(key, asking)
    return asking
  }

  async function askProof(source: EvmSource, address: Hex, slots: readonly Hex[]) {
    const from = { setting: source.setting, method: 'eth_getProof' }
    const answer = await asker.ask(source, from.method, [address, slots], { maxBytes: proofMaxBytes })
    if ('error' in answer) throw makeOutage(from, answer.error)
    if (!isRecord(answer.result)) throw makeUnprovedError(from)
    return { from, proof: answer.result }
  }

  const readBlockHeader = (): Promise<Header> => askOnce('header', (source) => readHeader(source, block))

  async function readAccount(address: Hex): Promise<Account> {
    const { stateRoot } = await readBlockHeader()
    return askOnce(address, async (source) => {
      const { from, proof } = await askProof(source, address, [])
      return (
        (await readProvedAccount(stateRoot, address, proof.accountProof)) ?? Promise.reject(makeUnprovedError(from))
      )
    })
  }

  return {
    header: readBlockHeader,
    account: readAccount,
    async slot(address, slot) {
      const { storageRoot } = await readAccount(address)
      // The account proves that its storage is empty.
      if (storageRoot === emptyRoot) return pad('0x')
      return askOnce(`${address} ${pad(slot)}`, async (source) => {
        const { from, proof } = await askProof(source, address, [pad(slot)])
        const [first] = Array.isArray(proof.storageProof) ? proof.storageProof : []
        const nodes = isRecord(first) ? first.proof : undefined
        return (await readProvedSlot(storageRoot, slot, nodes)) ?? Promise.reject(makeUnprovedError(from))
      })
    },
    async readCode(address) {
      const { codeHash } = await readAccount(address)
      const known = codeHash === noCodeHash ? '0x' : codes.get(codeHash)
      if (known !== undefined) return known
      return askOnce(`code ${address}`, async (source) => {
        const from = { setting: source.setting, method: 'eth_getCode' }
        const answer = await asker.ask(source, from.method, [address])
        if ('error' in answer) throw makeOutage(from, answer.error)
        const code = parseData(answer.result, from)
        if (keccak256(code) !== codeHash) throw makeUnprovedError(from)
        codes.keep(codeHash, code)
        return code
      })
    },
  }
}

const makeUnprovedError = ({ setting, method }: AnswerTo): OutsideError =>
  new OutsideError(
    'malformed',
    setting,
    `gave an answer to ${method} that is not proved by the header of the block`,
    'use another endpoint: this one is wrong about the state of the chain, or cannot prove it',
  )
