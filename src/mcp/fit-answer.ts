/**
 * Keeps the answer of a tool within its size. The JSON stands in it twice, and the second time inside a string, which
 * doubles its quotes. So the text goes first, and then large members that the answer may do without.
 */
import type { ToolAnswer } from './transport.ts'

/** Bytes of the answer. With everything around it, it is below 2 MB. */
export const largestAnswerBytes = 1_900_000
/** Characters. A shorter text and its JSON cannot be too large: an escape has six bytes, and its quotes double. */
const smallText = largestAnswerBytes / 24
/** Bytes of a member that stays in a shortened text. */
const largestTextMember = 10_000

/** In this order. The proof read by its id has the first, and the person can fill in the page of the second. */
const dispensable = ['portableProof', 'hostedVerifyUrl']

/** Undefined where nothing is small enough. A key that was just made is never held back: it cannot be had again. */
export function fitAnswer(answer: ToolAnswer): ToolAnswer | undefined {
  if (answer.text.length < smallText || countBytes(answer) <= largestAnswerBytes) return answer
  const whole = answer.structured ?? {}
  const text = writeShortText(whole)
  let structured: Readonly<Record<string, unknown>> = whole
  for (const name of [undefined, ...dispensable]) {
    structured = Object.fromEntries(Object.entries(structured).filter(([member]) => member !== name))
    const fitted = { ...answer, text, structured }
    if (countBytes(fitted) <= largestAnswerBytes) return fitted
  }
  return 'generatedWallet' in structured ? { ...answer, text, structured } : undefined
}

/** The small members, for clients that read text only. */
function writeShortText(structured: Readonly<Record<string, unknown>>): string {
  const kept = Object.entries(structured).filter(
    ([, value]) => (JSON.stringify(value) ?? '').length <= largestTextMember,
  )
  const leftOut = Object.keys(structured).filter((name) => !kept.some(([one]) => one === name))
  return JSON.stringify({
    ...Object.fromEntries(kept),
    shortened: `This text has no place for ${leftOut.join(', ')}: see structuredContent.`,
  })
}

const countBytes = ({ text, structured }: ToolAnswer): number =>
  Buffer.byteLength(JSON.stringify(text)) + Buffer.byteLength(JSON.stringify(structured ?? {}))
