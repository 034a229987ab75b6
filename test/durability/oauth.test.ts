/**
 * Tokens survive kills: many clients redeem codes and refresh, and the server is killed (SIGKILL) while it answers.
 * Afterwards no code has become two grants, and no grant has two valid refresh tokens. Every answered token works,
 * and a client whose answer was lost gets it by asking again.
 *
 * KILLS=100 runs it longer; EXECUTABLE=dist/proofgate runs the built program.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultsIn, inspect, temporaryFolders } from '../db/store.ts'
import { authorizeParameters, codeVerifier } from '../oauth/flow.ts'
import { type Person, personAt } from '../oauth/person.ts'
import { startServer } from './server.ts'

setDefaultTimeout(60_000)

const kills = Number(process.env.KILLS ?? 3)
const clients = 24
const newFolder = temporaryFolders()
/** Ports differ between starts, but the audience of tokens must not. */
const publicUrl = 'http://localhost:9'
const resource = `${publicUrl}/mcp`
const redirect_uri = 'http://127.0.0.1:43301/callback'

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any
}

/** Undefined where no answer came. */
async function token(url: string, fields: Record<string, string>): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${url}/api/v1/auth/mcp/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'svc-cli', resource, ...fields }),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return undefined
  }
}
const redeem = (url: string, code: string) =>
  token(url, { grant_type: 'authorization_code', code, redirect_uri, code_verifier: codeVerifier })
const refresh = (url: string, refresh_token: string) => token(url, { grant_type: 'refresh_token', refresh_token })

async function newCode(url: string, person: Person): Promise<string | undefined> {
  const parameters = authorizeParameters({ resource, redirect_uri }) as Record<string, string>
  try {
    const returned = await person.allow(`${url}/oauth/authorize?${new URLSearchParams(parameters)}`)
    return returned.searchParams.get('code')!
  } catch (error) {
    if (error instanceof Error && /^[0-9]{3}: /.test(error.message)) throw error
    return undefined
  }
}

interface Book {
  /** Current refresh tokens: answered, and not used since. */
  readonly current: string[]
  /** Sent, and not answered. */
  readonly lostRefreshes: string[]
  readonly lostCodes: string[]
  readonly redeemed: Map<string, number>
  readonly surprises: string[]
  /** How many times a token was given out. */
  given: number
}

/** Works until the server is gone. */
async function work(url: string, person: Person, book: Book): Promise<void> {
  while (true) {
    let now = book.current.pop()
    if (now === undefined || Math.random() < 0.1) {
      if (now !== undefined) book.current.push(now)
      const code = await newCode(url, person)
      if (code === undefined) return
      const answer = await redeem(url, code)
      if (!answer) {
        book.lostCodes.push(code)
        return
      }
      if (answer.status !== 200) book.surprises.push(`redeem: ${JSON.stringify(answer)}`)
      book.redeemed.set(code, (book.redeemed.get(code) ?? 0) + 1)
      book.given++
      now = answer.body.refresh_token as string
    }
    const answer = await refresh(url, now)
    if (!answer) {
      book.lostRefreshes.push(now)
      return
    }
    if (answer.status === 200) {
      book.given++
      book.current.push(answer.body.refresh_token)
    } else book.surprises.push(`refresh: ${JSON.stringify(answer)}`)
  }
}

const rows = (folder: string, sql: string): unknown[] => inspect(folder, (db) => db.query(sql).all())
const rules = (folder: string) => ({
  'a grant without its code': rows(
    folder,
    'SELECT f.id FROM oauth_families f LEFT JOIN oauth_codes c ON c.family = f.id GROUP BY f.id HAVING count(c.hash) <> 1',
  ),
  'a used code without its grant': rows(
    folder,
    'SELECT hex(hash) FROM oauth_codes WHERE consumed_at IS NOT NULL AND family IS NULL',
  ),
})

test(
  `R10 ${kills} kills while clients redeem and refresh: nothing twice, nothing lost`,
  async () => {
    const root = newFolder()
    const data = join(root, 'data')
    mkdirSync(data)
    writeFileSync(join(root, 'proofgate.toml'), `base_url = "${publicUrl}"\n`)
    const book: Book = { current: [], lostRefreshes: [], lostCodes: [], redeemed: new Map(), surprises: [], given: 0 }
    let lost = 0
    let repeated = 0

    for (let kill = 0; kill < kills; kill++) {
      const first = await startServer(data)
      const person = await personAt(first.url)
      const working = Promise.all(Array.from({ length: clients }, () => work(first.url, person, book)))
      // Measured in work and not in time, because a busy machine may answer nothing within a fixed time.
      const wanted = book.given + 1 + Math.random() * 150
      let hasEnded = false
      void working.finally(() => {
        hasEnded = true
      })
      while (book.given < wanted && !hasEnded) await Bun.sleep(1)
      await first.kill()
      await working
      expect(book.surprises).toEqual([])
      for (const [rule, broken] of Object.entries(rules(data))) expect([rule, broken]).toEqual([rule, []])

      const second = await startServer(data)
      lost += book.lostRefreshes.length + book.lostCodes.length
      for (const old of book.lostRefreshes.splice(0)) {
        // Whether the exchange had happened or not: the client asks again, and goes on.
        const [, handle = '', generation = ''] = /^rt_(.{22})\.(\w+)\./.exec(old) ?? []
        const used = `SELECT 1 FROM oauth_families WHERE handle = '${handle}' AND generation > ${Number.parseInt(generation, 36)}`
        if (rows(data, used).length > 0) repeated++
        const answer = await refresh(second.url, old)
        expect([answer?.status, answer?.body.error]).toEqual([200, undefined])
        book.current.push(answer!.body.refresh_token)
      }
      for (const code of book.lostCodes.splice(0)) {
        const answer = await redeem(second.url, code)
        expect([200, 400]).toContain(answer!.status)
        if (answer!.status === 200) {
          book.redeemed.set(code, (book.redeemed.get(code) ?? 0) + 1)
          book.current.push(answer!.body.refresh_token)
        }
        expect((await redeem(second.url, code))?.status).toBe(400)
        // Redeeming the code again ended its grant.
        if (answer!.status === 200) book.current.pop()
      }
      // Everything that was answered before the kill still stands.
      for (const position of book.current.keys()) {
        const answer = await refresh(second.url, book.current[position]!)
        expect([answer?.status, answer?.body.error]).toEqual([200, undefined])
        book.current[position] = answer!.body.refresh_token
      }
      for (const [rule, broken] of Object.entries(rules(data))) expect([rule, broken]).toEqual([rule, []])
      await second.stop()
    }
    expect(Math.max(...book.redeemed.values())).toBe(1)
    expect(faultsIn(data)).toEqual([])
    console.log(`${kills} kills, ${book.redeemed.size} grants, ${lost} answers lost, ${repeated} of them repeated`)
  },
  60_000 + kills * 20_000,
)
