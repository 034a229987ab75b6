/** `npm run release:list`: adds a signed release to the list that `version --check` and `self-update` read. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { signContent, verifySignature } from '../release/minisign.ts'
import { type PublicKey, parseSignature } from '../release/minisign-text.ts'
import {
  parseReleaseList,
  type Release,
  type ReleaseFile,
  type ReleaseList,
  writeListComment,
  writeReleaseList,
} from '../release/release-list.ts'
import { derivePublicKey, parseSecretKey } from '../release/secret-key.ts'
import { isTarget } from './targets.ts'

const help = `bun src/build/list-release.ts FOLDER --key FILE --severity normal|security [--notes ADDRESS]

  FOLDER              the signed files of "npm run release", and releases.json of the releases before
  --key FILE          the secret key of minisign that signed them. Its passphrase, if it has one, is in
                      RELEASE_PASSPHRASE
  --severity WORD     security where the release mends something unsafe
  --notes ADDRESS     where people read what changes

Writes releases.json and releases.json.minisig into FOLDER. Serve the folder at the address of updates.url.
`

process.exitCode = await listRelease(process.argv.slice(2))

async function listRelease(args: readonly string[]): Promise<number> {
  try {
    const { folder, key, severity, notes } = readArguments(args)
    const file = join(folder, 'releases.json')
    const before = existsSync(file) ? parseReleaseList(readFileSync(file, 'utf8')) : undefined
    const at = new Date()
    const release: Release = {
      ...collectFiles(folder, derivePublicKey(key)),
      date: at.toISOString().slice(0, 10),
      severity,
      ...(notes === undefined ? {} : { notes }),
    }
    const others = (before?.releases ?? []).filter(({ version }) => version !== release.version)
    const list: ReleaseList = {
      format: 'proofgate-releases-1',
      serial: (before?.serial ?? 0) + 1,
      date: `${at.toISOString().slice(0, 19)}Z`,
      releases: [release, ...others],
    }
    // Whoever reads it is as strict.
    const text = writeReleaseList(parseReleaseList(writeReleaseList(list)))
    writeFileSync(file, text)
    writeFileSync(`${file}.minisig`, signContent(text, key, { trusted: writeListComment(list) }))
    console.log(`${file}: serial ${list.serial}, ${release.version} for ${Object.keys(release.files).join(', ')}`)
    return 0
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${help}`)
    return 2
  }
}

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { key: { type: 'string' }, severity: { type: 'string' }, notes: { type: 'string' } },
    allowPositionals: true,
  })
  const [folder] = positionals
  const { severity, notes } = values
  if (folder === undefined || positionals.length > 1) throw new Error('Name one folder.')
  if (severity !== 'normal' && severity !== 'security') throw new Error('--severity is normal or security.')
  if (values.key === undefined) throw new Error('Name the secret key with --key.')
  const key = parseSecretKey(readFileSync(values.key, 'utf8'), process.env.RELEASE_PASSPHRASE)
  return { folder, key, severity, notes } as const
}

/** The executables of one version: those whose signature names a machine. Throws where there is none, or a wrong one. */
function collectFiles(folder: string, publicKey: PublicKey): Pick<Release, 'version' | 'files'> {
  const found = readdirSync(folder).flatMap((name) => {
    const signature = join(folder, `${name}.minisig`)
    if (!existsSync(signature)) return []
    const { trustedComment } = parseSignature(readFileSync(signature, 'utf8'))
    const [, version, target] = /^proofgate (\S+) (\S+)$/.exec(trustedComment) ?? []
    // An older release may lie in the same folder, and is in the list already.
    if (!version || !target || !isTarget(target) || !name.includes(version)) return []
    verifySignature(readFileSync(signature, 'utf8'), { file: join(folder, name) }, publicKey)
    return [{ name, version, target }]
  })
  const newest = found
    .map(({ version }) => version)
    .sort(Bun.semver.order)
    .at(-1)
  if (newest === undefined) throw new Error(`There is no signed executable in ${folder}.`)
  const files = found
    .filter(({ version }) => version === newest)
    .map(({ name, target }): [string, ReleaseFile] => [target, describeFile(folder, name)])
  return { version: newest, files: Object.fromEntries(files) }
}

function describeFile(folder: string, name: string): ReleaseFile {
  const file = join(folder, name)
  return { url: name, sha256: createHash('sha256').update(readFileSync(file)).digest('hex'), size: statSync(file).size }
}
