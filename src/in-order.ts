/**
 * The array methods with asynchronous callbacks, one item after another.
 *
 * Promise.all would start every read at once. A caller that stops at the first match, or that bounds its work, needs
 * each answer before it asks the next question.
 */

export async function mapInOrder<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) results.push(await map(item, index))
  return results
}

export const flatMapInOrder = async <Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Promise<readonly Result[]>,
): Promise<Result[]> => (await mapInOrder(items, map)).flat() as Result[]

export async function filterInOrder<Item>(
  items: readonly Item[],
  isKept: (item: Item, index: number) => boolean | Promise<boolean>,
): Promise<Item[]> {
  const kept: Item[] = []
  for (const [index, item] of items.entries()) if (await isKept(item, index)) kept.push(item)
  return kept
}

export async function findInOrder<Item>(
  items: readonly Item[],
  isFound: (item: Item) => boolean | Promise<boolean>,
): Promise<Item | undefined> {
  for (const item of items) if (await isFound(item)) return item
  return undefined
}

export const isSomeInOrder = async <Item>(
  items: readonly Item[],
  isFound: (item: Item) => boolean | Promise<boolean>,
): Promise<boolean> => {
  for (const item of items) if (await isFound(item)) return true
  return false
}

export const isEveryInOrder = async <Item>(
  items: readonly Item[],
  isTrue: (item: Item) => boolean | Promise<boolean>,
): Promise<boolean> => {
  for (const item of items) if (!(await isTrue(item))) return false
  return true
}
