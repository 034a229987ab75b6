/** Many more people than places at limited gates, through three servers that are killed: none too many, none lost. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { claimSigned, makeFastWalletAt, ownerSigned, type Signer } from '../parts/fast-wallet.ts'
import { haproxy } from '../parts/haproxy.ts'
import { isMissing } from '../parts/optional.ts'
import { startPostgres } from '../parts/postgres.ts'
import { post, runAll } from './client.ts'
import { findBrokenRules, openSql, startCluster, waitForReady } from './cluster.ts'
import { choose } from './long.ts'

setDefaultTimeout(choose(180_000, 7_200_000))

const people = choose(16, 250)
const gates = choose(12, 200)
const supply = choose(5, 100)
const kills = choose(3, 40)
/** Each person has two proofs, and wants something of every gate for both. */
const tries = people * gates * 2
const atOnce = choose(16, 64)
/** Gates that people want at one time. */
const together = 10

interface Gate {
  readonly gateId: string
  readonly supply: number
  readonly perWallet?: number
}

interface Wish {
  readonly gateId: string
  readonly wallet: Signer
  readonly qHash: string
}

const shuffle = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item)

const skips = isMissing(haproxy, 'HAProxy: apt-get install haproxy')

test.skipIf(skips)(
  `${tries} tries for ${gates * supply} places through ${kills} kills: as many as there are, and each that was promised`,
  async () => {
    const database = await (await startPostgres({ version: 15 })).createDatabase()
    const cluster = await startCluster({ database })
    const limited = Array.from(
      { length: gates },
      (_, index): Gate => ({ gateId: `gate-${index}`, supply, ...(index % 2 ? { perWallet: 1 } : {}) }),
    )
    await cluster.putGates(limited)
    const proved: Omit<Wish, 'gateId'>[] = []
    const owners = Array.from({ length: people * 2 }, (_, index) => makeFastWalletAt(index >> 1))
    await runAll(owners, atOnce, async (wallet, index) => {
      const data = { owner: wallet.address, content: `Number ${index}` }
      const { body } = await post(cluster.url, '/api/v1/verification', await claimSigned(wallet, { data }))
      proved.push({ wallet, qHash: body.data.qHash })
    })

    const wishes = Array.from({ length: Math.ceil(gates / together) }, (_, group) =>
      shuffle(
        limited
          .slice(group * together, (group + 1) * together)
          .flatMap(({ gateId }) => proved.map((one): Wish => ({ ...one, gateId }))),
      ),
    ).flat()
    const granted = new Set<string>()
    const answers: Record<string, number> = {}
    let answered = 0
    let retried = 0
    const startedAt = performance.now()
    const trying = runAll(wishes, atOnce, async ({ gateId, wallet, qHash }) => {
      const asked = { qHash, ...(await ownerSigned(wallet, { action: 'fulfill_gate', gateId, qHash })) }
      const answer = await post(cluster.url, `/api/v1/profile/gates/${gateId}/fulfill`, asked)
      const said = `${answer.status} ${answer.body?.error?.code ?? ''}`.trim()
      answers[said] = (answers[said] ?? 0) + 1
      if (answer.status === 200) granted.add(`${gateId} ${qHash}`)
      if (answer.reasons.length > 0) retried++
      answered++
    })
    for (let kill = 0; kill < kills; kill++) {
      const wanted = Math.floor(((kill + 0.5) * tries) / kills)
      while (answered < wanted) await Bun.sleep(2)
      const server = cluster.servers[kill % cluster.servers.length]!
      await server.kill()
      await server.start()
      await waitForReady(server.url, true)
    }
    await trying
    const seconds = (performance.now() - startedAt) / 1000

    const sql = openSql(database)
    const stored = (await sql.unsafe(
      `SELECT g.gate_id || ' 0x' || lower(hex(f.q_hash)) AS "grant" FROM fulfillments f JOIN gates g ON g.id = f.gate
       WHERE f.state = 'granted'`,
    )) as { grant: string }[]
    const books = (await sql.unsafe(
      `SELECT g.gate_id AS "gateId", g.fulfilled_count::integer AS counted,
         (SELECT count(*)::integer FROM fulfillments f WHERE f.gate = g.id AND f.state = 'granted') AS granted,
         (SELECT coalesce(max(n), 0)::integer FROM (
            SELECT count(*) AS n FROM fulfillments f WHERE f.gate = g.id AND f.state = 'granted' GROUP BY f.wallet) w
         ) AS most FROM gates g`,
    )) as { gateId: string; counted: number; granted: number; most: number }[]
    await sql.close()
    expect(books.map(({ gateId }) => gateId).toSorted()).toEqual(limited.map(({ gateId }) => gateId).toSorted())
    for (const { gateId, perWallet = 2 } of limited) {
      const { most, ...book } = books.find((one) => one.gateId === gateId)!
      expect(book).toEqual({ gateId, counted: supply, granted: supply })
      expect(most).toBeLessThanOrEqual(perWallet)
    }
    const given = new Set(stored.map(({ grant }) => grant))
    expect([...granted].filter((grant) => !given.has(grant))).toEqual([])
    expect([...given].filter((grant) => !granted.has(grant))).toEqual([])
    const expected = ['200', '409 GATE_LIMIT_REACHED', '409 GATE_SOLD_OUT']
    expect(Object.keys(answers).filter((answer) => !expected.includes(answer))).toEqual([])
    expect(await findBrokenRules(database)).toEqual({})
    console.log(
      `${tries} tries, ${kills} kills: ${granted.size} places given of ${gates * supply}, ${retried} asked again, ${Math.round(seconds)} s; ${JSON.stringify(answers)}`,
    )
    await cluster.stop()
  },
)
