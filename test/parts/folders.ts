/** Folders for tests to fill as they like, which go when the tests are over. */
import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'proofgate-test-'))

/**
 * Call it at the top of a test file: its folders are deleted when that file ends. Called in a hook or a
 * test, it would delete them when that one ends.
 */
export function temporaryFolders(): () => string {
  const made: string[] = []
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const folder = makeFolder()
    made.push(folder)
    return folder
  }
}

/** The same for a file that needs one. */
export const temporaryFolder = (): string => temporaryFolders()()

/** For a single step: the folder is deleted when that is done. */
export async function useFolder<T>(step: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeFolder()
  try {
    return await step(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
