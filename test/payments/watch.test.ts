/** The watcher: when it looks at which payment again, what it does when it cannot, and where it ends. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { reviewing } from '../../src/gates/fulfill/apply-review.ts'
import { type LogFields, openLog } from '../../src/log.ts'
import { OutsideError } from '../../src/outside/failure.ts'
import { paymentMethods } from '../../src/payments/index.ts'
import type { BoundPayment, PaymentMethod, Review } from '../../src/payments/payment.ts'
import { bindStatement, findPayment } from '../../src/payments/store.ts'
import { openWatch, runWatch } from '../../src/payments/watch.ts'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'

setDefaultTimeout(60_000)

const second = 1000
const hour = 3_600_000
const outage = (source = 'chains.base.rpc[0]', retryAfterSeconds = 5): OutsideError =>
  new OutsideError('timeout', source, 'did not answer', 'look at it', retryAfterSeconds)

type Looks = (payment: BoundPayment) => Review | Promise<Review>

/** The watcher over payments of a method whose checks the test controls. */
async function openDesk(env: Record<string, string> = {}) {
  const app = await startApp({ PROOFGATE_LOG_LEVEL: 'error', ...env })
  const looked: string[] = []
  const said: { readonly level: string; readonly message: string; readonly fields: LogFields }[] = []
  let look: Looks = () => ({ state: 'waiting', nextLookMs: 60 * second })
  const { ask: _, listTokens: __, ...like } = paymentMethods.find(({ id }) => id === 'stablecoin')!
  const method: PaymentMethod = {
    ...like,
    findMissingConfiguration: () => undefined,
    findPriceFault: () => undefined,
    describe: () => ({}),
    confirm: () => Promise.reject(new Error('nothing is offered here')),
    async review(payment) {
      looked.push(payment.identity)
      return look(payment)
    },
  }
  const log = openLog(
    (level, message, fields) => {
      if (level !== 'debug') said.push({ level, message, fields })
    },
    { elapsedMs: app.now },
  )
  const parts = { ...app.parts, log, paymentMethods: [method] }
  return {
    app,
    looked,
    said,
    watch: openWatch(parts, reviewing),
    parts,
    looks: (given: Looks) => {
      look = given
    },
  }
}

const payment = (identity: string, claimedAt: number, { isFinal = false, method = 'stablecoin' } = {}) =>
  bindStatement({
    method,
    gate: 1,
    qHash: `0x${'ab'.repeat(32)}`,
    paid: { paid: true, identity, payer: null, amount: '1', paidAt: claimedAt, details: { of: identity }, isFinal },
    claimedAt,
  })

const claimed = (app: TestApp, identity: string, more = {}) => app.parts.db.write([payment(identity, app.now(), more)])

const stateOf = async ({ app }: { readonly app: TestApp }, identity: string) => {
  const found = (await findPayment(app.parts.db, identity))!
  return [found.state, found.watchAt === null ? null : found.watchAt - app.now()]
}

describe('a payment', () => {
  test('is looked at when its time has come, and when the method says after that', async () => {
    const desk = await openDesk()
    await claimed(desk.app, 'a')
    await desk.watch.runOnce()
    expect(desk.looked).toEqual([])
    desk.app.wait(15 * second)
    await desk.watch.runOnce()
    expect([desk.looked, await stateOf(desk, 'a')]).toEqual([['a'], ['claimed', 60 * second]])
    desk.app.wait(60 * second - 1)
    await desk.watch.runOnce()
    expect(desk.looked).toHaveLength(1)
    desk.app.wait(1)
    desk.looks(() => ({ state: 'final' }))
    await desk.watch.runOnce()
    expect([desk.looked, await stateOf(desk, 'a')]).toEqual([
      ['a', 'a'],
      ['final', null],
    ])
    desk.app.wait(hour)
    await desk.watch.runOnce()
    expect(desk.looked).toHaveLength(2)
  })

  test('is logged once when it is taken back, with the reason', async () => {
    const desk = await openDesk()
    await claimed(desk.app, 'a')
    desk.app.wait(15 * second)
    desk.looks(() => ({ state: 'reversed', reason: 'REFUNDED', message: 'It was given back.' }))
    await desk.watch.runOnce()
    desk.app.wait(hour)
    await desk.watch.runOnce()
    expect(await stateOf(desk, 'a')).toEqual(['reversed', null])
    expect(desk.said).toEqual([
      {
        level: 'warn',
        message: 'a payment was taken back, and what it paid for is suspended',
        fields: { event: 'payment-suspended', payment: 'a', reason: 'REFUNDED', why: 'It was given back.' },
      },
    ])
  })

  test('is checked earlier the longer it waited, and all due ones in one run', async () => {
    const desk = await openDesk()
    const names = Array.from({ length: 250 }, (_, index) => `p${String(index).padStart(3, '0')}`)
    await desk.app.parts.db.write(names.map((name, index) => payment(name, desk.app.now() - index)))
    desk.app.wait(15 * second)
    await desk.watch.runOnce()
    expect(desk.looked).toHaveLength(250)
    expect(desk.looked[0]).toBe('p249')
    expect([...desk.looked].sort()).toEqual(names)
  })
})

describe('a look that cannot be made', () => {
  test('is made again, after a pause that doubles up to a quarter of an hour', async () => {
    const desk = await openDesk()
    await claimed(desk.app, 'a')
    desk.app.wait(15 * second)
    desk.looks(() => Promise.reject(outage()))
    const pauses: unknown[] = []
    for (let look = 0; look < 9; look++) {
      await desk.watch.runOnce()
      const [state, pause] = await stateOf(desk, 'a')
      expect(state).toBe('claimed')
      pauses.push(pause)
      desk.app.wait(Number(pause))
    }
    expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 900, 900, 900].map((seconds) => seconds * second))

    desk.looks(() => ({ state: 'waiting', nextLookMs: second }))
    await desk.watch.runOnce()
    desk.app.wait(second)
    desk.looks(() => Promise.reject(outage()))
    await desk.watch.runOnce()
    expect(await stateOf(desk, 'a')).toEqual(['claimed', 15 * second])
  })

  test('waits as long as the other side asks', async () => {
    const desk = await openDesk()
    await claimed(desk.app, 'a')
    desk.app.wait(15 * second)
    desk.looks(() => Promise.reject(outage('payments.stripe', 300)))
    await desk.watch.runOnce()
    expect(await stateOf(desk, 'a')).toEqual(['claimed', 300 * second])
  })

  test('is logged once for each cause, and again a minute later', async () => {
    const desk = await openDesk()
    await desk.app.parts.db.write(['a', 'b', 'c'].map((name) => payment(name, desk.app.now())))
    desk.app.wait(15 * second)
    desk.looks(({ identity }) => Promise.reject(outage(identity === 'c' ? 'payments.stripe' : undefined)))
    await desk.watch.runOnce()
    const told = () => desk.said.map(({ level, fields }) => `${level} ${fields.why}`).sort()
    const [first, other] = ['warn chains.base.rpc[0]: did not answer', 'warn payments.stripe: did not answer']
    expect(told()).toEqual([first, other])
    desk.app.wait(15 * second)
    await desk.watch.runOnce()
    expect(told()).toEqual([first, other])
    desk.app.wait(60 * second)
    await desk.watch.runOnce()
    expect(told()).toEqual([first, first, other, other])
  })

  test('keeps no other payment waiting', async () => {
    const desk = await openDesk()
    await desk.app.parts.db.write(['a', 'b'].map((name) => payment(name, desk.app.now())))
    desk.app.wait(15 * second)
    desk.looks(({ identity }) => (identity === 'a' ? Promise.reject(outage()) : { state: 'final' }))
    await desk.watch.runOnce()
    expect([(await stateOf(desk, 'a'))[0], (await stateOf(desk, 'b'))[0]]).toEqual(['claimed', 'final'])
  })

  test('because of an internal fault is an error in the log, and is not repeated without end', async () => {
    const desk = await openDesk()
    await claimed(desk.app, 'a', { method: 'card' })
    desk.app.wait(15 * second)
    await desk.watch.runOnce()
    expect(await stateOf(desk, 'a')).toEqual(['claimed', 15 * second])
    expect(desk.said.map(({ level, fields }) => `${level} ${String(fields.error).split('\n')[0]}`)).toEqual([
      'error Error: no payment method card is built in',
    ])
  })
})

describe('payments.watch_hours', () => {
  const env = { PROOFGATE_PAYMENTS_WATCH_HOURS: '2' }

  test('ends the watch of a payment that was not taken back', async () => {
    const desk = await openDesk(env)
    await claimed(desk.app, 'a')
    desk.app.wait(2 * hour - 1)
    await desk.watch.runOnce()
    expect(await stateOf(desk, 'a')).toEqual(['claimed', 60 * second])
    desk.app.wait(60 * second)
    await desk.watch.runOnce()
    expect(await stateOf(desk, 'a')).toEqual(['final', null])
    expect(desk.said).toEqual([])
  })

  test('ends it as well when the last look was impossible, and that is logged', async () => {
    const desk = await openDesk(env)
    await claimed(desk.app, 'a')
    desk.app.wait(2 * hour)
    desk.looks(() => Promise.reject(outage()))
    await desk.watch.runOnce()
    expect(await stateOf(desk, 'a')).toEqual(['final', null])
    expect(desk.said.at(-1)).toEqual({
      level: 'warn',
      message: 'a payment is no longer watched, and could not be looked at last',
      fields: { event: 'payment-unwatched', payment: 'a', mend: expect.stringContaining('payments.watch_hours') },
    })
  })

  test('does not keep the last look from taking a payment back', async () => {
    const desk = await openDesk(env)
    await claimed(desk.app, 'a')
    desk.app.wait(2 * hour)
    desk.looks(() => ({ state: 'reversed', reason: 'REORGANISED', message: 'gone' }))
    await desk.watch.runOnce()
    expect(await stateOf(desk, 'a')).toEqual(['reversed', null])
  })

  test('does not limit the requested look at a final payment: that goes on until there is an answer', async () => {
    const desk = await openDesk(env)
    await claimed(desk.app, 'a', { isFinal: true })
    desk.app.wait(100 * hour)
    await desk.app.parts.db.write([{ sql: 'UPDATE payments SET watch_at = ?1', params: [desk.app.now()] }])
    desk.looks(() => Promise.reject(outage()))
    await desk.watch.runOnce()
    expect(await stateOf(desk, 'a')).toEqual(['final', 15 * second])
    desk.app.wait(15 * second)
    desk.looks(() => ({ state: 'reversed', reason: 'DISPUTED', message: 'The bank took it back.' }))
    await desk.watch.runOnce()
    expect(await stateOf(desk, 'a')).toEqual(['reversed', null])
  })
})

describe('runs', () => {
  test('count as one when they overlap', async () => {
    const desk = await openDesk()
    await claimed(desk.app, 'a')
    desk.app.wait(15 * second)
    await Promise.all([desk.watch.runOnce(), desk.watch.runOnce(), desk.watch.runOnce()])
    expect(desk.looked).toEqual(['a'])
  })

  test('end early when the server stops, and leave the rest as it was', async () => {
    const desk = await openDesk()
    await desk.app.parts.db.write(Array.from({ length: 50 }, (_, index) => payment(`p${index}`, desk.app.now())))
    desk.app.wait(15 * second)
    const stopping = new AbortController()
    desk.looks(() => {
      stopping.abort()
      return { state: 'final' }
    })
    await desk.watch.runOnce(stopping.signal)
    expect(desk.looked.length).toBeLessThanOrEqual(8)
    const { left } = (await select<{ left: number }>(
      desk.app.parts.db,
      "SELECT count(*) AS left FROM payments WHERE state = 'claimed'",
    ).get())!
    expect(left).toBe(50 - desk.looked.length)
    await desk.watch.runOnce()
    expect(desk.looked).toHaveLength(50)
  })

  test('begin with the server, and a stop waits for the one under way', async () => {
    const desk = await openDesk()
    await claimed(desk.app, 'a')
    desk.app.wait(15 * second)
    const { promise: isLooking, resolve: looking } = Promise.withResolvers<void>()
    const { promise: answer, resolve: answerNow } = Promise.withResolvers<Review>()
    desk.looks(() => {
      looking()
      return answer
    })
    const running = runWatch(desk.watch, desk.parts)
    await isLooking
    let hasStopped = false
    const stopped = running.stop().then(() => {
      hasStopped = true
    })
    await Bun.sleep(20)
    expect(hasStopped).toBe(false)
    answerNow({ state: 'final' })
    await stopped
    expect(await stateOf(desk, 'a')).toEqual(['final', null])
  })
})
