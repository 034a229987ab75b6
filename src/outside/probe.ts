/** One attempt to use a configured source, as doctor makes it. */
export interface Probe {
  /** Path of the setting: `chains.base.rpc[0]`. */
  readonly setting: string
  /** The finding needs only the configuration and its files, and no call, so check-config shows it as well. */
  readonly isLocal?: boolean
  /** Resolves with what was found, or throws an OutsideError. */
  run(): Promise<Finding>
}

export interface Finding {
  /** `warn`: it works, and is most likely unintended. */
  readonly level: 'ok' | 'warn' | 'fail'
  /** A sentence without the setting's name: `answers for eip155:8453 at block 123, 2 s old`. */
  readonly says: string
  /** For warn and fail: the remedy. */
  readonly mend?: string
}

/** A finding that needs no call. */
export const makeKnownProbe = (setting: string, finding: Finding): Probe => ({
  setting,
  isLocal: true,
  run: async () => finding,
})
