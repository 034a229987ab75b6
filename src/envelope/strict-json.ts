/** What JSON.parse lets pass, and a file from a stranger must not contain. */

/** Deeper than any proof, and far from what exhausts the stack of whoever walks over the value. */
const deepest = 100

/**
 * What is wrong, as a sentence, or undefined. For text that JSON.parse has accepted, and only that.
 *
 * JSON.parse keeps the last of two members with the same name, other readers keep the first: a file with both would show
 * one claim and verify as another.
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
