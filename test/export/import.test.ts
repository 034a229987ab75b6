/** An import: what a server answers after it, twice, over what is there, and of files that are not as they were written. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chownSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { type Header, pack } from 'tar-stream'
import { UnavailableError } from '../../src/commands/command.ts'
import { exportCommand } from '../../src/commands/export.ts'
import { importCommand } from '../../src/commands/import.ts'
import { useAlone } from '../../src/db/alone.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { examineLeftovers } from '../../src/doctor/leftovers.ts'
import { importRows } from '../../src/export/import-store.ts'
import { filesNotImported, listImporters } from '../../src/export/importers.ts'
import { type Manifest, manifestFile, signManifest } from '../../src/export/manifest.ts'
import { readExport } from '../../src/export/read-export.ts'
import { writePortableContext } from '../../src/proofs/portable-store.ts'
import { writeSecretContext } from '../../src/secrets/secret.ts'
import { startApp, type TestApp } from '../app.ts'
import { run } from '../commands/terminal.ts'
import { countRows, listBoundaries } from '../db/schemas/history.ts'
import { masterKey } from '../db/schemas/story.ts'
import { apply, definitionOf } from '../gates/gate.ts'
import { root } from '../guides/page.ts'
import { writeManyProofs } from '../pages/many-proofs.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { program } from '../parts/program.ts'
import { agent, alice, bob, evmWallet, mallory, sol } from '../wallets.ts'
import { type Planted, plantPerson, plantRows } from './people.ts'

setDefaultTimeout(120_000)

const newFolder = temporaryFolders()
const viewer = evmWallet(`0x${'7'.repeat(64)}`)
const data = newFolder()
const shared = { PROOFGATE_MASTER_KEY: masterKey, PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LOG_LEVEL: 'error' }
const env = { ...shared, PROOFGATE_DATA: data }

let app: TestApp
let asAlice: Planted
let whole: string
let person: string

beforeAll(async () => {
  app = await startApp(env, data)
  asAlice = await plantPerson(app, alice, { second: sol, viewer })
  const asBob = await plantPerson(app, bob, { second: mallory, viewer: agent })
  await plantRows(app, asAlice, asBob)
  await plantRows(app, asBob, asAlice)
  whole = await exportInto(['--all'])
  person = await exportInto(['--wallet', alice.address])
})
afterAll(() => app?.close())

async function exportInto(args: readonly string[], of: Readonly<Record<string, string>> = env): Promise<string> {
  const cwd = newFolder()
  const { code } = await run(exportCommand, [...args, '--out', 'out', '--json'], { cwd, env: of, now: app.now })
  expect(code).toBe(0)
  return join(cwd, 'out')
}

const importInto = (folder: string, args: readonly string[], given: { stdin?: Uint8Array } = {}) =>
  run(importCommand, args, { env: { ...shared, PROOFGATE_DATA: folder }, now: app.now, cwd: newFolder(), ...given })

/** The lines of an export by file, without the files of which nothing can be made. */
const readLines = (folder: string): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.jsonl') && !(file.slice(0, -6) in filesNotImported))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8').split('\n')]),
  )

describe('a fresh server made of an export of the whole server', () => {
  let fresh: string

  beforeAll(async () => {
    fresh = newFolder()
    const { code, json } = await importInto(fresh, [whole, '--json'])
    expect(code).toBe(0)
    expect(json).toMatchObject({ isNew: true })
    for (const { leftOut, alreadyHere } of json.files)
      expect({ leftOut, alreadyHere }).toEqual({ leftOut: 0, alreadyHere: 0 })
  })

  test('exports the same lines', async () => {
    const again = await exportInto(['--all'], { ...shared, PROOFGATE_DATA: fresh })
    expect(readLines(again)).toEqual(readLines(whole))
  })

  test('is sound: references, counters, and the triggers of a database of today', () => {
    const db = new Database(locateDatabaseFile(fresh))
    const own = new Database(locateDatabaseFile(data), { readonly: true })
    const listTriggers = (one: Database) =>
      one.query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name").all()
    expect(db.query('PRAGMA foreign_key_check').all()).toEqual([])
    expect(db.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(listTriggers(db)).toEqual(listTriggers(own))
    for (const table of ['proof_facts', 'record_summaries', 'gate_summaries', 'totals'])
      expect([table, countRows(db, table)]).toEqual([table, countRows(own, table)])
    expect(db.query('SELECT proofs, accounts FROM totals').get()).toEqual(
      own.query('SELECT proofs, accounts FROM totals').get(),
    )
    db.close()
    own.close()
  })

  test('answers every route that can be read as the old one did', async () => {
    const other = await startApp({ ...shared, PROOFGATE_DATA: fresh }, fresh, app.now())
    try {
      const callers = await Promise.all(
        [undefined, alice, bob].map(async (wallet) => ({
          old: wallet ? (await app.signIn(wallet)).headers : {},
          new: wallet ? (await other.signIn(wallet)).headers : {},
        })),
      )
      const differing = new Set<string>()
      const answered = new Set<string>()
      for (const { route, path } of await listPaths(app))
        for (const headers of callers) {
          const [before, after] = [await app.get(path, headers.old), await other.get(path, headers.new)]
          if (before.status === 200) answered.add(route)
          const [was, is] = [before, after].map(({ status, body }) => ({ status, body: settle(body) }))
          if (!Bun.deepEquals(was, is)) differing.add(route)
          if (!(route in cannotBeEqual)) expect([path, is]).toEqual([path, was])
        }
      expect([...differing].toSorted()).toEqual(Object.keys(cannotBeEqual).toSorted())
      expect(answered.size).toBeGreaterThan(40)
    } finally {
      await other.close()
    }
  })
})

/** Some sealed texts of that database are only made up. */
function sealForReal(folder: string): void {
  const db = new Database(locateDatabaseFile(folder))
  const { sealer } = app.parts
  const hash = (row: { readonly q_hash: Uint8Array }) => `0x${Buffer.from(row.q_hash).toString('hex')}`
  for (const row of db.query<{ id: number; q_hash: Uint8Array }, []>('SELECT id, q_hash FROM proofs').all())
    db.run('UPDATE envelopes SET sealed = ? WHERE proof_id = ?', [
      sealer.seal('{}', writePortableContext(hash(row))),
      row.id,
    ])
  for (const row of db.query<{ id: number; q_hash: Uint8Array }, []>('SELECT id, q_hash FROM secrets').all())
    db.run('UPDATE secrets SET sealed = ? WHERE id = ? AND sealed IS NOT NULL', [
      sealer.seal('a secret', writeSecretContext(hash(row))),
      row.id,
    ])
  db.close()
}

test('every row of every kind comes out of a second export as it went in', async () => {
  const [from, to] = [newFolder(), newFolder()]
  writeFileSync(locateDatabaseFile(from), listBoundaries().at(-1)!.image)
  sealForReal(from)
  const first = await exportInto(['--all'], { ...shared, PROOFGATE_DATA: from })
  await (await startApp({ ...shared, PROOFGATE_DATA: to }, to)).close()
  const { sealer, catalog, now } = app.parts
  // Without the rules of the store, which rows that were only made up do not keep.
  useAlone(to, (db) => importRows(db, readExport(first), listImporters(catalog.known), { sealer, now: now() }, []))
  const second = await exportInto(['--all'], { ...shared, PROOFGATE_DATA: to })
  // Nor are its counters right.
  const readOthers = (folder: string) => ({ ...readLines(folder), 'accounts.jsonl': [], 'gates.jsonl': [] })
  expect(readOthers(second)).toEqual(readOthers(first))
})

test('an export that was opened comes into a server with another master key, with consent', async () => {
  const opened = await exportInto(['--all', '--open-sealed', '--yes'])
  const fresh = newFolder()
  const given = { env: { ...shared, PROOFGATE_MASTER_KEY: '9'.repeat(64), PROOFGATE_DATA: fresh }, now: app.now }
  await expect(run(importCommand, [opened], given)).rejects.toThrow(/add --trust if you trust/)
  await expect(run(importCommand, [whole, '--trust'], given)).rejects.toThrow(/not made with the master key/)
  expect(existsSync(locateDatabaseFile(fresh))).toBe(false)
  expect((await run(importCommand, [opened, '--trust'], given)).code).toBe(0)
  const cwd = newFolder()
  expect((await run(exportCommand, ['--all', '--open-sealed', '--yes', '--out', 'out'], { ...given, cwd })).code).toBe(
    0,
  )
  const strip = (folder: string) => ({ ...readLines(folder) })
  expect(strip(join(cwd, 'out'))).toEqual(strip(opened))
})

test('a new server in a folder of another user belongs to that user', async () => {
  const folder = newFolder()
  if (process.geteuid?.() === 0) chownSync(folder, 1234, 1234)
  expect((await importInto(folder, [whole])).code).toBe(0)
  const owners = readdirSync(folder).map((name) => statSync(join(folder, name)).uid)
  expect(new Set(owners)).toEqual(new Set([statSync(folder).uid]))
})

test('a process that is killed leaves all or nothing, and the next one brings in the rest', async () => {
  const [from, to] = [newFolder(), newFolder()]
  const server = await startApp({ ...shared, PROOFGATE_DATA: from }, from)
  const count = 20_000
  await writeManyProofs(server.parts, { wallet: alice.address, count, newestAt: server.now() })
  await server.close()
  const exported = await exportInto(['--all'], { ...shared, PROOFGATE_DATA: from })
  const importing = Bun.spawn([process.execPath, join(root, 'src/main.ts'), 'import', exported], {
    env: { ...process.env, ...shared, PROOFGATE_DATA: to },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const log = `${locateDatabaseFile(to)}-wal`
  const isWriting = (): boolean => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000
  while (!isWriting() && importing.exitCode === null) await Bun.sleep(1)
  importing.kill('SIGKILL')
  await importing.exited
  const look = (): readonly number[] => {
    const db = new Database(locateDatabaseFile(to))
    const triggers = "SELECT count(*) AS count FROM sqlite_schema WHERE type = 'trigger'"
    const counts = [countRows(db, 'proofs'), db.query<{ count: number }, []>(triggers).get()!.count]
    db.close()
    return counts
  }
  const [proofs, triggers] = look()
  expect([0, count]).toContain(proofs!)
  expect((await importInto(to, [exported])).code).toBe(0)
  expect(look()).toEqual([count, triggers!])
})

describe('an import over what is here', () => {
  test('changes nothing the second time, and says so', async () => {
    const folder = newFolder()
    await importInto(folder, [whole])
    const before = await exportInto(['--all'], { ...shared, PROOFGATE_DATA: folder })
    const again = await importInto(folder, [whole])
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was changed') })
    const after = await exportInto(['--all'], { ...shared, PROOFGATE_DATA: folder })
    expect(readLines(after)).toEqual(readLines(before))
  })

  test('brings one person to others, and names what it leaves out', async () => {
    const folder = newFolder()
    const other = await startApp({ ...shared, PROOFGATE_DATA: folder }, folder, app.now())
    const own = await other.prove(bob, { privacyLevel: 'public', publicDisplay: true })
    await other.close()
    const { code, json } = await importInto(folder, [person, '--json'])
    expect(code).toBe(0)
    expect(json.files).toContainEqual({ file: 'proofs.jsonl', added: 4, alreadyHere: 0, leftOut: 0 })
    // The gate where Alice bought is not here.
    expect(json.files).toContainEqual({ file: 'fulfillments.jsonl', added: 0, alreadyHere: 0, leftOut: 1 })
    expect(json.notImported.map(({ file }: { file: string }) => file)).toContain('operators.jsonl')
    const after = await startApp({ ...shared, PROOFGATE_DATA: folder }, folder, app.now())
    const list = async (address: string) =>
      (await after.get(`/api/v1/proofs/by-wallet/${address}`)).body.data.proofs.map(
        ({ qHash }: { qHash: string }) => qHash,
      )
    expect(await list(bob.address)).toEqual([own])
    expect(await list(alice.address)).toEqual([asAlice.qHashes[0]])
    await after.close()
  })

  test('counts what a buyer got after the seller had exported', async () => {
    const from = newFolder()
    cpSync(data, from, { recursive: true })
    const old = new Database(locateDatabaseFile(from))
    old.run('UPDATE gates SET fulfilled_count = 0, paid_count = 0, paid_usd_micros = 0')
    old.close()
    const seller = await exportInto(['--wallet', bob.address], { ...shared, PROOFGATE_DATA: from })
    const to = newFolder()
    for (const one of [seller, person]) expect((await importInto(to, [one])).code).toBe(0)
    const db = new Database(locateDatabaseFile(to), { readonly: true })
    const counts = db
      .query('SELECT fulfilled_count, paid_count, paid_usd_micros FROM gates WHERE owner = ?')
      .get(bob.address.toLowerCase())
    expect(counts).toEqual({ fulfilled_count: 1, paid_count: 1, paid_usd_micros: 4_990_000 })
    db.close()
  })

  test('gives nothing at another gate of the same name', async () => {
    const folder = newFolder()
    const other = await startApp({ ...shared, PROOFGATE_DATA: folder }, folder, app.now() + 5000)
    await apply(other, definitionOf({ gateId: `gate_${bob.address.slice(2, 10).toLowerCase()}` }), { wallet: mallory })
    await other.close()
    const { code, json } = await importInto(folder, [person, '--json'])
    expect(code).toBe(0)
    for (const file of ['payments.jsonl', 'fulfillments.jsonl', 'guest-passes.jsonl', 'unmatched-payments.jsonl'])
      expect(json.files).toContainEqual({ file, added: 0, alreadyHere: 0, leftOut: 1 })
  })

  test('is refused as a whole where a gate or a person of the same name is another one', async () => {
    const folder = newFolder()
    const other = await startApp({ ...shared, PROOFGATE_DATA: folder }, folder, app.now() + 5000)
    await apply(other, definitionOf({ gateId: asAlice.gateId, name: 'of Bob' }), { wallet: bob })
    await other.signIn(alice)
    await other.close()
    const { code, err } = await importInto(folder, [person])
    expect(code).toBe(1)
    expect(err).toContain('nothing was imported')
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      `gates.jsonl, line 1: the gate ${asAlice.gateId} is here already, and is another one: owner is ${bob.address.toLowerCase()} here`,
    )
    expect(err).toContain('profiles.jsonl, line 1')
    const { json } = await importInto(folder, [person, '--json'])
    expect(json).toMatchObject({
      ok: false,
      exitCode: 1,
      count: 2,
      conflicts: [expect.any(String), expect.any(String)],
    })
    const db = new Database(locateDatabaseFile(folder), { readonly: true })
    expect(['proofs', 'profiles', 'gates'].map((table) => countRows(db, table))).toEqual([0, 1, 1])
    db.close()
  })

  test('counts the later of two runs of one claim', async () => {
    const claim = { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'runner' } }
    const [from, to] = [newFolder(), newFolder()]
    const runs: string[] = []
    for (const [folder, at] of [
      [from, 0],
      [to, 60_000],
    ] as const) {
      const server = await startApp({ ...shared, PROOFGATE_DATA: folder }, folder, app.now() + at)
      runs.push((await server.submit(alice, claim)).body.data.qHash)
      await server.close()
    }
    const exported = await exportInto(['--wallet', alice.address], { ...shared, PROOFGATE_DATA: from })
    expect((await importInto(to, [exported])).code).toBe(0)
    const server = await startApp({ ...shared, PROOFGATE_DATA: to }, to, app.now() + 120_000)
    const { headers } = await server.signIn(alice)
    const { proofs, totalCount } = (await server.get(`/api/v1/proofs/by-wallet/${alice.address}`, headers)).body.data
    expect({ ids: proofs.map(({ qHash }: { qHash: string }) => qHash), totalCount }).toEqual({
      ids: [runs[1]!],
      totalCount: 1,
    })
    await server.close()
  })

  test('waits for no running server', async () => {
    const folder = newFolder()
    const server = await startApp({ ...shared, PROOFGATE_DATA: folder }, folder)
    await expect(importInto(folder, [whole])).rejects.toThrow(/a server runs on the data folder .*: stop it/)
    await server.close()
  })
})

describe('a file that is not as it was written is refused, with its name, and changes nothing:', () => {
  const copy = (): string => {
    const place = join(newFolder(), 'copy')
    cpSync(whole, place, { recursive: true })
    return place
  }
  /** `resign`: as somebody with the key would, so that only the lines are wrong. */
  const change = (folder: string, file: string, edit: (text: string) => string | Uint8Array, resign = false): void => {
    const path = join(folder, file)
    writeFileSync(path, edit(readFileSync(path, 'utf8')))
    if (!resign) return
    const { check: _, ...manifest } = JSON.parse(readFileSync(join(folder, manifestFile), 'utf8')) as Manifest
    const bytes = readFileSync(path)
    const files = manifest.files.map((one) =>
      one.file === file
        ? {
            ...one,
            lines: bytes.toString().split('\n').length - 1,
            bytes: bytes.length,
            sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
          }
        : one,
    )
    writeFileSync(join(folder, manifestFile), JSON.stringify(signManifest({ ...manifest, files }, app.parts.sealer)))
  }
  const editManifest = (members: object) => (folder: string) =>
    change(folder, manifestFile, (text) => JSON.stringify({ ...JSON.parse(text), ...members }))

  test.each<readonly [string, (folder: string) => void, RegExp]>([
    [
      'cut off',
      (folder) => change(folder, 'proofs.jsonl', (text) => text.slice(0, -20)),
      /proofs\.jsonl is not as it was written: it ends in the middle of line 8/,
    ],
    [
      'a line less',
      (folder) => change(folder, 'proofs.jsonl', (text) => text.slice(text.indexOf('\n') + 1)),
      /proofs\.jsonl .*it has 7 lines in place of 8/,
    ],
    [
      'a bit flipped',
      (folder) => change(folder, 'contents.jsonl', (text) => text.replace('{"', '{#')),
      /contents\.jsonl .*line 1 is no JSON/,
    ],
    [
      'a letter changed',
      (folder) => change(folder, 'gates.jsonl', (text) => text.replace('active', 'actjve')),
      /gates\.jsonl is not as it was written \(its SHA-256 is another one\)/,
    ],
    [
      'no text',
      (folder) => change(folder, 'secrets.jsonl', () => new Uint8Array([0xff, 0x0a])),
      /secrets\.jsonl .*line 1: it is no text in UTF-8/,
    ],
    [
      'a line too long',
      (folder) => change(folder, 'secrets.jsonl', () => `${'x'.repeat(33 * 1_048_576)}\n`),
      /secrets\.jsonl .*line 1: it is longer than 32 MiB/,
    ],
    ['a missing file', (folder) => rmSync(join(folder, 'gates.jsonl')), /gates\.jsonl is missing/],
    ['a file too many', (folder) => writeFileSync(join(folder, 'notes.txt'), ''), /the folder holds notes\.txt/],
    [
      'a link',
      (folder) => {
        rmSync(join(folder, 'gates.jsonl'))
        symlinkSync('/etc/passwd', join(folder, 'gates.jsonl'))
      },
      /gates\.jsonl is no plain file/,
    ],
    ['no manifest', (folder) => rmSync(join(folder, manifestFile)), /manifest\.json is missing/],
    ['another format', editManifest({ format: 3 }), /format 3, and this version reads format 2/],
    ['an older format', editManifest({ format: 1 }), /format 1, which lacks what an import needs/],
    ['a newer schema', editManifest({ schema: '9999_later' }), /newer than this one knows/],
    [
      'an unknown table',
      editManifest({ files: [{ file: 'planets.jsonl', lines: 0, bytes: 0, sha256: '0'.repeat(64) }] }),
      /planets\.jsonl, which this version of Proofgate does not know/,
    ],
    [
      'a name that leads out',
      editManifest({ files: [{ file: '../x.jsonl', lines: 0, bytes: 0, sha256: '0'.repeat(64) }] }),
      /manifest\.json is not one of Proofgate \(\/files\/0\/file/,
    ],
    [
      'a changed manifest',
      editManifest({ wallets: ['x'] }),
      /not made with the master key of this server, or was changed since/,
    ],
    [
      'a foreign line',
      (folder) => change(folder, 'proofs.jsonl', (text) => text.replace('"status":', '"state":'), true),
      /proofs\.jsonl, line 1: the field "status" is missing/,
    ],
    [
      'an invented status',
      (folder) =>
        change(folder, 'proofs.jsonl', (text) => text.replace(/"status":"[a-z]+"/, '"status":"splendid"'), true),
      /proofs\.jsonl, line 1: its status is none that a proof has/,
    ],
    [
      'a line nested too deeply',
      (folder) =>
        change(
          folder,
          'contents.jsonl',
          (text) => `${text}{"qHash":"0x00","content":${'['.repeat(200_000)}${']'.repeat(200_000)},"sealed":null}\n`,
          true,
        ),
      /contents\.jsonl, line \d+: it is nested too deeply/,
    ],
    [
      'a value of another kind',
      (folder) =>
        change(folder, 'profiles.jsonl', (text) => text.replace(/"createdAt":\d+/, '"createdAt":"soon"'), true),
      /profiles\.jsonl, line 1: the database refuses it/,
    ],
    [
      'a gate without its version',
      (folder) => change(folder, 'gate-versions.jsonl', (text) => text.slice(text.indexOf('\n') + 1), true),
      /rows of this server would contradict each other \(gate gate_\w+ has no version 1\)/,
    ],
    [
      'a moved sealed text',
      (folder) =>
        change(
          folder,
          'secrets.jsonl',
          (text) => {
            const [a = '', b = ''] = text.split('\n')
            const at = /"text":"[^"]*"/
            return [a.replace(at, at.exec(b)![0]), b, ''].join('\n')
          },
          true,
        ),
      /secrets\.jsonl, line 1: its sealed text does not open/,
    ],
  ])('%s', async (_, damage, message) => {
    const folder = newFolder()
    const place = copy()
    damage(place)
    await expect(importInto(folder, [place])).rejects.toThrow(message)
    expect(readdirSync(folder)).toEqual([])
    const missing = join(folder, 'missing')
    await expect(importInto(missing, [place])).rejects.toThrow(message)
    expect(readdirSync(folder)).toEqual([])
  })

  test('a faulty line leaves a server that is here as it was', async () => {
    const folder = newFolder()
    await (await startApp({ ...shared, PROOFGATE_DATA: folder }, folder, app.now())).close()
    const place = copy()
    change(place, 'proofs.jsonl', (text) => text.replace('"status":', '"state":'), true)
    await expect(importInto(folder, [place])).rejects.toThrow(/line 1: the field "status" is missing/)
    const db = new Database(locateDatabaseFile(folder), { readonly: true })
    expect(['accounts', 'proofs', 'profiles', 'gates'].map((table) => countRows(db, table))).toEqual([0, 0, 0, 0])
    db.close()
  })

  test('proofs whose account is missing are counted as left out, and events of missing people', async () => {
    const place = copy()
    for (const file of ['accounts.jsonl', 'profiles.jsonl'])
      change(
        place,
        file,
        (text) =>
          text
            .split('\n')
            .filter((line) => !line.includes(alice.address.toLowerCase()))
            .join('\n'),
        true,
      )
    const { json } = await importInto(newFolder(), [place, '--json'])
    const files = json.files as readonly { file: string; added: number; alreadyHere: number; leftOut: number }[]
    for (const file of ['proofs.jsonl', 'audit-events.jsonl'])
      expect(files.find((one) => one.file === file)?.leftOut).toBeGreaterThan(0)
    expect(files.filter(({ alreadyHere }) => alreadyHere > 0)).toEqual([])
  })
})

test.each([manifestFile, 'proofs.jsonl'])('%s of an export is none by itself: its folder is named', async (file) => {
  await expect(importInto(newFolder(), [join(whole, file)])).rejects.toThrow(
    `${join(whole, file)} is one file of an export: name its folder, ${whole}`,
  )
})

describe('a tar file', () => {
  const exportTar = async (to: string) => {
    const cwd = newFolder()
    const printed = await run(exportCommand, ['--all', '--out', to], { cwd, env, now: app.now })
    expect(printed.code).toBe(0)
    const { code, out, err, bytes } = printed
    return { cwd, code, out, err, bytes }
  }
  type Member = Pick<Header, 'name'> & Partial<Header>
  const packEntries = async (entries: readonly Member[]): Promise<Buffer> => {
    const tar = pack()
    for (const header of entries) tar.entry(header, header.type === undefined || header.type === 'file' ? 'x' : '')
    tar.finalize()
    const chunks: Uint8Array[] = []
    for await (const chunk of tar) chunks.push(chunk as Uint8Array)
    return Buffer.concat(chunks)
  }

  test('is written as a file or to standard output, alone, and read from both', async () => {
    const { cwd, out } = await exportTar('all.tar')
    expect(out).toContain(`The export is in ${join(cwd, 'all.tar')}`)
    expect(readdirSync(cwd)).toEqual(['all.tar'])
    expect(statSync(join(cwd, 'all.tar')).mode & 0o777).toBe(0o600)
    const streamed = await exportTar('-')
    expect(streamed).toMatchObject({
      out: '',
      err: expect.stringContaining('The export is in the tar file on standard output'),
    })
    expect(readdirSync(streamed.cwd)).toEqual([])
    const [a, b] = [newFolder(), newFolder()]
    expect((await importInto(a, [join(cwd, 'all.tar')])).code).toBe(0)
    expect((await importInto(b, ['-'], { stdin: streamed.bytes })).code).toBe(0)
    const now = readLines(await exportInto(['--all']))
    for (const folder of [a, b])
      expect(readLines(await exportInto(['--all'], { ...shared, PROOFGATE_DATA: folder }))).toEqual(now)
    const beside = [data, a, b].flatMap((folder) =>
      readdirSync(join(folder, '..')).filter((name) => name.startsWith(`${basename(folder)}.`)),
    )
    expect(beside).toEqual([])
    const inside = [data, a, b].flatMap((folder) => readdirSync(folder).filter((name) => /^(im|ex)port-/.test(name)))
    expect(inside).toEqual([])
  })

  test('that a killed run was reading is named by doctor and removed by the next run, and one in use stays', async () => {
    const place = newFolder()
    const folder = join(place, 'data')
    const { bytes } = await exportTar('-')
    const listOthers = () => readdirSync(place).filter((name) => name !== 'data')
    const beginToRead = async (): Promise<{ readonly name: string; kill(): Promise<void> }> => {
      const known = listOthers()
      const child = Bun.spawn([...program, 'import', '-'], {
        env: { PATH: process.env.PATH, ...shared, PROOFGATE_DATA: folder },
        stdin: 'pipe',
        stdout: 'ignore',
        stderr: 'ignore',
      })
      child.stdin.write(bytes.slice(0, 2048))
      child.stdin.flush()
      const findNew = () => listOthers().find((name) => !known.includes(name))
      while (!existsSync(join(place, findNew() ?? 'none', 'unpacked'))) await Bun.sleep(5)
      return {
        name: findNew()!,
        async kill() {
          child.kill('SIGKILL')
          await child.exited
        },
      }
    }
    const killed = await beginToRead()
    await killed.kill()
    const reading = await beginToRead()
    expect(listOthers()).toEqual([reading.name])
    expect((await importInto(folder, ['-'], { stdin: bytes })).code).toBe(0)
    expect(listOthers()).toEqual([reading.name])
    await reading.kill()
    const inside = join(folder, `export-${'0a'.repeat(8)}`)
    cpSync(join(place, reading.name), inside, { recursive: true })
    const told = examineLeftovers({ data: folder, backup: app.parts.config.backup }, Date.now)
    expect(told.map(({ says }) => says)).toEqual([
      `${join(place, reading.name)} and ${inside} were left by a restore, drill, export or import that was cut off, with much of what the database holds`,
    ])
    const given = { cwd: newFolder(), env: { ...shared, PROOFGATE_DATA: folder }, now: Date.now }
    expect((await run(exportCommand, ['--all', '--out', 'all.tar'], given)).code).toBe(0)
    expect(listOthers()).toEqual([])
    expect(existsSync(inside)).toBe(false)
  })

  test('of the folder, as tar packs it, is read as well', async () => {
    const file = join(newFolder(), 'packed.tar')
    Bun.spawnSync(['tar', '-cf', file, '-C', join(whole, '..'), 'out'])
    expect((await importInto(newFolder(), [file])).code).toBe(0)
  })

  test.each<readonly [string, readonly Member[], RegExp]>([
    [
      'leads out of its folder',
      [{ name: '../manifest.json' }],
      /"\.\.\/manifest\.json", which is no file of an export/,
    ],
    ['has an absolute name', [{ name: '/etc/proofs.jsonl' }], /which is no file of an export/],
    [
      'holds a symbolic link',
      [{ name: 'proofs.jsonl', type: 'symlink', linkname: '/etc/passwd' }],
      /\(symlink\), which is no file/,
    ],
    [
      'holds a hard link',
      [{ name: 'proofs.jsonl', type: 'link', linkname: '/etc/passwd' }],
      /\(link\), which is no file/,
    ],
    ['holds something else', [{ name: 'out/readme.txt' }], /readme\.txt", which is no file of an export/],
    ['holds a file twice', [{ name: 'a/proofs.jsonl' }, { name: 'b/proofs.jsonl' }], /holds proofs\.jsonl twice/],
    ['holds no manifest', [{ name: 'proofs.jsonl' }], /^manifest\.json is missing/],
  ])('that %s is refused, and nothing is left of it', async (_, entries, message) => {
    const folder = join(newFolder(), 'data')
    const stdin = await packEntries(entries)
    await expect(importInto(folder, ['-'], { stdin })).rejects.toThrow(message)
    expect(readdirSync(join(folder, '..'))).toEqual([])
  })

  test('that is cut off is refused', async () => {
    const { bytes } = await exportTar('-')
    const stdin = bytes.slice(0, Math.floor(bytes.length / 2))
    await expect(importInto(newFolder(), ['-'], { stdin })).rejects.toThrow(UnavailableError)
  })

  test.each([
    ['nothing', '', /is empty/],
    ['a compressed one', new Uint8Array([0x1f, 0x8b, 8, 0]), /is compressed: unpack it first/],
    ['something else', 'hello', /no tar file and no JSON/],
  ])('%s is named', async (_, stdin, message) => {
    await expect(importInto(newFolder(), ['-'], { stdin: Buffer.from(stdin) })).rejects.toThrow(message)
  })
})

/** Values for the parameters of paths. */
function listPathValues(name: string): readonly string[] {
  const rows = (sql: string): string[] => {
    const db = new Database(locateDatabaseFile(data), { readonly: true })
    const values = db
      .query<{ value: string }, []>(sql)
      .all()
      .map(({ value }) => value)
    db.close()
    return values
  }
  switch (name) {
    case 'qHash':
      return rows("SELECT '0x' || lower(hex(q_hash)) AS value FROM proofs")
    case 'address':
      return rows('SELECT address AS value FROM accounts')
    case 'gateId':
      return rows('SELECT gate_id AS value FROM gates')
    case 'receiptId':
      return rows('SELECT receipt_id AS value FROM fulfillments').map(encodeURIComponent)
    case 'version':
      return ['1']
    default:
      return ['unknown']
  }
}

const queries: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/proofs/{qHash}': ['', '?latestScope=true', '?includePortable=true', '?includePrivate=true'],
  '/api/v1/proofs/by-wallet/{address}': [
    '',
    '?includeHistory=true&includeFacets=true',
    '?includePortable=true&includeSecrets=true',
    '?allWallets=true',
    '?status=verified&q=words',
    '?limit=1',
  ],
  '/api/v1/proofs/check': [alice, bob].flatMap(({ address }) => [
    `?address=${address}&verifierIds=ownership-basic&includeQHashes=true`,
    `?address=${address}&verifierIds=wallet-link&includePrivate=true`,
    `?address=${address}&gateId=gate_${bob.address.slice(2, 10).toLowerCase()}`,
  ]),
  '/api/v1/proofs/gate/check': [
    `?address=${alice.address}&verifierIds=ownership-basic`,
    `?address=${sol.address}&verifierIds=wallet-link`,
  ],
  '/api/v1/profile/names': [`?addresses=${alice.address}`],
  '/api/v1/profile/payments': ['', '?side=sold'],
  '/api/v1/profile/payments/unmatched': ['', '?side=owed'],
}

async function listPaths(server: TestApp): Promise<readonly { readonly route: string; readonly path: string }[]> {
  const { paths } = (await server.get('/openapi.json')).body
  const pages = listPathValues('qHash').map((qHash) => ({ route: 'the page of a proof', path: `/proof/${qHash}` }))
  const routes = Object.entries<{ readonly get?: unknown }>(paths)
    .filter(([, { get }]) => get !== undefined)
    .flatMap(([route]) => {
      const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
      const filled = names.reduce(
        (some, name) => some.flatMap((one) => listPathValues(name).map((value) => one.replace(`{${name}}`, value))),
        [route],
      )
      return filled.flatMap((path) => (queries[route] ?? ['']).map((query) => ({ route, path: path + query })))
    })
  return [...routes, ...pages]
}

const ofTheServer = 'the state of the server'
const credential = 'an export holds no credential'
/** What the guide names. */
const cannotBeEqual: Readonly<Record<string, string>> = {
  '/api/v1/health': ofTheServer,
  '/api/v1/health/ready': ofTheServer,
  '/api/v1/health/detailed': ofTheServer,
  '/health': ofTheServer,
  '/health/ready': ofTheServer,
  '/api/v1/auth/nonce': 'another one each time',
  '/api/v1/auth/sessions': credential,
  '/api/v1/auth/profile-keys': credential,
  '/api/v1/auth/apps': credential,
  '/api/v1/profile/share-links': credential,
  '/api/v1/profile/share-links/{qHash}': credential,
  '/.well-known/jwks.json': 'each server signs with keys of its own',
}

const ofTheAnswer = new Set(['timestamp', 'requestId', 'nextCursor', 'cursor', 'csrfToken'])

/** Without what differs from answer to answer. */
function settle(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/ data-csrf="[0-9a-f]+"/, '')
  if (Array.isArray(value)) return value.map(settle)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (ofTheAnswer.has(name) ? [] : [[name, settle(one)]])),
  )
}
