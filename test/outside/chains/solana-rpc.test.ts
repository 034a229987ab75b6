/** The ledger and the endpoint that the Solana tests stand on, as the official client reads them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  AccountState,
  createCloseAccountInstruction,
  createFreezeAccountInstruction,
  createTransferCheckedInstruction,
  getAccount,
  getMint,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { Connection, Keypair } from '@solana/web3.js'
import { startOfTime } from '../../app.ts'
import { mainnetGenesis } from '../../parts/solana/rpc.ts'
import { startSolana } from '../../parts/solana.ts'

const ledger = startSolana()
const endpoint = ledger.serve()
const connection = new Connection(endpoint.url, 'finalized')
const owner = Keypair.generate()
const other = Keypair.generate()

afterAll(() => ledger.stop())

/** Lists amounts as a wallet does: every token account of the owner. */
const amountsOf = async (
  who: Keypair,
  mint: { address: Parameters<typeof getMint>[1]; program: typeof TOKEN_2022_PROGRAM_ID },
) => {
  const { value } = await connection.getTokenAccountsByOwner(who.publicKey, { mint: mint.address })
  const accounts = await Promise.all(value.map(({ pubkey }) => getAccount(connection, pubkey, undefined, mint.program)))
  return accounts.map(({ amount }) => amount).sort((a, b) => Number(a - b))
}

describe('web3.js reads through the endpoint', () => {
  beforeAll(() => ledger.finalize())

  test('the cluster, its clock and its version', async () => {
    const slot = await connection.getSlot()
    expect(await connection.getGenesisHash()).toBe(mainnetGenesis)
    expect(slot).toBe(ledger.finalSlot())
    expect(await connection.getBlockTime(slot)).toBe(startOfTime / 1000)
    expect((await connection.getVersion())['solana-core']).toBe('2.3.0')
  })

  test('minted, moved, frozen and closed accounts, once they are final', async () => {
    const mint = ledger.createMint({ decimals: 6 })
    const first = ledger.openAccount(mint, owner.publicKey)
    const second = ledger.openFurtherAccount(mint, owner.publicKey)
    const target = ledger.openAccount(mint, other.publicKey)
    ledger.mintTo(mint, first, 5_000_000n)
    ledger.mintTo(mint, second, 2_500_000n)
    ledger.finalize()
    expect(await amountsOf(owner, mint)).toEqual([2_500_000n, 5_000_000n])
    expect((await getMint(connection, mint.address)).supply).toBe(7_500_000n)
    expect((await connection.getTokenSupply(mint.address)).value).toMatchObject({ amount: '7500000', decimals: 6 })

    ledger.send(
      [
        createTransferCheckedInstruction(second, mint.address, target, owner.publicKey, 2_500_000n, 6),
        createCloseAccountInstruction(second, ledger.payer.publicKey, owner.publicKey),
        createFreezeAccountInstruction(first, mint.address, ledger.payer.publicKey),
      ],
      [owner],
    )
    expect(await amountsOf(owner, mint)).toEqual([2_500_000n, 5_000_000n])
    ledger.finalize()
    expect(await amountsOf(owner, mint)).toEqual([5_000_000n])
    expect(await amountsOf(other, mint)).toEqual([2_500_000n])
    expect(await connection.getAccountInfo(second)).toBeNull()
    const { value } = await connection.getTokenAccountsByOwner(owner.publicKey, { mint: mint.address })
    expect(value[0]!.account.data[108]).toBe(AccountState.Frozen)
  })

  test('tokens of Token-2022', async () => {
    const mint = ledger.createMint({ decimals: 2, program: TOKEN_2022_PROGRAM_ID })
    ledger.mintTo(mint, ledger.openAccount(mint, owner.publicKey), 9n)
    ledger.finalize()
    expect(await amountsOf(owner, mint)).toEqual([9n])
  })
})

test('the token program is the real one: it refuses to move missing tokens', () => {
  const mint = ledger.createMint({ decimals: 0 })
  const [from, to] = [ledger.openAccount(mint, owner.publicKey), ledger.openAccount(mint, other.publicKey)]
  ledger.mintTo(mint, from, 1n)
  expect(() =>
    ledger.send([createTransferCheckedInstruction(from, mint.address, to, owner.publicKey, 2n, 0)], [owner]),
  ).toThrow('insufficient funds')
})

describe('the endpoint refuses the same requests as a node:', () => {
  const ask = async (body: unknown, type = 'application/json') => {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: { 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return response.ok
      ? ((await response.json()) as { error?: { code: number; message: string } }).error
      : response.status
  }
  const call = (method: string, params: readonly unknown[]) => ask({ jsonrpc: '2.0', id: 1, method, params })
  const mint = ledger.createMint({ decimals: 0 })
  const key = owner.publicKey.toBase58()
  const base64 = { encoding: 'base64' }
  ledger.finalize()

  test.each([
    ['an address that is none', 'getAccountInfo', ['0x12', base64], -32602],
    ['a commitment that is none', 'getAccountInfo', [key, { ...base64, commitment: 'sure' }], -32602],
    ['a mint that is not there', 'getTokenAccountsByOwner', [key, { mint: key }, base64], -32602],
    [
      'a mint that is a token program',
      'getTokenAccountsByOwner',
      [key, { mint: mint.program.toBase58() }, base64],
      -32602,
    ],
    ['no filter', 'getTokenAccountsByOwner', [key, null, base64], -32602],
    ['101 accounts at once', 'getMultipleAccounts', [Array(101).fill(key), base64], -32602],
    ['a method of another chain', 'eth_chainId', [], -32601],
  ])('%s', async (_, method, params, code) => {
    expect(await call(method, params)).toMatchObject({ code })
  })

  test('half a document, another protocol and another type', async () => {
    expect(await ask('{"jsonrpc":')).toMatchObject({ code: -32700 })
    expect(await ask({ method: 'getSlot', params: [] })).toMatchObject({ code: -32600 })
    expect(await ask({ jsonrpc: '2.0', id: 1, method: 'getSlot' }, 'text/plain')).toBe(415)
  })
})
