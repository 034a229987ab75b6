export interface ViewProps {
  /** What stands in the address where the place has a name. */
  readonly params: Readonly<Record<string, string>>
}
