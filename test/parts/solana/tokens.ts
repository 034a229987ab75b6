/** Mints and token accounts of a test ledger, made by transactions as any wallet would send them. */
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeAccount3Instruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  type ExtensionType,
  getAccountLen,
  getAssociatedTokenAddressSync,
  getMintLen,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import type { LiteSvm } from './addon.ts'

export interface NewMint {
  /** 6 unless given. */
  readonly decimals?: number
  /** SPL Token unless given. */
  readonly program?: PublicKey
  /** For Token-2022: the types, and the instructions that come before the mint is initialized. */
  readonly extensions?: {
    readonly types: readonly ExtensionType[]
    setUp(mint: PublicKey): readonly TransactionInstruction[]
  }
}

export interface Mint {
  readonly address: PublicKey
  readonly program: PublicKey
}

export interface Sending {
  readonly svm: LiteSvm
  readonly payer: Keypair
  send(instructions: readonly TransactionInstruction[], signers?: readonly Keypair[]): void
}

export function tokensOn({ svm, payer, send }: Sending) {
  const space = (account: PublicKey, bytes: number, program: PublicKey): TransactionInstruction =>
    SystemProgram.createAccount({
      fromPubkey: payer.publicKey,
      newAccountPubkey: account,
      lamports: Number(svm.minimumBalanceForRentExemption(BigInt(bytes))),
      space: bytes,
      programId: program,
    })

  return {
    /** An account of a program, full of zeros. */
    createSpace(bytes: number, program: PublicKey): PublicKey {
      const account = Keypair.generate()
      send([space(account.publicKey, bytes, program)], [account])
      return account.publicKey
    },

    createMint({ decimals = 6, program = TOKEN_PROGRAM_ID, extensions }: NewMint = {}): Mint {
      const mint = Keypair.generate()
      send(
        [
          space(mint.publicKey, getMintLen([...(extensions?.types ?? [])]), program),
          ...(extensions?.setUp(mint.publicKey) ?? []),
          createInitializeMint2Instruction(mint.publicKey, decimals, payer.publicKey, payer.publicKey, program),
        ],
        [mint],
      )
      return { address: mint.publicKey, program }
    },

    /** The associated token account of the owner, which may be a program's address. */
    openAccount({ address, program }: Mint, owner: PublicKey): PublicKey {
      const account = getAssociatedTokenAddressSync(address, owner, true, program)
      send([createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, account, owner, address, program)])
      return account
    },

    /** One more token account of the owner, at an address of its own. */
    openFurtherAccount({ address, program }: Mint, owner: PublicKey): PublicKey {
      const account = Keypair.generate()
      send(
        [
          space(account.publicKey, getAccountLen([]), program),
          createInitializeAccount3Instruction(account.publicKey, address, owner, program),
        ],
        [account],
      )
      return account.publicKey
    },

    mintTo({ address, program }: Mint, account: PublicKey, amount: bigint): void {
      send([createMintToInstruction(address, account, payer.publicKey, amount, [], program)])
    },
  }
}
