export interface ViewProps {
  /** The parts of the address by their names in the pattern. */
  readonly params: Readonly<Record<string, string>>
}
