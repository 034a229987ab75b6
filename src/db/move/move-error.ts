/** A move of the data between a folder and PostgreSQL that cannot go on. The message says what to do. */
export class MoveError extends Error {
  override readonly name = 'MoveError'
}
