/** Looks at the beginning and the end of a file that has the name of a backup. The hashes of a restore say more. */
import { Value } from '@sinclair/typebox/value'
import { checkName, Header, headerName } from './format.ts'
import type { Kept, Target } from './targets/target.ts'

const blockBytes = 512
/** The header of a backup takes a third of it. */
const beginningBytes = 4_096
/** The header and the content of the last member, and the two empty blocks that end a tar file. */
const endBytes = 4 * blockBytes

/** False for a file that was cut off, is empty, or is another program's. Errors: those of the place. */
export async function isWholeFile(
  target: Target,
  { name, bytes, keyMark }: Kept & { readonly keyMark: number },
): Promise<boolean> {
  if (bytes < beginningBytes) return false
  const beginning = await target.readPart(name, 0, beginningBytes)
  const end = await target.readPart(name, bytes - endBytes, endBytes)
  if (readName(beginning) !== headerName || readName(end) !== checkName) return false
  const size = Number.parseInt(readText(beginning.subarray(124, 136)), 8)
  const header = parseJson(Buffer.from(beginning.subarray(blockBytes, blockBytes + size)).toString())
  return Value.Check(Header, header) && header.keyMark === keyMark
}

/** POSIX.1-1988, ustar: the name is the first field of a member's header. */
const readName = (block: Uint8Array): string => readText(block.subarray(0, 100))

const readText = (field: Uint8Array): string => Buffer.from(field).toString('latin1').replace(/\0.*$/s, '')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
