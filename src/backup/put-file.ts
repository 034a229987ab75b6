import type { Target } from './targets/target.ts'

/** Leaves nothing behind where it fails. Errors: BackupError for a place that does not take it. */
export async function putFile(target: Target, name: string, ...parts: readonly Uint8Array[]): Promise<void> {
  const sink = await target.create(name)
  try {
    for (const part of parts) if (part.length > 0) await sink.write(part)
    await sink.finish()
  } catch (error) {
    await sink.abandon()
    throw error
  }
}
