/**
 * Finds the storage slot of an answer. Only an answer that is alone in one slot counts as proved. One eth_getProof is
 * enough to check that, without the code. A computed answer, or one that shares its slot, is reported as such.
 */
import { pad } from 'viem'
import type { Hex, ReadingProof } from '../../chain.ts'
import type { NotRun, Run, SlotRead } from './run.ts'

export interface Asked {
  readonly contract: Hex
  /** The words that the answer is looked up by, such as the holder, the outermost first. One word each. */
  readonly keys: readonly Hex[]
}

export function describeProof(run: Run | NotRun, { contract, keys }: Asked, stateRoot: Hex): ReadingProof {
  const reportUnproved = (reason: Extract<ReadingProof, { proved: false }>['reason']): ReadingProof => ({
    proved: false,
    reason,
    stateRoot,
  })
  if ('notRun' in run) return reportUnproved(run.notRun)
  const { outcome, codes, preimages } = run
  if (!('returned' in outcome) || outcome.returned.length !== 66) return reportUnproved('unknown-layout')
  const answer = outcome.returned
  // The slot in which a proxy stores its code address is no part of the answer.
  const namesCode = ({ value }: SlotRead): boolean => {
    const named = `0x${value.slice(26)}` as const
    return named !== contract && codes.has(named)
  }
  const reads = run.reads.filter((read) => !namesCode(read))
  const [read] = reads
  if (!read) return reportUnproved('not-in-storage')
  if (reads.length > 1) return reportUnproved('computed')
  if (read.value !== answer) return reportUnproved(isPartialWord(answer, read.value) ? 'packed' : 'computed')
  const layout = read.contract === contract ? findLayout(read, keys, preimages) : undefined
  if (!layout) return reportUnproved('unknown-layout')
  return { proved: true, account: true, contract, storageSlot: read.slot, ...layout, stateRoot }
}

/** Describes a slot that was requested by its position. */
export const describeSlotProof = (contract: Hex, slot: Hex, stateRoot: Hex): ReadingProof => ({
  proved: true,
  account: true,
  contract,
  storageSlot: pad(slot),
  layout: 'plain',
  baseSlot: pad(slot),
  stateRoot,
})

type Layout = Pick<Extract<ReadingProof, { proved: true }>, 'layout' | 'baseSlot'>

/** Undefined for a slot that is not looked up by exactly these keys. */
function findLayout({ slot }: SlotRead, keys: readonly Hex[], preimages: ReadonlyMap<Hex, Hex>): Layout | undefined {
  if (keys.length === 0) return preimages.has(slot) ? undefined : { layout: 'plain', baseSlot: slot }
  let base = slot
  let layout: Layout['layout'] | undefined
  const left = [...keys]
  while (left.length > 0) {
    const found = unhashKey(preimages.get(base), left)
    if (!found || (layout !== undefined && layout !== found.layout)) return undefined
    left.splice(left.indexOf(found.key), 1)
    layout = found.layout
    base = found.base
  }
  return layout && !preimages.has(base) ? { layout, baseSlot: base } : undefined
}

interface Unhashed {
  readonly layout: Layout['layout']
  readonly key: Hex
  readonly base: Hex
}

function unhashKey(preimage: Hex | undefined, keys: readonly Hex[]): Unhashed | undefined {
  const text = preimage?.slice(2) ?? ''
  const [first, second] = [`0x${text.slice(0, 64)}`, `0x${text.slice(64)}`] as const
  for (const key of keys) {
    if (text.length === 128 && first === key) return { layout: 'mapping', key, base: second }
    if (text.length === 128 && second === key) return { layout: 'vyper-mapping', key, base: first }
    // Solady: the address in 20 bytes, preceded only by a seed.
    if (text.length === 64 && key.startsWith(`0x${'0'.repeat(24)}`) && text.startsWith(key.slice(26)))
      return { layout: 'seeded', key, base: pad(`0x${text.slice(40)}`) }
  }
  return undefined
}

/** The bytes of the answer inside the word, without leading zeros. */
function isPartialWord(answer: Hex, word: Hex): boolean {
  const digits = BigInt(answer).toString(16)
  return BigInt(answer) > 0n && word.slice(2).includes(digits)
}
