/** A restore: what is back, what was taken away since stays away, and what happens where nobody can tell. */
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { choosePlace } from '../../src/backup/put-in-place.ts'
import { backup } from '../../src/commands/backup.ts'
import { UnavailableError, UsageError } from '../../src/commands/command.ts'
import { restore } from '../../src/commands/restore.ts'
import { writeGuests } from '../../src/gates/guests/store.ts'
import { findGate } from '../../src/gates/store.ts'
import { dropOperator, insertOperator, isStored } from '../../src/operator/store.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { run } from '../commands/terminal.ts'
import { faultsIn, temporaryFolders } from '../db/store.ts'
import { undoClaimsByAccount } from '../db/undo-claims.ts'
import { newTill, price, putGate } from '../gates/fulfill-stage.ts'
import { select } from '../parts/select.ts'
import { mountSmallDisk } from '../parts/small-disk.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const sealing = { PROOFGATE_BACKUP_PASSPHRASE: 'correct horse battery' }
const minute = 60_000

let open: TestApp | undefined
afterEach(async () => {
  await open?.close()
  open = undefined
})

/** A data folder of its own, in a folder that also holds backups. */
function makeHome() {
  const home = newFolder()
  const data = join(home, 'data')
  const env = { PROOFGATE_DATA: data, ...sealing }
  const given = (at: number) => ({ cwd: home, env, now: () => at })
  return {
    home,
    data,
    start: async (at = startOfTime, more: Record<string, string> = {}) => {
      open = await startApp(
        { ...env, PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LOG_LEVEL: 'error', ...more },
        data,
        at,
      )
      return open
    },
    stop: async () => {
      await open?.close()
      open = undefined
    },
    backUp: (at: number, args: readonly string[] = ['out/']) => run(backup, [...args, '--json'], given(at)),
    restore: (at: number, args: readonly string[] = ['out/']) => run(restore, [...args, '--json'], given(at)),
    tell: (at: number, args: readonly string[] = ['out/']) => run(restore, args, given(at)),
    given,
  }
}

const statusOf = async (app: TestApp, qHash: string): Promise<string | undefined> =>
  (await app.get(`/api/v1/verification/status/${qHash}`)).body.data?.status

async function revoke(app: TestApp, wallet: TestWallet, qHash: string): Promise<number> {
  app.wait(1)
  const signed = await app.ownerBody(wallet, { action: 'revoke_proof', qHash })
  return (await app.post(`/api/v1/proofs/revoke-self/${qHash}`, signed)).status
}

describe('a backup that is restored', () => {
  test('has every row of its moment again, made beside a running server, and the old folder is kept', async () => {
    const at = makeHome()
    const app = await at.start()
    const [kept, revoked] = [await app.prove(alice), await app.prove(alice)]
    expect(await revoke(app, alice, revoked)).toBe(200)
    const made = await at.backUp(app.now())
    expect(made).toMatchObject({ code: 0, json: { counts: { proofs: 2 }, without: ['proofgate.toml'] } })
    const later = await app.prove(alice)
    await at.stop()

    const restored = await at.restore(app.now() + minute)
    expect(restored.json).toMatchObject({ journal: 'replayed', sound: true, counts: { proofs: 2 } })
    expect(faultsIn(at.data)).toEqual([])
    expect(existsSync(join(restored.json.keptFolder, 'proofgate.sqlite'))).toBe(true)
    const again = await at.start(app.now() + 2 * minute)
    expect(await statusOf(again, kept)).toBe('verified')
    expect(await statusOf(again, revoked)).toBe('revoked')
    expect(await statusOf(again, later)).toBeUndefined()
  })

  test('carries master key and configuration under the passphrase, to a machine that has neither', async () => {
    const at = makeHome()
    writeFileSync(join(at.home, 'proofgate.toml'), 'brand = "acme"\n')
    const app = await at.start()
    const qHash = await app.prove(alice, { privacyLevel: 'private', storeOriginalContent: true })
    const made = await at.backUp(app.now())
    expect(made.json.without).toEqual([])
    await at.stop()
    const key = readFileSync(join(at.data, 'master.key'), 'utf8')
    rmSync(at.data, { recursive: true })
    rmSync(join(at.home, 'proofgate.toml'))

    const { json } = await at.restore(app.now() + minute)
    expect(json).toMatchObject({ journal: 'gone', sound: true })
    expect(readFileSync(join(at.data, 'master.key'), 'utf8')).toBe(key)
    expect(readFileSync(json.configFile, 'utf8')).toBe('brand = "acme"\n')
    const again = await at.start(app.now() + 2 * minute)
    const headers = await again.ownerHeaders(alice, { action: 'access_private_proof', qHash })
    expect((await again.get(`/api/v1/proofs/${qHash}`, headers)).status).toBe(200)
  })

  test('without secrets needs the master key from elsewhere, and takes that of the old folder', async () => {
    const at = makeHome()
    const app = await at.start()
    await app.prove(alice)
    const made = await at.backUp(app.now(), ['out/', '--without-secrets'])
    expect(made.json.without).toEqual(['master.key', 'proofgate.toml'])
    await at.stop()
    expect((await at.restore(app.now() + minute)).json).toMatchObject({ journal: 'replayed', sound: true })
    rmSync(at.data, { recursive: true })
    await expect(at.restore(app.now() + minute)).rejects.toThrow(/holds no master key, and none is here: give the key/)
    expect(existsSync(at.data)).toBe(false)
  })

  test('of an older Proofgate is brought to the form of this one', async () => {
    const at = makeHome()
    const app = await at.start()
    await app.prove(alice)
    await at.stop()
    const db = new (await import('bun:sqlite')).Database(join(at.data, 'proofgate.sqlite'))
    for (const { name } of db
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'taken_%'")
      .all())
      db.run(`DROP TRIGGER ${name}`)
    db.run('DROP TABLE taken_away')
    db.run('DROP TABLE restores')
    undoClaimsByAccount(db)
    db.run('DROP TABLE job_runs')
    db.run("DELETE FROM migrations WHERE name >= '0039'")
    db.close()
    const made = await at.backUp(app.now())
    expect(made.code).toBe(0)
    rmSync(at.data, { recursive: true })
    expect((await at.restore(app.now() + minute)).json).toMatchObject({ sound: true })
    expect(await (await at.start(app.now() + 2 * minute)).prove(alice)).toMatch(/^0x/)
  })
})

describe('what was taken away after the backup', () => {
  test('is taken away again: proofs, visibility, accounts, keys, guests, operators, gates', async () => {
    const at = makeHome()
    const app = await at.start()
    const shown = { privacyLevel: 'public', publicDisplay: true }
    const [revoked, hidden, erased] = [
      await app.prove(alice, shown),
      await app.prove(alice, shown),
      await app.prove(mallory, shown),
    ]
    const browser = await app.signIn(alice)
    const makeKey = async () =>
      (await app.post('/api/v1/auth/profile-keys', { name: 'a key' }, browser.headers)).body.data
    const [endedKey, standingKey] = [await makeKey(), await makeKey()]
    await putGate(app.parts, { gateId: 'paused', requirements: [{ id: 'g', verifierId: 'guest-list' }] })
    const gate = await findGate(app.parts, 'paused')
    const guest = (wallet: TestWallet) => ({
      wallet: wallet.address.toLowerCase(),
      chain: '',
      onEveryChain: true as const,
    })
    const change = (add: TestWallet[], remove: TestWallet[]) =>
      writeGuests(
        app.parts.db,
        gate!,
        { replaces: false, add: add.map(guest), remove: remove.map(guest) },
        { now: app.now() },
      )
    await change([alice, bob, mallory], [])
    await app.parts.db.write([insertOperator('gone', 1), insertOperator('stays', 1)])
    expect((await at.backUp(app.now())).code).toBe(0)

    app.wait(minute)
    await revoke(app, alice, revoked)
    const hiding = await app.ownerBody(alice, { action: 'set_proof_visibility', qHash: hidden, visibility: 'private' })
    expect((await app.post(`/api/v1/proofs/${hidden}/visibility`, { visibility: 'private', ...hiding })).status).toBe(
      200,
    )
    app.wait(1)
    const erasing = await app.ownerBody(mallory, {
      action: 'erase_all_proofs',
      walletAddress: mallory.address.toLowerCase(),
    })
    expect((await app.post('/api/v1/proofs/erase-all', erasing)).body.erasedCount).toBe(1)
    await app.request(`/api/v1/auth/profile-keys/${endedKey.keyId}`, { method: 'DELETE', headers: browser.headers })
    await change([], [alice, bob])
    await change([bob], [])
    await app.parts.db.write([dropOperator('gone'), { sql: "UPDATE gates SET status = 'paused'", params: [] }])
    await at.stop()

    const restored = await at.restore(app.now() + minute)
    expect(restored.json).toMatchObject({
      journal: 'replayed',
      replayed: {
        'revoked proof': 1,
        visibility: 1,
        'erased account': 1,
        'access key': 1,
        guest: 2,
        operator: 1,
        'gate state': 1,
      },
      sound: true,
    })
    const again = await at.start(app.now() + 2 * minute)
    expect(await statusOf(again, revoked)).toBe('revoked')
    expect(await statusOf(again, erased)).toBeUndefined()
    expect((await again.get(`/api/v1/proofs/${hidden}`)).body.data).not.toHaveProperty('walletAddress')
    const guests = select<{ wallet: string }>(again.parts.db, 'SELECT wallet FROM gate_guests ORDER BY wallet').all()
    expect((await guests).map(({ wallet }) => wallet)).toEqual(
      [bob, mallory].map(({ address }) => address.toLowerCase()).sort(),
    )
    expect([await isStored(again.parts.db, 'gone'), await isStored(again.parts.db, 'stays')]).toEqual([false, true])
    expect((await findGate(again.parts, 'paused'))?.status).toBe('paused')
    const whoIs = async (key: string) =>
      (await again.get('/api/v1/auth/profile-keys', { authorization: `Bearer ${key}` })).status
    expect(await whoIs(endedKey.key)).toBe(401)
    expect(await whoIs(standingKey.key)).not.toBe(401)
    expect((await again.get('/api/v1/auth/profile-keys', browser.headers)).status).toBe(401)
    const left = readFileSync(join(at.data, 'proofgate.sqlite'), 'latin1')
    expect(left.includes(erased.slice(2))).toBe(false)
  })

  test('a payment that bought something after the backup buys nothing else, and its buyer has the reward', async () => {
    const at = makeHome()
    const app = await at.start()
    const till = newTill()
    const onTill = (one: TestApp) => createApp({ ...one.parts, paymentMethods: [till.method] })
    const pay = async (one: TestApp, qHash: string, evidence: string) => {
      one.wait(1)
      const signed = await one.ownerBody(alice, { action: 'fulfill_gate', gateId: 'paid', qHash })
      const response = await onTill(one).handle(
        new Request('http://localhost/api/v1/profile/gates/paid/fulfill', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ qHash, paymentTxHash: evidence, ...signed }),
        }),
      )
      // biome-ignore lint/suspicious/noExplicitAny: the answers of a fulfillment have several shapes
      return { status: response.status, body: (await response.json()) as any }
    }
    const evidence = `0x${'ab'.repeat(32)}`
    await putGate(app.parts, {
      gateId: 'paid',
      price,
      rewards: [{ kind: 'reveal', value: 'the reward', label: 'Word' }],
      supply: 2,
    })
    const [first, second] = [await app.prove(alice), await app.prove(alice)]
    await at.backUp(app.now())
    app.wait(minute)
    till.takes(evidence, { paidAt: app.now() })
    const bought = await pay(app, first, evidence)
    expect(bought.status).toBe(200)
    await at.stop()

    const { json } = await at.restore(app.now() + minute)
    expect(json.replayed).toMatchObject({ payment: 1, fulfillment: 1 })
    const again = await at.start(app.now() + 2 * minute)
    const asked = await pay(again, first, evidence)
    expect(asked.body.data.receiptId ?? asked.body.data.receipt).toEqual(
      bought.body.data.receiptId ?? bought.body.data.receipt,
    )
    expect(await pay(again, second, evidence)).toMatchObject({ body: { error: { code: 'PAYMENT_ALREADY_USED' } } })
    const gate = select<{ fulfilled_count: number }>(again.parts.db, 'SELECT fulfilled_count FROM gates').all()
    expect((await gate)[0]?.fulfilled_count).toBe(1)
  })
})

describe('what was taken away stays away over', () => {
  test('two restores in a row, the older backup first', async () => {
    const at = makeHome()
    const app = await at.start()
    await app.prove(alice)
    await at.backUp(app.now(), ['older/'])
    const [later, erased] = [await app.prove(alice), await app.prove(mallory)]
    app.wait(minute)
    await at.backUp(app.now(), ['newer/'])
    expect(await revoke(app, alice, later)).toBe(200)
    const erasing = await app.ownerBody(mallory, {
      action: 'erase_all_proofs',
      walletAddress: mallory.address.toLowerCase(),
    })
    expect((await app.post('/api/v1/proofs/erase-all', erasing)).body.erasedCount).toBe(1)
    await at.stop()
    await at.restore(app.now() + minute, ['older/'])
    const second = await at.restore(app.now() + 2 * minute, ['newer/'])
    expect(second.json).toMatchObject({ journal: 'replayed', replayed: { 'revoked proof': 1, 'erased account': 1 } })
    const again = await at.start(app.now() + 3 * minute)
    expect(await statusOf(again, later)).toBe('revoked')
    expect(await statusOf(again, erased)).toBeUndefined()
  })

  test('a restore that knew nothing: the next one of a newer backup knows nothing either', async () => {
    const at = makeHome()
    const app = await at.start()
    await app.prove(alice)
    await at.backUp(app.now(), ['older/'])
    app.wait(minute)
    await at.backUp(app.now(), ['newer/'])
    await at.stop()
    rmSync(at.data, { recursive: true })
    expect((await at.restore(app.now() + minute, ['older/'])).json).toMatchObject({ journal: 'gone' })
    expect((await at.restore(app.now() + 2 * minute, ['newer/'])).json).toMatchObject({ journal: 'gone' })
  })

  test('a data folder that is older than the backup: it knows nothing of the time after it', async () => {
    const at = makeHome()
    const app = await at.start()
    const qHash = await app.prove(alice)
    await at.stop()
    cpSync(at.data, join(at.home, 'stale'), { recursive: true })
    const running = await at.start(app.now() + minute)
    await at.backUp(running.now())
    await revoke(running, alice, qHash)
    await at.stop()
    rmSync(at.data, { recursive: true })
    renameSync(join(at.home, 'stale'), at.data)
    expect((await at.restore(running.now() + minute)).json).toMatchObject({ journal: 'gone' })
  })
})

describe('a restore that meets something else', () => {
  test('lets no server begin anew in its place, and keeps what stands there all the same', async () => {
    const at = makeHome()
    const place = choosePlace(at.data, startOfTime)
    await expect(at.start()).rejects.toThrow(/a restore left .*data\.restoring-.* beside it/)
    mkdirSync(at.data)
    writeFileSync(join(at.data, 'acknowledged'), 'by somebody else')
    const kept = place.swap()
    expect(readFileSync(join(kept!, 'acknowledged'), 'utf8')).toBe('by somebody else')
  })

  test('names a backup that is not there, and a place that it would move away', async () => {
    const at = makeHome()
    const app = await at.start()
    await app.prove(alice)
    await expect(at.backUp(app.now(), ['data/backups'])).rejects.toThrow(/is inside the data folder/)
    await at.stop()
    await expect(at.restore(app.now(), ['typo.backup'])).rejects.toThrow(
      /typo\.backup cannot be read \(there is no such file\)/,
    )
    await expect(at.restore(app.now(), ['nowhere/'])).rejects.toThrow(/no backup at .*nowhere, which is not there/)
  })

  test('names the file that a backup would replace, a path through a file, and a name that is empty', async () => {
    const at = makeHome()
    const app = await at.start()
    await at.backUp(app.now(), ['one.backup'])
    await expect(at.backUp(app.now(), ['one.backup'])).rejects.toThrow(/there is a file .*one\.backup already/)
    await expect(at.backUp(app.now(), ['one.backup/two'])).rejects.toThrow(
      /cannot be kept at .*one\.backup\/two \(a part of the path is a file\)/,
    )
    await expect(at.backUp(app.now(), [''])).rejects.toThrow(/the name of the place is empty/)
  })
})

describe('where nothing tells what was taken away', () => {
  test('every credential ends, texts of before are refused, and payments of the time between buy nothing', async () => {
    const at = makeHome()
    const app = await at.start()
    const till = newTill()
    await putGate(app.parts, {
      gateId: 'paid',
      price,
      rewards: [{ kind: 'reveal', value: 'the reward', label: 'Word' }],
    })
    const qHash = await app.prove(alice)
    const browser = await app.signIn(alice)
    const key = (await app.post('/api/v1/auth/profile-keys', { name: 'a key' }, browser.headers)).body.data.key
    await at.backUp(app.now())
    app.wait(minute)
    till.takes(`0x${'cd'.repeat(32)}`, { paidAt: app.now() })
    const early = await app.signed(alice, {
      verifierIds: ['ownership-basic'],
      data: { owner: alice.address, content: 'early' },
    })
    await at.stop()
    rmSync(at.data, { recursive: true })

    const told = await at.tell(app.now() + minute)
    expect(told.out.replaceAll('\n', ' ')).toContain('all sessions, access keys and allowed apps have ended')
    const again = await at.start(app.now() + minute + 1)
    expect(await again.post('/api/v1/verification', early)).toMatchObject({
      status: 401,
      body: {
        error: { code: 'EXPIRED_SIGNATURE', message: expect.stringContaining('before the server was restored') },
      },
    })
    expect((await again.get('/api/v1/auth/profile-keys', { authorization: `Bearer ${key}` })).status).toBe(401)
    const signed = await again.ownerBody(alice, { action: 'fulfill_gate', gateId: 'paid', qHash })
    const answer = await createApp({ ...again.parts, paymentMethods: [till.method] }).handle(
      new Request('http://localhost/api/v1/profile/gates/paid/fulfill', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ qHash, paymentTxHash: `0x${'cd'.repeat(32)}`, ...signed }),
      }),
    )
    expect(await answer.json()).toMatchObject({
      error: { details: { reason: 'PAID_IN_LOST_TIME', unmatched: { state: 'owed', reason: 'PAID_IN_LOST_TIME' } } },
    })
    const owed = select<{ details: string }>(again.parts.db, 'SELECT details FROM unmatched_payments').all()
    expect(JSON.parse((await owed)[0]!.details)).toMatchObject({ onlySeller: true })
    expect(await again.prove(alice)).toMatch(/^0x/)
  })
})

describe('a restore that is refused changes nothing', () => {
  const listAll = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String).sort()

  test('beside a running server, with a wrong passphrase, of a newer schema, without the backup', async () => {
    const at = makeHome()
    const app = await at.start()
    await app.prove(alice)
    await at.backUp(app.now())
    await expect(at.restore(app.now())).rejects.toThrow(/a server runs on the data folder/)
    await at.stop()
    const before = listAll(at.home)
    const wrong = {
      ...at.given(app.now()),
      env: { PROOFGATE_DATA: at.data, PROOFGATE_BACKUP_PASSPHRASE: 'another passphrase' },
    }
    await expect(run(restore, ['out/'], wrong)).rejects.toThrow(/the passphrase is not the one of this backup/)
    await expect(at.restore(app.now(), ['nowhere/'])).rejects.toThrow(/there is no backup at/)
    await expect(at.restore(app.now(), ['nowhere.backup'])).rejects.toThrow(UnavailableError)
    await expect(at.restore(app.now(), [])).rejects.toThrow(UsageError)
    expect(listAll(at.home)).toEqual(before)

    const db = new (await import('bun:sqlite')).Database(join(at.data, 'proofgate.sqlite'))
    db.run("INSERT INTO migrations VALUES ('9999_tomorrow', 'x', 1)")
    db.close()
    await at.backUp(app.now() + 1000, ['newer/'])
    await expect(at.restore(app.now(), ['newer/'])).rejects.toThrow(/holds migration "9999_tomorrow"/)
  })

  test('where the database in the backup breaks a rule of the store', async () => {
    const at = makeHome()
    const app = await at.start()
    await app.prove(alice)
    await app.parts.db.write([{ sql: 'UPDATE totals SET proofs = proofs + 1', params: [] }])
    await at.backUp(app.now())
    await at.stop()
    await expect(at.restore(app.now())).rejects.toThrow(/totals say 2 proofs/)
  })

  const disk = mountSmallDisk(64)
  afterAll(() => disk?.end())
  const mounted = disk?.folder
  test.if(mounted !== undefined)('on a folder that is a mount, the files move into a folder inside it', async () => {
    const at = makeHome()
    const app = await at.start()
    const qHash = await app.prove(alice)
    await at.backUp(app.now())
    await at.stop()
    cpSync(at.data, mounted!, { recursive: true })
    rmSync(join(mounted!, 'reserve'), { force: true })
    const small = { PROOFGATE_STORAGE_RESERVE_MB: '0', PROOFGATE_STORAGE_MIN_FREE_MB: '0' }
    const env = { PROOFGATE_DATA: mounted!, ...small, ...sealing }
    const { json } = await run(restore, ['out/', '--json'], { ...at.given(app.now() + minute), env })
    expect(dirname(json.keptFolder)).toBe(mounted!)
    expect(existsSync(join(json.keptFolder, 'proofgate.sqlite'))).toBe(true)
    writeFileSync(join(mounted!, 'restore-in-progress'), `${json.keptFolder}\n`)
    await expect(startApp(small, mounted!, app.now() + minute)).rejects.toThrow(/did not come to its end: run it again/)
    const again = await run(restore, ['out/', '--json'], { ...at.given(app.now() + 2 * minute), env })
    expect(again.json).toMatchObject({ journal: 'replayed', sound: true })
    open = await startApp(small, mounted!, app.now() + 3 * minute)
    expect(await statusOf(open, qHash)).toBe('verified')
  })
})

const tornDisk = mountSmallDisk(64)
afterAll(() => tornDisk?.end())
const torn = tornDisk?.folder
test.if(torn !== undefined)(
  'a restore that was cut off between database and log puts both together again',
  async () => {
    const at = makeHome()
    const app = await at.start()
    const qHash = await app.prove(alice)
    await at.backUp(app.now())
    await revoke(app, alice, qHash)
    // As a server leaves them that was killed: the revocation is in the log alone.
    const kept = join(torn!, 'before-restore-20260101T000000Z')
    mkdirSync(kept)
    cpSync(join(at.data, 'proofgate.sqlite'), join(kept, 'proofgate.sqlite'))
    for (const name of ['proofgate.sqlite-wal', 'proofgate.sqlite-shm', 'master.key'])
      cpSync(join(at.data, name), join(torn!, name))
    writeFileSync(join(torn!, 'restore-in-progress'), `${kept}\nmoving\n`)
    await at.stop()
    const env = { PROOFGATE_DATA: torn!, PROOFGATE_STORAGE_MIN_FREE_MB: '0', ...sealing }
    const { json } = await run(restore, ['out/', '--json'], { ...at.given(app.now() + minute), env })
    expect(readdirSync(kept).sort()).toEqual(expect.arrayContaining(['master.key', 'proofgate.sqlite']))
    expect(json).toMatchObject({ sound: true, journal: 'replayed', replayed: { 'revoked proof': 1 } })
  },
)

test('files of a restore belong to this user alone', async () => {
  const at = makeHome()
  const app = await at.start()
  await app.prove(alice)
  await at.backUp(app.now())
  await at.stop()
  renameSync(at.data, join(at.home, 'elsewhere'))
  await at.restore(app.now() + minute)
  for (const name of readdirSync(at.data)) expect(statSync(join(at.data, name)).mode & 0o077).toBe(0)
})
