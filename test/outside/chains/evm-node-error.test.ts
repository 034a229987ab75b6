/** Errors of nodes in their own words: Geth, Erigon, Nethermind, Besu, Reth, Anvil, Hardhat and gateways. */
import { describe, expect, test } from 'bun:test'
import type { Hex } from '../../../src/outside/chains/chain.ts'
import { findFailure, findRefusal, makeOutage } from '../../../src/outside/chains/evm/node-error.ts'

type Failure = readonly [
  failed: 'reverted' | 'out-of-gas',
  reverted: Hex,
  code: number,
  message: string,
  data?: unknown,
]

const error = (code: number, message: string, data?: unknown) => ({ code, message, data })
const from = { setting: 'chains.base.rpc[0]', method: 'eth_call' }
const reason = '0x08c379a00000'

describe('a contract failed when the node says', () => {
  test.each([
    ['reverted', reason, 3, 'execution reverted: no', reason],
    ['reverted', '0x', 3, 'execution reverted'],
    ['reverted', '0x', -32000, 'execution reverted'],
    ['reverted', reason, -32000, 'Execution reverted', reason],
    ['reverted', reason, -32000, '', reason],
    ['reverted', reason, -32015, 'VM execution error.', `Reverted ${reason}`],
    ['reverted', '0x', -32015, 'VM execution error.', 'Bad instruction fe'],
    ['reverted', '0x', -32603, 'VM Exception while processing transaction: revert no'],
    ['reverted', reason, -32603, 'VM Exception while processing transaction: revert', { data: reason }],
    ['reverted', reason, -32603, 'Internal JSON-RPC error.', { code: 3, data: reason }],
    ['reverted', '0x', -32000, 'invalid opcode: INVALID'],
    ['reverted', '0x', -32603, 'EVM error InvalidFEOpcode'],
    ['reverted', '0x', -32000, 'invalid jump destination'],
    ['reverted', '0x', -32000, 'stack underflow (0 <=> 2)'],
    ['reverted', '0x', -32000, 'write protection'],
    ['reverted', '0x', -32000, 'max initcode size exceeded'],
    ['reverted', '0x', -32000, 'return data out of bounds'],
    ['reverted', '0x', -32000, 'invalid code: must not begin with 0xef'],
    ['reverted', '0x', -32000, 'contract address collision'],
    ['reverted', '0x', -32603, 'EVM error StateChangeDuringStaticCall'],
    ['reverted', '0x', -32603, 'EVM error CallNotAllowedInsideStatic'],
    ['reverted', '0x', -32000, 'INVALID_JUMP_DESTINATION'],
    // The contract's own text in the reason changes nothing.
    ['reverted', '0x', 3, 'execution reverted: missing trie node'],
    ['reverted', '0x', -32000, 'Execution reverted: Too Many Requests'],
    ['out-of-gas', '0x', -32000, 'out of gas'],
    ['out-of-gas', '0x', -32003, 'out of gas: gas required exceeds: 15000000'],
    ['out-of-gas', '0x', -32603, 'EVM error OutOfGas'],
    ['out-of-gas', '0x', -32000, 'gas uint64 overflow'],
    ['out-of-gas', '0x', -32015, 'VM execution error.', 'OutOfGas'],
    ['out-of-gas', '0x', -32000, 'INSUFFICIENT_GAS'],
  ] as readonly Failure[])('%s %s: %i %s', (failed, reverted, code, message, ...[data]) => {
    expect(findFailure({ code, message, data })).toEqual({ failed, data: reverted })
  })
})

describe('the node failed, not the contract, when it says', () => {
  test.each([
    ['wrong-source', -32000, 'missing trie node 8e1f (path ) state 0x8e1f is not available, not found'],
    ['wrong-source', -32000, 'historical state 0x8e1f is not available'],
    ['wrong-source', -32000, 'required historical state unavailable (reexec=128)'],
    ['wrong-source', 4444, 'pruned history unavailable'],
    ['wrong-source', -32000, 'World state unavailable'],
    ['wrong-source', -32002, 'No state available for block 12'],
    ['wrong-source', -32000, 'state at block #12 is pruned'],
    ['wrong-source', -32602, 'BlockOutOfRangeError: block height is 32 but requested was 5'],
    ['wrong-source', -32000, 'this request needs an Archive node: upgrade your plan'],
    ['disagree', -32000, 'header not found'],
    ['disagree', -32000, 'header for hash not found'],
    ['disagree', -32000, 'hash 0x12 is not currently canonical'],
    ['disagree', -32001, 'Resource not found'],
    ['disagree', -32001, 'block not found: hash 0x12'],
    ['disagree', -39001, 'Unknown block'],
    ['rate-limited', -32005, 'limit exceeded'],
    ['rate-limited', 429, 'slow down'],
    ['rate-limited', -32007, '25/second request limit reached'],
    ['rate-limited', -32000, 'Too Many Requests'],
    ['credentials', -32000, 'Unauthorized: you must authenticate with an API key'],
    ['wrong-source', -32601, 'the method eth_call does not exist'],
    ['unreachable', -32000, 'execution aborted (timeout = 5s)'],
    ['unreachable', -32603, 'Internal error'],
    ['unreachable', -32602, 'invalid argument 1: cannot unmarshal object'],
    ['unreachable', -32000, 'static file is missing'],
    ['unreachable', -32603, 'failed to roll back the database'],
    ['unreachable', -32603, 'EVM error Database(connection closed)'],
    ['unreachable', -32000, 'bad gateway', '0x12'],
    ['unreachable', -32000, 'context deadline exceeded', 'upstream'],
  ] as const)('%s: %i %s', (fault, code, message, ...[data]) => {
    const said = { code, message, data }
    expect(findFailure(said)).toBeUndefined()
    expect(makeOutage(from, said)).toMatchObject({ name: 'OutsideError', fault, source: from.setting })
  })

  test('anything: its words are not repeated, because they may hold a key', () => {
    const { message, mend } = makeOutage(
      from,
      error(-32099, 'project 0123456789abcdef has no access to https://rpc.example'),
    )
    expect(`${message} ${mend}`).not.toMatch(/0123456789abcdef|https:/)
    expect(message).toBe('chains.base.rpc[0]: answered eth_call with the error -32099')
  })
})

describe('a transaction is', () => {
  test.each([
    ['known', 'already known'],
    ['known', 'transaction already imported'],
    ['known', 'Transaction with the same hash was already imported.'],
    ['known', 'ALREADY_EXISTS: already known'],
    ['known', 'AlreadyKnown'],
    ['known', 'Known transaction'],
    ['nonce-used', 'nonce too low'],
    ['nonce-used', 'nonce too low: next nonce 5, tx nonce 4'],
    ['nonce-used', 'Nonce too low'],
    ['nonce-used', 'OldNonce, Current nonce: 5, nonce of rejected tx: 4'],
    ['underpriced', 'replacement transaction underpriced'],
    ['underpriced', 'transaction underpriced: gas tip cap 0, minimum needed 1'],
    ['underpriced', 'max fee per gas less than block base fee: address 0x12'],
    ['underpriced', 'FeeTooLowToCompete'],
    ['underpriced', 'ReplacementNotAllowed'],
    ['underpriced', 'Gas price too low'],
    ['insufficient-funds', 'insufficient funds for gas * price + value: balance 0, tx cost 1'],
    ['insufficient-funds', 'Insufficient funds for gas * price + value'],
    ['insufficient-funds', 'InsufficientFunds, Balance is 0 less than sending value'],
    ['insufficient-funds', 'Upfront cost exceeds account balance'],
  ] as const)('%s: %s', (refusal, message) => {
    expect(findRefusal(error(-32000, message))).toBe(refusal)
  })

  test('not refused by an unrelated error', () => {
    for (const message of ['Internal error', 'Too Many Requests', 'txpool is full'])
      expect(findRefusal(error(-32000, message))).toBeUndefined()
  })
})
