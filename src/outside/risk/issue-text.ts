/**
 * A provider's text about a wallet. It comes from outside and is stored and shown, so it is bounded and on one line.
 * Characters that let it pose as something else (control characters, direction changes) are removed.
 */
const tagMaxLength = 64
const descriptionMaxLength = 300
export const issuesMax = 20

export const cutTag = (text: string): string => cutText(text, tagMaxLength)
export const cutDescription = (text: string): string => cutText(text, descriptionMaxLength)

function cutText(text: string, maxLength: number): string {
  // Cut first: a provider may send a megabyte.
  const plain = text
    .slice(0, maxLength * 4)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  const letters = [...plain]
  return letters.length <= maxLength ? plain : `${letters.slice(0, maxLength - 1).join('')}…`
}
