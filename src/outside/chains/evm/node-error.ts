/**
 * Classifies the errors of EVM nodes. JSON-RPC gives them a code and a text, and every client has its own. The texts
 * here are those of Geth, Erigon, Nethermind, Besu, Reth and Anvil. A node's text is never shown: it may hold a key.
 */
import { OutsideError } from '../../failure.ts'
import type { CallOutcome, Hex } from '../chain.ts'
import type { RpcAnswer } from '../json-rpc.ts'
import type { AnswerTo } from './hex.ts'

export type NodeError = Extract<RpcAnswer, { readonly error: unknown }>['error']

/** EIP-1474: limit exceeded. Some gateways return the HTTP status instead. */
const limitCodes = [-32005, 429]
const limited = /rate limit|too many requests|request limit|requests per second|limit exceeded|quota|out of credits/i
const unauthorized = /unauthori[sz]ed|api.?key|invalid project|access denied|forbidden/i
const lacksState =
  /missing trie node|state .*not available|state (is )?unavailable|no state available|unable to find state|prun(ed|ing)|archive|BlockOutOfRange/i
const unknownBlock = /(header|block|hash)\b.*not found|unknown block|not .*canonical|resource not found/i

/** Never the error of a contract: see failureOf for those. */
export function makeOutage({ setting, method }: AnswerTo, { code, message }: NodeError): OutsideError {
  if (limitCodes.includes(code) || limited.test(message))
    return new OutsideError(
      'rate-limited',
      setting,
      `wants fewer calls (${code})`,
      'raise the limit of the account, or add another endpoint',
      30,
    )
  if (unauthorized.test(message))
    return new OutsideError('credentials', setting, `refused the key (${code})`, 'set the right key for this endpoint')
  if (lacksState.test(message))
    return new OutsideError(
      'wrong-source',
      setting,
      'does not keep the state of that block',
      'for claims about older blocks, configure the address of an archive node',
      60,
    )
  if (unknownBlock.test(message))
    return new OutsideError(
      'disagree',
      setting,
      'does not know the block that was chosen: it was replaced, or has not arrived there',
      'nothing, if it happens now and then; else use another endpoint, its nodes are not in step',
    )
  if (code === -32601)
    return new OutsideError('wrong-source', setting, `does not offer ${method}`, 'use the address of a full EVM node')
  return new OutsideError(
    'unreachable',
    setting,
    `answered ${method} with the error ${code}`,
    'see what the operator of the endpoint says about this error',
  )
}

/** Errors of nodes without EIP-1898 for an object in the place of a block: Geth and its forks, OpenEthereum, others. */
const noObject =
  /unmarshal|invalid (argument|param|request|type|block)|expected (a )?(hex |block )?string|hex string|pars(e|ing)/i
const invalidParamsCode = -32602

/** The node does not accept a block hash. Other problems that it words differently do not count. */
export const refusesBlockHash = ({ code, message, data }: NodeError): boolean =>
  [limited, unauthorized, lacksState, unknownBlock].every((trouble) => !trouble.test(message)) &&
  (code === invalidParamsCode || noObject.test(message)) &&
  !findFailure({ code, message, data })

/** Geth made 3 the code of a revert; Nethermind and OpenEthereum use -32015 for every contract failure. */
const revertCode = 3
const executionCode = -32015
const reverted = /\brevert(ed)?\b/i
/** Reth and Anvil name the use of the gas: MemoryOOG, InvalidOperandOOG. */
const outOfGas = /out[ _]?of[ _]?gas|OOG\b|insufficient[_ ]gas|intrinsic gas|gas required exceeds|gas uint64 overflow/i
/** Other failures of a contract: bad code, and operations that a static call forbids. */
const halted =
  /opcode|(bad|invalid)[_ ]?(instruction|operation|jump)|stack[_ ]?(under|over)flow|stack limit|write protection|(static|inside) ?(call|static)|return data out of bounds|OutOfOffset|(code|contract) ?size|init ?code|0xef|StartingWithEF|collision/i

type CallFailure = Extract<CallOutcome, { readonly failed: unknown }>

/**
 * The contract's failure, if the error certainly comes from a contract. Undefined for every other error: a node's
 * problem read as the contract's "no" would refuse a true claim.
 */
export function findFailure({ code, message, data }: NodeError): CallFailure | undefined {
  // Nethermind and OpenEthereum put the word into `data`: "Reverted 0x08c379a0…".
  const said = typeof data === 'string' && !data.startsWith('0x') ? `${message} ${data}` : message
  const revertData = readHex(data)
  // Without both, data that can begin with an error selector (EIP-6093) means a revert as well.
  if (code === revertCode || reverted.test(said) || revertData.length >= 10)
    return { failed: 'reverted', data: revertData }
  if (outOfGas.test(said)) return { failed: 'out-of-gas', data: '0x' }
  if (halted.test(said) || code === executionCode) return { failed: 'reverted', data: '0x' }
  return undefined
}

/** Bare, after a word, or as the member `data` of an object, which some nodes add. */
function readHex(data: unknown): Hex {
  if (typeof data === 'object' && data !== null && 'data' in data) return readHex(data.data)
  const found = typeof data === 'string' ? /^(?:reverted )?(0x[0-9a-f]*)$/i.exec(data)?.[1] : undefined
  return found === undefined || found.length % 2 !== 0 ? '0x' : (found.toLowerCase() as Hex)
}

type Refusal = 'known' | 'nonce-used' | 'underpriced' | 'insufficient-funds'

const refusals: readonly (readonly [RegExp, Refusal])[] = [
  [/already (known|imported|exists)|already_exists|AlreadyKnown|known transaction|same hash/i, 'known'],
  [/nonce.{0,20}too low|nonce.{0,20}already|OldNonce|nonce_too_low/i, 'nonce-used'],
  [/insufficient (funds|balance)|InsufficientFunds|upfront cost|exceeds balance/i, 'insufficient-funds'],
  [
    /underpriced|fee.{0,10}too low|FeeTooLow|price too low|less than (block )?base fee|ReplacementNotAllowed/i,
    'underpriced',
  ],
]

/** The reason why a node rejects a transaction. Undefined when it is unrelated to the transaction. */
export const findRefusal = ({ message }: NodeError): Refusal | undefined =>
  refusals.find(([text]) => text.test(message))?.[1]
