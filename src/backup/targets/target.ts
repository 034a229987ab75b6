/** Where backups are kept. */

export interface Sink {
  write(bytes: Uint8Array): Promise<void>
  /** The file stands under its name from now on, whole. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  abandon(): Promise<void>
}

export interface Kept {
  readonly name: string
  readonly bytes: number
}

export interface Target {
  /** For people. */
  readonly title: string
  /** Refuses a name that is taken. */
  create(name: string): Promise<Sink>
  read(name: string): AsyncIterable<Uint8Array>
  /** In the order of their names. */
  list(prefix: string): Promise<readonly Kept[]>
  remove(name: string): Promise<void>
}
