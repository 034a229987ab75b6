/** A dump that cannot be made, tried or restored. The message says what to do. */
export class DumpError extends Error {
  override readonly name = 'DumpError'
  constructor(
    message: string,
    /** pg_dump or pg_restore is not here: the dump may be good. */
    readonly isMissingProgram = false,
  ) {
    super(message)
  }
}
