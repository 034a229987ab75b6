/** Archives of files: tar (ustar), and the ar archive that a .deb is. The same files give the same bytes on every machine. */

export interface ArchivedFile {
  /** Relative, with `/`; at most 100 bytes. The folders above it are added. */
  readonly path: string
  readonly content: Uint8Array | string
  /** Read by everybody unless named. */
  readonly mode?: number
}

const blockBytes = 512
const folderMode = 0o755
const fileMode = 0o644

/** `seconds`: the time of every member. `base` is written before each path: `./` in a package. */
export function writeTar(files: readonly ArchivedFile[], { seconds, base = '' }: { seconds: number; base?: string }) {
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const folders = new Set(sorted.flatMap(({ path }) => listFolders(path)))
  const members = [
    ...(base === '' ? [] : [writeHeader(base, '5', folderMode, 0, seconds)]),
    ...[...folders].sort().map((folder) => writeHeader(`${base}${folder}/`, '5', folderMode, 0, seconds)),
    ...sorted.flatMap(({ path, content, mode = fileMode }) => {
      const bytes = Buffer.from(content as Uint8Array)
      const padding = new Uint8Array((blockBytes - (bytes.length % blockBytes)) % blockBytes)
      return [writeHeader(`${base}${path}`, '0', mode, bytes.length, seconds), bytes, padding]
    }),
  ]
  return Buffer.concat([...members, new Uint8Array(2 * blockBytes)])
}

/** Every folder above a path, the outermost first. */
const listFolders = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, names) => names.slice(0, index + 1).join('/'))

function writeHeader(path: string, type: '0' | '5', mode: number, size: number, seconds: number): Uint8Array {
  if (Buffer.byteLength(path) > 100) throw new Error(`the path is too long for a tar archive: ${path}`)
  const header = Buffer.alloc(blockBytes)
  const write = (text: string, offset: number): void => void header.write(text, offset)
  const writeOctal = (value: number, offset: number, digits: number): void =>
    write(value.toString(8).padStart(digits, '0'), offset)
  write(path, 0)
  writeOctal(mode, 100, 7)
  // Owner and group: root.
  writeOctal(0, 108, 7)
  writeOctal(0, 116, 7)
  writeOctal(size, 124, 11)
  writeOctal(seconds, 136, 11)
  write(type, 156)
  write('ustar\u000000', 257)
  write('root', 265)
  write('root', 297)
  // The checksum counts its own field as blanks.
  write(' '.repeat(8), 148)
  const sum = header.reduce((total, byte) => total + byte, 0)
  write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148)
  return header
}

/** An ar archive, with its members in the given order. */
export function writeAr(members: readonly { name: string; content: Uint8Array }[], seconds: number): Uint8Array {
  const parts = members.flatMap(({ name, content }) => {
    const header = [
      name.padEnd(16),
      String(seconds).padEnd(12),
      '0'.padEnd(6),
      '0'.padEnd(6),
      '100644'.padEnd(8),
      String(content.length).padEnd(10),
      '`\n',
    ].join('')
    return [Buffer.from(header), content, Buffer.from(content.length % 2 === 0 ? '' : '\n')]
  })
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}
