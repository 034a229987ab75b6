/**
 * One payment buys one reward, also through kills. Many fulfillments race for each payment, and the server is killed
 * (SIGKILL) while it answers. Afterwards at most one has each payment, and its buyer can ask again.
 *
 * KILLS=100 runs it longer; FULFILLMENTS=10000 sends more at a time; PAYMENTS=1 lets all compete for one payment.
 * EXECUTABLE=dist/proofgate runs the built program.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { encodeFunctionData, parseAbi } from 'viem'
import { faultsIn, inspect, temporaryFolders } from '../db/store.ts'
import { putGate } from '../gates/fulfill-stage.ts'
import { startOnFiles } from '../journeys/server.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { alice } from '../wallets.ts'
import { makePaidFolder } from './paid-folder.ts'
import { startServer } from './server.ts'

setDefaultTimeout(60_000)

const kills = Number(process.env.KILLS ?? 3)
const wanted = Number(process.env.FULFILLMENTS ?? 200)
/** Several claims are on their way at a time, so that a kill meets some of them half done. */
const paid = Math.min(Number(process.env.PAYMENTS ?? 20), wanted)
const newFolder = temporaryFolders()
const recipient = `0x${'ab'.repeat(20)}` as const
const secret = 'open sesame'

interface Pair {
  readonly gateId: string
  readonly qHash: string
}

/** Gates, and proofs of Alice's, in a data folder beside a configuration that names the chain. */
async function prepare(anvil: Anvil, token: Deployed): Promise<{ readonly data: string; readonly pairs: Pair[] }> {
  const data = makePaidFolder(newFolder(), { rpc: anvil.url, token: token.address, payment: ['confirmations = 1'] })
  const server = await startOnFiles(data, { PROOFGATE_DATA: data, PROOFGATE_LIMITS_ENABLED: 'false' })
  const side = Math.ceil(Math.sqrt(wanted + kills * paid))
  const gates = Array.from({ length: side }, (_, number) => `gate-${number}`)
  const price = { amountUsd: '4.99', methods: ['stablecoin' as const], recipient }
  for (const gateId of gates)
    await putGate(server.parts, { gateId, price, rewards: [{ kind: 'reveal', value: secret }] })
  const proofs: string[] = []
  for (let number = 0; number < side; number++) {
    const data = { owner: alice.address, content: `Number ${number}` }
    const { body } = await server.submit(alice, { verifierIds: ['ownership-basic'], data })
    proofs.push(body.data.qHash)
  }
  await server.stop()
  return { data, pairs: gates.flatMap((gateId) => proofs.map((qHash) => ({ gateId, qHash }))) }
}

/** Transfers from Alice, mined and deep enough. */
async function pay(anvil: Anvil, token: Deployed): Promise<string[]> {
  await token.write('mint', [alice.address, 4_990_000n * BigInt(paid)])
  const transfer = parseAbi(['function transfer(address to, uint256 amount)'])
  const data = encodeFunctionData({ abi: transfer, functionName: 'transfer', args: [recipient, 4_990_000n] })
  const hashes: string[] = []
  for (let number = 0; number < paid; number++)
    hashes.push(String(await anvil.rpc('eth_sendTransaction', [{ from: alice.address, to: token.address, data }])))
  await anvil.rpc('anvil_mine', ['0x2'])
  return hashes
}

/** A pair and the payment that it wants, among others that want the same. */
interface Wish {
  readonly pair: Pair
  readonly hash: string
}

interface Answer {
  readonly wish: Wish
  readonly status: number
  readonly code: string | undefined
  readonly data: string
}

/** Undefined where no answer came. */
async function fulfill(url: string, wish: Wish): Promise<Answer | undefined> {
  const { gateId, qHash } = wish.pair
  const signed = await alice.signAction({ action: 'fulfill_gate', gateId, qHash }, Date.now())
  try {
    const response = await fetch(`${url}/api/v1/profile/gates/${gateId}/fulfill`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ qHash, paymentTxHash: wish.hash, ...signed }),
    })
    const { data, error } = (await response.json()) as { data?: object; error?: { code: string; message: string } }
    return { wish, status: response.status, code: error?.code, data: JSON.stringify(data ?? error) }
  } catch {
    return undefined
  }
}

async function fulfillAll(url: string, wishes: readonly Wish[], onAnswer?: () => void): Promise<Answer[]> {
  const answers = wishes.map(async (wish) => {
    const answer = await fulfill(url, wish)
    onAnswer?.()
    return answer
  })
  return (await Promise.all(answers)).flatMap((answer) => answer ?? [])
}

/** The granted answers, by payment. Throws where one was granted twice. */
function granted(answers: readonly Answer[]): Map<string, Answer> {
  const winners = new Map<string, Answer>()
  for (const answer of answers.filter(({ status }) => status === 200)) {
    if (winners.has(answer.wish.hash)) throw new Error(`granted twice: ${answer.data}`)
    winners.set(answer.wish.hash, answer)
  }
  return winners
}
const others = (answers: readonly Answer[]): string[] =>
  answers.filter(({ status, code }) => status !== 200 && code !== 'PAYMENT_ALREADY_USED').map(({ data }) => data)

/** Counts in the database: every payment must have one fulfillment, which is counted. */
const books = (folder: string) =>
  inspect(folder, (db) =>
    db
      .query<{ payments: number; fulfillments: number; paired: number; counted: number }, []>(
        `SELECT (SELECT count(*) FROM payments) AS payments, (SELECT count(*) FROM fulfillments) AS fulfillments,
           (SELECT count(DISTINCT payment) FROM fulfillments) AS paired,
           (SELECT sum(fulfilled_count) FROM gates) AS counted`,
      )
      .get(),
  )

test(
  `${kills} kills while ${wanted} fulfillments race for ${paid} payments: at most one has each, and can come back for it`,
  async () => {
    const anvil = await startAnvil({ chainId: 8453, timestamp: Math.floor(Date.now() / 1000) })
    try {
      await anvil.rpc('anvil_impersonateAccount', [alice.address])
      await anvil.rpc('anvil_setBalance', [alice.address, '0x56bc75e2d63100000'])
      const token = await deploy(anvil, 'Erc20', [6])
      const { data, pairs } = await prepare(anvil, token)
      const done = new Set<Pair>()
      let interrupted = 0

      for (let kill = 1; kill <= kills; kill++) {
        const hashes = await pay(anvil, token)
        const free = pairs.filter((pair) => !done.has(pair)).slice(0, wanted)
        const wishes = free.map((pair, number) => ({ pair, hash: hashes[number % paid]! }))
        const first = await startServer(data)
        // After some answers: before the first the server reads the chain, and claims nothing.
        const { promise: isTime, resolve: now } = Promise.withResolvers<void>()
        let answersToCome = Math.ceil(Math.random() * wanted * 0.7)
        const race = fulfillAll(first.url, wishes, () => --answersToCome === 0 && now())
        await isTime
        await first.kill()
        const before = await race
        const early = granted(before)
        expect(others(before)).toEqual([])
        if (early.size > 0 && early.size < paid) interrupted++

        const { payments, ...rest } = books(data)!
        expect(payments).toBeGreaterThanOrEqual((kill - 1) * paid + early.size)
        expect(payments).toBeLessThanOrEqual(kill * paid)
        expect(rest).toEqual({ fulfillments: payments, paired: payments, counted: payments })

        const second = await startServer(data)
        const after = await fulfillAll(second.url, wishes)
        expect(after).toHaveLength(wishes.length)
        expect(others(after)).toEqual([])
        const winners = granted(after)
        expect(winners.size).toBe(paid)
        // The winner acknowledged before the kill must still be the winner after it.
        for (const [hash, answer] of early) expect(winners.get(hash)?.data).toBe(answer.data)
        for (const { wish, data } of winners.values()) {
          expect(data).toContain(secret)
          expect((await fulfill(second.url, wish))?.data).toBe(data)
          done.add(wish.pair)
        }
        const all = kill * paid
        expect(books(data)).toEqual({ payments: all, fulfillments: all, paired: all, counted: all })
        expect(await second.stop()).toBe(0)
      }
      expect(faultsIn(data)).toEqual([])
      console.log(
        `${kills} kills, ${interrupted} of them between two claims; ${kills * paid} payments, as many rewards`,
      )
    } finally {
      await anvil.stop()
    }
  },
  120_000 + kills * (10_000 + 40 * wanted),
)
