/** Merges two concurrent changes to one gate, member by member, as far as they do not conflict. */
import type { Definition } from './definition.ts'

export interface Merged {
  readonly definition: Definition
  /** Members that both sides changed differently; our value wins. */
  readonly both: readonly string[]
}

/** `base` is the version that both sides started from. */
export function mergeDefinitions(base: Definition, theirs: Definition, ours: Definition): Merged {
  const names = new Set([...Object.keys(theirs), ...Object.keys(ours)]) as Set<keyof Definition>
  const both: string[] = []
  const definition = Object.fromEntries(
    [...names].flatMap((name) => {
      const [before, their, our] = [base[name], theirs[name], ours[name]]
      const isOurs = !isSame(before, our)
      if (isOurs && !isSame(before, their) && !isSame(their, our)) both.push(name)
      const value = isOurs ? our : their
      return value === undefined ? [] : [[name, value]]
    }),
  ) as unknown as Definition
  return { definition, both }
}

const isSame = (one: unknown, other: unknown): boolean => toPlain(one) === toPlain(other)

/** The place of a kept reward value is no change: the value stays until a new one is given. */
const toPlain = (value: unknown): string | undefined =>
  JSON.stringify(value, (name, member) => (name === 'valueFrom' ? 'kept' : member))
