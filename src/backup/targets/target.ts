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
  /** So many bytes from there on, or fewer at the end. */
  readPart(name: string, from: number, bytes: number): Promise<Uint8Array>
  /** In the order of their names. */
  list(prefix: string): Promise<readonly Kept[]>
  /** The same without sizes, which a folder tells of one file at a time. */
  listNames(prefix: string): Promise<readonly string[]>
  remove(name: string): Promise<void>
  exists(): Promise<boolean>
  /** Removes what killed runs have left, and returns its names. */
  clear(): Promise<readonly string[]>
}
