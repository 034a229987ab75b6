/** The texts that a source file holds, for tests of what messages say: comments, types and import paths left out. */
import { Glob } from 'bun'

export interface SourceText {
  readonly file: string
  /** Each `${…}` is replaced by one `*`. */
  readonly text: string
}

const transpiler = new Bun.Transpiler({ loader: 'ts' })

/** Reads every file of src, or those that match. */
export async function sourceTexts(matching: RegExp = /./): Promise<readonly SourceText[]> {
  const files = [...new Glob('**/*.ts').scanSync('src')].filter((file) => matching.test(file)).sort()
  const found = files.map(async (file) => {
    const code = transpiler.transformSync(await Bun.file(`src/${file}`).text())
    return extractTexts(code.replace(/^(import|export) [^;]*? from "[^"]*";$/gm, '')).map((text) => ({ file, text }))
  })
  return (await Promise.all(found)).flat()
}

/** A slash begins a regular expression where no value stands before it. */
const beforeRegExp = /(^|[=(,:[!&|?{};+\-*%<>~^\n]|\breturn|\btypeof|\bcase)\s*$/

/** Takes JavaScript without comments. */
export function extractTexts(code: string): string[] {
  const texts: string[] = []
  let at = 0

  function quoted(quote: string): string {
    let text = ''
    for (at++; code[at] !== quote; at++) {
      if (code[at] === '\\') text += code[++at]
      else if (quote === '`' && code.startsWith('${', at)) {
        at += 2
        plain('}')
        text += '*'
      } else text += code[at]
      if (at >= code.length) throw new Error('a text without an end')
    }
    at++
    return text
  }

  function regExp(): void {
    let isInClass = false
    for (at++; code[at] !== '/' || isInClass; at++) {
      if (code[at] === '\\') at++
      else if (code[at] === '[') isInClass = true
      else if (code[at] === ']') isInClass = false
      if (at >= code.length) throw new Error('a regular expression without an end')
    }
    at++
  }

  /** Up to the brace that closes, which is left for the caller. */
  function plain(end: string | undefined): void {
    for (let depth = 0; at < code.length; ) {
      const char = code[at]!
      if (char === end && depth === 0) return
      if (char === '"' || char === "'" || char === '`') texts.push(quoted(char))
      else if (char === '/' && beforeRegExp.test(code.slice(Math.max(0, at - 20), at))) regExp()
      else {
        if (char === '{') depth++
        else if (char === '}') depth--
        at++
      }
    }
  }

  plain(undefined)
  return texts
}
