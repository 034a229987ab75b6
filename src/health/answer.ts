/** The answer of health: it has the same members in every state. */
import { Type } from '@sinclair/typebox'
import type { Parts } from '../parts.ts'

export const Storage = Type.Union([Type.Literal('ok'), Type.Literal('full')], {
  description: 'full: the disk has less free space than storage.min_free_mb, so nothing new is stored. Reads go on.',
})

export const Told = {
  lastCommit: Type.Union(
    [
      Type.Object({
        result: Type.Union([Type.Literal('stored'), Type.Literal('failed')]),
        ageMs: Type.Integer({ description: 'Milliseconds since it ended.' }),
      }),
      Type.Null(),
    ],
    { description: 'The newest commit of the database. null: none yet since the start.' },
  ),
  waitingMs: Type.Integer({ description: 'How long the oldest write waits that is under way. 0: none is.' }),
  heartbeat: Type.Union([Type.Object({ ageMs: Type.Integer() }), Type.Null()], {
    description:
      'The newest write that the server made to see whether the disk takes it: every 10 seconds in which nothing else was stored.',
  }),
  conditions: Type.Array(
    Type.Object({
      name: Type.String({ description: 'In kebab case; stays the same while the words may change.' }),
      level: Type.Union([Type.Literal('failing'), Type.Literal('warning')], {
        description: 'failing: the server is not ready while it lasts.',
      }),
      says: Type.String(),
      since: Type.String({ format: 'date-time' }),
      count: Type.Integer({ description: 'How often it was met since.' }),
      mend: Type.Optional(Type.String({ description: 'What to do. Told on the machine of the server only.' })),
    }),
    { description: 'What is wrong now, the failing first.' },
  ),
}

export const readStorageState = ({ freeSpace }: Parts): 'ok' | 'full' => (freeSpace.isBelowFloor() ? 'full' : 'ok')

/** Asks no disk. */
export function tellStorage({ storage, conditions }: Parts, tellsMend: boolean) {
  // Judges first, so that the conditions are those of this moment.
  const view = storage.ask()
  return {
    ...view,
    conditions: conditions.list().map(({ name, level, says, since, count, mend }) => ({
      name,
      level,
      says,
      since: new Date(since).toISOString(),
      count,
      ...(tellsMend ? { mend } : {}),
    })),
  }
}

export type ToldStorage = ReturnType<typeof tellStorage>
