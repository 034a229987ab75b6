/** One attempt to use a configured source, as doctor makes it. */
export interface Probe {
  /** Path of the setting: `chains.base.rpc[0]`. */
  readonly setting: string
  /** Told by the configuration and by what lies beside it: nobody is called, so that check-config tells it as well. */
  readonly isLocal?: boolean
  /** Resolves with what was found, or throws an OutsideError. */
  run(): Promise<Finding>
}

export interface Finding {
  /** `warn`: it works, and is most likely not what the operator wants. */
  readonly level: 'ok' | 'warn' | 'fail'
  /** A sentence without the setting's name: `answers for eip155:8453 at block 123, 2 s old`. */
  readonly says: string
  /** For warn and fail: what to do. */
  readonly mend?: string
}

/** A finding that needs no call. */
export const makeKnownProbe = (setting: string, finding: Finding): Probe => ({
  setting,
  isLocal: true,
  run: async () => finding,
})
