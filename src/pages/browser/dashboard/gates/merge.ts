/** Two changes to one gate, made at the same time, put together: member by member, as far as they do not meet. */
import type { Definition } from './definition.ts'

export interface Merged {
  readonly definition: Definition
  /** Members that both changed, each in its own way: ours stands. */
  readonly both: readonly string[]
}

/** `base` is what both started from. */
export function merged(base: Definition, theirs: Definition, ours: Definition): Merged {
  const names = new Set([...Object.keys(theirs), ...Object.keys(ours)]) as Set<keyof Definition>
  const both: string[] = []
  const definition = Object.fromEntries(
    [...names].flatMap((name) => {
      const [before, their, our] = [base[name], theirs[name], ours[name]]
      const isOurs = !same(before, our)
      if (isOurs && !same(before, their) && !same(their, our)) both.push(name)
      const value = isOurs ? our : their
      return value === undefined ? [] : [[name, value]]
    }),
  ) as unknown as Definition
  return { definition, both }
}

const same = (one: unknown, other: unknown): boolean => plain(one) === plain(other)

/** Where a reward value is kept says nothing of whether it changed: it is the same until another one is given. */
const plain = (value: unknown): string | undefined =>
  JSON.stringify(value, (name, member) => (name === 'valueFrom' ? 'kept' : member))
