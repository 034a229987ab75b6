/** What keeps an export from being brought in. Nothing was changed. */
export class ImportError extends Error {
  override readonly name = 'ImportError'

  constructor(says: string, mend: string) {
    super(`${says}: ${mend}. Nothing was changed`)
  }
}

export const copyAgain = 'copy the export again, or make it again with proofgate export'
