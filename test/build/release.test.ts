/** What `npm run release` writes for one machine. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifySignature } from '../../src/release/minisign.ts'
import { writePublicKey } from '../../src/release/minisign-text.ts'
import {
  derivePublicKey,
  generateSecretKey,
  parseSecretKey,
  type SecretKey,
  writeSecretKey,
} from '../../src/release/secret-key.ts'
import { version } from '../../src/version.ts'
import { readPage } from '../guides/page.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { describeRelease, startPublisher } from '../release/publisher.ts'

setDefaultTimeout(120_000)

const project = join(import.meta.dir, '../..')
const newFolder = temporaryFolders()
const folder = join(newFolder(), 'release')
const minisign = Bun.which('minisign')
/** Made by the program of that name where it is there. */
const key = minisign === null ? generateSecretKey() : makeKey(minisign)

function makeKey(program: string): SecretKey {
  const [publicFile, secretFile] = [join(newFolder(), 'a.pub'), join(newFolder(), 'a.key')]
  Bun.spawnSync([program, '-G', '-W', '-p', publicFile, '-s', secretFile])
  return parseSecretKey(readFileSync(secretFile, 'utf8'), undefined)
}
const machine = process.arch === 'arm64' ? 'arm64' : 'x64'
const debian = process.arch === 'arm64' ? 'arm64' : 'amd64'
const target = `linux-${machine}`

function release(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, 'src/build/release.ts', ...args], {
    cwd: project,
  })
  return { exitCode, output: `${stdout}${stderr}` }
}

describe.skipIf(process.platform !== 'linux')('a release for one machine', () => {
  const files = [
    'SHA256SUMS',
    'THIRD-PARTY-NOTICES.txt',
    `proofgate-${version}-${target}`,
    `proofgate-${version}-packaging.tar.gz`,
    `proofgate-${version}.cdx.json`,
    `proofgate_${version}_${debian}.deb`,
  ]
  beforeAll(() => {
    const keyFile = join(newFolder(), 'release.key')
    writeFileSync(keyFile, writeSecretKey(key))
    mkdirSync(folder)
    for (const name of ['releases.json', 'notes.html', 'proofgate_0.0.9_amd64.deb.minisig'])
      writeFileSync(join(folder, name), '{}')
    const { exitCode, output } = release(target, '--fast', '--out', folder, '--key', keyFile)
    if (exitCode !== 0) throw new Error(output)
  })
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const run = (...command: readonly string[]) => String(Bun.spawnSync([...command], { cwd: folder }).stdout)

  test('holds executable, package, packaging, bill of materials and checksums, each with its signature', () => {
    const signed = files.flatMap((name) => [name, `${name}.minisig`])
    // Of the release before, the list stays. Files of others do.
    expect(readdirSync(folder).sort()).toEqual([...signed, 'notes.html', 'releases.json'].sort())
    for (const name of files) {
      const { trustedComment } = verifySignature(
        read(`${name}.minisig`),
        { file: join(folder, name) },
        derivePublicKey(key),
      )
      expect(trustedComment).toBe(`proofgate ${version} ${name === `proofgate-${version}-${target}` ? target : name}`)
    }
  })

  test('has the checksum of every file', () => {
    const { exitCode, stdout } = Bun.spawnSync(['sha256sum', '--check', '--strict', 'SHA256SUMS'], { cwd: folder })
    expect(exitCode).toBe(0)
    expect(String(stdout).trim().split('\n')).toHaveLength(files.length - 1)
  })

  test.skipIf(isMissing(Bun.which('minisign'), 'minisign: apt-get install minisign'))(
    'is checked by the commands of the guide',
    () => {
      writeFileSync(join(folder, 'proofgate.pub'), writePublicKey(derivePublicKey(key)))
      const lines = readPage('src/guides/packages.md')
        .blocks.filter(({ name }) => name === 'verify')
        .flatMap(({ code }) => code.trim().split('\n'))
      expect(lines).toHaveLength(2)
      for (const line of lines) {
        const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', '-c', line], { cwd: folder })
        expect({ line, exitCode, says: `${stdout}${stderr}` }).toMatchObject({ exitCode: 0 })
      }
    },
  )

  test('has an executable that accepts successors with the signature of its own key, and no others', async () => {
    await using own = startPublisher(key)
    await using other = startPublisher()
    for (const publisher of [own, other]) publisher.publish([describeRelease('99.0.0')])
    const check = async (env: Readonly<Record<string, string>>) => {
      const child = Bun.spawn([join(folder, `proofgate-${version}-${target}`), 'version', '--check'], {
        cwd: newFolder(),
        env: { PATH: process.env.PATH ?? '', ...env },
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      return { code: await child.exited, says: `${out}${err}` }
    }
    expect(await check({ PROOFGATE_UPDATES_URL: own.url })).toEqual({
      code: 0,
      says: expect.stringContaining('99.0.0 of 2026-11-27 is out'),
    })
    expect(await check({ PROOFGATE_UPDATES_URL: other.url })).toEqual({
      code: 69,
      says: expect.stringContaining('key'),
    })
    // A key of the configuration takes the place of the one that is built in.
    expect((await check(other.env)).code).toBe(0)
    expect((await check({ ...other.env, PROOFGATE_UPDATES_URL: own.url })).code).toBe(69)
  })

  test('has an executable that runs', () => {
    expect(run(`./proofgate-${version}-${target}`, '--version')).toBe(`proofgate ${version}\n`)
  })

  test('has the unit, the settings and the license in the archive', () => {
    const names = run('tar', '--list', '--gzip', '--file', `proofgate-${version}-packaging.tar.gz`).trim().split('\n')
    for (const name of ['LICENSE', 'config.example.toml', 'systemd/proofgate.service', 'proxy/'])
      expect(names).toContain(`proofgate-${version}/${name}`)
    expect(names.filter((name) => name.includes('debian'))).toEqual([])
  })
})

test.each([
  [[], 'Name the machines to release for.'],
  [['linux-x65'], 'There is no target "linux-x65".'],
  [['linux-x64', '--sign'], "Unknown option '--sign'"],
])('a call with %j is refused before anything is built', (args, message) => {
  const { exitCode, output } = release(...args, '--out', join(folder, 'never'))
  expect({ exitCode, output }).toEqual({ exitCode: 2, output: expect.stringContaining(message) })
  expect(existsSync(join(folder, 'never'))).toBe(false)
})
