import type { Statement, WritePurpose } from '../../src/db/db.ts'
import type { TestApp } from '../app.ts'

/** Holds the writes whose statements hold `text`, as a slow verifier or a slow disk would. */
export function holdWrite({ parts: { db } }: Pick<TestApp, 'parts'>, text: string) {
  const { write } = db
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  Object.assign(db, {
    write: async (statements: readonly Statement[], purpose?: WritePurpose) => {
      if (statements.some(({ sql }) => sql.includes(text))) {
        held.resolve()
        await released.promise
      }
      return write(statements, purpose)
    },
  })
  return { held: held.promise, release: () => released.resolve() }
}
