/** The writer thread dies under the app: no request waits for ever, and none is told that its write succeeded. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import { openThreadWriter } from '../../src/db/threaded-writer.ts'
import { StorageError } from '../../src/db/writer.ts'
import { openLog } from '../../src/log.ts'
import { openParts } from '../../src/start.ts'
import { expectRefused } from '../http/refused.ts'
import { alice } from '../wallets.ts'
import { oneMiB, openStore, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

/** The threads that were started, so that a test can end one. They are real ones. */
const threads: Worker[] = []
const realWorker = globalThis.Worker
/** Ends a thread as soon as it was handed a commit. */
let endsAtCommit = false
beforeAll(() => {
  globalThis.Worker = class extends realWorker {
    constructor(url: string | URL) {
      super(url)
      threads.push(this)
    }
    override postMessage(question: object): void {
      super.postMessage(question)
      if (endsAtCommit && 'commit' in question) this.terminate()
    }
  }
})
afterAll(() => {
  globalThis.Worker = realWorker
})

const write = [{ sql: 'CREATE TABLE IF NOT EXISTS notes (id)', params: [] }]
const open = () => openThreadWriter({ file: `${newFolder()}/notes.sqlite`, cacheBytes: oneMiB, walLimitBytes: oneMiB })

/** Ends the thread and waits until the writer has noticed, which takes longer on a busy machine. */
async function endThread(): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const thread = threads.at(-1)!
  thread.addEventListener('close', () => resolve())
  thread.terminate()
  await within(ended)
}

const within = <T>(promise: Promise<T>, ms = 10_000): Promise<T> =>
  Promise.race([
    promise,
    Bun.sleep(ms).then(() => {
      throw new Error('still waiting')
    }),
  ])

describe('when the thread ends', () => {
  test('a write that waits for it is refused', async () => {
    const writer = await open()
    const waiting = writer.write(write)
    threads.at(-1)!.terminate()
    await expect(within(waiting)).rejects.toBeInstanceOf(StorageError)
  })

  test('a commit that it was handed may have reached the disk, and is not called undone', async () => {
    const writer = await open()
    endsAtCommit = true
    const refusal = await within(writer.write(write)).catch((error: unknown) => error)
    endsAtCommit = false
    expect(refusal).toBeInstanceOf(StorageError)
    expect((refusal as StorageError).isUncertain).toBe(true)
  })

  test('a write after its end certainly did not happen', async () => {
    const writer = await open()
    await writer.write(write)
    await endThread()
    const refusal = await within(writer.write(write), 200).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(StorageError)
    expect((refusal as StorageError).isUncertain).toBe(false)
  })

  test('a later write is refused', async () => {
    const writer = await open()
    await endThread()
    await expect(within(writer.write(write))).rejects.toThrow(/the writer thread ended.*restart/)
  })

  test('closing does not wait for it, and the data folder is free again', async () => {
    const folder = newFolder()
    const db = await openStore(folder)
    await endThread()
    await within(db.close().catch(() => {}))
    await (await within(openStore(folder))).close()
  })

  test('a request to store a proof is answered with 503, and reads go on', async () => {
    const config = await loadConfig({ env: { PROOFGATE_LOG_LEVEL: 'error' }, cwd: '/nonexistent' })
    const opened = await openParts(config, newFolder(), Date.now)
    opened.setAddresses({ baseUrl: 'http://localhost', authUrl: 'http://localhost', mcpUrl: 'http://localhost' })
    const log = openLog(() => {})
    const app = createApp({ ...opened.parts, log })
    const send = async (path: string, body?: object) => {
      const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const response = await app.handle(new Request(`http://localhost${path}`, body ? post : {}))
      return { status: response.status, headers: response.headers, body: (await response.json()) as never }
    }
    const body = {
      walletAddress: alice.address,
      verifierIds: ['ownership-basic'],
      data: { owner: alice.address, content: 'x' },
      signedTimestamp: Date.now(),
    }
    const prepared = await send('/api/v1/verification/standardize', body)
    const { signerString } = (prepared.body as { data: { signerString: string } }).data
    const request = { ...body, signature: await alice.sign(signerString) }

    threads.at(-1)!.terminate()
    const answers = await within(
      Promise.all([send('/api/v1/verification', request), send('/api/v1/verification', request)]),
    )
    for (const answer of answers)
      expectRefused(answer, 'SERVICE_UNAVAILABLE', /did not happen: try again|not known whether the change was stored/)
    expect((await send('/api/v1/health/live')).status).toBe(200)
    expectRefused(await send('/api/v1/health/ready'), 'SERVICE_UNAVAILABLE', /nothing can be stored any more/)
    expect((await send(`/api/v1/proofs/by-wallet/${alice.address}`)).status).toBe(200)
    await opened.close().catch(() => {})
  })
})
