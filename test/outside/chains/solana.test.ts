/** Holdings on the Solana chain, over a real ledger. */
import { afterAll, describe, expect, test } from 'bun:test'
import {
  createApproveInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createFreezeAccountInstruction,
  createInitializeMultisigInstruction,
  createInitializeTransferFeeConfigInstruction,
  createTransferCheckedInstruction,
  ExtensionType,
  MINT_SIZE,
  MULTISIG_SIZE,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { UnanswerableError } from '../../../src/outside/failure.ts'
import type { Mint } from '../../parts/solana/tokens.ts'
import { startSolana } from '../../parts/solana.ts'
import { chainOver } from './solana-chain.ts'

const ledger = startSolana()
const chain = chainOver([ledger.serve()])
afterAll(() => ledger.stop())

const holdingOf = (owner: PublicKey, mint: Mint) => chain.readTokenHolding(owner.toBase58(), mint.address.toBase58())
const someone = (): PublicKey => Keypair.generate().publicKey

describe('a holding is', () => {
  test('the sum over all token accounts of the owner', async () => {
    const { mint, owner } = ledger.issue(5_000_000n)
    ledger.mintTo(mint, ledger.openFurtherAccount(mint, owner), 2_500_001n)
    ledger.openFurtherAccount(mint, owner)
    ledger.finalize()
    expect(await holdingOf(owner, mint)).toEqual({
      mintKind: 'mint',
      amount: 7_500_001n,
      decimals: 6,
      isNonFungible: false,
      slot: ledger.finalSlot(),
      sources: ['chains.sol.rpc[0]'],
    })
  })

  test('zero for an owner without a token account, or with an empty one', async () => {
    const { mint } = ledger.issue(5n)
    const [stranger, empty] = [someone(), someone()]
    ledger.openAccount(mint, empty)
    ledger.finalize()
    for (const owner of [stranger, empty])
      expect(await holdingOf(owner, mint)).toMatchObject({ mintKind: 'mint', amount: 0n })
  })

  test('exact up to the last unit that 64 bits can count', async () => {
    const { mint, owner } = ledger.issue(2n ** 64n - 1n, { decimals: 9 })
    expect(await holdingOf(owner, mint)).toMatchObject({ amount: 18_446_744_073_709_551_615n, decimals: 9 })
  })

  test('the rest after a transfer and a closed account, once that is final', async () => {
    const [giver, taker] = [Keypair.generate(), someone()]
    const { mint, account } = ledger.issue(7n, { decimals: 0 }, giver.publicKey)
    const target = ledger.openAccount(mint, taker)
    ledger.send(
      [
        createTransferCheckedInstruction(account, mint.address, target, giver.publicKey, 7n, 0),
        createCloseAccountInstruction(account, ledger.payer.publicKey, giver.publicKey),
      ],
      [giver],
    )
    expect(await holdingOf(giver.publicKey, mint)).toMatchObject({ amount: 7n })
    ledger.finalize()
    expect(await holdingOf(giver.publicKey, mint)).toMatchObject({ amount: 0n })
    expect(await holdingOf(taker, mint)).toMatchObject({ amount: 7n })
  })

  test('the owner’s while it is frozen, and while another may spend it', async () => {
    const [owner, delegate] = [Keypair.generate(), someone()]
    const { mint, account } = ledger.issue(7n, {}, owner.publicKey)
    ledger.send([createApproveInstruction(account, delegate, owner.publicKey, 7n)], [owner])
    ledger.send([createFreezeAccountInstruction(account, mint.address, ledger.payer.publicKey)])
    ledger.finalize()
    expect(await holdingOf(owner.publicKey, mint)).toMatchObject({ amount: 7n })
    expect(await holdingOf(delegate, mint)).toMatchObject({ amount: 0n })
  })

  test('an amount for a program’s address as well, which is on no curve', async () => {
    const [vault] = PublicKey.findProgramAddressSync([Buffer.from('vault')], TOKEN_PROGRAM_ID)
    expect(PublicKey.isOnCurve(vault)).toBe(false)
    const { mint } = ledger.issue(3n, {}, vault)
    expect(await holdingOf(vault, mint)).toMatchObject({ amount: 3n })
  })

  test('one of Token-2022, with and without extensions', async () => {
    const plain = ledger.issue(11n, { decimals: 2, program: TOKEN_2022_PROGRAM_ID })
    expect(await holdingOf(plain.owner, plain.mint)).toMatchObject({ mintKind: 'mint', amount: 11n, decimals: 2 })

    const taxed = ledger.issue(12n, {
      decimals: 3,
      program: TOKEN_2022_PROGRAM_ID,
      extensions: {
        types: [ExtensionType.TransferFeeConfig],
        setUp: (mint) => [createInitializeTransferFeeConfigInstruction(mint, null, null, 100, 10n)],
      },
    })
    for (const address of [taxed.mint.address, taxed.account])
      expect(ledger.finalState().getAccount(address.toBytes())!.data().length).toBeGreaterThan(165)
    expect(await holdingOf(taxed.owner, taxed.mint)).toMatchObject({ mintKind: 'mint', amount: 12n, decimals: 3 })
  })
})

describe('a mint is non-fungible', () => {
  test('with no decimals and a supply of one', async () => {
    const { mint, owner } = ledger.issue(1n, { decimals: 0 })
    expect(await holdingOf(owner, mint)).toMatchObject({ amount: 1n, isNonFungible: true })
  })

  test('even for owners who do not hold it', async () => {
    const { mint } = ledger.issue(1n, { decimals: 0 })
    expect(await holdingOf(someone(), mint)).toMatchObject({ amount: 0n, isNonFungible: true })
  })

  test.each([
    ['a supply of two', 2n, 0],
    ['one decimal', 1n, 1],
    ['one whole token that can be divided', 1_000_000n, 6],
  ])('except with %s', async (_, amount, decimals) => {
    const { mint, owner } = ledger.issue(amount, { decimals })
    expect(await holdingOf(owner, mint)).toMatchObject({ amount, isNonFungible: false })
  })

  test('until its one token is burned', async () => {
    const owner = Keypair.generate()
    const { mint, account } = ledger.issue(1n, { decimals: 0 }, owner.publicKey)
    ledger.send([createBurnInstruction(account, mint.address, owner.publicKey, 1n)], [owner])
    ledger.finalize()
    expect(await holdingOf(owner.publicKey, mint)).toMatchObject({ amount: 0n, isNonFungible: false })
  })
})

describe('a holding is missing', () => {
  const none = { amount: 0n, decimals: 0, isNonFungible: false }

  test('where the address of the mint has no account', async () => {
    const mint = { address: someone(), program: TOKEN_PROGRAM_ID }
    expect(await holdingOf(someone(), mint)).toMatchObject({ mintKind: 'absent', ...none })
  })

  test.each<[string, () => PublicKey]>([
    ['a token account', () => ledger.issue(1n).account],
    ['a token account of Token-2022', () => ledger.issue(1n, { program: TOKEN_2022_PROGRAM_ID }).account],
    ['a program', () => TOKEN_PROGRAM_ID],
    ['a wallet', () => ledger.payer.publicKey],
    ['space in which no mint was made', () => ledger.createSpace(MINT_SIZE, TOKEN_PROGRAM_ID)],
    ['a multisig signer', () => multisig(TOKEN_PROGRAM_ID)],
    ['a multisig signer that reads like a mint with extensions', () => multisig(TOKEN_2022_PROGRAM_ID)],
  ])('where %s stands there', async (_, make) => {
    const address = make()
    ledger.finalize()
    expect(await holdingOf(someone(), { address, program: TOKEN_PROGRAM_ID })).toMatchObject({
      mintKind: 'other',
      ...none,
    })
  })

  /** Its signers can be any addresses. With these it says 1 wherever a mint says "initialized" and "a mint". */
  function multisig(program: PublicKey): PublicKey {
    const account = ledger.createSpace(MULTISIG_SIZE, program)
    const signers = Array.from({ length: 11 }, () => new PublicKey(new Uint8Array(32).fill(1)))
    ledger.send([createInitializeMultisigInstruction(account, signers, 1, program)])
    return account
  }
})

describe('a question is refused about', () => {
  test.each([
    ['an EVM address', '0x1111111111111111111111111111111111111111'],
    ['31 bytes', '1'.repeat(31)],
    ['a letter that base58 does not have', `${'1'.repeat(31)}0`],
  ])('%s', async (_, address) => {
    const fine = someone().toBase58()
    for (const [owner, mint] of [
      [address, fine],
      [fine, address],
    ] as const) {
      const error = await chain.readTokenHolding(owner, mint).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UnanswerableError)
      expect((error as UnanswerableError).reason).toBe('INVALID_ADDRESS')
    }
  })
})
