/**
 * Work that begins several things. If a later one fails, none may be left behind, because it would keep the process
 * alive.
 */

export type OnFailure = (undo: () => unknown) => void

/** Undoes the newest first when `work` fails. The error is that of the work, whatever the undoing meets. */
export async function undoOnFailure<Result>(work: (onFailure: OnFailure) => Promise<Result>): Promise<Result> {
  const begun: (() => unknown)[] = []
  try {
    return await work((undo) => void begun.push(undo))
  } catch (error) {
    for (const undo of begun.reverse())
      try {
        await undo()
      } catch {
        // Most likely the same fault: a disk that fails the start fails its undoing too.
      }
    throw error
  }
}
