/** The machines an executable can be built for, by the names people type. */
export const targets = [
  'linux-x64',
  'linux-arm64',
  'linux-x64-musl',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
  'windows-x64',
  'windows-arm64',
] as const

export type Target = (typeof targets)[number]

export const isTarget = (name: string): name is Target => (targets as readonly string[]).includes(name)

/** For this machine: `proofgate`. For a named target: `proofgate-linux-arm64`, `proofgate-windows-x64.exe`. */
export function nameFile(target: Target | undefined, platform: string = process.platform): string {
  const isWindows = target === undefined ? platform === 'win32' : target.startsWith('windows-')
  return `proofgate${target === undefined ? '' : `-${target}`}${isWindows ? '.exe' : ''}`
}
