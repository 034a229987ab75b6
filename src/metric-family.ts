/**
 * A family of metrics: a name with its meaning, and how its values are read from the server when the page of metrics is
 * asked for. Each stands near what it measures; monitoring/families.ts lists all.
 *
 * Labels are bounded: patterns of routes, ids of verifiers, settings. Never a wallet, an address or a gate.
 */
import type { Distribution } from './distribution.ts'

export type Labels = Readonly<Record<string, string>>

export interface Value {
  readonly labels?: Labels
  readonly value: number
}

export interface Distributed {
  readonly labels?: Labels
  readonly distribution: Pick<Distribution, 'bounds' | 'counts' | 'sum'>
}

interface Named {
  /** As Prometheus names metrics: the unit last, `_total` after it for a counter. */
  readonly name: string
  /** One sentence, without a line break. */
  readonly help: string
}

export interface ValueFamily<Source> extends Named {
  /** A counter only grows, and begins at 0 with the process. */
  readonly type: 'counter' | 'gauge'
  /** Nothing where it is not known, such as the free space of a disk that does not tell it. */
  read(source: Source): readonly Value[] | Promise<readonly Value[]>
}

export interface DistributionFamily<Source> extends Named {
  readonly type: 'histogram'
  read(source: Source): readonly Distributed[]
}

export type Family<Source> = ValueFamily<Source> | DistributionFamily<Source>

/** The only value of a family, or none where it is not known. */
export const makeValue = (value: number | null | undefined): readonly Value[] =>
  value === undefined || value === null ? [] : [{ value }]
