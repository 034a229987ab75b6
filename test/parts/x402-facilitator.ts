/**
 * startFacilitator() runs a real x402 facilitator (@x402/core and @x402/evm) for one chain. It tells the truth until a
 * test makes it lie. It stands behind node:http, because a lost answer is a connection that ends, and Bun.serve always
 * answers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { x402Facilitator } from '@x402/core/facilitator'
import type { Network, PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createWalletClient, http, publicActions } from 'viem'
import type { Anvil } from './anvil.ts'

type Path = '/verify' | '/settle'

/** Handles the response freely; `honest` does the work and returns the true answer. */
export type FacilitatorLie = (
  response: ServerResponse,
  honest: () => Promise<Readonly<Record<string, unknown>>>,
) => Promise<void> | void

export interface FacilitatorServer {
  readonly url: string
  /** Paths asked, in order, and the body of the last request. */
  readonly asked: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  readonly lastBody: () => any
  lie(path: Path, lie: FacilitatorLie): void
  tellTheTruth(): void
  stop(): Promise<void>
}

export async function startFacilitator(anvil: Anvil): Promise<FacilitatorServer> {
  const facilitator = facilitatorOn(anvil)
  const lies = new Map<string, FacilitatorLie>()
  const asked: string[] = []
  let lastBody: unknown

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    asked.push(path)
    if (path === '/supported') return json(response, facilitator.getSupported())
    if (path !== '/verify' && path !== '/settle') return json(response, { error: 'not found' }, 404)
    const body = JSON.parse(await textOf(request))
    lastBody = body
    const { paymentPayload, paymentRequirements } = body as {
      paymentPayload: PaymentPayload
      paymentRequirements: PaymentRequirements
    }
    const honest = () =>
      (path === '/verify'
        ? facilitator.verify(paymentPayload, paymentRequirements)
        : facilitator.settle(paymentPayload, paymentRequirements)) as Promise<unknown> as ReturnType<
        Parameters<FacilitatorLie>[1]
      >
    const lie = lies.get(path)
    return lie ? lie(response, honest) : json(response, await honest())
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => json(response, { error: String(error) }, 500))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    lastBody: () => lastBody,
    lie: (path, lie) => void lies.set(path, lie),
    tellTheTruth: () => lies.clear(),
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Anvil's last account pays for the transactions one after the other: two at once would share a nonce. */
function facilitatorOn(anvil: Anvil): x402Facilitator {
  const { account } = anvil.accounts[3]
  const client = createWalletClient({
    account,
    chain: anvil.walletClient.chain,
    transport: http(anvil.url, { retryCount: 0 }),
    pollingInterval: 20,
  }).extend(publicActions)
  let turn: Promise<unknown> = Promise.resolve()
  const writeContract = (call: never): Promise<unknown> => {
    const sent = turn.then(() => client.writeContract(call))
    turn = sent.catch(() => undefined)
    return sent
  }
  const signer = toFacilitatorEvmSigner({ ...client, address: account.address, writeContract } as never)
  const facilitator = new x402Facilitator()
  registerExactEvmScheme(facilitator, { signer, networks: `eip155:${anvil.chainId}` as Network })
  return facilitator
}

const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

export const facilitatorLies = {
  /** The work is done, but the answer is lost. */
  losesItsAnswer: (async (response, honest) => {
    await honest()
    response.destroy()
  }) satisfies FacilitatorLie,
  dropsTheConnection: ((response) => void response.destroy()) satisfies FacilitatorLie,
  hangs: (() => {}) satisfies FacilitatorLie,
  says:
    (body: unknown, status = 200): FacilitatorLie =>
    (response) =>
      json(response, body, status),
  status:
    (status: number, headers: Record<string, string> = {}): FacilitatorLie =>
    (response) =>
      void response.writeHead(status, headers).end('a fault of its own'),
  html: ((response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Sign in</title>')) satisfies FacilitatorLie,
  /** The honest answer, changed by the test. */
  twists:
    (change: (said: Readonly<Record<string, unknown>>) => object): FacilitatorLie =>
    async (response, honest) =>
      json(response, change(await honest())),
}
