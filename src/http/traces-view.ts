/** The part of an answer about deleted text: whether the database's log may still hold it. */
import { Type } from '@sinclair/typebox'
import type { Traces } from '../db/traces.ts'
import { IsoTimestamp } from './describe.ts'

export const TracesView = Type.Object(
  { pending: Type.Boolean(), since: Type.Optional(IsoTimestamp) },
  {
    description:
      'pending: what was deleted may stand in the log of the database, or in dead rows of PostgreSQL, still: rows are left to delete, another program reads the database, or the disk does not let the log be emptied. The server goes on until nothing of it is left there. Unused space of the database files is another matter: see the guide on revoking.',
  },
)

export const buildTracesView = (traces: Pick<Traces, 'since'> | undefined) =>
  traces ? { pending: true, since: new Date(traces.since).toISOString() } : { pending: false }
