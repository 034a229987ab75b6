/** How the checkout of a gate looks: who changes it, what is taken, and who sees it. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { computeContrast, leastContrast, themes, tuneColor } from '../../src/gates/appearance/color.ts'
import { readPicture } from '../../src/gates/appearance/picture.ts'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { alice, mallory, type TestWallet } from '../wallets.ts'
import { act, apply, definitionOf, digestOf, gatesPath, readerHeaders, remove } from './gate.ts'
import { makeJpeg, makePng, makeWebp } from './pictures.ts'

const gateId = 'gate_holders'
const path = `${gatesPath}/${gateId}/appearance`
let app: TestApp

beforeEach(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  await apply(app, definitionOf())
})

async function change(members: object, wallet: TestWallet = alice): Promise<Answer> {
  app.wait(1)
  const data = { action: 'set_gate_appearance', gateId, digest: digestOf(members) }
  return app.post(path, { ...members, ...(await app.ownerBody(wallet, data)) })
}

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const picturePath = (bytes: Uint8Array): string => `/g/${gateId}/picture/${Bun.SHA256.hash(bytes, 'hex')}`
const countRows = async (): Promise<number> =>
  (await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM gate_appearances').all())[0]!.n

describe('the owner', () => {
  test('sets a name, a color and a picture, reads them, and removes one of them', async () => {
    const picture = makePng(64, 32)
    const changed = await change({ seller: ' Studio ', color: '#AABB00', picture: encode(picture) })
    expect(changed.body.data).toMatchObject({
      seller: 'Studio',
      color: '#aabb00',
      picture: { mediaType: 'image/png', width: 64, height: 32, data: encode(picture) },
    })
    expect((await change({ color: null })).body.data).toMatchObject({
      seller: 'Studio',
      color: null,
      shownColors: null,
    })
    const read = await app.get(path, await readerHeaders(app))
    expect(read.body.data).toMatchObject({ seller: 'Studio', color: null, picture: { bytes: picture.length } })
  })

  test('alone changes and reads it', async () => {
    expectRefused(await change({ seller: 'Mallory' }, mallory), 'FORBIDDEN')
    expectRefused(await app.get(path, await readerHeaders(app, mallory)), 'FORBIDDEN')
    expectRefused(await app.post(path, { seller: 'Mallory' }), 'WALLET_AUTH_REQUIRED')
    expect(await countRows()).toBe(0)
  })

  test('hears what is wrong with a picture, and nothing is stored', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const [picture, why] of [
      [encode(svg), /no PNG, JPEG or WebP/],
      [encode(makePng(4000, 20)), /4000 × 20 pixels/],
      [encode(makePng(64, 64)).slice(0, -1), /not in base64/],
    ] as const)
      expectRefused(await change({ picture }), 'VALIDATION_ERROR', why)
    expectRefused(await change({ color: 'red' }), 'VALIDATION_ERROR')
    expectRefused(await change({}), 'VALIDATION_ERROR', /give seller, color or picture/)
    expectRefused(
      await change({ seller: 'Stu\u202edio' }),
      'VALIDATION_ERROR',
      /seller holds a character that nobody sees \(U\+202E at position 4\)/,
    )
    expect(await countRows()).toBe(0)
  })

  test('loses it with the gate, and with everything else', async () => {
    await change({ seller: 'Studio' })
    await remove(app, gateId)
    expect(await countRows()).toBe(0)
    await apply(app, definitionOf(), { expectedVersion: 0 })
    await change({ seller: 'Studio' })
    const erase = { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }
    app.wait(1)
    expect((await app.post('/api/v1/proofs/erase-all', await app.ownerBody(alice, erase))).status).toBeLessThan(300)
    await Bun.sleep(50)
    expect((await app.get(path, await readerHeaders(app))).body.data.seller).toBeNull()
  })
})

describe('the picture', () => {
  const picture = makeJpeg(100, 50)
  beforeEach(async () => {
    expect((await change({ picture: encode(picture) })).status).toBe(200)
  })

  test('is served as what it is, runs nothing, and is kept by browsers', async () => {
    const { status, headers } = await app.get(picturePath(picture))
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('cache-control')).toContain('immutable')
    expect((await app.get(picturePath(makePng(9, 9)))).status).toBe(404)
  })

  test.each([
    ['a draft', { status: 'draft' }],
    ['private', { policy: { visibility: 'private' } }],
  ])('of a gate that is %s is for its owner alone', async (_, members) => {
    await remove(app, gateId)
    await apply(app, definitionOf(members), { expectedVersion: 0 })
    await change({ picture: encode(picture) })
    expect((await app.get(picturePath(picture))).status).toBe(404)
    const { cookie } = await app.signIn(alice)
    const own = await app.get(picturePath(picture), { cookie })
    expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  })

  test('of a paused gate stays', async () => {
    await act(app, 'status', gateId, { status: 'paused' })
    expect((await app.get(picturePath(picture))).status).toBe(200)
  })
})

test.each([
  ['image/png', makePng(64, 32)],
  ['image/jpeg', makeJpeg(64, 32)],
  ['image/webp', makeWebp(64, 32)],
] as const)('a picture is known by its bytes: %s', (mediaType, bytes) => {
  expect(readPicture(bytes)).toEqual({ mediaType, width: 64, height: 32 })
  for (let length = 0; length < 17; length++) expect(readPicture(bytes.slice(0, length))).toHaveProperty('fault')
})

test('every color is readable in both themes, and a readable one stays as it is', () => {
  for (const color of ['#000000', '#ffffff', '#ffff00', '#ff0000', '#0f6b5c', '#808080', '#1e90ff'])
    for (const theme of themes) {
      const { accent, accentDeep, onAccent } = tuneColor(color, theme)
      const paper = theme === 'light' ? '#ffffff' : '#1c2022'
      for (const [one, other] of [
        [accent, paper],
        [accent, onAccent],
        [accentDeep, onAccent],
      ] as const)
        expect(computeContrast(one, other)).toBeGreaterThanOrEqual(leastContrast)
    }
  expect(tuneColor('#0f6b5c', 'light').accent).toBe('#0f6b5c')
})
