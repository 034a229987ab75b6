/**
 * Acknowledged data survives: the server is killed (SIGKILL) at random moments under load, again and again on one
 * data folder. After every start no acknowledged write is missing, and none is stored in part.
 *
 * KILLS=1000 runs it longer; EXECUTABLE=dist/proofgate runs the built program.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { inspect, temporaryFolders } from '../db/store.ts'
import { type Book, type Known, newBook, ownerHeaders, resend, runLoad } from './load.ts'
import { type ServerProcess, spawnServer, startServer } from './server.ts'
import { brokenRules } from './sound.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

const kills = Number(process.env.KILLS ?? 25)
const between = (least: number, most: number): number => least + Math.random() * (most - least)

async function statusesOf(url: string, proofs: readonly Known[]): Promise<Map<string, string>> {
  const statuses = new Map<string, string>()
  for (let from = 0; from < proofs.length; from += 100) {
    const qHashes = proofs.slice(from, from + 100).map(({ qHash }) => qHash)
    const response = await fetch(`${url}/api/v1/verification/status-batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ qHashes }),
    })
    const { results } = (await response.json()) as { results: Record<string, { status: string }> }
    for (const [qHash, { status }] of Object.entries(results)) statuses.set(qHash, status)
  }
  return statuses
}

/** Lists the proofs whose status differs from the answer to their client. */
async function missing(url: string, proofs: readonly Known[]): Promise<string[]> {
  const statuses = await statusesOf(url, proofs)
  return proofs.flatMap((known) => {
    const status = statuses.get(known.qHash) ?? 'no answer'
    const allowed = { stands: ['verified'], revoked: ['revoked'], unsure: ['verified', 'revoked'] }[known.state]
    return allowed.includes(status) ? [] : [`${known.qHash}: ${known.state} → ${status}`]
  })
}

/** Opens kept content as its owner does; the answer must be the text that was sent. */
async function unreadable(url: string, proofs: readonly Known[]): Promise<string[]> {
  const wrong: string[] = []
  for (const known of proofs) {
    const response = await fetch(`${url}/api/v1/proofs/${known.qHash}`, { headers: await ownerHeaders(known) })
    const { data } = (await response.json()) as { data?: { publicContent?: { content?: string } } }
    if (data?.publicContent?.content !== known.content) wrong.push(`${known.qHash}: ${response.status}`)
  }
  return wrong
}

/** Once it is known whether an unanswered revocation took place, it must stay so. */
async function settle(url: string, book: Book): Promise<void> {
  const unsure = book.proofs.filter(({ state }) => state === 'unsure')
  const statuses = await statusesOf(url, unsure)
  for (const known of unsure) known.state = statuses.get(known.qHash) === 'revoked' ? 'revoked' : 'stands'
}

/** Measured in work and not in time, because a busy machine may store nothing within a fixed time. */
async function waitForProofs(book: Book, more: number, load: Promise<void>): Promise<void> {
  const wanted = book.proofs.length + more
  let hasEnded = false
  void load.finally(() => {
    hasEnded = true
  })
  while (book.proofs.length < wanted && !hasEnded) await Bun.sleep(1)
}

test(
  `${kills} kills under load lose nothing that was acknowledged`,
  async () => {
    const folder = newFolder()
    const book = newBook()
    let server: ServerProcess = await startServer(folder)
    for (let kill = 0; kill < kills; kill++) {
      const checkedBefore = book.proofs.length
      const load = runLoad(server.url, book)
      await waitForProofs(book, between(2, 60), load)
      await Bun.sleep(between(0, 20))
      await server.kill()
      await load
      if (Math.random() < 0.2) await killWhileStarting(folder)

      server = await startServer(folder)
      const fresh = book.proofs.slice(checkedBefore)
      expect(await missing(server.url, fresh)).toEqual([])
      expect(await unreadable(server.url, fresh.filter(({ content }) => content !== undefined).slice(-5))).toEqual([])
      expect(inspect(folder, brokenRules)).toEqual({})
      await settle(server.url, book)
      await resend(server.url, book)
      expect(book.surprises).toEqual([])
    }

    expect(await missing(server.url, book.proofs)).toEqual([])
    expect(book.proofs.length).toBeGreaterThan(kills)
    expect(book.proofs.some(({ state }) => state === 'revoked')).toBe(true)
    expect(await server.stop()).toBe(0)
    expect(inspect(folder, brokenRules)).toEqual({})
    console.log(`${kills} kills, ${book.proofs.length} acknowledged proofs, none missing`)
  },
  60_000 + kills * 8_000,
)

async function killWhileStarting(folder: string): Promise<void> {
  const child = spawnServer(folder)
  await Bun.sleep(between(0, 400))
  child.kill('SIGKILL')
  await child.exited
}

test('a database with a missing row breaks the rules of this check', async () => {
  const folder = newFolder()
  const server = await startServer(folder)
  const book = newBook()
  const load = runLoad(server.url, book, 4)
  const isPlain = ({ handle, state }: Known): boolean => state === 'stands' && !handle
  while (!book.proofs.some(isPlain)) await Bun.sleep(20)
  await server.kill()
  await load
  expect(inspect(folder, brokenRules)).toEqual({})

  const again = await startServer(folder)
  expect(await missing(again.url, book.proofs)).toEqual([])
  await settle(again.url, book)
  const victims = book.proofs.filter(isPlain).slice(-1)
  inspect(folder, (db) => {
    for (const { qHash } of victims) db.run(`DELETE FROM proofs WHERE q_hash = unhex('${qHash.slice(2)}')`)
  })
  expect(await missing(again.url, book.proofs)).toEqual([expect.stringContaining('not_found')])
  expect(Object.keys(inspect(folder, brokenRules))).toContain('a counter differs from the count')
  await again.kill()
})
