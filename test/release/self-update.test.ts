/** `proofgate self-update`, as the executable that replaces itself. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { buildExecutable } from '../../src/build/executable.ts'
import { selfUpdate } from '../../src/commands/self-update.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { findPackage } from '../../src/release/file-manager.ts'
import { clearAside, describeProgramFile, requireRoom } from '../../src/release/program-file.ts'
import type { Release } from '../../src/release/release-list.ts'
import { readTarget } from '../../src/release/target.ts'
import { version } from '../../src/version.ts'
import { run as runHere } from '../commands/terminal.ts'
import { buildNext, findCurrent, next as nextBuild } from '../parts/build-copy.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { describeRelease, type Publisher, startPublisher } from './publisher.ts'

setDefaultTimeout(120_000)

const folders = temporaryFolders()
const target = readTarget()
const next = nextBuild.version
const canChangeUser = process.getuid?.() === 0 && Bun.which('setpriv') !== null

let current = ''
let newer = ''
let publisher: Publisher
beforeAll(() => {
  current = findCurrent()
  newer = buildNext()
  publisher = startPublisher()
})
afterAll(() => publisher[Symbol.asyncDispose]())

/** A folder with the executable alone. */
function install(folder = folders()): string {
  const file = join(folder, 'proofgate')
  try {
    linkSync(current, file)
  } catch {
    // Another disk.
    copyFileSync(current, file)
  }
  return file
}

async function run(
  file: string,
  args: readonly string[],
  { user = [], env = publisher.env, cwd = '/' } = {} as {
    readonly user?: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    readonly cwd?: string
  },
) {
  const child = Bun.spawn([...user, file, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: '/nowhere', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

const update = (file: string, args: readonly string[] = [], how: Parameters<typeof run>[2] = {}) =>
  run(file, ['self-update', ...args], how)

const readVersion = async (file: string): Promise<string> => (await run(file, ['version'])).out

/** Publishes the newer executable, or other bytes in its place. */
function publish(content = readFileSync(newer), more: Partial<Release> = {}): Release['files'][string] {
  const entry = publisher.publishFile(next, target, content)
  publisher.publish([describeRelease(version), describeRelease(next, { files: { [target]: entry }, ...more })])
  return entry
}

describe('the executable', () => {
  test('replaces itself beside a running server, keeps the previous version, and exchanges both', async () => {
    const file = install()
    publish()
    const server = Bun.spawn([file, 'serve', '--json'], {
      cwd: folders(),
      env: { PROOFGATE_PORT: '0', PROOFGATE_DATA: 'data' },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const { value } = await server.stdout.getReader().read()
    const { baseUrl } = JSON.parse(new TextDecoder().decode(value)) as { baseUrl: string }

    const dry = await update(file, ['--dry-run'])
    expect([dry.code, dry.out]).toEqual([0, expect.stringContaining(`This version, ${version}, would be kept`)])
    expect(readdirSync(join(file, '..'))).toEqual(['proofgate'])

    const done = await update(file)
    expect(done).toMatchObject({ code: 0, err: '' })
    expect(done.out).toContain(`${file} is ${next} now. This version, ${version}, is ${file}.previous.`)
    expect(done.out).toContain('It brings migrations')
    expect(done.out).toContain(`A server that runs goes on with ${version}`)
    expect(readdirSync(join(file, '..')).sort()).toEqual(['proofgate', 'proofgate.previous'])
    expect(statSync(file).mode & 0o777).toBe(statSync(current).mode & 0o777)
    expect([await readVersion(file), await readVersion(`${file}.previous`)]).toEqual([
      `proofgate ${next}\n`,
      `proofgate ${version}\n`,
    ])
    expect(await (await fetch(`${baseUrl}/api/v1/health`)).json()).toMatchObject({ data: { version } })
    server.kill()
    expect(await server.exited).toBe(0)

    expect((await update(file)).out).toContain(`proofgate ${next} is this release already: nothing to do.`)
    const back = await update(file, ['--rollback', '--json'])
    expect(JSON.parse(back.out)).toEqual({
      from: next,
      dryRun: false,
      to: version,
      path: file,
      previous: `${file}.previous`,
      warnings: [],
    })
    expect([await readVersion(file), await readVersion(`${file}.previous`)]).toEqual([
      `proofgate ${version}\n`,
      `proofgate ${next}\n`,
    ])
  })

  test.skipIf(isMissing(canChangeUser, 'a file of another user: run as root'))(
    'keeps owner and mode of its file when root replaces it',
    async () => {
      const file = join(folders(), 'proofgate')
      copyFileSync(current, file)
      chmodSync(file, 0o750)
      chownSync(file, 65_534, 65_533)
      publish(Buffer.from(`#!/bin/sh\necho proofgate ${next}\n`))

      expect((await update(file)).code).toBe(0)
      for (const name of [file, `${file}.previous`]) {
        const { uid, gid, mode } = statSync(name)
        expect([uid, gid, mode & 0o777]).toEqual([65_534, 65_533, 0o750])
      }
    },
  )

  test('is not replaced by an older release, nor by one that is not listed', async () => {
    const file = install()
    publisher.publish([describeRelease('0.0.9'), describeRelease(version)])

    expect(await update(file, ['--to', '0.0.9'])).toMatchObject({
      code: 69,
      err: expect.stringContaining(`0.0.9 is older than this version, ${version}`),
    })
    expect(await update(file, ['--to', '5.0.0'])).toMatchObject({
      code: 69,
      err: expect.stringContaining('there is no release 5.0.0'),
    })
    expect(await update(file)).toMatchObject({ code: 0, out: expect.stringContaining('nothing to do') })
    expect(await update(file, ['--rollback'])).toMatchObject({
      code: 69,
      err: expect.stringContaining('there is no previous version'),
    })
    expect(readdirSync(join(file, '..'))).toEqual(['proofgate'])
  })
})

const pickIdentity = ({ ino, size, mtimeMs }: Stats) => ({ ino, size, mtimeMs })

describe('a file is refused, and the executable stays as it was:', () => {
  const script = (text: string) => Buffer.from(`#!/bin/sh\n${text}\n`)
  const name = `/proofgate-${next}-${target}`

  test.each<[string, () => void, string]>([
    [
      'altered on the way',
      () => {
        const bytes = Buffer.from('right')
        publish(bytes)
        publisher.served.set(name, Buffer.from('wrong'))
      },
      'another SHA-256',
    ],
    [
      'truncated',
      () => {
        publish(Buffer.from('right'))
        publisher.served.set(name, Buffer.from('rig'))
      },
      'has 3 bytes, and the list of releases says 5',
    ],
    [
      'longer than it says',
      () => {
        publish(Buffer.from('right'))
        publisher.served.set(name, Buffer.from('rights'))
      },
      'has 6 bytes, and the list of releases says 5',
    ],
    [
      'missing',
      () => {
        publish(Buffer.from('right'))
        publisher.served.delete(name)
      },
      'answered 404',
    ],
    [
      'without its signature',
      () => {
        publish(Buffer.from('right'))
        publisher.served.delete(`${name}.minisig`)
      },
      'answered 404',
    ],
    [
      'under the signature of another machine',
      () => {
        publish(Buffer.from('right'))
        publisher.served.set(`${name}.minisig`, publisher.sign('right', `proofgate ${next} windows-x64`))
      },
      `the signature is of "proofgate ${next} windows-x64"`,
    ],
    [
      'under the signature of another version',
      () => {
        publish(Buffer.from('right'))
        publisher.served.set(`${name}.minisig`, publisher.sign('right', `proofgate 1.0.0 ${target}`))
      },
      `the signature is of "proofgate 1.0.0 ${target}"`,
    ],
    [
      'under the signature of another file',
      () => {
        publish(Buffer.from('right'))
        publisher.served.set(`${name}.minisig`, publisher.sign('wrong', `proofgate ${next} ${target}`))
      },
      'is not of this content',
    ],
    [
      'for another machine alone',
      () =>
        publisher.publish([
          describeRelease(next, { files: { 'plan9-x64': publisher.publishFile(next, 'plan9-x64', Buffer.from('x')) } }),
        ]),
      `has no file for this machine, ${target}: its files are for plan9-x64`,
    ],
    [
      'that does not start here',
      () => publish(Buffer.from('\x7fELF of another machine')),
      'cannot be started on this machine',
    ],
    ['that ends with an error', () => publish(script('exit 3')), 'cannot be started on this machine (exit code 3)'],
    ['that is another program', () => publish(script('echo hello')), 'is no proofgate'],
    ['that is another version', () => publish(script('echo proofgate 1.2.3')), 'says that it is 1.2.3'],
    [
      'at an address that is none',
      () => {
        const entry = publish(Buffer.from('x'))
        publisher.publish([describeRelease(next, { files: { [target]: { ...entry, url: 'file:///etc/passwd' } } })])
      },
      'no address that may be called',
    ],
  ])('%s', async (_, prepare, says) => {
    const file = install()
    const before = statSync(file)
    prepare()

    const refused = await update(file)
    expect([refused.code, refused.err]).toEqual([69, expect.stringContaining(says)])
    expect(readdirSync(join(file, '..'))).toEqual(['proofgate'])
    expect(pickIdentity(statSync(file))).toEqual(pickIdentity(before))
  })
})

describe('nothing is replaced', () => {
  test('that runs from its sources', async () => {
    await expect(runHere(selfUpdate, [])).rejects.toThrow('this runs from its sources')
  })

  test.skipIf(isMissing(canChangeUser, 'the folder of another user: run as root, with util-linux'))(
    'in a folder of another user, who is named',
    async () => {
      const file = install()
      chmodSync(join(file, '..'), 0o755)
      publish()

      const refused = await update(file, [], { user: ['setpriv', '--reuid=65534', '--clear-groups'] })
      expect([refused.code, refused.err]).toEqual([
        69,
        expect.stringContaining(`may not write to ${join(file, '..')}, which belongs to root (user 0)`),
      ])
    },
  )

  test('where the disk has too little room', () => {
    const file = describeProgramFile(join(folders(), 'proofgate'))
    expect(() => requireRoom(file, 1e15)).toThrow('and the new version needs 953674333 MiB')
    requireRoom(file, 1)
  })

  test('while another run is writing, and what an interrupted one left is cleared away', () => {
    const file = describeProgramFile(join(folders(), 'proofgate'))
    writeFileSync(file.aside, 'half')
    const { mtimeMs } = statSync(file.aside)

    expect(() => clearAside(file, mtimeMs + 10_000)).toThrow('another self-update is under way')
    clearAside(file, mtimeMs + 600_000)
    expect(existsSync(file.aside)).toBe(false)
  })

  test('that belongs to a package, which is named', () => {
    const dpkg = folders()
    writeFileSync(join(dpkg, 'proofgate:amd64.list'), '/.\n/opt\n/opt/proofgate\n')

    expect(findPackage('/opt/proofgate', dpkg)?.mend).toContain('apt install --only-upgrade proofgate')
    expect(findPackage('/usr/bin/proofgate', dpkg)?.mend).toContain("the system's package manager")
    expect(findPackage('/usr/local/bin/proofgate', dpkg)).toBeUndefined()
    expect(findPackage('/opt/other', dpkg)).toBeUndefined()
  })

  test.skipIf(isMissing(existsSync('/var/lib/dpkg/info/coreutils.list'), 'packages of Debian: run on Debian'))(
    'that a real package brought',
    () => {
      expect(findPackage('/usr/bin/env')?.packageName).toBe('coreutils')
      expect(findPackage('/bin/cat')?.packageName).toBe('coreutils')
    },
  )
})

test
  .skipIf(isMissing(Bun.which('strace') || process.env.CI, 'a killed self-update: apt-get install strace'))
  .each([1, 2])(
  'killed at the rename number %d, it leaves an executable in place, and the next run ends the work',
  async (number) => {
    const file = install()
    publish(Buffer.from(`#!/bin/sh\necho proofgate ${next}\n`))
    const kill = [
      'strace',
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      'trace=/rename',
      '-e',
      `inject=/rename:signal=KILL:when=${number}`,
    ]

    expect((await update(file, [], { user: kill })).code).not.toBe(0)
    expect(await readVersion(file)).toBe(`proofgate ${version}\n`)
    rmSync(`${file}.update`, { force: true })
    expect((await update(file)).code).toBe(0)
    expect([await readVersion(file), await readVersion(`${file}.previous`)]).toEqual([
      `proofgate ${next}\n`,
      `proofgate ${version}\n`,
    ])
  },
)

test('an executable with a key of its own takes releases of that key alone, until a setting names another', async () => {
  const folder = folders()
  const { file } = await buildExecutable(undefined, { folder, releaseKey: publisher.publicKey })
  const stranger = startPublisher()
  const entry = stranger.publishFile(next, target, readFileSync(newer))
  stranger.publish([describeRelease(next, { files: { [target]: entry } })])
  publish()
  const refused = await update(file, [], { env: { PROOFGATE_UPDATES_URL: stranger.url } })
  expect(refused).toMatchObject({ code: 69, err: expect.stringContaining('the signature was made with the key') })
  expect(await readVersion(file)).toBe(`proofgate ${version}\n`)

  expect(await update(file, [], { env: { PROOFGATE_UPDATES_URL: publisher.url } })).toMatchObject({ code: 0, err: '' })
  expect(await readVersion(file)).toBe(`proofgate ${next}\n`)
  expect((await update(file, ['--rollback'])).code).toBe(0)
  expect(await update(file, [], { env: stranger.env })).toMatchObject({ code: 0, err: '' })
  expect(await readVersion(file)).toBe(`proofgate ${next}\n`)
  await stranger[Symbol.asyncDispose]()
})

test('a rollback warns where the data folder holds migrations that the previous version does not know', async () => {
  const file = install()
  const data = folders()
  const db = new Database(locateDatabaseFile(data))
  db.run('CREATE TABLE migrations (name TEXT, sha256 TEXT, applied_at INTEGER)')
  db.run("INSERT INTO migrations VALUES ('0030_older', '', 0), ('0031_newer', '', 0)")
  db.close()
  const rollBack = async (schema: string): Promise<string> => {
    writeFileSync(`${file}.previous`, `#!/bin/sh\necho '{"version":"0.0.9","schema":"${schema}"}'\n`, { mode: 0o755 })
    const dry = await update(file, ['--rollback', '--dry-run'], { env: { PROOFGATE_DATA: data } })
    expect([dry.code, dry.out]).toEqual([0, expect.stringContaining('would be 0.0.9 again')])
    return dry.out
  }

  expect(await rollBack('0030_older')).toContain(
    `Careful: 0.0.9 refuses to start on the data folder ${data}, which holds the migration 0031_newer.`,
  )
  expect(await rollBack('0031_newer')).not.toContain('Careful')
})
