/** The real server is killed (SIGKILL) while it publishes: each acknowledged proof is recorded by one transaction. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { firstLine } from '../db/child.ts'
import { temporaryFolders } from '../db/store.ts'
import { program } from '../parts/program.ts'
import { alice } from '../wallets.ts'
import { east, newClaim, newPublisher, nonceOf, openStage, type Publisher, type Stage } from './stage.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const endsWithUs = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : []

let stage: Stage
beforeAll(async () => {
  stage = await openStage(east, { timestamp: Math.floor(Date.now() / 1000) })
  await stage.anvil.rpc('evm_setIntervalMining', [1])
})
afterAll(() => stage.anvil.stop())

async function startServer(folder: string, publisher: Publisher) {
  const child = Bun.spawn([...endsWithUs, ...program, 'serve', '--json'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: folder, PROOFGATE_PORT: '0', ...publisher.env },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const url = `http://127.0.0.1:${JSON.parse(await firstLine(child.stdout)).port}`
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return { status: response.status, body: (await response.json()) as any }
  }
  return {
    async submit(): Promise<string> {
      const body = { walletAddress: alice.address, signedTimestamp: Date.now(), ...newClaim({ targetChains: [east] }) }
      const prepared = await post('/api/v1/verification/standardize', body)
      const signature = await alice.sign(prepared.body.data.signerString)
      const accepted = await post('/api/v1/verification', { ...body, signature })
      expect(accepted.status).toBe(202)
      return accepted.body.data.qHash
    },
    async statuses(qHashes: readonly string[]): Promise<string[]> {
      const { body } = await post('/api/v1/verification/status-batch', { qHashes })
      return qHashes.map((qHash) => body.results[qHash].status)
    },
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    async stop(): Promise<number> {
      child.kill('SIGTERM')
      return child.exited
    },
  }
}

test('kills between orders, transactions and confirmations lose nothing and repeat nothing', async () => {
  const folder = newFolder()
  const publisher = await newPublisher([stage])
  const qHashes: string[] = []
  let server = await startServer(folder, publisher)
  // The kills come from before the worker's first look to after the first transactions are final.
  for (const lifeMs of [0, 700, 2300]) {
    for (let proof = 0; proof < 3; proof++) qHashes.push(await server.submit())
    await Bun.sleep(lifeMs)
    await server.kill()
    server = await startServer(folder, publisher)
  }

  let statuses = await server.statuses(qHashes)
  for (let look = 0; look < 60 && statuses.some((status) => !status.endsWith('propagated')); look++) {
    await Bun.sleep(500)
    statuses = await server.statuses(qHashes)
  }
  expect(statuses).toEqual(qHashes.map(() => 'verified_crosschain_propagated'))
  for (const qHash of qHashes) expect(await stage.eas.read('getTimestamp', [qHash])).toBeGreaterThan(0n)
  expect(await nonceOf(stage, publisher.address)).toBe(qHashes.length)
  expect(await server.stop()).toBe(0)
})
