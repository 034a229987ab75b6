/**
 * startApp(): the real app over a database in memory, with clocks that only tests move. No part of the app itself is
 * mocked.
 */

import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/config/load.ts'
import type { describeSettings } from '../src/settings.ts'
import { openParts } from '../src/start.ts'
import { sweepOnce } from '../src/sweep.ts'
import type { Verifier } from '../src/verifiers/verifier.ts'
import { conforms } from './contract.ts'
import { recordStatements } from './parts/recorded-statements.ts'
import { closeAfterFile, openTestDatabase } from './parts/test-database.ts'
import { alice, type TestWallet } from './wallets.ts'

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
  readonly headers: Headers
}

/** A browser that is signed in. */
export interface SignedInBrowser {
  readonly cookie: string
  readonly csrf: string
  readonly headers: { readonly cookie: string; readonly 'x-csrf-token': string }
  readonly subjectId: string
  readonly did: string
}

export type TestApp = Awaited<ReturnType<typeof startApp>>

/** 2026-01-01T00:00:00.000Z */
export const startOfTime = 1_767_225_600_000

/** Lists in place of those of the build: with the plug-ins that a test adds. */
interface Added {
  readonly verifiers?: readonly Verifier[]
  readonly settings?: ReturnType<typeof describeSettings>
  /** Time passes by itself, by the clock of the database. `startedAt` is that of the machine, which stands still. */
  readonly followsDatabase?: boolean
}

/** Settings as environment variables, for example `{ PROOFGATE_BRAND: 'acme' }`. Without a folder it stores in memory. */
export async function startApp(
  env: Record<string, string> = {},
  folder?: string,
  startedAt = startOfTime,
  added: Added = {},
) {
  let time = startedAt
  // The app runs as in production, behind a proxy on another machine. Loopback has rules of its own:
  // test/http/page-access.test.ts.
  const elsewhere = folder === undefined ? await openTestDatabase() : undefined
  const config = await loadConfig(
    { env: { PROOFGATE_HOST: '0.0.0.0', ...elsewhere?.env, ...env }, cwd: '/nonexistent' },
    added.settings,
  )
  let uptime = 0
  const opened = await openParts(config, folder, () => time, {
    readUptime: added.followsDatabase ? () => performance.now() : () => uptime,
    followsDatabase: added.followsDatabase,
    verifiers: added.verifiers,
  })
  if (elsewhere) {
    closeAfterFile(() => opened.close().finally(elsewhere.drop))
    recordStatements(opened.parts.db)
  }
  opened.parts.damage.beginTelling()
  const baseUrl = config.baseUrl ?? 'http://localhost:8787'
  opened.setAddresses({ baseUrl, authUrl: config.authUrl ?? baseUrl, mcpUrl: config.mcpUrl ?? baseUrl })
  const app = createApp(opened.parts)

  async function request(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await app.handle(new Request(`http://localhost${path}`, init))
    const text = await response.text()
    const answer = { status: response.status, body: text === '' ? undefined : parsed(text), headers: response.headers }
    await conforms(answer, init.method ?? 'GET', path)
    return answer
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> => request(path, { headers })

  const api = '/api/v1'
  /** The action as our own clients sign it: actions that change something name the server. */
  const addressed = (data: object): object => {
    const isOlder = 'action' in data && /^(access|gate|list|fulfill|revoke|open)_/.test(String(data.action))
    return 'audience' in data || isOlder ? data : { ...data, audience: new URL(baseUrl).host }
  }
  /** The first half of the handshake: the body of a claim with the signature of the text that standardize returns. */
  async function signed(wallet: TestWallet, claim: object): Promise<Record<string, unknown>> {
    const body = { walletAddress: wallet.address, signedTimestamp: time, ...wallet.signing, ...claim }
    const prepared = await post(`${api}/verification/standardize`, body)
    if (prepared.status !== 200) throw new Refused(prepared)
    return { ...body, signature: await wallet.sign(prepared.body.data.signerString) }
  }
  /** The two-phase handshake: standardize, sign what comes back, submit. */
  async function submit(wallet: TestWallet, claim: object): Promise<Answer> {
    try {
      return await post(`${api}/verification`, await signed(wallet, claim))
    } catch (error) {
      if (error instanceof Refused) return error.answer
      throw error
    }
  }

  return {
    request,
    post,
    get,
    signed,
    submit,
    parts: opened.parts,
    now: () => time,
    /** Time passes: on both clocks. */
    wait: (ms: number) => {
      time += ms
      uptime += ms
    },
    /** Moves the wall clock alone, as an administrator would: ahead, or back by a negative number. */
    setClock: (ms: number) => {
      time += ms
    },
    clock: opened.clock,
    sweep: () => sweepOnce(opened.parts),
    async close() {
      await opened.close()
      await elsewhere?.drop()
    },

    /** A proof of ownership-basic, and its id. */
    async prove(wallet: TestWallet = alice, options: object = {}, data: object = {}): Promise<string> {
      time += 1
      uptime += 1
      const answer = await submit(wallet, {
        verifierIds: ['ownership-basic'],
        data: { owner: wallet.address, content: `Content of ${time}`, ...data },
        options,
      })
      if (answer.status !== 200) throw new Error(`no proof: ${JSON.stringify(answer.body)}`)
      return answer.body.data.qHash
    },

    /** The five headers by which an owner reads. */
    async ownerHeaders(wallet: TestWallet, data: object, at = time): Promise<Record<string, string>> {
      const { signature } = await wallet.signAction(addressed(data), at)
      return {
        'x-wallet-address': wallet.address,
        'x-signature': signature,
        'x-signed-timestamp': String(at),
        ...(wallet.signing.chain ? { 'x-chain': wallet.signing.chain, 'x-signature-method': 'ed25519' } : {}),
      }
    },

    /** Signs a wallet in: the cookie, the CSRF token, and the headers that carry both. `chain` is for contract wallets. */
    async signIn(wallet: TestWallet = alice, chain = wallet.signing.chain): Promise<SignedInBrowser> {
      const prepared = await post(`${api}/auth/nonce`, { walletAddress: wallet.address, ...(chain ? { chain } : {}) })
      if (prepared.status !== 200) throw new Error(`no message: ${JSON.stringify(prepared.body)}`)
      const { message } = prepared.body.data
      const answer = await post(`${api}/auth/verify`, { message, signature: await wallet.sign(message) })
      if (answer.status !== 200) throw new Error(`not signed in: ${JSON.stringify(answer.body)}`)
      const cookie = answer.headers.get('set-cookie')!.split(';', 1)[0]!
      const csrf: string = answer.body.data.csrfToken
      return {
        cookie,
        csrf,
        headers: { cookie, 'x-csrf-token': csrf },
        subjectId: answer.body.data.subjectId,
        did: answer.body.data.did,
      }
    },

    /** The body of an owner's action. */
    ownerBody: (wallet: TestWallet, data: object, at = time) => wallet.signAction(addressed(data), at),
  }
}

class Refused extends Error {
  constructor(readonly answer: Answer) {
    super(`standardize refused: ${JSON.stringify(answer.body)}`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
