/** Finds the position of the first JSON error. Browsers report it differently, and some not at all. */

export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Undefined for valid JSON. Nesting beyond the server's limit is a fault too, which keeps the stack safe. */
export function findJsonFault(text: string): JsonFault | undefined {
  const reader = new Reader(text)
  try {
    reader.value(0)
    reader.end()
    return undefined
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const before = text.slice(0, error.at).split('\n')
    return { line: before.length, column: before.at(-1)!.length + 1, message: error.message }
  }
}

class Stop extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message)
  }
}

const deepest = 100
const space = /[ \t\n\r]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be in a JSON string
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y

class Reader {
  private at = 0
  constructor(private readonly text: string) {}

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found === undefined) return undefined
    this.at += found.length
    return found
  }

  private takes(character: string): boolean {
    this.take(space)
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  private stop(expected: string): never {
    const found = this.text[this.at]
    throw new Stop(this.at, `${expected} expected, ${found === undefined ? 'the text ends' : `found ${found}`}`)
  }

  value(depth: number): void {
    if (depth > deepest) throw new Stop(this.at, `nested deeper than ${deepest} levels`)
    if (this.takes('{')) this.members(depth)
    else if (this.takes('[')) this.items(depth)
    else if (this.text[this.at] === '"') this.string()
    else if (this.take(word) === undefined && !this.take(number)) this.stop('a value')
  }

  private string(): void {
    if (this.take(string) !== undefined) return
    // The fault is at the first character that is not allowed there.
    const good = /"(?:[^"\\\u0020]| |\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y
    good.lastIndex = this.at
    const start = good.exec(this.text)?.[0] ?? '"'
    const broken = start.search(/[\n\r]/)
    this.at += broken === -1 ? start.length : broken
    throw new Stop(
      this.at,
      this.text[this.at] === '\\' ? 'an escape that JSON does not know' : 'the string does not end',
    )
  }

  private members(depth: number): void {
    if (this.takes('}')) return
    do {
      this.take(space)
      if (this.text[this.at] !== '"') this.stop('a name in double quotes')
      this.string()
      if (!this.takes(':')) this.stop('":"')
      this.value(depth + 1)
    } while (this.takes(','))
    if (!this.takes('}')) this.stop('"," or "}"')
  }

  private items(depth: number): void {
    if (this.takes(']')) return
    do this.value(depth + 1)
    while (this.takes(','))
    if (!this.takes(']')) this.stop('"," or "]"')
  }

  end(): void {
    this.take(space)
    if (this.at < this.text.length) this.stop('the end')
  }
}
