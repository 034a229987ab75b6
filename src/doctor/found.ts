import type { Finding } from '../outside/probe.ts'

export interface Found extends Finding {
  /** Path of the setting that names the source. */
  readonly setting: string
}
