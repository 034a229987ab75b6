/**
 * The licenses of what travels inside the executable: whoever passes it on has to pass these on too. Taken from the
 * packages as they are installed.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockedPackage {
  readonly dev?: boolean
  readonly optional?: boolean
  readonly license?: string
  readonly version?: string
}

const licenseFile = /^(licen[cs]e|notice|copying)(\..*|-.*)?$/i

/** Text for THIRD-PARTY-NOTICES.txt. */
export function writeNotices(root: string): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const sections = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && !dev && existsSync(join(root, path)))
    .map(([path, { license, version }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const texts = readdirSync(join(root, path))
        .filter((file) => licenseFile.test(file))
        .map((file) => readFileSync(join(root, path, file), 'utf8').trim())
      // MPL-2.0, section 3.2: who gets an executable is told where the source of that part is.
      const source = license?.startsWith('MPL') ? [`Its source code: ${readRepository(join(root, path))}`] : []
      return [`${name} ${version} (${license ?? 'see below'})`, ...source, ...texts].join('\n\n')
    })
  // All code for recovery is made of it. Its license is the same in every version, and lies with the source of one.
  const license = readFileSync(join(root, 'node_modules/secp256k1/src/secp256k1/COPYING'), 'utf8').trim()
  const library = `libsecp256k1 (MIT)\n\n${license}`
  const introduction =
    'Proofgate is licensed under Apache-2.0 (LICENSE). Its executable contains Bun and the packages below, each under its own license.'
  return `${[introduction, ...sections, library].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function readRepository(folder: string): string {
  const { repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    repository?: { readonly url?: string } | string
  }
  const url = typeof repository === 'string' ? repository : repository?.url
  if (url === undefined)
    throw new Error(`${folder} does not say where its source code is, and its license asks for that`)
  return url.replace(/^git\+/, '').replace(/^git@([^:]+):/, 'https://$1/')
}
