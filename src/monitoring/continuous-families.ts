/** Metrics of the continuous backup. No sample while it is off. */
import { type Family, makeValue, type Value } from '../metric-family.ts'
import type { Parts } from '../parts.ts'

type ContinuousParts = Pick<Parts, 'continuous'>

const readWhere =
  (read: (continuous: NonNullable<Parts['continuous']>) => number) =>
  ({ continuous }: ContinuousParts): readonly Value[] =>
    continuous ? makeValue(read(continuous)) : []

export const continuousFamilies: readonly Family<ContinuousParts>[] = [
  {
    name: 'proofgate_backup_lag_seconds',
    type: 'gauge',
    help: 'For how long the oldest commit has waited that the continuous backup does not hold yet.',
    read: readWhere((continuous) => continuous.readLagMs() / 1000),
  },
  {
    name: 'proofgate_backup_shipped_bytes_total',
    type: 'counter',
    help: 'Bytes that the continuous backup wrote to its place.',
    read: readWhere((continuous) => continuous.readFigures().shippedBytes),
  },
  {
    name: 'proofgate_backup_chains_total',
    type: 'counter',
    help: 'Times that the continuous backup began anew, with a backup of the whole.',
    read: readWhere((continuous) => continuous.readFigures().chains),
  },
]
