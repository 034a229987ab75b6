/**
 * A server whose disk fails at the commit of one request. After the crash the commit is either gone or found. For tests
 * that send the same request again.
 */
import { expect } from 'bun:test'
import { until } from '../db/faulty-disk.ts'
import { inspect } from '../db/store.ts'
import { expectRefused } from '../http/refused.ts'
import { alice, type TestWallet } from '../wallets.ts'
import { dataFolder, EIO, openStage } from './faulty-server.ts'
import { publicUrl } from './world.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

export interface Ending {
  readonly name: string
  readonly fault: { readonly syncErrno: number } | { readonly writeErrno: number }
  readonly isKilled: boolean
  /** Whether the commit that failed is in the file afterwards. */
  readonly isStored: boolean
}

/** Everything that can become of a commit that failed. */
export const endings: readonly Ending[] = [
  { name: 'the server settles it and goes on', fault: { syncErrno: EIO }, isKilled: false, isStored: false },
  { name: 'a crash keeps it', fault: { syncErrno: EIO }, isKilled: true, isStored: true },
  { name: 'a crash loses it', fault: { writeErrno: EIO }, isKilled: true, isStored: false },
]

export type DoubtStage = Awaited<ReturnType<typeof openDoubtStage>>

export async function openDoubtStage(folder: string, env: Record<string, string> = {}) {
  const stage = openStage(folder)
  const start = () => stage.start({ env: { PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_BASE_URL: publicUrl, ...env } })
  let server = await start()
  let newest = 0
  /** Later than every text before: a text counts once. */
  const nextTime = (): number => {
    newest = Math.max(newest + 1, Date.now())
    return newest
  }
  const isReady = async () => (await fetch(`${server.url}/api/v1/health/ready`)).status === 200

  async function request(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(server.url + path, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const mustSucceed = async (asked: Promise<Answer>): Promise<Answer> => {
    const answer = await asked
    if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
  const count = (sql: string): number =>
    inspect(dataFolder(folder), (db) => db.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${sql}`).get()!)
      .count

  return {
    faults: stage.faults,
    request,
    post,
    count,
    logged: () => server.log,

    /** Does the work while commits fail, and then brings about the ending. The work must be answered as uncertain. */
    async doubt(ending: Ending, work: () => Promise<Answer>, begin = () => stage.faults.set(ending.fault)) {
      begin()
      try {
        const answer = await work()
        expectRefused(answer, 'SERVICE_UNAVAILABLE', /same request again/)
        expect(answer.body.error.details).toMatchObject({ uncertain: true })
        if (ending.isKilled) await server.kill()
      } finally {
        stage.faults.mendDisk()
      }
      if (ending.isKilled) server = await start()
      else await until(isReady)
    },

    async close(): Promise<void> {
      await server.kill()
      stage.faults.close()
    },

    /** The body of an owner's action. */
    signAction: (wallet: TestWallet, data: object) =>
      wallet.signAction({ ...data, audience: new URL(publicUrl).host }, nextTime()),
    /** An action whose text names no server. */
    signUnaddressed: (wallet: TestWallet, data: object) => wallet.signAction(data, nextTime()),

    /** A signed claim, to be sent to /verification. */
    async claim(wallet: TestWallet, claim: object): Promise<object> {
      const body = { walletAddress: wallet.address, signedTimestamp: nextTime(), ...wallet.signing, ...claim }
      const prepared = await mustSucceed(post('/api/v1/verification/standardize', body))
      return { ...body, signature: await wallet.sign(prepared.body.data.signerString) }
    },

    async prove(wallet: TestWallet = alice, options: object = {}): Promise<string> {
      const data = { owner: wallet.address, content: `Content of ${nextTime()}` }
      const claim = await this.claim(wallet, { verifierIds: ['ownership-basic'], data, options })
      return (await mustSucceed(post('/api/v1/verification', claim))).body.data.qHash
    },

    /** A message of this wallet, signed, to be sent to /auth/verify. */
    async message(wallet: TestWallet = alice): Promise<object> {
      const asked = { walletAddress: wallet.address, ...wallet.signing }
      const { message } = (await mustSucceed(post('/api/v1/auth/nonce', asked))).body.data
      return { message, signature: await wallet.sign(message) }
    },

    /** Headers of a browser that is signed in. */
    async signIn(wallet: TestWallet = alice): Promise<Record<string, string>> {
      const answer = await mustSucceed(post('/api/v1/auth/verify', await this.message(wallet)))
      return {
        cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]!,
        'x-csrf-token': answer.body.data.csrfToken,
      }
    },
  }
}
