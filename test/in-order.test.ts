/** The array methods with asynchronous callbacks: one item after another, and no further than needed. */
import { describe, expect, test } from 'bun:test'
import { readShared } from '../src/gates/check/find-matches.ts'
import {
  filterInOrder,
  findInOrder,
  flatMapInOrder,
  isEveryInOrder,
  isSomeInOrder,
  mapInOrder,
} from '../src/in-order.ts'
import type { SharedSearch } from '../src/proofs/check-work.ts'
import type { ProofRow } from '../src/proofs/proof.ts'

/** Notes which items were asked about, and how many at the same time. The first item takes longest. */
function watchCalls<Answer>(answer: (item: number) => Answer) {
  const seen = { items: [] as number[], atOnce: 0, most: 0 }
  const ask = async (item: number): Promise<Answer> => {
    seen.items.push(item)
    seen.most = Math.max(seen.most, ++seen.atOnce)
    await Bun.sleep(4 - item)
    seen.atOnce--
    return answer(item)
  }
  return { seen, ask }
}

describe('a callback is asked about one item after another', () => {
  test.each([
    ['mapInOrder', mapInOrder, (item: number) => item * 2, [2, 4, 6]],
    ['flatMapInOrder', flatMapInOrder, (item: number) => [item, -item], [1, -1, 2, -2, 3, -3]],
    ['filterInOrder', filterInOrder, (item: number) => item !== 2, [1, 3]],
  ] as const)('%s keeps the order', async (_, run, answer, expected) => {
    const { seen, ask } = watchCalls<unknown>(answer)
    const walk = run as (items: readonly number[], ask: (item: number) => Promise<unknown>) => Promise<unknown>
    expect(await walk([1, 2, 3], ask)).toEqual(expected)
    expect(seen).toEqual({ items: [1, 2, 3], atOnce: 0, most: 1 })
  })

  test.each([
    ['findInOrder', findInOrder, (item: number) => item === 2, 2],
    ['isSomeInOrder', isSomeInOrder, (item: number) => item === 2, true],
    ['isEveryInOrder', isEveryInOrder, (item: number) => item !== 2, false],
  ] as const)('%s asks no further than the item that decides', async (_, run, answer, expected) => {
    const { seen, ask } = watchCalls(answer)
    expect(await run([1, 2, 3], ask)).toBe(expected as never)
    expect(seen.items).toEqual([1, 2])
  })
})

describe('questions that share a search at the same time', () => {
  function openSearch() {
    const counted = { reads: 0 }
    async function* listProofs(): AsyncGenerator<ProofRow, boolean> {
      for (const id of [3, 2, 1]) {
        counted.reads++
        await Bun.sleep(1)
        yield { id } as unknown as ProofRow
      }
      return true
    }
    const search: SharedSearch = { read: [], rest: listProofs(), isComplete: undefined }
    return { counted, search }
  }

  test('each see all of its proofs, which are read once', async () => {
    const { counted, search } = openSearch()
    const found = await Promise.all([1, 2, 3].map(() => Array.fromAsync(readShared(search), (proof) => proof.id)))
    expect(found).toEqual([
      [3, 2, 1],
      [3, 2, 1],
      [3, 2, 1],
    ])
    expect(await Array.fromAsync(readShared(search), (proof) => proof.id)).toEqual([3, 2, 1])
    expect([counted.reads, search.isComplete]).toEqual([3, true])
  })

  test('read no further than one of them needs', async () => {
    const { counted, search } = openSearch()
    const first = await Promise.all([1, 2, 3].map(() => readShared(search).next()))
    expect(first.map(({ value }) => value?.id)).toEqual([3, 3, 3])
    await Bun.sleep(10)
    expect([counted.reads, search.isComplete]).toEqual([1, undefined])
  })
})
