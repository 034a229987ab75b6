/**
 * startSolana(): a real Solana ledger for one test file, in its memory, with the real SPL Token and Token-2022
 * programs. A transaction is processed at once, and is final after `finalize()`. Asked over JSON-RPC through `serve()`.
 */
import { Keypair, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { startOfTime } from '../app.ts'
import { type LiteSvm, loadLiteSvm } from './solana/addon.ts'
import { type EndpointSettings, type SolanaEndpoint, type StateAt, serveSolana } from './solana/rpc.ts'
import { type NewMint, tokensOn } from './solana/tokens.ts'

export type Solana = ReturnType<typeof startSolana>

export function startSolana() {
  const { LiteSvm, TransactionMetadata } = loadLiteSvm()
  const svm = new LiteSvm()
  /** Pays for everything, and is the authority of every mint. */
  const payer = Keypair.generate()
  svm.airdrop(payer.publicKey.toBytes(), 1_000_000_000_000n)
  nextSlot(svm, startOfTime)
  let finalized = LiteSvm.fromBytes(svm.toBytes())
  const stateAt: StateAt = (commitment) => (commitment === 'finalized' ? finalized : svm)
  const endpoints: SolanaEndpoint[] = []

  /** Throws the ledger's error about the transaction. */
  function send(instructions: readonly TransactionInstruction[], signers: readonly Keypair[] = []): void {
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: svm.latestBlockhash() })
    transaction.add(...instructions).sign(payer, ...signers)
    const outcome = svm.sendLegacyTransaction(transaction.serialize())
    // Two equal transactions of one blockhash are one transaction.
    svm.expireBlockhash()
    if (!(outcome instanceof TransactionMetadata)) throw new Error(`the ledger refuses: ${outcome}`)
  }

  /** The next slot, in which everything sent so far is final. Unix milliseconds; the time of the last one unless given. */
  function finalize(timeMs?: number): void {
    nextSlot(svm, timeMs)
    finalized = LiteSvm.fromBytes(svm.toBytes())
  }

  const tokens = tokensOn({ svm, payer, send })
  return {
    payer,
    send,
    finalize,
    ...tokens,

    /** A new final mint whose whole supply the owner holds. */
    issue(amount: bigint, settings: NewMint = {}, owner = Keypair.generate().publicKey) {
      const mint = tokens.createMint(settings)
      const account = tokens.openAccount(mint, owner)
      tokens.mintTo(mint, account, amount)
      finalize()
      return { mint, account, owner }
    },

    finalSlot: (): number => Number(finalized.getClock().slot),
    finalState: (): LiteSvm => finalized,

    /** One more JSON-RPC endpoint of this ledger, until `stop()`. */
    serve(settings: EndpointSettings = {}): SolanaEndpoint {
      const endpoint = serveSolana(stateAt, settings)
      endpoints.push(endpoint)
      return endpoint
    },
    stop: () => Promise.all(endpoints.map((endpoint) => endpoint.stop())),
  }
}

function nextSlot(svm: LiteSvm, timeMs?: number): void {
  const clock = svm.getClock()
  clock.slot += 1n
  if (timeMs !== undefined) clock.unixTimestamp = BigInt(Math.floor(timeMs / 1000))
  svm.setClock(clock)
}
