/** What `npm run release:list` makes of a folder of signed files, read as servers read it. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signContent, verifySignature } from '../../src/release/minisign.ts'
import { parseReleaseList, writeFileComment, writeListComment } from '../../src/release/release-list.ts'
import { derivePublicKey, generateSecretKey, writeSecretKey } from '../../src/release/secret-key.ts'
import { temporaryFolders } from '../parts/folders.ts'

const newFolder = temporaryFolders()
const key = generateSecretKey()

function makeFolder(): { readonly folder: string; readonly keyFile: string } {
  const keyFile = join(newFolder(), 'release.key')
  writeFileSync(keyFile, writeSecretKey(key))
  return { folder: newFolder(), keyFile }
}

function add(folder: string, version: string, target: string, signed = `executable ${version} ${target}`): void {
  const file = join(folder, `proofgate-${version}-${target}`)
  writeFileSync(file, `executable ${version} ${target}`)
  writeFileSync(`${file}.minisig`, signContent(signed, key, { trusted: writeFileComment(version, target) }))
}

async function list(...args: readonly string[]) {
  const child = Bun.spawn([process.execPath, 'src/build/list-release.ts', ...args], {
    cwd: join(import.meta.dir, '../..'),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, output: out + err }
}

function read(folder: string) {
  const text = readFileSync(join(folder, 'releases.json'), 'utf8')
  const signature = readFileSync(join(folder, 'releases.json.minisig'), 'utf8')
  const { trustedComment } = verifySignature(signature, text, derivePublicKey(key))
  const releases = parseReleaseList(text)
  expect(trustedComment).toBe(writeListComment(releases))
  return releases
}

test('each release joins the ones before, under a serial that grows', async () => {
  const { folder, keyFile } = makeFolder()
  add(folder, '1.0.0', 'linux-x64')
  expect(await list(folder, '--key', keyFile, '--severity', 'normal')).toMatchObject({ code: 0 })
  expect(read(folder)).toMatchObject({ serial: 1, releases: [{ version: '1.0.0', severity: 'normal' }] })

  add(folder, '1.10.0', 'linux-x64')
  add(folder, '1.10.0', 'darwin-arm64')
  add(folder, '1.10.0', 'proofgate-1.10.0.cdx.json')
  const { code, output } = await list(
    folder,
    '--key',
    keyFile,
    '--severity',
    'security',
    '--notes',
    'https://a.example',
  )
  expect([code, output]).toEqual([0, expect.stringContaining('serial 2, 1.10.0 for')])
  const { serial, releases } = read(folder)
  expect([serial, releases.map(({ version }) => version)]).toEqual([2, ['1.10.0', '1.0.0']])
  const content = 'executable 1.10.0 linux-x64'
  expect(releases[0]).toMatchObject({
    severity: 'security',
    notes: 'https://a.example',
    files: {
      'darwin-arm64': expect.anything(),
      'linux-x64': {
        url: 'proofgate-1.10.0-linux-x64',
        size: content.length,
        sha256: new Bun.CryptoHasher('sha256').update(content).digest('hex'),
      },
    },
  })
  expect(Object.keys(releases[0]!.files).sort()).toEqual(['darwin-arm64', 'linux-x64'])
})

test('a file that was altered after it was signed is not listed', async () => {
  const { folder, keyFile } = makeFolder()
  add(folder, '1.0.0', 'linux-x64', 'something else')

  const { code, output } = await list(folder, '--key', keyFile, '--severity', 'normal')
  expect([code, output]).toEqual([2, expect.stringContaining('not of this content')])
  expect(existsSync(join(folder, 'releases.json'))).toBe(false)
})

test.each([
  ['no folder', [], 'Name one folder.'],
  ['no severity', ['x'], '--severity is normal or security.'],
  ['no key', ['x', '--severity', 'normal'], 'Name the secret key with --key.'],
  ['an unknown option', ['x', '--serial', '3'], "Unknown option '--serial'"],
])('a call with %s is refused', async (_, args, says) => {
  const { code, output } = await list(...args)
  expect([code, output]).toEqual([2, expect.stringContaining(says)])
})

test('a folder without a signed executable is refused', async () => {
  const { folder, keyFile } = makeFolder()
  const { code, output } = await list(folder, '--key', keyFile, '--severity', 'normal')
  expect([code, output]).toEqual([2, expect.stringContaining('There is no signed executable')])
})
