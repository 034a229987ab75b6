/** Who looks after a file of the system: the package manager, whose files nobody else replaces. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Manager {
  /** Undefined where another package manager than dpkg is in charge. */
  readonly packageName: string | undefined
  readonly mend: string
}

/** By the Filesystem Hierarchy Standard: packages own these folders, apart from /usr/local. */
const ofPackages = /^\/(?:usr\/)?(?:bin|sbin|lib|lib64|libexec|share)\//

/** Undefined for a file that somebody put there by hand. */
export function findPackage(path: string, dpkgFolder = '/var/lib/dpkg/info'): Manager | undefined {
  const packageName = findDebianPackage(path, dpkgFolder)
  if (packageName !== undefined)
    return {
      packageName,
      mend: `${path} belongs to the package ${packageName}: update it with apt, as root: apt update && apt install --only-upgrade ${packageName}`,
    }
  if (!ofPackages.test(path)) return undefined
  return {
    packageName,
    mend: `${path} lies in a folder of the system's package manager: update it with that, or move the file to /usr/local/bin and run this again`,
  }
}

/** dpkg's lists name each file of a package in a line. /bin and /usr/bin may be the same folder. */
function findDebianPackage(path: string, dpkgFolder: string): string | undefined {
  const names = [path, path.replace(/^\/usr/, ''), `/usr${path}`]
  let lists: readonly string[]
  try {
    lists = readdirSync(dpkgFolder).filter((name) => name.endsWith('.list'))
  } catch {
    return undefined
  }
  const owner = lists.find((list) => {
    const lines = new Set(readFileSync(join(dpkgFolder, list), 'utf8').split('\n'))
    return names.some((name) => lines.has(name))
  })
  return owner?.replace(/(:\w+)?\.list$/, '')
}

export function readUserName(uid: number, passwdFile = '/etc/passwd'): string {
  try {
    const line = readFileSync(passwdFile, 'utf8')
      .split('\n')
      .find((one) => one.split(':')[2] === String(uid))
    if (line) return `${line.split(':')[0]} (user ${uid})`
  } catch {
    // A container may lack the file.
  }
  return `user ${uid}`
}
