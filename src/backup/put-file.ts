import type { Target } from './targets/target.ts'

/** Shorter parts are written together. */
const leastWrittenBytes = 65_536

/** Leaves nothing behind where it fails. Errors: BackupError for a place that does not take it. */
export async function putFile(target: Target, name: string, ...parts: readonly Uint8Array[]): Promise<void> {
  const sink = await target.create(name)
  try {
    for (const part of joinShort(parts)) if (part.length > 0) await sink.write(part)
    await sink.finish()
  } catch (error) {
    await sink.abandon()
    throw error
  }
}

function* joinShort(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  let short: Uint8Array[] = []
  for (const part of parts) {
    if (part.length < leastWrittenBytes) short.push(part)
    else {
      yield Buffer.concat(short)
      short = []
      yield part
    }
  }
  yield Buffer.concat(short)
}
