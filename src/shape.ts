/** Shapes that TypeBox alone does not have. */

import { t } from 'elysia'

/** One of a few words: an `enum` in the API description, where a union of literals would print as a choice of schemas. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words, description?: string) =>
  t.UnionEnum<[Words[number], ...Words[number][]]>(words as unknown as [Words[number], ...Words[number][]], {
    type: 'string',
    ...(description ? { description } : {}),
  })
