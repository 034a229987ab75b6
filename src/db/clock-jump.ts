export interface ClockJump {
  /** Unix milliseconds of the clock of the machine, after it was set. */
  readonly at: number
  /** Milliseconds: positive when it was set ahead. */
  readonly sizeMs: number
}
