/** A backup is read as it was written, or refused with the reason: cut off, changed, put together, of another program. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { extract, pack } from 'tar-stream'
import { makeBackup } from '../../src/backup/make-backup.ts'
import { readArchive } from '../../src/backup/read-archive.ts'
import { openFolderTarget } from '../../src/backup/targets/folder.ts'
import { makeDataFolder } from '../commands/data-folder.ts'
import { temporaryFolders } from '../db/store.ts'

const newFolder = temporaryFolders()
const passphrase = 'correct horse battery'
const made: { folder: string; plain: Uint8Array; sealed: Uint8Array; other: Uint8Array } = {
  folder: '',
  plain: new Uint8Array(),
  sealed: new Uint8Array(),
  other: new Uint8Array(),
}

const backUp = async (folder: string, name: string, phrase?: string): Promise<Uint8Array> => {
  await makeBackup(openFolderTarget(join(folder, 'out')), name, {
    folder,
    now: () => 1_767_225_600_000,
    version: '1.2.3',
    passphrase: phrase,
    secrets: phrase ? { 'master.key': Buffer.from('a key'), 'proofgate.toml': Buffer.from('port = 1') } : {},
  })
  return readFileSync(join(folder, 'out', name))
}

beforeAll(async () => {
  made.folder = newFolder()
  makeDataFolder(made.folder)
  made.plain = await backUp(made.folder, 'plain.backup')
  made.sealed = await backUp(made.folder, 'sealed.backup', passphrase)
  made.other = await backUp(made.folder, 'other.backup', passphrase)
})

async function* feed(bytes: Uint8Array, chunkBytes = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

async function read(bytes: Uint8Array, phrase?: string) {
  const pieces: Record<string, Uint8Array[]> = {}
  const secrets: Record<string, string> = {}
  const manifest = await readArchive(feed(bytes), phrase, {
    takePiece(file, piece) {
      pieces[file] ??= []
      pieces[file].push(piece)
    },
    takeSecret(file, secret) {
      secrets[file] = Buffer.from(secret).toString()
    },
  })
  return { manifest, secrets, database: Buffer.concat(pieces['proofgate.sqlite'] ?? []) }
}

const refusalOf = (bytes: Uint8Array, phrase?: string): Promise<string> =>
  read(bytes, phrase).then(
    () => 'it was read',
    (error: Error) => `${error.name}: ${error.message}`,
  )

interface Member {
  readonly name: string
  readonly content: Buffer
}

async function unpack(bytes: Uint8Array): Promise<Member[]> {
  const tar = extract()
  tar.end(bytes)
  const members: Member[] = []
  for await (const entry of tar) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    members.push({ name: entry.header.name, content: Buffer.concat(parts) })
  }
  return members
}

async function packAgain(members: readonly Member[]): Promise<Uint8Array> {
  const tar = pack()
  for (const { name, content } of members) tar.entry({ name }, content)
  tar.finalize()
  const parts: Buffer[] = []
  for await (const part of tar) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** A manifest that fits its check, over members that were exchanged. */
const withManifest = (members: readonly Member[], change: (manifest: Record<string, never>) => void): Member[] => {
  const manifest = JSON.parse(members.find(({ name }) => name === 'manifest.json')!.content.toString())
  change(manifest)
  const content = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  const check = Buffer.from(`sha256:${createHash('sha256').update(content).digest('hex')}\n`)
  return members.map((member) =>
    member.name === 'manifest.json'
      ? { ...member, content }
      : member.name === 'manifest.check'
        ? { ...member, content: check }
        : member,
  )
}

describe('a backup that is whole', () => {
  test('gives the database back byte for byte, with its manifest', async () => {
    const { manifest, database } = await read(made.plain)
    expect(database.equals(readFileSync(join(made.folder, 'proofgate.sqlite')))).toBe(true)
    expect(manifest).toMatchObject({
      header: { format: 1, version: '1.2.3', createdAt: '2026-01-01T00:00:00.000Z', sealed: null },
      without: ['master.key', 'proofgate.toml'],
      counts: { proofs: 0, migrations: manifest.counts.migrations },
    })
  })

  test('sealed, gives the secrets back as well, and shows nothing of the database', async () => {
    const { database, secrets, manifest } = await read(made.sealed, passphrase)
    expect(database.equals(readFileSync(join(made.folder, 'proofgate.sqlite')))).toBe(true)
    expect(secrets).toEqual({ 'master.key': 'a key', 'proofgate.toml': 'port = 1' })
    expect(manifest.without).toEqual([])
    for (const { name, content } of await unpack(made.sealed))
      if (name.startsWith('proofgate.sqlite/')) expect(() => Bun.zstdDecompressSync(content)).toThrow()
  })

  test('unsealed, is restored by tar and zstd alone', async () => {
    const members = await unpack(made.plain)
    const frames = members.filter(({ name }) => name.startsWith('proofgate.sqlite/')).map(({ content }) => content)
    const database = Buffer.concat(frames.map((frame) => Bun.zstdDecompressSync(frame)))
    expect(database.equals(readFileSync(join(made.folder, 'proofgate.sqlite')))).toBe(true)
  })
})

describe('a backup that is refused', () => {
  test.each([
    ['empty', () => new Uint8Array(), /no backup that Proofgate made/],
    ['of random bytes', () => crypto.getRandomValues(new Uint8Array(20_000)), /no backup that Proofgate made/],
    ['a database and no backup', () => readFileSync(join(made.folder, 'proofgate.sqlite')), /no backup that Proofgate/],
  ])('%s', async (_, make, says) => {
    expect(await refusalOf(make())).toMatch(says)
  })

  test('a tar file of another program', async () => {
    expect(await refusalOf(await packAgain([{ name: 'index.html', content: Buffer.from('hello') }]))).toMatch(
      /^BackupError: this is no backup that Proofgate made/,
    )
  })

  test('cut off anywhere', async () => {
    const step = Math.floor(made.sealed.length / 12)
    for (let at = 512; at < made.sealed.length - 1024; at += step) {
      const says = await refusalOf(made.sealed.subarray(0, at), passphrase)
      expect(says).toMatch(/^BackupError: (the backup was cut off|this is no backup)/)
    }
  })

  test('with one changed bit anywhere in its members', async () => {
    for (const [bytes, phrase, turns] of [
      [made.plain, undefined, 8],
      // Each guess of a passphrase takes a third of a second.
      [made.sealed, passphrase, 2],
    ] as const) {
      const members = await unpack(bytes)
      for (const [place, { name, content }] of members.entries())
        for (let turn = 0; turn < turns; turn++) {
          const changed = Buffer.from(content)
          const at = Math.floor((turn / turns) * changed.length)
          changed[at]! ^= 1 << turn
          const altered = members.map((member, index) => (index === place ? { name, content: changed } : member))
          expect(await refusalOf(await packAgain(altered), phrase)).toMatch(/^BackupError: /)
        }
    }
  })

  test('with a member of another backup under the same passphrase', async () => {
    const [members, others] = [await unpack(made.sealed), await unpack(made.other)]
    const mixed = members.map((member) =>
      member.name.startsWith('proofgate.sqlite/') ? others.find(({ name }) => name === member.name)! : member,
    )
    expect(await refusalOf(await packAgain(mixed), passphrase)).toMatch(/was changed, or belongs to another backup/)
  })

  test('with two members exchanged', async () => {
    const members = await unpack(made.sealed)
    const [key, config] = ['master.key.sealed', 'proofgate.toml.sealed'].map((name) =>
      members.findIndex((member) => member.name === name),
    ) as [number, number]
    const mixed = [...members]
    mixed[key] = { name: members[key]!.name, content: members[config]!.content }
    mixed[config] = { name: members[config]!.name, content: members[key]!.content }
    expect(await refusalOf(await packAgain(mixed), passphrase)).toMatch(/was changed, or belongs to another backup/)
  })

  test('with a member that is missing, comes twice, or stands elsewhere', async () => {
    const members = await unpack(made.plain)
    const piece = members.findIndex(({ name }) => name.startsWith('proofgate.sqlite/'))
    for (const altered of [
      members.filter((_, index) => index !== piece),
      [...members.slice(0, piece + 1), ...members.slice(piece)],
      [members[0]!, ...members.slice(1).reverse()],
      [...members, { name: 'more', content: Buffer.from('more') }],
    ])
      expect(await refusalOf(await packAgain(altered))).toMatch(/^BackupError: /)
  })

  test('whose manifest lies about its members or its header', async () => {
    const members = await unpack(made.plain)
    for (const change of [
      (manifest: { members: { sha256: string }[] }) => {
        manifest.members[1]!.sha256 = '0'.repeat(64)
      },
      (manifest: { members: unknown[] }) => void manifest.members.pop(),
      (manifest: { header: { version: string } }) => {
        manifest.header.version = '9.9.9'
      },
    ])
      expect(await refusalOf(await packAgain(withManifest(members, change as never)))).toMatch(
        /lists other members|contradict each other/,
      )
  })

  test('of a format of tomorrow', async () => {
    const members = await unpack(made.plain)
    const header = { ...JSON.parse(members[0]!.content.toString()), format: 2 }
    const altered = [{ name: 'header.json', content: Buffer.from(JSON.stringify(header)) }, ...members.slice(1)]
    expect(await refusalOf(await packAgain(altered))).toMatch(/has format 2, and this Proofgate reads format 1/)
  })

  test('with a piece that unpacks to more than a piece', async () => {
    const members = await unpack(made.plain)
    const bomb = Bun.zstdCompressSync(new Uint8Array(64 * 1_048_576))
    const altered = members.map((member) =>
      member.name.startsWith('proofgate.sqlite/') ? { ...member, content: Buffer.from(bomb) } : member,
    )
    expect(await refusalOf(await packAgain(altered))).toMatch(/is damaged: it cannot be unpacked/)
  })

  test('without its passphrase, or with another one', async () => {
    expect(await refusalOf(made.sealed)).toMatch(/sealed under a passphrase, and none was given.*BACKUP_PASSPHRASE/)
    expect(await refusalOf(made.sealed, 'another passphrase')).toMatch(/the passphrase is not the one of this backup/)
  })
})

test('a file that is there is not replaced, and a backup that fails leaves nothing behind', async () => {
  const target = openFolderTarget(join(made.folder, 'taken'))
  await target.create('one.backup').then((sink) => sink.finish())
  const options = { folder: made.folder, now: Date.now, version: '1', passphrase: undefined, secrets: {} }
  await expect(makeBackup(target, 'one.backup', options)).rejects.toThrow(/there is a file .*one\.backup already/)
  writeFileSync(join(made.folder, 'taken', 'proofgate-foreign.txt'), 'mine')
  expect((await target.list('')).map(({ name }) => name)).toEqual(['one.backup', 'proofgate-foreign.txt'])
})
