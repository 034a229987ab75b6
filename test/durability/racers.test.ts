/**
 * Many more buyers than places race at limited gates, with every way to pay. The server is killed (SIGKILL) again
 * and again. No gate gives more than `supply`, and no wallet gets more than `per_wallet`. Every payment ends as a
 * reward, a refund or a row of `unmatched_payments`.
 *
 * RACE_KILLS=100 RACE_PEOPLE=125 makes it 100,000 racers; EXECUTABLE=dist/proofgate runs the built program.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { type Hex, parseAbiItem } from 'viem'
import { inspect, temporaryFolders } from '../db/store.ts'
import { shop, usdc } from '../payments/coin-stage.ts'
import { attempt, type Buyer, openRaceStage, type RaceStage } from './race-stage.ts'
import { startServer } from './server.ts'

setDefaultTimeout(60_000)

const kills = Number(process.env.RACE_KILLS ?? 3)
/** Each has two proofs, and wants something of four gates in every race. */
const people = Number(process.env.RACE_PEOPLE ?? 12)
const racers = kills * people * 8
const atOnce = 48
const newFolder = temporaryFolders()

/** Lets every buyer make an attempt; who hears nothing, because the server died, has heard nothing. */
async function race(url: string, buyers: readonly Buyer[], stage: RaceStage, onAnswer = (): void => {}): Promise<void> {
  const waiting = [...buyers]
  const runner = async (): Promise<void> => {
    for (let buyer = waiting.shift(); buyer; buyer = waiting.shift())
      await attempt(url, buyer, stage).then(onAnswer, () => {})
  }
  await Promise.all(Array.from({ length: atOnce }, runner))
}

/** The answer is not final: the server went away, or asks to retry later. */
const isOpen = ({ heard }: Buyer): boolean =>
  heard === undefined || heard.status === 503 || heard.data.includes('retryAfterSeconds')

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item)

interface GateBooks {
  readonly gateId: string
  readonly granted: number
  readonly counted: number
  readonly mostOfWallet: number
}

const readBooks = (stage: RaceStage): GateBooks[] =>
  inspect(stage.data, (db) =>
    db
      .query<GateBooks, []>(
        `SELECT g.gate_id AS gateId, g.fulfilled_count AS counted,
           (SELECT count(*) FROM fulfillments f WHERE f.gate = g.id AND f.state = 'granted') AS granted,
           (SELECT coalesce(max(n), 0) FROM (
              SELECT count(*) AS n FROM fulfillments f WHERE f.gate = g.id AND f.state = 'granted' GROUP BY f.wallet)
           ) AS mostOfWallet
         FROM gates g`,
      )
      .all(),
  )

/** Identities of payments, by what became of them. */
const readFates = (stage: RaceStage) =>
  inspect(stage.data, (db) => ({
    rewarded: db
      .query<{ identity: string; details: string }, []>(
        `SELECT p.identity, p.details FROM payments p JOIN fulfillments f ON f.payment = p.id`,
      )
      .all(),
    unmatched: db
      .query<{ identity: string; details: string; state: string }, []>(
        'SELECT identity, details, state FROM unmatched_payments',
      )
      .all(),
    underWay: db.query<{ n: number }, []>('SELECT count(*) AS n FROM settlements').get()!.n,
    refunding: db
      .query<{ n: number }, []>("SELECT count(*) AS n FROM unmatched_payments WHERE state = 'refunding'")
      .get()!.n,
    // An unpaid page is watched until it ends. Its answer was lost with a kill, and its buyer got another page.
    watched: db
      .query<{ sessionId: string }, []>('SELECT session_id AS sessionId FROM checkouts WHERE watch_at IS NOT NULL')
      .all()
      .filter(({ sessionId }) => stage.stripe.session(sessionId).status !== 'open').length,
  }))

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** Every transfer to the shop that stands on the chain. */
async function listTransfers({ anvil }: RaceStage): Promise<Hex[]> {
  const newest = await anvil.publicClient.getBlockNumber()
  const hashes: Hex[] = []
  for (let first = 0n; first <= newest; first += 5_000n) {
    const logs = await anvil.publicClient.getLogs({
      address: usdc,
      event: transferEvent,
      args: { to: shop },
      fromBlock: first,
      toBlock: first + 4_999n,
    })
    hashes.push(...logs.map(({ transactionHash }) => transactionHash))
  }
  return hashes
}

test(
  `${racers} racers for places at limited gates, by every way to pay, through ${kills} kills: none too many, nobody pays for nothing`,
  async () => {
    const stage = await openRaceStage(newFolder(), people)
    const all: Buyer[] = []
    try {
      for (let kill = 1; kill <= kills; kill++) {
        const buyers = shuffled(await stage.newRace())
        all.push(...buyers)
        const first = await startServer(stage.data)
        const { promise: isTime, resolve: now } = Promise.withResolvers<void>()
        let answersToCome = Math.ceil(Math.random() * buyers.length * 0.8)
        const running = race(first.url, buyers, stage, () => --answersToCome === 0 && now())
        await isTime
        await first.kill()
        await running

        const second = await startServer(stage.data)
        for (let turn = 0; turn < 45 && buyers.some(isOpen); turn++) {
          if (turn > 0) await Bun.sleep(1_000)
          await race(second.url, buyers.filter(isOpen), stage)
        }
        expect(buyers.filter(isOpen).map(({ way, heard }) => ({ way, heard }))).toEqual([])
        expect(await second.stop()).toBe(0)
      }

      // The server itself finds payments whose buyers do not come back.
      const last = await startServer(stage.data)
      for (let look = 0; look < 120; look++) {
        const { underWay, refunding, watched } = readFates(stage)
        if (underWay + refunding + watched === 0) break
        await Bun.sleep(2_000)
      }
      expect(await last.stop()).toBe(0)

      const gates = new Map(all.map(({ gate }) => [gate.gateId, gate]))
      for (const { gateId, granted, counted, mostOfWallet } of readBooks(stage)) {
        const { supply = Number.POSITIVE_INFINITY, perWallet = Number.POSITIVE_INFINITY } = gates.get(gateId) ?? {}
        expect(counted).toBe(granted)
        expect(granted).toBeLessThanOrEqual(supply)
        expect(mostOfWallet).toBeLessThanOrEqual(perWallet)
      }

      const { rewarded, unmatched, ...open } = readFates(stage)
      expect(open).toEqual({ underWay: 0, refunding: 0, watched: 0 })
      const told = new Set([...rewarded, ...unmatched].map(({ details }) => JSON.parse(details).transactionHash))
      const onChain = await listTransfers(stage)
      const untold = new Set(onChain.filter((hash) => !told.has(hash)))
      const makers = all.filter(({ transaction }) => transaction && untold.has(transaction))
      expect(makers.slice(0, 10).map(({ gate, way, heard }) => ({ gate, way, heard }))).toEqual([])
      expect([...untold]).toEqual([])
      expect(onChain.length).toBe([...told].filter(Boolean).length)

      const cards = new Set(rewarded.map(({ identity }) => identity))
      const lost = all
        .filter(({ sessionId }) => sessionId !== undefined)
        .filter(({ sessionId }) => stage.stripe.session(sessionId!).payment_status === 'paid')
        .filter(({ sessionId }) => {
          const isRewarded = cards.has(`card:${stage.stripe.payment(sessionId!).id}`)
          return isRewarded === stage.stripe.charge(sessionId!).refunded
        })
      expect(lost.map(({ sessionId }) => sessionId)).toEqual([])

      // Every granted buyer has the reward, and no payer was told that no payment was made.
      const denied = all.filter(({ transaction, heard }) => transaction && /no payment was/i.test(heard?.data ?? ''))
      expect(denied.map(({ heard }) => heard)).toEqual([])
      console.log(
        `${racers} racers, ${kills} kills: ${rewarded.length} rewards, ${unmatched.length} unmatched (${unmatched.filter(({ state }) => state === 'refunded').length} refunded), ${onChain.length} transfers on the chain`,
      )
    } finally {
      await stage.stop()
    }
  },
  120_000 + kills * 60_000 + racers * 100,
)
