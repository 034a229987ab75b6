/** Payments for a gate that was made after the backup, and is lost with it: they buy nothing of the gates that come later. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { backup } from '../../src/commands/backup.ts'
import { restore } from '../../src/commands/restore.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { run } from '../commands/terminal.ts'
import { temporaryFolders } from '../db/store.ts'
import { newTill, price, putGate } from '../gates/fulfill-stage.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const minute = 60_000

let open: TestApp | undefined
afterEach(async () => {
  await open?.close()
  open = undefined
})

test('a payment of before is used, and the next gate is not the one that it was for', async () => {
  const home = newFolder()
  const data = join(home, 'data')
  const env = { PROOFGATE_DATA: data, PROOFGATE_BACKUP_PASSPHRASE: 'correct horse battery' }
  const settings = { ...env, PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LOG_LEVEL: 'error' }
  const till = newTill()
  const evidence = `0x${'ab'.repeat(32)}`
  const addGate = (app: TestApp, gateId: string) =>
    putGate(app.parts, { gateId, price, rewards: [{ kind: 'reveal', value: `of ${gateId}`, label: 'Word' }] })
  const pay = async (app: TestApp, gateId: string, qHash: string) => {
    app.wait(1)
    const signed = await app.ownerBody(alice, { action: 'fulfill_gate', gateId, qHash })
    const response = await createApp({ ...app.parts, paymentMethods: [till.method] }).handle(
      new Request(`http://localhost/api/v1/profile/gates/${gateId}/fulfill`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ qHash, paymentTxHash: evidence, ...signed }),
      }),
    )
    return { status: response.status, text: await response.text() }
  }

  open = await startApp(settings, data, startOfTime)
  const qHash = await open.prove(alice)
  await run(backup, ['out/'], { cwd: home, env, now: open.now })
  open.wait(minute)
  await addGate(open, 'lost')
  till.takes(evidence, { paidAt: open.now() })
  expect(await pay(open, 'lost', qHash)).toMatchObject({ status: 200 })
  const at = open.now()
  await open.close()
  const { json } = await run(restore, ['out/', '--json'], { cwd: home, env, now: () => at + minute })
  expect(json).toMatchObject({ journal: 'replayed', sound: true, replayed: { payment: 1, fulfillment: 1 } })

  open = await startApp(settings, data, at + 2 * minute)
  await addGate(open, 'next')
  const answer = await pay(open, 'next', qHash)
  expect(answer.text).not.toContain('of next')
  expect(answer).toMatchObject({ status: 409, text: expect.stringContaining('PAYMENT_ALREADY_USED') })
  const kept = select<{ n: number }>(
    open.parts.db,
    'SELECT count(*) AS n FROM payments p JOIN gates g ON g.id = p.gate',
  ).get()
  expect((await kept)?.n).toBe(0)
})
