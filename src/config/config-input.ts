export interface ConfigInput {
  /** Value of --config. */
  readonly file?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** The base of relative paths. */
  readonly cwd: string
}
