/** The wire format of erasing an account: parameters and answers. */
import { Type } from '@sinclair/typebox'
import { describeAnswer, IsoTimestamp } from '../http/describe.ts'
import { TracesView } from '../http/traces-view.ts'
import { actionAnswer } from '../proofs/wire.ts'
import { defineChoice } from '../shape.ts'

const ErasureView = Type.Object({
  id: Type.String({ description: 'Whoever knows it may ask how far the erasure is.' }),
  state: defineChoice(
    ['erasing', 'traces-left', 'done'],
    'erasing: nobody finds anything of it, and rows are left to delete. traces-left: the rows are deleted, see traces. done: every row is overwritten and the log of the database is emptied. A part of a row can stand in unused space of the file, where SQLite moved the row before; no request reads it, and the operator clears it with `proofgate compact`. On PostgreSQL done means that no dead row of it is left on the server that takes writes. Unused space of its files, its WAL and its backups can hold text of it for longer: see the guide on revoking.',
  ),
  total: Type.Integer({ description: 'Proofs when it began.' }),
  left: Type.Integer({ description: 'Proofs that are not deleted yet.' }),
  begunAt: IsoTimestamp,
  deletedAt: Type.Optional(IsoTimestamp),
  status: Type.String({ description: 'Path that tells the same later, until seven days after the end.' }),
})

export const ErasureParams = Type.Object({
  erasureId: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'erasure.id of the answer to erase-all.' }),
})

export const erasureAnswer = describeAnswer({ erasure: ErasureView, traces: TracesView })

export const eraseAllAnswer = Type.Composite([
  actionAnswer,
  Type.Object({
    erasedCount: Type.Integer({ description: 'Proofs deleted so far. 0 when an earlier request did it.' }),
    erasure: Type.Optional(ErasureView),
    traces: Type.Optional(TracesView),
  }),
])
