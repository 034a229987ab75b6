/** An export: what it holds of whom, what stays sealed, and what its folder is like. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UnavailableError, UsageError } from '../../src/commands/command.ts'
import { exportCommand } from '../../src/commands/export.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { exporters } from '../../src/export/index.ts'
import { writeExport } from '../../src/export/write-export.ts'
import { startApp, type TestApp } from '../app.ts'
import { type Given, run } from '../commands/terminal.ts'
import { countRows, listBoundaries } from '../db/schemas/history.ts'
import { masterKey } from '../db/schemas/story.ts'
import { readPage } from '../guides/page.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { agent, alice, bob, evmWallet, mallory, sol } from '../wallets.ts'
import { type Planted, plantPerson, plantRows, writeAddress, writeMark } from './people.ts'

setDefaultTimeout(60_000)

const newFolder = temporaryFolders()
const viewer = evmWallet(`0x${'7'.repeat(64)}`)
const data = newFolder()
const env = { PROOFGATE_DATA: data, PROOFGATE_MASTER_KEY: masterKey }

let app: TestApp
let asAlice: Planted
let asBob: Planted

beforeAll(async () => {
  app = await startApp({ ...env, PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LOG_LEVEL: 'error' }, data)
  asAlice = await plantPerson(app, alice, { second: sol, viewer })
  asBob = await plantPerson(app, bob, { second: mallory, viewer: agent })
  await plantRows(app, asAlice, asBob)
  await plantRows(app, asBob, asAlice)
})
afterAll(() => app?.close())

// biome-ignore lint/suspicious/noExplicitAny: each file has lines of another shape
type Lines = any[]

async function runExport(args: readonly string[], given: Given = {}) {
  const cwd = newFolder()
  const { code, json } = await run(exportCommand, [...args, '--out', 'out', '--json'], {
    cwd,
    env,
    now: app.now,
    ...given,
  })
  expect(code).toBe(0)
  const folder = join(cwd, 'out')
  const read = (name: string): Lines =>
    readFileSync(join(folder, `${name}.jsonl`), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const text = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  return { folder, manifest: json, read, text }
}

describe('the export of a person, beside a server that runs', () => {
  test('has every kind of data of theirs, and nothing of another person', async () => {
    const { read, text } = await runExport(['--wallet', alice.address])
    const person = { accounts: [], accountIds: [], profiles: [] }
    const empty = exporters.filter((one) => one.isIn(person) && read(one.name).length === 0).map(({ name }) => name)
    // Nothing reserves a name or waits for a block. A receipt names its wallet only while the erasure goes on.
    expect(empty).toEqual(['reserved-names', 'followed-blocks', 'erasure-receipts'])
    expect(text).toContain(writeMark(alice))
    const foreign = [
      writeAddress(bob),
      writeAddress(mallory),
      writeAddress(agent),
      bob.address,
      writeMark(bob),
      asBob.browser.subjectId,
      ...asBob.qHashes,
    ]
    expect(foreign.filter((one) => text.includes(one))).toEqual([])
    // Bob bought at the gate of Alice: she sees the sale.
    expect(read('sales')).toEqual([expect.objectContaining({ gateId: asAlice.gateId, usdMicros: 4_990_000 })])
  })

  test('is the same by each of their wallets, and has the proofs of all', async () => {
    const exported = await Promise.all(
      [alice, sol].map(async ({ address }) => (await runExport(['--wallet', address])).read('proofs')),
    )
    expect(exported[1]).toEqual(exported[0])
    expect(exported[0]!.map(({ qHash }) => qHash).toSorted()).toEqual([...asAlice.qHashes].toSorted())
  })

  test('has what they see over HTTP: proofs, gates, keys, secrets, labels and links', async () => {
    const { read } = await runExport(['--wallet', alice.address])
    const { headers } = asAlice.browser
    const see = async (path: string) => (await app.get(`/api/v1/profile/${path}`, headers)).body.data
    const list = (name: string, field: string) =>
      read(name)
        .map((line) => line[field])
        .toSorted()
    const pick = (seen: Lines, field: string) => seen.map((one) => one[field]).toSorted()
    const proofs = (await app.get(`/api/v1/proofs/by-wallet/${alice.address}`, headers)).body.data.proofs
    expect(list('proofs', 'qHash')).toEqual(expect.arrayContaining(pick(proofs, 'qHash')))
    expect(proofs.length).toBeGreaterThan(0)
    expect(list('gates', 'gateId')).toEqual(pick((await see('gates')).gates, 'gateId'))
    expect(list('secrets', 'qHash')).toEqual(pick((await see('secrets')).secrets, 'id'))
    expect(list('wallet-labels', 'account')).toEqual(pick((await see('labels')).labels, 'account'))
    const keys = (await app.get('/api/v1/auth/profile-keys', headers)).body.data.keys
    expect(list('access-keys', 'keyId')).toEqual(pick(keys, 'keyId'))
    const { links } = await see(`share-links/${asAlice.qHashes[1]}`)
    expect(list('share-links', 'createdAt')).toEqual(pick(links, 'createdAt'))
  })

  test('of a wallet that nobody knows is none, and leaves no folder', async () => {
    const cwd = newFolder()
    const unknown = evmWallet(`0x${'8'.repeat(64)}`)
    const given = { cwd, env, now: app.now }
    const { code, err } = await run(exportCommand, ['--wallet', unknown.address], given)
    expect({ code, err }).toEqual({ code: 1, err: `proofgate: this server keeps nothing of ${unknown.address}\n` })
    expect(readdirSync(cwd)).toEqual([])
  })
})

describe('what is sealed', () => {
  test('stays sealed, with its context, which the master key opens', async () => {
    const { read, manifest, text } = await runExport(['--wallet', alice.address])
    expect(manifest.sealed).toBe('kept')
    expect(text).not.toContain(`private ${writeMark(alice)}`)
    expect(text).not.toContain(`secret ${writeMark(alice)}`)
    expect(text).not.toContain(`reward ${writeMark(alice)}`)
    const [secret] = read('secrets')
    expect(secret.content).toBeNull()
    expect(app.parts.sealer.open(secret.sealed.text, secret.sealed.context)).toBe(`secret ${writeMark(alice)}`)
  })

  test('is opened with --open-sealed --yes: content, portable proofs, rewards and secrets', async () => {
    const { read, manifest } = await runExport(['--wallet', alice.address, '--open-sealed', '--yes'])
    expect(manifest.sealed).toBe('opened')
    const mark = writeMark(alice)
    expect(read('contents').map(({ content }) => content)).toContain(`private ${mark}`)
    expect(read('portable-proofs')[0].portableProof).toMatchObject({ signature: expect.any(String) })
    expect(read('gate-versions')[0].rewards).toEqual([`reward ${mark}`])
    expect(read('secrets')[0]).toMatchObject({ content: `secret ${mark}`, sealed: null })
  })

  test('is opened on a terminal only for the typed words', async () => {
    const args = ['--wallet', alice.address, '--open-sealed', '--out', 'out']
    const ask = (stdin: string, isPerson = true) =>
      run(exportCommand, args, { cwd: newFolder(), env, now: app.now, isPerson, stdin })
    const agreed = await ask('open it\n')
    expect(agreed.code).toBe(0)
    expect(agreed.err).toContain('Type "open it" to go on')
    expect(await ask('yes\n')).toMatchObject({ code: 1, out: '' })
    await expect(ask('open it\n', false)).rejects.toThrow(
      new UsageError('this opens what is sealed: add --yes to confirm'),
    )
  })
})

describe('the folder', () => {
  test('is readable by its owner alone, and the manifest tells lines, bytes and hash of each file', async () => {
    const { folder, manifest } = await runExport(['--all'])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
    const { folder: _, ...written } = manifest
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toEqual(written)
    expect(readdirSync(folder).length).toBe(manifest.files.length + 1)
    for (const { file, lines, bytes, sha256 } of manifest.files) {
      const content = readFileSync(join(folder, file))
      expect(content.toString().split('\n').length - 1).toBe(lines)
      expect(content.length).toBe(bytes)
      expect(new Bun.CryptoHasher('sha256').update(content).digest('hex')).toBe(sha256)
    }
  })

  test('tells one moment, whatever is written meanwhile', async () => {
    const target = join(newFolder(), 'out')
    let wrote = 0
    const other = new Database(locateDatabaseFile(data))
    const sealer = {
      ...app.parts.sealer,
      // Contents are written before operators.
      open(sealed: string, context: string) {
        other.run("INSERT INTO operators (account, created_at) VALUES ('meanwhile' || ?, 1)", [wrote++])
        return app.parts.sealer.open(sealed, context)
      },
    }
    const before = countRows(other, 'operators')
    const written = await writeExport(target, {
      folder: data,
      now: 1,
      version: '1',
      account: undefined,
      sealer,
      opensSealed: true,
    })
    expect(wrote).toBeGreaterThan(0)
    expect(written?.files.find(({ file }) => file === 'operators.jsonl')?.lines).toBe(before)
    other.run("DELETE FROM operators WHERE account LIKE 'meanwhile%'")
    other.close()
  })

  test('is not left half written by a fault', async () => {
    const place = newFolder()
    const sealer = {
      ...app.parts.sealer,
      open: () => {
        throw new Error('does not open')
      },
    }
    const options = { folder: data, now: 1, version: '1', account: undefined, sealer, opensSealed: true }
    await expect(writeExport(join(place, 'out'), options)).rejects.toThrow('does not open')
    expect(readdirSync(place)).toEqual([])
  })

  test('removes what a killed one left at its place an hour ago, and nothing else', async () => {
    const cwd = newFolder()
    const plant = (name: string, agedMs: number): void => {
      const file = join(cwd, name, 'proofs.jsonl')
      mkdirSync(join(cwd, name))
      writeFileSync(file, '')
      for (const path of [file, join(cwd, name)])
        utimesSync(path, new Date(Date.now() - agedMs), new Date(Date.now() - agedMs))
    }
    const hour = 3_600_000
    const unfinished = '.unfinished-00112233445566aa'
    plant(`old${unfinished}`, 1.1 * hour)
    plant(`under-way${unfinished}`, 0.5 * hour)
    plant('old.unfinished-work', 2 * hour)
    for (const out of ['folder', 'file.tar'])
      expect((await run(exportCommand, ['--all', '--out', out], { cwd, env, now: app.now })).code).toBe(0)
    expect(readdirSync(cwd).toSorted()).toEqual(['file.tar', 'folder', 'old.unfinished-work', `under-way${unfinished}`])
  })

  test.each(['all.tgz', 'all.tar.gz', 'all.zip'])('is not compressed, and %s is refused', async (out) => {
    const cwd = newFolder()
    await expect(run(exportCommand, ['--all', '--out', out], { cwd, env, now: app.now })).rejects.toThrow(
      /an export is not compressed: name FILE\.tar/,
    )
    expect(readdirSync(cwd)).toEqual([])
  })

  test('is never one that is there, and is refused where nothing names whose export it is', async () => {
    const cwd = newFolder()
    const given = { cwd, env, now: app.now }
    await expect(run(exportCommand, ['--all', '--out', '.'], given)).rejects.toThrow(/is there already/)
    await expect(run(exportCommand, [], given)).rejects.toThrow(UsageError)
    await expect(run(exportCommand, ['--all', '--wallet', alice.address], given)).rejects.toThrow(UsageError)
    await expect(run(exportCommand, ['--all', '--out', 'no/such/folder'], given)).rejects.toThrow(UnavailableError)
  })
})

describe('the export of a server with rows in every table', () => {
  const guide = readPage('src/guides/exporting.md').text
  const rows = [...guide.matchAll(/^\| `([a-z-]+)\.jsonl` \| [^|]+ \| ([^|]+) \|$/gm)]
  const documented = new Map(
    rows.map(([, name, fields]) => [name!, [...fields!.matchAll(/`(\w+)`/g)].map(([, one]) => one!)]),
  )

  test('has the files and fields that the guide names, and a line for each row', async () => {
    const folder = newFolder()
    const { image } = listBoundaries().at(-1)!
    writeFileSync(locateDatabaseFile(folder), image)
    const whole = await runExport(['--all'], { env: { ...env, PROOFGATE_DATA: folder } })
    const db = Database.deserialize(image)
    for (const exporter of exporters) {
      const fields = documented.get(exporter.name)
      if (!exporter.isIn(undefined)) continue
      const lines = whole.read(exporter.name)
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines) expect([exporter.name, Object.keys(line)]).toEqual([exporter.name, fields!])
      // Of these, some rows stand for an erasure that goes on.
      if (!['accounts', 'fulfillments', 'guest-passes'].includes(exporter.name))
        expect([exporter.name, lines.length]).toEqual([exporter.name, countRows(db, exporter.tables[0]!)])
    }
    db.close()
    const { read } = await runExport(['--wallet', alice.address])
    for (const name of ['sales', 'owed-payments']) expect(Object.keys(read(name)[0])).toEqual(documented.get(name)!)
    expect([...documented.keys()]).toEqual(exporters.map(({ name }) => name))
    expect(existsSync(join(whole.folder, 'sales.jsonl'))).toBe(false)
  })
})
