/** Lists of gates stay short, however large the gates are; a single gate is shown in full. */

import { describe, expect, test } from 'bun:test'
import { splitDefinition } from '../../src/gates/definition/normal-form.ts'
import type { GateDefinition } from '../../src/gates/gate.ts'
import { writeChanges } from '../../src/gates/store.ts'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'
import { apply, definitionOf, gatesPath, readerHeaders } from './gate.ts'

const discoverablePath = `${gatesPath}/discoverable`
const mostBytes = 2_097_152

const largeMatch = Array.from({ length: 16 }, (_, at) => ({
  path: `traits.member_${at}`,
  op: 'eq' as const,
  value: '漢'.repeat(300) + at,
}))

/** Makes a definition as large as its shape allows within a request, with letters of three bytes. */
const large = (gateId: string, requirements = 16) => ({
  ...definitionOf({ gateId }),
  name: '漢'.repeat(200),
  description: '漢'.repeat(2_000),
  requirements: Array.from({ length: requirements }, () => ({ verifierId: 'ownership-basic', match: largeMatch })),
  listing: { label: '漢'.repeat(200), tags: Array.from({ length: 32 }, (_, at) => `${at}${'漢'.repeat(60)}`) },
})

/** Written as they are stored, because signing a hundred requests would only take time. */
async function store(app: TestApp, count: number, requirements?: number): Promise<void> {
  const owner = alice.address.toLowerCase()
  for (let at = 0; at < count; at++) {
    const { definition, rewardValues } = splitDefinition(large(`large_${at}`, requirements) as GateDefinition)
    const change = {
      kind: 'create',
      gateId: `large_${at}`,
      owner,
      author: owner,
      status: 'active',
      limit: 10_000,
    } as const
    await writeChanges(app.parts, [{ ...change, definition, rewardValues }], app.parts.now())
  }
}

const sizeOf = (body: unknown): number => Buffer.byteLength(JSON.stringify(body))

describe('GET /api/v1/profile/gates/discoverable', () => {
  test('lists 120 gates of a quarter of a megabyte in less than 2 MB, and marks the cut ones', async () => {
    const app = await startApp()
    await store(app, 120)
    const { body } = await app.get(`${discoverablePath}?limit=120`)
    expect(body.data.gates).toHaveLength(120)
    expect(sizeOf(body)).toBeLessThan(mostBytes)
    for (const gate of body.data.gates) {
      expect(gate.truncated).toBe(true)
      expect(gate.requirements).toHaveLength(16)
      expect(gate.checkout.description).toEndWith('…')
      expect(gate.artifact).toEqual({ type: 'reveal', label: 'The word' })
    }
  })

  test('never reads a definition that is long', async () => {
    const app = await startApp()
    await store(app, 3)
    // Reading and parsing one of these definitions would fail.
    await app.parts.db.write([{ sql: "UPDATE gate_versions SET definition = 'no JSON'", params: [] }])
    const { status, body } = await app.get(discoverablePath)
    expect(status).toBe(200)
    expect(body.data.gates).toHaveLength(3)
  })

  test('tells a short gate in full and without a flag', async () => {
    const app = await startApp()
    await apply(app, definitionOf({ listing: { label: 'Short' } }))
    const { recipient: _, ...whole } = (await app.get(`${gatesPath}/gate_holders`)).body.data.gate
    expect((await app.get(discoverablePath)).body.data.gates).toEqual([whole])
  })

  test('shortens definitions that are older than the summaries', async () => {
    const app = await startApp()
    await store(app, 2)
    await app.parts.db.write([{ sql: 'UPDATE gate_summaries SET summary = NULL', params: [] }])
    const { body } = await app.get(discoverablePath)
    expect(sizeOf(body)).toBeLessThan(40_000)
    expect(body.data.gates.map(({ truncated }: { truncated?: boolean }) => truncated)).toEqual([true, true])
  })

  test('shows the newest version after a change, and the gate by its id has all of it', async () => {
    const app = await startApp()
    const definition = large('large', 2)
    expect((await apply(app, definition)).status).toBe(200)
    expect((await apply(app, { ...definition, name: 'Newer' })).status).toBe(200)
    const [listed] = (await app.get(discoverablePath)).body.data.gates
    expect(listed).toMatchObject({ name: 'Newer', version: 2, truncated: true })
    const { gate } = (await app.get(`${gatesPath}/large`)).body.data
    expect(gate.truncated).toBeUndefined()
    expect(gate.requirements[1].match).toEqual(largeMatch)
    const summaries = await select<{ version: number }>(
      app.parts.db,
      'SELECT version FROM gate_summaries WHERE summary IS NOT NULL',
    ).all()
    expect(summaries).toEqual([{ version: 2 }])
  })
})

describe('GET /api/v1/profile/gates', () => {
  test('sends definitions in full while they are small together', async () => {
    const app = await startApp()
    await store(app, 2, 4)
    const { body } = await app.get(gatesPath, await readerHeaders(app))
    expect(body.data.totalCount).toBe(2)
    for (const gate of body.data.gates) {
      expect(gate.truncated).toBeUndefined()
      expect(gate.definition.requirements[3].match).toEqual(largeMatch)
    }
  })

  test('shortens rows, and not the list, where they are large together', async () => {
    const app = await startApp()
    await store(app, 200)
    const { body } = await app.get(gatesPath, await readerHeaders(app))
    expect(body.data).toMatchObject({ totalCount: 200 })
    expect(body.data.gates).toHaveLength(200)
    expect(sizeOf(body)).toBeLessThan(mostBytes)
    for (const gate of body.data.gates) {
      expect(gate).toMatchObject({ truncated: true, name: '漢'.repeat(200), version: 1 })
      expect(gate.definition.requirements[0].verifierId).toBe('ownership-basic')
    }
    const whole = await app.get(`${gatesPath}/large_7/versions/1`, await readerHeaders(app))
    expect(whole.body.data.definition.requirements).toHaveLength(16)
  })

  test('keeps every row of the longest page, where even short forms are large together', async () => {
    const app = await startApp()
    await store(app, 500, 4)
    const { body } = await app.get(`${gatesPath}?limit=500`, await readerHeaders(app))
    expect(sizeOf(body)).toBeLessThan(mostBytes)
    expect(body.data.gates).toHaveLength(500)
    for (const gate of body.data.gates) expect(gate.truncated).toBe(true)
  })

  test('are paginated when the caller asks for pages', async () => {
    const app = await startApp()
    for (const gateId of ['a', 'b', 'c']) await apply(app, definitionOf({ gateId }))
    const { body } = await app.get(`${gatesPath}?limit=2&offset=1`, await readerHeaders(app))
    expect(body.data.gates.map(({ gateId }: { gateId: string }) => gateId)).toEqual(['b', 'c'])
    expect(body.data.totalCount).toBe(3)
    const beyond = await app.get(`${gatesPath}?limit=501`, await readerHeaders(app))
    expect(beyond.body.error.message).toContain('query parameter limit: must be 1 to 500')
    const many = await app.get(`${discoverablePath}?limit=121`)
    expect(many.body.error.message).toContain('query parameter limit: must be 1 to 120')
    for (const query of ['limit=0', 'limit=501', 'offset=-1', 'offset=x'])
      expect((await app.get(`${gatesPath}?${query}`, await readerHeaders(app))).status).toBe(400)
  })
})
