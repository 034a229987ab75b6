/**
 * A JSON-RPC endpoint in front of the ledger, which refuses what a node refuses, with the same code. Speaks base64
 * only, and no batches. It tells the truth unless a test makes it lie.
 */
import { AccountLayout, MintLayout, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import type { LiteSvm, SvmAccount } from './addon.ts'

/** The ledger that a node answers from, by commitment. */
export type StateAt = (commitment: 'processed' | 'finalized') => LiteSvm

export interface EndpointSettings {
  /** Genesis hash of mainnet unless given. */
  readonly genesisHash?: string
  /** By method: the result sent in place of the true one. */
  readonly lies?: Readonly<Record<string, Lie>>
  /** A response sent in place of any answer at all. */
  readonly instead?: (method: string) => Response | Promise<Response>
}

// biome-ignore lint/suspicious/noExplicitAny: lies take any shape
export type Lie = (truth: any) => unknown

export interface SolanaEndpoint {
  readonly url: string
  /** The methods that were asked, in order. */
  readonly asked: readonly string[]
  stop(): Promise<void>
}

export const mainnetGenesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
export const devnetGenesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'

export function serveSolana(
  stateAt: StateAt,
  { genesisHash = mainnetGenesis, lies = {}, instead }: EndpointSettings = {},
): SolanaEndpoint {
  const asked: string[] = []
  const methods = methodsOf(stateAt, genesisHash)
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.headers.get('content-type') !== 'application/json') return new Response(null, { status: 415 })
      const call = await request.json().catch(() => undefined)
      if (call === undefined) return failure(null, -32700, 'Parse error')
      const { jsonrpc, id, method, params = [] } = call
      if (jsonrpc !== '2.0' || typeof method !== 'string' || !Array.isArray(params))
        return failure(null, -32600, 'Invalid request')
      asked.push(method)
      if (instead) return instead(method)
      const answer = methods[method]
      if (!answer) return failure(id, -32601, 'Method not found')
      try {
        const truth = answer(params)
        return Response.json({ jsonrpc: '2.0', id, result: method in lies ? lies[method]!(truth) : truth })
      } catch (error) {
        if (error instanceof InvalidParam) return failure(id, -32602, error.message)
        throw error
      }
    },
  })
  return { url: server.url.href, asked, stop: () => server.stop(true) }
}

const failure = (id: unknown, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } })

class InvalidParam extends Error {}

type Method = (params: readonly unknown[]) => unknown

function methodsOf(stateAt: StateAt, genesisHash: string): Readonly<Record<string, Method>> {
  const contextOf = (svm: LiteSvm) => ({ apiVersion: '2.3.0', slot: Number(svm.getClock().slot) })
  return {
    getGenesisHash: () => genesisHash,
    getVersion: () => ({ 'solana-core': '2.3.0', 'feature-set': 0 }),
    getSlot: ([config]) => Number(stateIn(stateAt, config).getClock().slot),
    getBlockTime: ([slot]) => {
      const clock = stateAt('finalized').getClock()
      return BigInt(slot as number) === clock.slot ? Number(clock.unixTimestamp) : null
    },

    getAccountInfo: ([address, config]) => {
      const svm = stateIn(stateAt, config)
      requireBase64(config)
      return { context: contextOf(svm), value: accountAt(svm, keyIn(address)) }
    },

    getMultipleAccounts: ([addresses, config]) => {
      const svm = stateIn(stateAt, config)
      requireBase64(config)
      if (!Array.isArray(addresses)) throw new InvalidParam('invalid type: expected a sequence')
      if (addresses.length > 100) throw new InvalidParam('Too many inputs provided; max 100')
      return { context: contextOf(svm), value: addresses.map((address) => accountAt(svm, keyIn(address))) }
    },

    getTokenSupply: ([address, config]) => {
      const svm = stateIn(stateAt, config)
      const { supply, decimals } = requireMint(svm, keyIn(address)).layout
      return { context: contextOf(svm), value: tokenAmount(supply, decimals) }
    },

    getTokenAccountsByOwner: ([owner, filter, config]) => {
      const svm = stateIn(stateAt, config)
      requireBase64(config)
      const ownerKey = keyIn(owner)
      const { mint, programId } = recordIn(filter)
      if (programId !== undefined) throw new InvalidParam('this endpoint lists by mint only')
      const mintKey = keyIn(mint)
      const { program } = requireMint(svm, mintKey)
      const value = svm
        .getProgramAccounts(program.toBytes())
        .map((one) => ({ pubkey: new PublicKey(one.address), account: one.account() }))
        .filter(({ account }) => {
          const data = account.data()
          if (!isTokenAccount(data)) return false
          const token = AccountLayout.decode(data)
          return token.owner.equals(ownerKey) && token.mint.equals(mintKey)
        })
        .map(({ pubkey, account }) => ({ pubkey: pubkey.toBase58(), account: written(account) }))
      return { context: contextOf(svm), value }
    },
  }
}

function stateIn(stateAt: StateAt, config: unknown): LiteSvm {
  const { commitment = 'finalized' } = config === undefined ? {} : recordIn(config)
  if (commitment === 'finalized') return stateAt('finalized')
  if (commitment === 'processed' || commitment === 'confirmed') return stateAt('processed')
  throw new InvalidParam(`unknown variant \`${commitment}\``)
}

function requireBase64(config: unknown): void {
  if (recordIn(config).encoding !== 'base64') throw new InvalidParam('this endpoint speaks base64 only')
}

function recordIn(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidParam('invalid type: expected a map')
  return value as Record<string, unknown>
}

function keyIn(value: unknown): PublicKey {
  try {
    if (typeof value === 'string') return new PublicKey(value)
  } catch {
    // Said below.
  }
  throw new InvalidParam('Invalid param: Invalid')
}

function requireMint(svm: LiteSvm, address: PublicKey) {
  const account = svm.getAccount(address.toBytes())
  if (!account) throw new InvalidParam('Invalid param: could not find mint')
  const program = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].find((one) => one.equals(new PublicKey(account.owner())))
  const data = account.data()
  if (!program || (data.length !== 82 && data[165] !== 1)) throw new InvalidParam('Invalid param: not a Token mint')
  return { program, layout: MintLayout.decode(data) }
}

/** Follows `GenericTokenAccount::valid_account_data`: initialized or frozen. */
const isTokenAccount = (data: Uint8Array): boolean =>
  (data.length === 165 || (data.length > 165 && data.length !== 355 && data[165] === 2)) && data[108] !== 0

function accountAt(svm: LiteSvm, address: PublicKey) {
  const account = svm.getAccount(address.toBytes())
  return account ? written(account) : null
}

const written = (account: SvmAccount) => ({
  data: [Buffer.from(account.data()).toString('base64'), 'base64'],
  executable: account.executable(),
  lamports: Number(account.lamports()),
  owner: new PublicKey(account.owner()).toBase58(),
  rentEpoch: Number(account.rentEpoch()),
  space: account.data().length,
})

const tokenAmount = (amount: bigint, decimals: number) => ({
  amount: String(amount),
  decimals,
  uiAmount: Number(amount) / 10 ** decimals,
  uiAmountString: String(Number(amount) / 10 ** decimals),
})
