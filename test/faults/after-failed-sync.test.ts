/**
 * After a failed fsync, memory shows a log that the disk does not have. A restarted process finds that log in
 * memory. Its next writes behind it are lost with a power cut, unless the log was started afresh.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { temporaryFolders } from '../db/store.ts'
import { EIO, type FaultyServer, openStage } from './faulty-server.ts'
import { cutPower } from './power-cut.ts'
import { makeSigner } from './signer.ts'
import { publicUrl } from './world.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const signer = makeSigner(new Uint8Array(32).fill(7))
const options = { env: { PROOFGATE_BASE_URL: publicUrl }, isJournaled: true }

const send = (server: FaultyServer, path: string, body: object): Promise<Response> =>
  fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

let made = 0
async function makeProof(server: FaultyServer): Promise<{ readonly qHash: string; readonly status: number }> {
  const content = `Content ${++made}`
  const { body, qHash } = signer.claim('ownership-basic', { owner: signer.address, content }, Date.now() - made)
  return { qHash, status: (await send(server, '/verification', body)).status }
}

test('a write after a failed fsync, a kill and a start survives a power cut', async () => {
  const stage = openStage(newFolder())
  const first = await stage.start(options)
  const before = await makeProof(first)
  stage.faults.set({ syncErrno: EIO })
  expect((await makeProof(first)).status).toBe(503)
  await first.kill()
  stage.faults.mendDisk()

  const second = await stage.start(options)
  const proofs = [before]
  for (let count = 0; count < 5; count++) proofs.push(await makeProof(second))
  expect(proofs.map(({ status }) => status)).toEqual(proofs.map(() => 200))
  await second.kill()
  // Everything that was not synced is lost.
  cutPower(stage.folder, () => 0.99)

  const third = await stage.start(options)
  const answer = await send(third, '/verification/status-batch', { qHashes: proofs.map(({ qHash }) => qHash) })
  const { results } = (await answer.json()) as { results: Record<string, { status: string }> }
  expect(proofs.map(({ qHash }) => results[qHash]?.status)).toEqual(proofs.map(() => 'verified'))
  await third.kill()
  stage.faults.close()
})

test('the revocation of a proof that may have been stored is not answered as unknown', async () => {
  const stage = openStage(newFolder())
  const server = await stage.start(options)
  stage.faults.set({ syncErrno: EIO })
  const { qHash, status } = await makeProof(server)
  expect(status).toBe(503)
  const revoke = async () => {
    const body = signer.act({ action: 'revoke_proof', qHash }, Date.now() - ++made)
    const answer = await send(server, `/proofs/revoke-self/${qHash}`, body)
    const { error } = (await answer.json()) as { error?: { code: string; details: object } }
    return { status: answer.status, code: error?.code, details: error?.details }
  }
  expect(await revoke()).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE', details: {} })
  // Reads still answer from certain data, so a proof that no server stored is not found.
  expect((await fetch(`${server.url}/api/v1/proofs/${qHash}`)).status).toBe(404)
  expect((await send(server, '/nowhere', {})).status).toBe(404)
  stage.faults.mendDisk()
  let answer = await revoke()
  for (let turn = 0; answer.status === 503 && turn < 300; turn++) {
    await Bun.sleep(50)
    answer = await revoke()
  }
  // The failed commit is settled: it is there or not, and stays so.
  expect([200, 404]).toContain(answer.status)
  expect(await revoke()).toEqual(answer)
  await server.kill()
  stage.faults.close()
})

test('the revocation is not answered as unknown either when the disk hangs and the server gives up', async () => {
  const stage = openStage(newFolder())
  const server = await stage.start({
    ...options,
    env: { ...options.env, PROOFGATE_STORAGE_WRITE_TIMEOUT_SECONDS: '2' },
  })
  stage.faults.set({ syncDelayMs: 600_000 })
  // The second waits behind the first, and is refused after it.
  const proofs = [makeProof(server), makeProof(server)]
  const { qHash } = await proofs[0]!
  const body = signer.act({ action: 'revoke_proof', qHash }, Date.now() - ++made)
  // The server ends: on a busy machine there is no answer.
  const answer = await send(server, `/proofs/revoke-self/${qHash}`, body).catch(() => undefined)
  expect([503, undefined]).toContain(answer?.status)
  expect(await server.exited).toBe(74)
  await Promise.allSettled(proofs)
  stage.faults.close()
})
