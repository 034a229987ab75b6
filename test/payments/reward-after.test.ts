/** The time of the reward, as the gate's owner chose: over HTTP, on a chain whose blocks the test makes. */
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import { paymentMethods } from '../../src/payments/index.ts'
import type { RewardMoment } from '../../src/payments/price.ts'
import { openStage, type Stage } from '../gates/fulfill-stage.ts'
import { startLyingRpc } from '../parts/lying-rpc.ts'
import { facilitatorLies } from '../parts/x402-facilitator.ts'
import { bob } from '../wallets.ts'
import { catchUp, mine, mined, transfers } from './coin-stage.ts'
import { decoded, openX402Stage, payer, price, quoteFor, signedBy, toRealTime, type X402Stage } from './x402-stage.ts'

setDefaultTimeout(60_000)

let chain: X402Stage
let shop: Stage

beforeAll(async () => {
  chain = await openX402Stage()
  await chain.anvil.rpc('anvil_autoImpersonateAccount', [true])
})
afterAll(() => chain.stop())
beforeEach(async () => {
  chain.facilitator.tellTheTruth()
  shop = await openStage({ ...chain.env, PROOFGATE_PAYMENTS_STABLECOIN_USDC_CONFIRMATIONS: '3' }, () => paymentMethods)
  await toNow()
})

/** The chain is ahead of the system where many blocks were made. */
async function toNow(): Promise<void> {
  toRealTime(shop)
  await catchUp(shop, chain.anvil)
}

/** Blocks of a second each: the clock of the shop follows the chain. */
const mineMany = async (blocks: number): Promise<void> => {
  await mine(chain.anvil, blocks)
  await catchUp(shop, chain.anvil)
}

const rewards = [{ kind: 'reveal' as const, value: 'sesame' }]

async function open(rewardAfter: RewardMoment | undefined) {
  const asked = { ...price, methods: ['x402' as const, 'stablecoin' as const], ...(rewardAfter && { rewardAfter }) }
  await shop.gate('gate_shop', { price: asked, rewards })
  const qHash = await shop.prove(payer.wallet)
  const evidence = await signedBy(payer, quoteFor(payer, { gateId: 'gate_shop', qHash, price: asked }), shop.parts)
  const byX402 = () =>
    shop.fulfill('gate_shop', qHash, {}, { wallet: payer.wallet, headers: { 'payment-signature': evidence } })
  const byTransfer = (paymentTxHash: string, proof = qHash) =>
    shop.fulfill('gate_shop', proof, { paymentTxHash }, { wallet: payer.wallet })
  return { byX402, byTransfer, qHash }
}

const pays = async (amount = 250_000n): Promise<string> => {
  const hash = await transfers(chain.anvil, { from: payer.account.address, amount })
  await mined(chain.anvil, hash)
  return hash
}

type Answer = Awaited<ReturnType<Stage['fulfill']>>
const readState = ({ status, body }: Answer) => [status, body.error?.details.reason ?? body.data.fulfillment.value]
const reached = [200, 'sesame']
const waiting = [402, 'NOT_CONFIRMED']

/** Blocks that come after the transfer, one a tenth of a second. */
const grow = async (blocks: number): Promise<void> => {
  for (let made = 0; made < blocks; made++) {
    await Bun.sleep(300)
    await mine(chain.anvil)
  }
}

describe('a reward by x402', () => {
  test('comes with the first block in a version without a choice, as it always did', async () => {
    const { byX402 } = await open(undefined)
    expect(readState(await byX402())).toEqual(reached)
  })

  test('with the first block comes with it', async () => {
    const { byX402 } = await open('first_block')
    expect(readState(await byX402())).toEqual(reached)
  })

  test('with the confirmations is waited for by the request itself', async () => {
    const { byX402 } = await open('confirmations')
    const [answer] = await Promise.all([byX402(), Bun.sleep(1_000).then(() => grow(4))])
    expect(readState(answer)).toEqual(reached)
    expect(decoded(answer.headers.get('PAYMENT-RESPONSE')).success).toBe(true)
  })

  test('is pending after ten seconds at most, asks for no other payment, and comes when asked again', async () => {
    const { byX402 } = await open('confirmations')
    const before = await chain.till()
    const startedAt = performance.now()
    const answer = await byX402()
    expect(performance.now() - startedAt).toBeLessThan(10_500)
    expect(readState(answer)).toEqual(waiting)
    expect(answer.headers.get('PAYMENT-REQUIRED')).toBeNull()
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(decoded(answer.headers.get('PAYMENT-RESPONSE'))).toMatchObject({
      success: false,
      errorReason: 'settlement_pending',
    })
    expect(answer.body.error.message).toMatch(
      /1 of 3 confirmations.*repeat the request with the same PAYMENT-SIGNATURE in 5 s, and sign no other/,
    )
    expect(answer.body.error.details.rewardAfter).toBe('confirmations')
    expect(answer.body.error.details.progress).toEqual({ confirmations: 1, needed: 3 })
    expect(readState(await byX402())).toEqual(waiting)
    await mine(chain.anvil, 2)
    expect(readState(await byX402())).toEqual(reached)
    expect((await chain.till()) - before).toBe(250_000n)
  })

  test('when it is final comes when the chain calls its block final, and the buyer hears that it waits for it', async () => {
    const { byX402 } = await open('final')
    const startedAt = performance.now()
    expect(readState(await byX402())).toEqual(waiting)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    await mine(chain.anvil, 5)
    const answer = await byX402()
    expect(readState(answer)).toEqual(waiting)
    expect(answer.body.error.message).toMatch(/counts once block \d+ is final there\. The newest final block is \d+/)
    expect(answer.body.error.details.finality).toBe('finalized-block')
    await mineMany(blocksUntilFinal)
    expect(readState(await byX402())).toEqual(reached)
  })

  test('when it is final comes half an hour later where the node calls no block final, and the buyer hears that', async () => {
    await withoutTag(async () => {
      const { byX402 } = await open('final')
      expect(readState(await byX402())).toEqual(waiting)
      await mineMany(blocksUntilFinal + 5)
      const answer = await byX402()
      expect(readState(answer)).toEqual(waiting)
      expect(answer.body.error.message).toContain('counts as final 30 minutes after its block')
      expect(answer.body.error.details.finality).toBe('half-an-hour')
      await afterHalfAnHour(async () => expect(readState(await byX402())).toEqual(reached))
    })
  })

  test('is pending while the facilitator is still settling, and is settled once', async () => {
    const { byX402 } = await open('first_block')
    const resumed = Promise.withResolvers<void>()
    chain.facilitator.lie('/settle', async (response, honest) => {
      await resumed.promise
      facilitatorLies.says(await honest())(response, honest)
    })
    const before = await chain.till()
    const startedAt = performance.now()
    const answer = await byX402()
    expect(performance.now() - startedAt).toBeLessThan(10_500)
    expect(readState(answer)).toEqual(waiting)
    expect(answer.headers.get('PAYMENT-REQUIRED')).toBeNull()
    expect(answer.body.error.message).toContain('still settling')
    resumed.resolve()
    expect(readState(await byX402())).toEqual(reached)
    expect((await chain.till()) - before).toBe(250_000n)
  })
})

/** Anvil calls a block final when so many more stand on it. */
const blocksUntilFinal = 64

/** Opens a shop that asks these endpoints and trusts their agreement. */
async function withEndpoints(urls: readonly string[], run: () => Promise<void>): Promise<void> {
  shop = await openStage(
    {
      ...chain.env,
      PROOFGATE_PAYMENTS_STABLECOIN_USDC_CONFIRMATIONS: '3',
      PROOFGATE_CHAINS_BASE_RPC: urls.join(','),
      PROOFGATE_CHAINS_BASE_AGREE: String(urls.length),
      PROOFGATE_CHAINS_BASE_AGREE_COUNTS: 'addresses',
    },
    () => paymentMethods,
  )
  await toNow()
  await run()
}

/** A node that knows no such word, as some do. */
async function withoutTag(run: () => Promise<void>): Promise<void> {
  const node = startLyingRpc(chain.anvil.url)
  node.lie((asked) =>
    asked.params[0] === 'finalized'
      ? Response.json({ jsonrpc: '2.0', id: asked.id, error: { code: -39001, message: 'Unknown block' } })
      : undefined,
  )
  try {
    await withEndpoints([node.url], run)
  } finally {
    await node.stop()
  }
}

/** The chain, and the clock of the server behind it, are put back afterwards. */
async function afterHalfAnHour(run: () => Promise<void>): Promise<void> {
  const snapshot = await chain.anvil.rpc('evm_snapshot')
  await chain.anvil.rpc('evm_increaseTime', [31 * 60])
  await mine(chain.anvil)
  await catchUp(shop, chain.anvil)
  await run()
  await chain.anvil.rpc('evm_revert', [snapshot])
}

describe('a reward by a transfer', () => {
  const cases: readonly [RewardMoment | undefined, number][] = [
    [undefined, 2],
    ['first_block', 0],
    ['confirmations', 2],
  ]
  test.each(cases)('with the choice %s comes after %p more blocks', async (rewardAfter, more) => {
    const { byTransfer } = await open(rewardAfter)
    const hash = await pays()
    for (let block = 0; block < more; block++) {
      expect(readState(await byTransfer(hash))).toEqual(waiting)
      await mine(chain.anvil)
    }
    expect(readState(await byTransfer(hash))).toEqual(reached)
  })

  test('when it is final comes with the finalized block of the chain, and not by its age', async () => {
    const { byTransfer } = await open('final')
    const hash = await pays()
    await mineMany(5)
    await afterHalfAnHour(async () => expect(readState(await byTransfer(hash))).toEqual(waiting))
    await mineMany(blocksUntilFinal - 6)
    expect(readState(await byTransfer(hash))).toEqual(waiting)
    await mine(chain.anvil, 2)
    expect(readState(await byTransfer(hash))).toEqual(reached)
  })

  test('when it is final comes half an hour later where the node calls no block final', async () => {
    await withoutTag(async () => {
      const { byTransfer } = await open('final')
      const hash = await pays()
      await mineMany(blocksUntilFinal + 5)
      expect(readState(await byTransfer(hash))).toEqual(waiting)
      await afterHalfAnHour(async () => expect(readState(await byTransfer(hash))).toEqual(reached))
    })
  })

  test('waits for the endpoint that calls less final where two must agree', async () => {
    const liar = startLyingRpc(chain.anvil.url)
    liar.lie(async (asked, honest) =>
      asked.params[0] === 'finalized' ? Response.json(await honest(['latest', false])) : undefined,
    )
    await withEndpoints([liar.url, chain.anvil.url], async () => {
      const { byTransfer } = await open('final')
      const hash = await pays()
      await mine(chain.anvil, 5)
      expect(readState(await byTransfer(hash))).toEqual(waiting)
      await mineMany(blocksUntilFinal)
      expect(readState(await byTransfer(hash))).toEqual(reached)
    })
    await liar.stop()
  })

  test('is reported at once when it can never count, without the wait', async () => {
    const { byTransfer } = await open('final')
    expect(readState(await byTransfer(await pays(1n)))).toEqual([402, 'AMOUNT_TOO_LOW'])
  })
})

describe('the choice', () => {
  const apply = async (gatePrice: object, name = 'A gate') => {
    const definition = {
      gateId: 'gate_made',
      name,
      requirements: [{ verifierId: 'ownership-basic' }],
      price: gatePrice,
    }
    const digest = `0x${new Bun.CryptoHasher('sha256').update(writeCanonicalJson(definition)).digest('hex')}`
    const signed = await shop.ownerBody(bob, { action: 'apply_gate', gateId: 'gate_made', digest })
    const answer = await shop.post('/api/v1/profile/gates', { definition, ...signed })
    if (!answer.body.data) throw new Error(JSON.stringify(answer.body))
    return answer
  }
  const bare = { amountUsd: '0.25', methods: ['x402'], recipient: price.recipient }
  const shownCharge = async () =>
    (await shop.request('/api/v1/profile/gates/gate_made')).body.data.gate.monetization.charge

  test('is the confirmations in every new version that does not name one, and is shown to buyers', async () => {
    expect((await apply(bare)).body.data.outcome).toBe('created')
    expect((await shownCharge()).rewardAfter).toBe('confirmations')
    shop.wait(1000)
    expect((await apply(bare)).body.data.outcome).toBe('unchanged')
    shop.wait(1000)
    expect((await apply({ ...bare, rewardAfter: 'final' })).body.data.outcome).toBe('changed')
    expect((await shownCharge()).rewardAfter).toBe('final')
  })

  test('is not made for a version that was published before, when its text is applied again', async () => {
    await shop.gate('gate_made', { price: { ...price } }, bob.address.toLowerCase())
    expect((await apply(bare)).body.data.outcome).toBe('unchanged')
    expect((await shownCharge()).rewardAfter).toBeUndefined()
    shop.wait(1000)
    expect((await apply(bare, 'Another name')).body.data.outcome).toBe('changed')
    expect((await shownCharge()).rewardAfter).toBe('confirmations')
  })
})
