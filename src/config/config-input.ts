export interface ConfigInput {
  /** Value of --config. */
  readonly file?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** What relative paths start from. */
  readonly cwd: string
}
