/**
 * One Solana endpoint: the three questions that a holding needs, and the form of their answers. Everything is read at
 * commitment `finalized`: a younger block can still be dropped, while its proof would stay.
 */
import { base64 } from '@scure/base'
import { isBase58Key } from '../../../wallet/account.ts'
import { OutsideError } from '../../failure.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { askRpc, isRecord, type RpcOptions } from '../json-rpc.ts'
import type { Place } from '../machines.ts'

export interface SolanaNode {
  readonly setting: string
  /** The name that counts once towards `agree`, such as the host. */
  readonly voice: string
  /** The reason why its name shares a voice with another: `leads to the same machine as …`. */
  readonly whyShared: string | undefined
  /** The base58 text of 32 bytes that names the cluster. */
  genesisHash(): Promise<string>
  /** The account at each address, all of one slot; null for an empty address. */
  readAccounts(addresses: readonly string[]): Promise<AtSlot<readonly (AccountState | null)[]>>
  /** The owner's token accounts of a mint, as the node lists them. Not checked: see holding.ts. */
  readTokenAccounts(owner: string, mint: string): Promise<AtSlot<readonly AddressedAccount[]>>
  /** For an answer of the right form that cannot be true. */
  malformed(method: string, what: string): OutsideError
}

export interface AccountState {
  /** The program that owns the account. It alone writes the account's data. */
  readonly program: string
  readonly data: Uint8Array
}

export interface AddressedAccount extends AccountState {
  readonly address: string
}

export interface AtSlot<Value> {
  readonly slot: number
  readonly value: Value
}

/** Room for some 13,000 token accounts. A stranger can create them for any owner, at the cost of their rent. */
const tokenAccountsMaxBytes = 8 * 1024 * 1024

const reading = { commitment: 'finalized', encoding: 'base64' }

export function openSolanaNode(endpoint: Endpoint, place: Place): SolanaNode {
  const { setting } = endpoint

  async function ask(method: string, params: readonly unknown[], options?: RpcOptions): Promise<unknown> {
    const answer = await askRpc(endpoint, method, params, options)
    if ('error' in answer) throw makeNodeError(setting, method, answer.error.code)
    return answer.result
  }

  const makeMalformedError = (method: string, what: string): OutsideError =>
    new OutsideError(
      'malformed',
      setting,
      `gave an answer to ${method} ${what}`,
      'see whether the address is the JSON-RPC address of a Solana node',
    )

  /** The members of an RpcResponse: a value, and the slot it is of. */
  function parseSlotValue(method: string, result: unknown): AtSlot<readonly unknown[]> {
    const slot = isRecord(result) && isRecord(result.context) ? result.context.slot : undefined
    if (!isRecord(result) || !isSlot(slot) || !Array.isArray(result.value))
      throw makeMalformedError(method, 'without a slot and a list')
    return { slot, value: result.value }
  }

  function parseAccount(method: string, value: unknown): AccountState {
    const { owner: program, data } = isRecord(value) ? value : {}
    if (!isKey(program) || !Array.isArray(data) || data.length !== 2 || data[1] !== 'base64')
      throw makeMalformedError(method, 'with an account that has no program or no data')
    try {
      return { program, data: base64.decode(data[0]) }
    } catch {
      throw makeMalformedError(method, 'with data that is not base64')
    }
  }

  return {
    setting,
    get voice() {
      return place.voice
    },
    get whyShared() {
      return place.whyShared
    },
    malformed: makeMalformedError,

    async genesisHash() {
      const hash = await ask('getGenesisHash', [])
      if (!isKey(hash)) throw makeMalformedError('getGenesisHash', 'that is no hash')
      return hash
    },

    async readAccounts(addresses) {
      const method = 'getMultipleAccounts'
      const { slot, value } = parseSlotValue(method, await ask(method, [addresses, reading]))
      if (value.length !== addresses.length)
        throw makeMalformedError(method, `with ${value.length} of ${addresses.length} accounts`)
      return { slot, value: value.map((one) => (one === null ? null : parseAccount(method, one))) }
    },

    async readTokenAccounts(owner, mint) {
      const method = 'getTokenAccountsByOwner'
      const result = await ask(method, [owner, { mint }, reading], { maxBytes: tokenAccountsMaxBytes })
      const { slot, value } = parseSlotValue(method, result)
      return {
        slot,
        value: value.map((one) => {
          const { pubkey: address, account } = isRecord(one) ? one : {}
          if (!isKey(address)) throw makeMalformedError(method, 'with an account that has no address')
          return { address, ...parseAccount(method, account) }
        }),
      }
    },
  }
}

const isKey = (value: unknown): value is string => typeof value === 'string' && isBase58Key(value)

const isSlot = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Codes of JSON-RPC 2.0 (section 5.1) and of Agave's `custom_error`. The node's text is not shown. */
function makeNodeError(setting: string, method: string, code: number): OutsideError {
  if (code === -32005)
    return new OutsideError(
      'wrong-source',
      setting,
      'says that it is behind its cluster',
      'wait until the node has caught up, or put another endpoint first',
    )
  if (code === -32601 || code === -32010)
    return new OutsideError(
      'wrong-source',
      setting,
      `does not offer ${method}`,
      'use the JSON-RPC address of a Solana node that keeps indexes of token accounts',
    )
  return new OutsideError(
    'unreachable',
    setting,
    `answered ${method} with the error ${code}`,
    'see what the operator of the endpoint says about this error',
  )
}
