/**
 * No payment is lost through kills. Buyers race for the last places of a gate by x402, on a real chain with a real
 * facilitator. The server is killed (SIGKILL) while it settles. Afterwards no gate is oversold, and every unit of money
 * has its reward or its row.
 *
 * KILLS=100 and RACERS=100 run it longer; EXECUTABLE=dist/proofgate runs the built program.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { x402HTTPClient } from '@x402/core/client'
import { privateKeyToAccount } from 'viem/accounts'
import { faultsIn, inspect, temporaryFolders } from '../db/store.ts'
import { putGate } from '../gates/fulfill-stage.ts'
import { startOnFiles } from '../journeys/server.ts'
import { usdc } from '../payments/coin-stage.ts'
import { clientOf, encoded, openX402Stage, type Payer, price, type X402Stage } from '../payments/x402-stage.ts'
import { evmWallet } from '../wallets.ts'
import { makePaidFolder } from './paid-folder.ts'
import { startServer } from './server.ts'

setDefaultTimeout(60_000)

const kills = Number(process.env.KILLS ?? 3)
const racers = Number(process.env.RACERS ?? 12)
const supply = 3
const newFolder = temporaryFolders()

interface Buyer extends Payer {
  readonly qHash: string
}

const nameGate = (kill: number): string => `gate-${kill}`

async function prepare(chain: X402Stage): Promise<{ readonly data: string; readonly buyers: Buyer[] }> {
  const data = makePaidFolder(newFolder(), {
    rpc: chain.anvil.url,
    token: usdc,
    chain: ['stale_after_seconds = 0'],
    payment: ['[payments.x402]', `facilitator_url = "${chain.facilitator.url}"`],
  })
  const server = await startOnFiles(data, { PROOFGATE_DATA: data, PROOFGATE_LIMITS_ENABLED: 'false' })
  for (let kill = 1; kill <= kills; kill++)
    await putGate(server.parts, {
      gateId: nameGate(kill),
      price,
      supply,
      rewards: [{ kind: 'reveal', value: 'plugh' }],
    })
  const buyers: Buyer[] = []
  for (let number = 0; number < racers; number++) {
    const key = `0x${(0x9100 + number).toString(16).padStart(64, '2')}` as const
    const [account, wallet] = [privateKeyToAccount(key), evmWallet(key)]
    await chain.token.write('mint', [account.address, BigInt(kills) * 1_000_000n])
    const answer = await server.submit(wallet, {
      verifierIds: ['ownership-basic'],
      data: { owner: wallet.address, content: `Of ${number}` },
    })
    buyers.push({ account, wallet, qHash: answer.body.data.qHash })
  }
  await server.stop()
  return { data, buyers }
}

/** Undefined where no answer came. */
async function ask(url: string, gateId: string, { wallet, qHash }: Buyer, evidence?: string) {
  const signed = await wallet.signAction({ action: 'fulfill_gate', gateId, qHash }, Date.now())
  const headers = { 'content-type': 'application/json', ...(evidence ? { 'payment-signature': evidence } : {}) }
  return fetch(`${url}/api/v1/profile/gates/${gateId}/fulfill`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ qHash, ...signed }),
  }).catch(() => undefined)
}

/** Makes the payment that a buyer's client signs when it is asked to pay. */
async function sign(url: string, gateId: string, buyer: Buyer): Promise<string> {
  const asked = await ask(url, gateId, buyer)
  const http = new x402HTTPClient(clientOf(buyer).setSpendControls(false))
  return encoded(await http.createPaymentPayload(http.getPaymentRequiredResponse((name) => asked?.headers.get(name))))
}

const readBooks = (folder: string) =>
  inspect(folder, (db) =>
    db
      .query<{ payments: number; unmatched: number; most: number; counted: number }, []>(
        `SELECT (SELECT count(*) FROM payments) AS payments, (SELECT count(*) FROM unmatched_payments) AS unmatched,
           (SELECT max(fulfilled_count) FROM gates) AS most, (SELECT sum(fulfilled_count) FROM gates) AS counted`,
      )
      .get(),
  )!

test(
  `${kills} kills while ${racers} buyers race for ${supply} places by x402: nothing oversold, no money lost`,
  async () => {
    const chain = await openX402Stage()
    try {
      const { data, buyers } = await prepare(chain)
      const before = await chain.till()
      for (let kill = 1; kill <= kills; kill++) {
        const gateId = nameGate(kill)
        const first = await startServer(data)
        const signed = await Promise.all(
          buyers.map(async (buyer) => ({ buyer, evidence: await sign(first.url, gateId, buyer) })),
        )
        // While it settles: somewhere between the first hand-over and some time after the last.
        const isSettling = Promise.withResolvers<void>()
        chain.facilitator.lie('/settle', async (response, honest) => {
          isSettling.resolve()
          const said = await honest()
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
        })
        const race = Promise.all(signed.map(({ buyer, evidence }) => ask(first.url, gateId, buyer, evidence)))
        await isSettling.promise
        await Bun.sleep(Math.random() * 60)
        await first.kill()
        await race

        const second = await startServer(data)
        const after = await Promise.all(signed.map(({ buyer, evidence }) => ask(second.url, gateId, buyer, evidence)))
        const statuses = after.map((answer) => answer?.status)
        expect(statuses.filter((status) => status === 200)).toHaveLength(supply)
        expect(statuses.filter((status) => status === 409)).toHaveLength(racers - supply)
        expect(await second.stop()).toBe(0)
        const { payments, unmatched, most, counted } = readBooks(data)
        expect({ most, counted, payments }).toEqual({ most: supply, counted: kill * supply, payments: kill * supply })
        expect((await chain.till()) - before).toBe(BigInt(payments + unmatched) * 250_000n)
      }
      expect(faultsIn(data)).toEqual([])
    } finally {
      await chain.stop()
    }
  },
  60_000 + kills * 20_000,
)
