/**
 * JSON.parse keeps the last of two members with the same name, other readers keep the first. A file with both would
 * show one claim and verify as another, so whoever verifies refuses it.
 */

/** A name that occurs twice in one object, or undefined. For text that JSON.parse has accepted, and only that. */
export function duplicateMember(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  for (const [token, colon] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (colon !== undefined) {
      const name: string = JSON.parse(token.slice(0, -colon.length))
      const names = open.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
    }
  }
  return undefined
}
