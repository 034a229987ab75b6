/** The claims of an erasure, against the bytes of the files: no pending part is called done. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { nameLogFile } from '../../src/db/file-names.ts'
import { startApp, type TestApp } from '../app.ts'
import { inspect } from '../db/store.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()

const readBytes = (file: string): Buffer => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0))
const filesOf = (folder: string) => {
  const file = locateDatabaseFile(folder)
  return { database: readBytes(file), log: readBytes(nameLogFile(file)) }
}

const eraseAll = async (app: TestApp, wallet: TestWallet) => {
  const walletAddress = wallet.address.toLowerCase()
  return app.post(
    '/api/v1/proofs/erase-all',
    await app.ownerBody(wallet, { action: 'erase_all_proofs', walletAddress }),
  )
}

/** Every value of every row, as SQL gives it. */
const readEverything = (folder: string): string =>
  inspect(folder, (db) => {
    const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    return JSON.stringify(tables.map(({ name }) => db.query(`SELECT * FROM "${name}"`).values()))
  })

interface Written {
  readonly word: string
  readonly isLong: boolean
}

/** Writes public and private texts, short and several pages long, among those of another person. */
async function fillBoth(app: TestApp, rounds: number): Promise<Record<'hers' | 'his', Written[]>> {
  const written: Record<'hers' | 'his', Written[]> = { hers: [], his: [] }
  for (let round = 0; round < rounds; round++)
    for (const [name, wallet] of [
      ['hers', alice],
      ['his', bob],
    ] as const) {
      const word = `<${name} ${round}>`
      const isLong = round % 4 === 0
      written[name].push({ word, isLong })
      const options = { privacyLevel: round % 3 === 0 ? 'private' : 'public', storeOriginalContent: true }
      await app.prove(wallet, options, { content: `${word}${'x'.repeat(isLong ? 10_000 : (round * 37) % 700)}` })
    }
  return written
}

describe('when the erasure is done', () => {
  test('no text of the wallet stands in the log or in a row, and hardly one in unused space of the file', async () => {
    const folder = newFolder()
    const app = await startApp({ PROOFGATE_DATA: folder, PROOFGATE_LIMITS_ENABLED: 'false' }, folder)
    const { hers, his } = await fillBoth(app, 120)
    const before = filesOf(folder)
    const isIn = (bytes: Buffer, { word }: Written): boolean => bytes.includes(word)
    // The public ones can be found, so the search below looks at the right place.
    expect(hers.filter((one) => isIn(before.database, one) || isIn(before.log, one)).length).toBeGreaterThan(70)

    const { body } = await eraseAll(app, alice)
    expect(body).toMatchObject({ erasedCount: 120, erasure: { state: 'done' }, traces: { pending: false } })
    const { database, log } = filesOf(folder)
    expect(hers.filter((one) => isIn(log, one))).toEqual([])
    expect(log.includes(alice.address.toLowerCase())).toBe(false)
    const rows = readEverything(folder)
    expect(hers.filter(({ word }) => rows.includes(word))).toEqual([])
    expect(rows).not.toContain(alice.address.toLowerCase())
    // Long texts have pages of their own. Short ones may leave bytes: src/guides/revoking.md, "How far an erasure goes".
    const left = hers.filter((one) => isIn(database, one))
    expect(left.filter(({ isLong }) => isLong)).toEqual([])
    expect(left.length).toBeLessThan(5)
    expect(his.filter(({ word }) => rows.includes(word)).length).toBeGreaterThan(70)
    await app.close()
  })

  test('the ids of the proofs stay as marks of used signatures, until a day after those are too old', async () => {
    const folder = newFolder()
    const app = await startApp({ PROOFGATE_DATA: folder }, folder)
    const qHash = await app.prove(alice)
    expect((await eraseAll(app, alice)).body.erasure.state).toBe('done')
    const holdsId = (): boolean =>
      inspect(folder, (db) => {
        const { kept } = db
          .query<{ kept: number }, [string]>(
            'SELECT (SELECT count(*) FROM spent_signatures WHERE q_hash = unhex(?1)) + (SELECT count(*) FROM erased_proofs) AS kept',
          )
          .get(qHash.slice(2))!
        return kept > 0
      })
    expect(holdsId()).toBe(true)
    app.wait(26 * 3_600_000)
    await app.sweep()
    expect(holdsId()).toBe(false)
    await app.close()
  })
})
