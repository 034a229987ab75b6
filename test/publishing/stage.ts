/** Real chains with the real contract of the Ethereum Attestation Service, and accounts that publish on them. */

import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { updateProofStatus } from '../../src/proofs/status-store.ts'
import { openOutbox } from '../../src/publishing/outbox.ts'
import { startApp, type TestApp } from '../app.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { select } from '../parts/select.ts'
import { alice, type TestWallet } from '../wallets.ts'

export const hub = 84_532
export const east = 8453
export const west = 10

export interface Stage {
  readonly anvil: Anvil
  readonly eas: Deployed
}

/** A chain on which anybody can publish. */
export async function openStage(chainId: number, settings: { readonly timestamp?: number } = {}): Promise<Stage> {
  const anvil = await startAnvil({ chainId, ...settings })
  const registry = await deploy(anvil, 'SchemaRegistry')
  return { anvil, eas: await deploy(anvil, 'EAS', [registry.address]) }
}

export interface Publisher {
  readonly address: Hex
  /** The settings of a server that publishes on the stages with this account. */
  readonly env: Record<string, string>
}

const oneEther = 10n ** 18n

/** A new account with money on every stage: its nonces begin at 0. */
export async function newPublisher(stages: readonly Stage[], more: Record<string, string> = {}): Promise<Publisher> {
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  for (const { anvil } of stages) await setBalance(anvil, address, oneEther)
  const env: Record<string, string> = {
    PROOFGATE_PUBLISHING_PRIVATE_KEY: privateKey,
    PROOFGATE_PUBLISHING_CONFIRMATIONS: '3',
    PROOFGATE_OUTSIDE_ATTEMPTS: '1',
    PROOFGATE_LOG_LEVEL: 'error',
  }
  for (const { anvil, eas } of stages) {
    const name = `PROOFGATE_CHAINS_C${anvil.chainId}`
    env[`${name}_CHAIN`] = `eip155:${anvil.chainId}`
    env[`${name}_RPC`] = anvil.url
    env[`${name}_EAS`] = eas.address
    // Tests move the clock of the app by hours, and that of the chain not at all.
    env[`${name}_STALE_AFTER_SECONDS`] = '0'
  }
  return { address, env: { ...env, ...more } }
}

export const setBalance = (anvil: Anvil, address: Hex, wei: bigint): Promise<unknown> =>
  anvil.rpc('anvil_setBalance', [address, `0x${wei.toString(16)}`])

export const mine = (anvil: Anvil, blocks = 1): Promise<unknown> =>
  anvil.rpc('anvil_mine', [`0x${blocks.toString(16)}`])

export const nonceOf = ({ anvil }: Stage, address: Hex): Promise<number> =>
  anvil.publicClient.getTransactionCount({ address })

/** anvil answers a transaction before it is in its block. */
export async function untilMined(stage: Stage, address: Hex, transactions: number): Promise<void> {
  for (let look = 0; look < 500 && (await nonceOf(stage, address)) < transactions; look++) await Bun.sleep(10)
}

/** The app, and the worker that the server would run beside it. */
export async function startPublishing(publisher: Publisher) {
  const app = await startApp(publisher.env)
  return { app, outbox: openOutbox(app.parts, updateProofStatus) }
}

let count = 0

/** Makes a new claim. */
export const newClaim = (options: object, wallet: TestWallet = alice): object => ({
  verifierIds: ['ownership-basic'],
  data: { owner: wallet.address, content: `Published ${++count} ${crypto.randomUUID()}` },
  options,
})

/** The owner's view. */
export async function recordOf(app: TestApp, qHash: string, wallet: TestWallet = alice) {
  const headers = await app.ownerHeaders(wallet, { action: 'access_private_proof', qHash })
  return (await app.get(`/api/v1/proofs/${qHash}`, headers)).body.data
}

export const revoke = async (app: TestApp, qHash: string, wallet: TestWallet = alice) =>
  app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(wallet, { action: 'revoke_proof', qHash }))

export const terminal = ['verified_crosschain_propagated', 'verified_propagation_failed']

/** Lets the worker look and the chains go on until nothing is left to do. */
export async function runUntilDone(
  { app, outbox }: Awaited<ReturnType<typeof startPublishing>>,
  stages: readonly Stage[],
  rounds = 20,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await outbox.runOnce()
    const { open } = (await select<{ open: number }>(
      app.parts.db,
      'SELECT count(*) AS open FROM publications WHERE finished_at IS NULL',
    ).get())!
    if (open === 0) return
    for (const { anvil } of stages) await mine(anvil)
  }
  const rows = await select<object>(app.parts.db, 'SELECT * FROM publications WHERE finished_at IS NULL').all()
  throw new Error(`still not done: ${JSON.stringify(rows)}`)
}
