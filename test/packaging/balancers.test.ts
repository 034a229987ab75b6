/** HAProxy and Caddy with the recipes for several servers, before two that are stopped and killed. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import { writeSignerString } from '../../src/envelope/signer-string.ts'
import { firstLine } from '../db/child.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { freePort } from '../parts/free-port.ts'
import { isMissing } from '../parts/optional.ts'
import { program } from '../parts/program.ts'
import { openSharedDatabase, type TestDatabase } from '../parts/test-database.ts'
import { alice } from '../wallets.ts'
import { balancers, type Front, publicHost } from './fronts.ts'

setDefaultTimeout(120_000)

const newFolder = temporaryFolders()
const endsWithUs = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : []
/** As the guide and the compose file have it. */
const drainSeconds = 5

async function startProofgate(database: TestDatabase, port: number) {
  const folder = newFolder()
  const child = Bun.spawn([...endsWithUs, ...program, 'serve', '--json'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      PROOFGATE_DATA: folder,
      PROOFGATE_PORT: String(port),
      PROOFGATE_METRICS_PORT: '0',
      PROOFGATE_BASE_URL: `https://${publicHost}`,
      PROOFGATE_PROXY_TRUSTED: '127.0.0.1/32',
      PROOFGATE_LIMITS_ENABLED: 'false',
      PROOFGATE_SERVER_DRAIN_SECONDS: String(drainSeconds),
      ...database.env,
    },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  expect(await firstLine(child.stdout)).toContain('"port":')
  return child
}

interface Answered {
  readonly status: number
  readonly text: string
}

/** Errors: those of the connection. */
const ask = (front: Front, agent: Agent, path: string, body?: string): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const headers = { host: publicHost, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const method = body === undefined ? 'GET' : 'POST'
    const options = { host: '127.0.0.1', port: front.port, path, method, headers, agent, servername: publicHost }
    const asked = request({ ...options, rejectUnauthorized: false }, (answer) => {
      let text = ''
      answer.on('data', (part) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body)
  })

let claims = 0
async function writeClaim(): Promise<string> {
  const data = { owner: alice.address, content: `claim ${++claims}` }
  const signedTimestamp = Date.now()
  const claim = {
    walletAddress: alice.address,
    verifierIds: ['ownership-basic'],
    canonicalData: writeCanonicalJson(data),
    signedTimestamp,
    context: { chainId: 84532 },
  }
  const signature = await alice.sign(writeSignerString(claim))
  const { walletAddress, verifierIds } = claim
  return JSON.stringify({ walletAddress, verifierIds, data, signedTimestamp, signature, chainId: 84532 })
}

/** Clients that make a proof, read it, and begin anew, while `work` goes on. Returns what was not answered at once. */
async function loadWhile(front: Front, work: () => Promise<void>) {
  const agent = new Agent({ keepAlive: true })
  const repeated: string[] = []
  const made: string[] = []
  let isOver = false
  const send = async (path: string, body?: string): Promise<Answered> => {
    for (;;) {
      const answer = await ask(front, agent, path, body).catch(
        (error): Answered => ({ status: 0, text: String(error) }),
      )
      if (answer.status === 200) return answer
      repeated.push(`${path} ${answer.status} ${answer.text.slice(0, 200)}`)
      await Bun.sleep(50)
    }
  }
  const client = async (): Promise<void> => {
    while (!isOver) {
      const { text } = await send('/api/v1/verification', await writeClaim())
      const { qHash } = JSON.parse(text).data
      made.push(qHash)
      await send(`/api/v1/proofs/${qHash}`)
    }
  }
  const clients = Promise.all(Array.from({ length: 6 }, client))
  await work()
  isOver = true
  await clients
  agent.destroy()
  return { repeated, made }
}

describe.each(balancers.map((kind) => [kind.name, kind] as const))('behind %s', (_, kind) => {
  const lacks = !Bun.which(kind.program, { PATH: `${process.env.PATH}:/usr/sbin` })
  const skips = isMissing(!lacks, `${kind.name}: apt-get install haproxy caddy`)

  describe.skipIf(skips)('two servers on one database', () => {
    let database: TestDatabase
    let front: Front
    let ports: readonly [number, number]
    let one: Awaited<ReturnType<typeof startProofgate>>
    let two: typeof one

    const isReady = (port: number): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/api/v1/health/ready`, { headers: { host: publicHost } }).then(
        ({ ok }) => ok,
        () => false,
      )
    const countRequests = (): number => claims

    beforeAll(async () => {
      database = await openSharedDatabase()
      ports = [await freePort(), await freePort()]
      one = await startProofgate(database, ports[0])
      two = await startProofgate(database, ports[1])
      front = await kind.start(newFolder(), ...ports)
      // It must have found both servers ready.
      const agent = new Agent({ keepAlive: false })
      for (let good = 0; good < 4; )
        good = (await ask(front, agent, '/api/v1/health/ready')).status === 200 ? good + 1 : 0
    })
    afterAll(async () => {
      await front?.stop()
      one?.kill('SIGKILL')
      two?.kill('SIGKILL')
      await Promise.all([one?.exited, two?.exited])
      await database?.drop()
    })

    test('a server that is stopped and started again lets no request fail, and none has to be repeated', async () => {
      const { repeated, made } = await loadWhile(front, async () => {
        const before = countRequests()
        one.kill('SIGTERM')
        while (await isReady(ports[0])) await Bun.sleep(20)
        expect(await one.exited).toBe(0)
        while (countRequests() < before + 100) await Bun.sleep(20)
        one = await startProofgate(database, ports[0])
        const since = countRequests()
        while (countRequests() < since + 100) await Bun.sleep(20)
      })
      expect(repeated).toEqual([])
      expect(new Set(made).size).toBe(made.length)
    })

    test('a server that is killed is noticed by nobody who repeats what was not answered', async () => {
      const { made } = await loadWhile(front, async () => {
        two.kill('SIGKILL')
        await two.exited
        const since = countRequests()
        while (countRequests() < since + 100) await Bun.sleep(20)
      })
      expect(new Set(made).size).toBe(made.length)
      two = await startProofgate(database, ports[1])
    })

    test('no client has to stay with one server: what one began, the other goes on with', async () => {
      const agent = new Agent({ keepAlive: false })
      const { message } = JSON.parse(
        (await ask(front, agent, '/api/v1/auth/nonce', JSON.stringify({ walletAddress: alice.address }))).text,
      ).data
      const body = JSON.stringify({ message, signature: await alice.sign(message) })
      const signedIn = await ask(front, agent, '/api/v1/auth/verify', body)
      expect([signedIn.status, JSON.parse(signedIn.text).success]).toEqual([200, true])
      expect((await ask(front, agent, '/api/v1/auth/verify', body)).status).toBe(409)
    })
  })
})
