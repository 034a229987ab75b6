/** Rejects constructs that JSON.parse accepts and an untrusted file must not contain. */

/** Deeper than any proof, and far below the depth that exhausts the stack of a recursive reader. */
const deepest = 100

/**
 * The fault, as a sentence, or undefined. Use it only for text that JSON.parse has accepted.
 *
 * JSON.parse keeps the last of two members with the same name, other readers keep the first. A file with both would
 * show one claim and verify as another.
 */
export function findStrictJsonFault(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  for (const [token, colon] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g)) {
    if (token === '}' || token === ']') open.pop()
    else if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined)
      if (open.length > deepest) return `it is nested deeper than ${deepest} levels`
    } else if (colon !== undefined) {
      const name: string = JSON.parse(token.slice(0, -colon.length))
      const names = open.at(-1)
      if (names?.has(name))
        return `the member "${name.slice(0, 80)}" is there twice, and readers differ in which of the two they take`
      names?.add(name)
    }
  }
  return undefined
}
