/** Secrets of people: sealed, named by alias, never shown again, and hidden from others. */

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { aliasPattern, listProfileSecrets, writeSecretContext } from '../../src/secrets/secret.ts'
import type { AccountText } from '../../src/wallet/account.ts'
import { select } from '../parts/select.ts'
import { alice, bob } from '../wallets.ts'
import { startMcp, type TestMcp } from './mcp.ts'

const low = (wallet: { address: string }) => wallet.address.toLowerCase()
const secret = { alias: 'OPENAI_API_KEY', secretType: 'single', content: 'sk-xyzzy' }

interface Row {
  readonly qHash: string
  readonly sealed: string | null
}
const rowsOf = (app: TestMcp) =>
  select<Row>(app.parts.db, `SELECT '0x' || lower(hex(q_hash)) AS "qHash", sealed FROM secrets ORDER BY id`).all()

describe('a secret', () => {
  test('is sealed under its own id, and its content is in no answer', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const made = await app.tool(token, 'svc_secret_create', secret)
    expect(made.data).toEqual({
      success: true,
      alias: 'OPENAI_API_KEY',
      qHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      proofId: made.data.qHash,
      secretType: 'single',
      walletAddress: low(alice),
      createdAt: app.now(),
    })
    const [row] = await rowsOf(app)
    expect(row!.sealed).not.toContain('xyzzy')
    expect(app.parts.sealer.open(row!.sealed!, writeSecretContext(made.data.qHash))).toBe('sk-xyzzy')
    expect(() => app.parts.sealer.open(row!.sealed!, writeSecretContext(`0x${'ab'.repeat(32)}`))).toThrow()
    const listed = await app.tool(token, 'svc_secret_list')
    expect(listed.data).toEqual({
      success: true,
      items: [
        {
          alias: 'OPENAI_API_KEY',
          qHash: made.data.qHash,
          type: 'single',
          walletAddress: low(alice),
          createdAt: app.now(),
        },
      ],
      pagination: { limit: 50, offset: 0, totalCount: 1, hasMore: false, nextOffset: null },
    })
    expect(made.text + listed.text).not.toContain('xyzzy')
    const events = await select<{ event: string; details: string }>(
      app.parts.db,
      'SELECT event, details FROM audit_events',
    ).all()
    expect(JSON.stringify(events)).toContain('secret_created')
    expect(JSON.stringify(events)).not.toContain('xyzzy')
  })

  test('is a single text by default', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const made = await app.tool(token, 'svc_secret_create', { alias: 'PLAIN', content: '{"not":"a bundle"}' })
    expect(made.data).toMatchObject({ success: true, alias: 'PLAIN', secretType: 'single' })
    expect((await app.tool(token, 'svc_secret_list')).data.items).toMatchObject([{ alias: 'PLAIN', type: 'single' }])
  })

  test('is found among those of its profile, for the list of a vault', async () => {
    const app = await startMcp()
    const { qHash } = (await app.tool(await app.tokenOf(), 'svc_secret_create', secret)).data
    const { id } = (await select<{ id: number }>(app.parts.db, 'SELECT id FROM profiles').get())!
    expect(await listProfileSecrets(app.parts.db, id)).toEqual([
      {
        qHash,
        account: low(alice) as AccountText,
        alias: 'OPENAI_API_KEY',
        type: 'single',
        createdAt: app.now(),
        revokedAt: null,
      },
    ])
  })

  test('has an alias of its own until it is revoked; revoking erases its sealed text', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const { qHash } = (await app.tool(token, 'svc_secret_create', secret)).data
    const again = await app.tool(token, 'svc_secret_create', { ...secret, content: 'sk-plugh' })
    expect(again.data).toMatchObject({
      error: { code: 'CONFLICT' },
      message: expect.stringContaining('OPENAI_API_KEY'),
    })
    expect(again.text).not.toContain('plugh')

    const revoked = (await app.tool(token, 'svc_secret_revoke', { qHash: qHash.toUpperCase().replace('0X', '0x') }))
      .data
    expect(revoked).toMatchObject({ qHash, alias: 'OPENAI_API_KEY', alreadyRevoked: false, revokedAt: app.now() })
    expect(await rowsOf(app)).toEqual([{ qHash, sealed: null }])
    app.wait(1000)
    expect((await app.tool(token, 'svc_secret_revoke', { qHash })).data).toMatchObject({
      alreadyRevoked: true,
      revokedAt: app.now() - 1000,
    })
    expect((await app.tool(token, 'svc_secret_list')).data.items).toEqual([])
    expect((await app.tool(token, 'svc_secret_create', secret)).data.success).toBe(true)
  })

  test('M12 of another person does not exist for others: not listed, not revoked, and its alias is free', async () => {
    const app = await startMcp()
    const [own, other] = [await app.tokenOf(alice), await app.tokenOf(bob)]
    const { qHash } = (await app.tool(own, 'svc_secret_create', secret)).data
    expect((await app.tool(other, 'svc_secret_list')).data.items).toEqual([])
    expect((await app.tool(other, 'svc_secret_revoke', { qHash })).data).toMatchObject({ error: { code: 'NOT_FOUND' } })
    expect((await rowsOf(app))[0]!.sealed).not.toBeNull()
    expect((await app.tool(other, 'svc_secret_create', secret)).data.success).toBe(true)
    const elsewhere = { ...secret, alias: 'B', walletAddress: alice.address }
    expect((await app.tool(other, 'svc_secret_create', elsewhere)).data).toMatchObject({ error: { code: 'FORBIDDEN' } })
  })

  test('may be a bundle of texts', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const make = async (content: string) =>
      (await app.tool(token, 'svc_secret_create', { alias: 'B', secretType: 'bundle', content })).data
    for (const content of ['xyzzy', '[]', '{}', '{"a":1}', '{"a":{"b":"c"}}', 'null', '"a"'])
      expect(await make(content)).toMatchObject({ error: { code: 'VALIDATION_ERROR' } })
    expect((await make('{"HOST":"db","PASSWORD":"xyzzy"}')).success).toBe(true)
  })

  test('is at most 16 kB, counted in bytes', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const make = async (alias: string, content: string) =>
      (await app.tool(token, 'svc_secret_create', { alias, secretType: 'single', content })).data
    expect((await make('A', 'x'.repeat(16_384))).success).toBe(true)
    expect(await make('B', 'x'.repeat(16_385))).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } })
    expect(await make('C', 'é'.repeat(10_000))).toMatchObject({ error: { code: 'VALIDATION_ERROR' } })
    expect(await make('D', '')).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } })
  })

  test('goes when the profile goes', async () => {
    const app = await startMcp()
    await app.tool(await app.tokenOf(), 'svc_secret_create', secret)
    await app.parts.db.write([{ sql: 'DELETE FROM profiles', params: [] }])
    expect(await rowsOf(app)).toEqual([])
  })
})

describe('an alias', () => {
  test.each(['A', 'openai', 'K1_2', 'a'.repeat(64)])('%s is valid', (alias) => {
    expect(new RegExp(aliasPattern).test(alias)).toBe(true)
  })

  test('is a letter and then letters, digits and underscores', () => {
    const form = new RegExp(aliasPattern)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 70 }), (text) => {
        const isOne =
          text.length <= 64 && /^[a-zA-Z]$/.test(text[0] ?? '') && [...text].every((one) => /^\w$/.test(one))
        expect(form.test(text)).toBe(isOne)
      }),
    )
  })
})

test('many secrets are listed page by page, and the same alias made twice at once is made once', async () => {
  const app = await startMcp()
  const token = await app.tokenOf()
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      app.tool(token, 'svc_secret_create', { ...secret, alias: at < 2 ? 'SAME' : `K${at}` }),
    ),
  )
  expect(made.filter(({ isError }) => isError)).toHaveLength(1)
  const first = (await app.tool(token, 'svc_secret_list', { limit: 5 })).data
  expect(first.pagination).toEqual({ limit: 5, offset: 0, totalCount: 11, hasMore: true, nextOffset: 5 })
  const last = (await app.tool(token, 'svc_secret_list', { limit: 5, offset: 10 })).data
  expect(last.items).toHaveLength(1)
  expect(last.pagination).toMatchObject({ hasMore: false, nextOffset: null })
})
