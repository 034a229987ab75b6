/** A real server on a folder of its own, asked over HTTP. Its data folder outlives it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { type RunningServer, startServer } from '../../src/start.ts'
import { startTestServer } from '../parts/test-server.ts'
import type { TestWallet } from '../wallets.ts'

export type Server = ReturnType<typeof askOver>

export function newFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'proofgate-journey-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** On PostgreSQL, the data is in the database that belongs to the folder. */
export const startIn = async (folder: string, env: Record<string, string> = {}): Promise<Server> =>
  askOver(await startTestServer(env, { folder }))

/** The data is in files of the folder on every run: for what is about them. */
export const startOnFiles = async (folder: string, env: Record<string, string> = {}): Promise<Server> =>
  askOver(await startServer(await loadConfig({ env: { PROOFGATE_PORT: '0', ...env }, cwd: folder }), { folder }))

function askOver(server: RunningServer) {
  const base = `http://127.0.0.1:${server.port}`

  async function ask(path: string, init?: RequestInit) {
    const response = await fetch(base + path, init)
    const text = await response.text()
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as any }
  }
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  async function signed(wallet: TestWallet, claim: object): Promise<Record<string, unknown>> {
    const body = { walletAddress: wallet.address, signedTimestamp: Date.now(), ...wallet.signing, ...claim }
    const { body: prepared } = await post('/api/v1/verification/standardize', body)
    return { ...body, signature: await wallet.sign(prepared.data.signerString) }
  }

  return {
    get: (path: string, headers: Record<string, string> = {}) => ask(path, { headers }),
    /** The audience that owner actions must name. */
    audience: `127.0.0.1:${server.port}`,
    post,
    signed,
    submit: async (wallet: TestWallet, claim: object) => post('/api/v1/verification', await signed(wallet, claim)),
    /** Headers by which an owner reads. */
    async ownerHeaders(wallet: TestWallet, data: object) {
      const { signature, signedTimestamp } = await wallet.signAction(data, Date.now())
      return {
        'x-wallet-address': wallet.address,
        'x-signature': signature,
        'x-signed-timestamp': String(signedTimestamp),
        ...(wallet.signing.chain ? { 'x-chain': wallet.signing.chain } : {}),
      }
    },
    parts: server.parts,
    port: server.port,
    stop: server.stop,
  }
}
