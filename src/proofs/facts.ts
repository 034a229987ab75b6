/**
 * The facts by which a proof is found without reading it. Each verified row gives one for its verifier, and one for
 * each subject that the verifier names (Verifier.facts). Each tag gives one. A fact is a 52-bit number, so a reader who
 * finds a proof by it compares the record (match.ts).
 *
 * Private proofs have facts of their own, so that strangers neither find them nor walk past them.
 */
import type { Catalog } from '../verifiers/index.ts'
import { type Condition, findValue, makeComparable, makeCondition } from './condition.ts'
import type { ProofCriteria } from './proof-criteria.ts'
import type { ProofRecord } from './record.ts'

/** A fact in words, before it is a number. */
type Words =
  | readonly [kind: 'verifier', verifierId: string]
  | readonly ['subject', ...string[]]
  | readonly ['tag', string]

const computeFact = (words: Words, isPrivate: boolean): number =>
  Number.parseInt(Bun.SHA256.hash([isPrivate ? 'private' : 'public', ...words].join('\n'), 'hex').slice(0, 13), 16)

/** Conditions by the name of their fact. Both sides find and compare a row's value alike. */
const subjects = new Map<string, Condition>()
function readSubject(name: string): Condition {
  const known = subjects.get(name)
  if (known) return known
  const made = makeCondition(name, [])
  subjects.set(name, made)
  return made
}

/** The fact of every proof with a verified row of this verifier. */
export const computeVerifierFact = (verifierId: string, isPrivate: boolean): number =>
  computeFact(['verifier', verifierId], isPrivate)

/** The same text for all values that a condition takes for equal. Undefined for a value that cannot be looked up. */
function writeSubject(name: string, value: unknown): string | undefined {
  if (name === 'blockNumber') return /^[0-9]{1,16}$/.test(String(value)) ? String(Number(value)) : undefined
  return typeof value === 'string' ? makeComparable(value, readSubject(name).compare) : undefined
}

/** The facts of a proof, each once. */
export function listFacts(
  { rows, meta }: Pick<ProofRecord, 'rows' | 'meta'>,
  isPrivate: boolean,
  catalog: Catalog['known'],
): number[] {
  const facts = new Set<number>()
  for (const { verifierId, verified, data } of rows) {
    if (!verified) continue
    facts.add(computeFact(['verifier', verifierId], isPrivate))
    for (const name of catalog.get(verifierId)?.facts ?? []) {
      const text = writeSubject(name, findValue(data, readSubject(name).paths))
      if (text !== undefined) facts.add(computeFact(['subject', verifierId, name, text], isPrivate))
    }
  }
  for (const tag of meta.tags ?? []) facts.add(computeFact(['tag', tag], isPrivate))
  return [...facts]
}

/**
 * Every matching proof has at least one of these facts. They are those of a subject if the criteria name one, else of a
 * tag, else of the verifiers. Undefined when the criteria name none of these.
 */
export function listAskedFacts(
  proofCriteria: ProofCriteria,
  withPrivate: boolean,
  catalog: Catalog['known'],
): number[] | undefined {
  const words = listAskedWords(proofCriteria, catalog)
  return (
    words && [
      ...new Set(words.flatMap((one) => [computeFact(one, false), ...(withPrivate ? [computeFact(one, true)] : [])])),
    ]
  )
}

/** Every verified row has one of these. */
export const listVerifierFacts = (verifierIds: readonly string[], withPrivate: boolean): number[] =>
  verifierIds.flatMap((id) => [
    computeFact(['verifier', id], false),
    ...(withPrivate ? [computeFact(['verifier', id], true)] : []),
  ])

function listAskedWords(
  { verifierIds, requireAll, conditions, tags }: ProofCriteria,
  catalog: Catalog['known'],
): Words[] | undefined {
  for (const { op, paths, values } of conditions) {
    if (op !== 'eq') continue
    const holders = [...(verifierIds.length > 0 ? verifierIds : catalog.keys())].flatMap((id) => {
      const name = catalog.get(id)?.facts?.find((fact) => readSubject(fact).paths[0] === paths[0])
      return name === undefined ? [] : [{ id, name }]
    })
    const words = holders.flatMap(({ id, name }) =>
      values.map((value) => ({ id, name, text: writeSubject(name, value) })),
    )
    const found = words.flatMap(({ id, name, text }): Words[] =>
      text === undefined ? [] : [['subject', id, name, text]],
    )
    // One that cannot be looked up may still be met.
    if (found.length > 0 && found.length === words.length) return found
  }
  if (tags[0] !== undefined) return [['tag', tags[0]]]
  if (verifierIds.length === 0) return undefined
  return (requireAll ? verifierIds.slice(0, 1) : verifierIds).map((id): Words => ['verifier', id])
}
