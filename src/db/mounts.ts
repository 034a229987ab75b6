/** How a folder is mounted, where the system tells (Linux: /proc/self/mountinfo). */
import { readFileSync, realpathSync } from 'node:fs'

export interface Mount {
  readonly point: string
  readonly type: string
  readonly source: string
  /** The options of the mount and of the file system. */
  readonly options: readonly string[]
}

export function findMount(folder: string): Mount | undefined {
  try {
    return selectMount(realpathSync(folder), readFileSync('/proc/self/mountinfo', 'utf8'))
  } catch {
    return undefined
  }
}

/** The mount with the longest path above `path`; of two on one point the later one hides the other. */
export function selectMount(path: string, mountinfo: string): Mount | undefined {
  return mountinfo
    .split('\n')
    .flatMap((line) => readLine(line) ?? [])
    .filter(({ point }) => path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`))
    .reduce<Mount | undefined>((best, one) => (best && best.point.length > one.point.length ? best : one), undefined)
}

/** `36 35 98:0 /root /point rw,noatime shared:1 - ext4 /dev/sda1 rw,errors=continue` */
function readLine(line: string): Mount | undefined {
  const [before = '', after = ''] = line.split(' - ')
  const [, , , , point, options = ''] = before.split(' ')
  const [type, source = '', ofSystem = ''] = after.split(' ')
  if (!point || !type) return undefined
  return { point: decodeOctal(point), type, source, options: [...options.split(','), ...ofSystem.split(',')] }
}

const decodeOctal = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

/** Why locks that hold between processes of this machine do not hold for another machine on the same files. */
export function explainUnshared({ type, options }: Mount): string | undefined {
  const isNfs = type === 'nfs' || type === 'nfs4'
  const keepsLocal = isNfs && options.find((one) => /^(nolock|local_lock=(all|posix))$/.test(one))
  const sendsNone = (type === 'cifs' || type === 'smb3') && options.find((one) => one === 'nobrl')
  const option = keepsLocal || sendsNone
  return option ? `it is mounted with "${option}", which keeps locks from other machines` : undefined
}
