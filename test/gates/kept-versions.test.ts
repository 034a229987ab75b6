/** The versions of a gate take a bounded part of the disk, and versions in use stay. */

import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { nameLogFile } from '../../src/db/file-names.ts'
import { bind } from '../../src/gates/fulfill/store.ts'
import { openUpkeep } from '../../src/upkeep.ts'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { temporaryFolder } from '../parts/folders.ts'
import { select } from '../parts/select.ts'
import { alice, bob } from '../wallets.ts'
import { openStage } from './fulfill-stage.ts'
import { act, apply, definitionOf, gatesPath, readerHeaders } from './gate.ts'

const gateId = 'gate_holders'
const env = { PROOFGATE_GATES_VERSIONS_KB: '1024' }

/** Some 200 kB of rewards, no two versions alike. */
const largeRewards = (letter: string) =>
  Array.from({ length: 12 }, () => ({ kind: 'reveal', value: letter.repeat(14_000) }))
const large = (letter: string) => definitionOf({ rewards: largeRewards(letter) })

const versionsOf = async (app: TestApp) =>
  (await app.get(`${gatesPath}/${gateId}/versions`, await readerHeaders(app, alice))).body.data

describe('versions that take more than gates.versions_kb', () => {
  test('are removed, the oldest first, and the list says how many are gone and the size of the others', async () => {
    const app = await startApp(env)
    for (const letter of 'abcdefgh') expect((await apply(app, large(letter))).status).toBe(200)
    const { versions, bytes, maxBytes, removed } = await versionsOf(app)
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([8, 7, 6, 5])
    expect(removed).toBe(4)
    expect(maxBytes).toBe(1_048_576)
    expect(bytes).toBeLessThanOrEqual(maxBytes)
    expect(bytes).toBe(versions.reduce((sum: number, one: { bytes: number }) => sum + one.bytes, 0))
    expect(await select(app.parts.db, 'SELECT version FROM gate_summaries').all()).toHaveLength(4)
  })

  test('cannot be read or rolled back to any more, and the newest stays', async () => {
    const app = await startApp(env)
    await apply(app, definitionOf({ name: 'The first' }))
    const headers = await readerHeaders(app)
    expect((await app.get(`${gatesPath}/${gateId}/versions/1`, headers)).body.data.definition.name).toBe('The first')
    for (const letter of 'abcdef') await apply(app, large(letter))
    const answers = [
      await app.get(`${gatesPath}/${gateId}/versions/1`, headers),
      await leavesNothing(app.parts, () => act(app, 'rollback', gateId, { version: 1 })),
    ]
    for (const answer of answers) expectRefused(answer, 'NOT_FOUND', /version 1 is not kept any more/)
    expect((await app.get(`${gatesPath}/${gateId}`)).body.data.gate).toMatchObject({ version: 7 })
  })

  test('stay where something was handed out by them, and its reward comes again', async () => {
    const stage = await openStage(env)
    const rewards = (value: string) => [{ kind: 'reveal', value }]
    const publish = (members: object) => apply(stage, { ...definitionOf(), ...members }, { wallet: bob })
    expect(
      (await publish({ requirements: [{ verifierId: 'ownership-basic' }], rewards: rewards('first') })).status,
    ).toBe(200)
    const qHash = await stage.prove(alice)
    const first = await stage.fulfill(gateId, qHash, {}, { wallet: alice })
    expect(first.status).toBe(200)
    for (const letter of 'abcdefg')
      expect((await publish({ rewards: [...rewards('another'), ...largeRewards(letter)] })).status).toBe(200)
    const again = await stage.fulfill(gateId, qHash, {}, { wallet: alice })
    expect(again.body.data.fulfillment).toEqual(first.body.data.fulfillment)
    const kept = await stage.rows<{ version: number }>('SELECT version FROM gate_versions ORDER BY version')
    expect(kept.map(({ version }) => version)).toEqual([1, 5, 6, 7, 8])
  })

  test('leave their sealed rewards neither in the database file nor in its log', async () => {
    const folder = temporaryFolder()
    const app = await startApp({ ...env, PROOFGATE_DATA: folder }, folder)
    const look = openUpkeep(app.parts)
    const files = [locateDatabaseFile(folder), nameLogFile(locateDatabaseFile(folder))]
    const holds = (text: string): boolean[] =>
      files.map((file) => existsSync(file) && readFileSync(file).includes(text))
    await apply(app, definitionOf())
    const [first] = await select<{ rewards: string }>(app.parts.db, 'SELECT rewards FROM gate_versions').all()
    for (const letter of 'abcde') await apply(app, large(letter))
    expect((await versionsOf(app)).versions.at(-1).version).toBe(3)
    expect(holds(first!.rewards)).toContain(true)
    await look()
    expect(holds(first!.rewards)).toEqual([false, false])
    await app.close()
  })

  test('take no fulfillment that was on its way: it is refused and leaves nothing', async () => {
    const stage = await openStage(env)
    const publish = (members: object) => apply(stage, { ...definitionOf(), ...members }, { wallet: bob })
    await publish({})
    const qHash = await stage.prove(alice)
    for (const letter of 'abcdef') await publish(large(letter))
    const late = {
      gate: 1,
      qHash,
      buyer: { wallet: alice.address.toLowerCase(), contractOn: undefined },
      receiptId: 'late',
      now: stage.now(),
      usdMicros: null,
      payment: undefined,
    }
    expect(await leavesNothing(stage.parts, () => bind(stage.parts.db, { ...late, version: 1 }))).toBe('refused')
    expect(await bind(stage.parts.db, { ...late, version: 7 })).toBe('bound')
  })

  test('leave no room for another when all of them were fulfilled', async () => {
    const app = await startApp(env)
    for (const letter of 'abcd') await apply(app, large(letter))
    await app.parts.db.write(
      [1, 2, 3, 4].map((version) => ({
        sql: `INSERT INTO fulfillments (gate, q_hash, wallet, version, receipt_id, state, created_at, updated_at)
          VALUES (1, unhex(?1), 'w', ?2, ?3, 'granted', 0, 0)`,
        params: [`${'01'.repeat(31)}0${version}`, version, `r${version}`],
      })),
    )
    const answer = await leavesNothing(app.parts, () => apply(app, large('e')))
    expectRefused(answer, 'CONFLICT', /gates\.versions_kb/)
    expect((await versionsOf(app)).removed).toBe(0)
  })
})
